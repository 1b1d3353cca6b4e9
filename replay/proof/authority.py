"""Check that nothing was done which the host may not do alone, and list what was done so (fairness.md 5).

A rewind, a ruling, a substitute or other rules each need somebody's word in the log: an order of a side, of both, or of
an umpire whom both have named. A settlement carries out one remedy, once; an agreed offer is spent with it.

The block of a settlement holds nothing of the game: no rule judges it, so nothing may hide in it.
"""

from typing import Any

from msgspec import Struct

from domain.engine.events import CORE_EVENTS
from domain.log.record import Recorded
from replay.proof.blocks import CORRECTION, DISPUTES, SEATS, SETTLEMENTS, Block, ProtocolFault, require
from replay.proof.seats import Seats

UMPIRE = "umpire"
AGREED = "agreed"
SETTLED = ("withdrawn", AGREED, "declined", "lapsed", "ruled")
"""How a docket may be settled."""
BEHIND_A_CORRECTION = ("TurnEnded", "TurnBegan")
"""What facts that an umpire sets may bring about."""
PAGE_EVENTS = frozenset(CORE_EVENTS) | SETTLEMENTS | DISPUTES


class Act(Struct, frozen=True):
    """What was done by agreement, by an umpire or by the host: event `n`, `what` as a code, who did it, by what
    `authority` (a code), and what it was about."""

    n: int
    what: str
    who: str
    authority: str
    about: str = ""


class Authority:
    """Follows what needs authority in one battle; `rules` is the version that the header names."""

    def __init__(self, seats: Seats, rules: str) -> None:
        self.umpire = ""
        self.listed: list[Act] = []
        self._seats = seats
        self._rules = rules
        self._proposed: dict[str, str] = {}
        self._offers: dict[tuple[str, str], str] = {}
        self._substitutes: dict[str, str] = {}
        self._granted: dict[str, tuple[str, str]] = {}  # of the present block: docket -> (remedy, authority)
        self._ruled_on: set[str] = set()  # of the present block
        self._is_rewound = False  # in the present block
        self._order = ""  # whose order the present block is
        self._checks = {
            "UmpireProposed": self._proposes,
            "UmpireNamed": self._named,
            "SubstituteAgreed": self._agrees,
            "RemedyOffered": self._offers_remedy,
            "DisputeSettled": self._settled,
            "RulingGiven": self._ruled,
            "Rewound": self._rewound,
            "Corrected": self._corrected,
        }

    def block_began(self, block: Block) -> None:
        """A block begins: what its input may authorize."""
        self._granted = {}
        self._ruled_on = set()
        self._is_rewound = False
        event: Any = block.first.event
        self._order = event.side if block.first.type == "OrderAccepted" else ""
        self._require_nothing_else(block)

    def check(self, entry: Recorded, block: Block) -> None:
        """Check one fact of the present block."""
        if entry.by == UMPIRE and self._order != UMPIRE:
            raise ProtocolFault(entry.n, "no-umpire", found=UMPIRE)
        check = self._checks.get(entry.type)
        if check is not None and entry is not block.first:
            check(entry.n, entry.event, block)

    def _require_nothing_else(self, block: Block) -> None:
        """A settlement stands in an order's block, and nothing of the game beside it."""
        facts = block.facts
        settling = [entry for entry in facts if entry.type in SETTLEMENTS]
        if block.first.n == 1:
            settling = [entry for entry in settling if entry.type != "UmpireNamed"]
        if not settling:
            return
        is_corrected = False
        for entry in facts if self._order else settling:
            fits = entry.type in SETTLEMENTS or (is_corrected and entry.type in BEHIND_A_CORRECTION)
            if not (self._order and fits):
                raise ProtocolFault(entry.n, "mixed-settlement", type=entry.type)
            is_corrected = is_corrected or entry.type == CORRECTION

    # --- inputs

    def joined(self, n: int, event: Any) -> None:
        """A substitute needs the word of every other person, or of the umpire; an umpire holds no seat."""
        if event.player == self.umpire:
            raise ProtocolFault(n, "umpire-plays", found=self.umpire)
        if not self._seats.began:
            return
        persons = [seat.side for seat in self._seats.others(event.side) if seat.is_taken and not seat.is_bot]
        by_all = all(self._substitutes.get(side) == event.player for side in persons)
        by_umpire = self._substitutes.get(UMPIRE) == event.player
        if not (by_all or by_umpire):
            raise ProtocolFault(n, "substitute-not-agreed", side=event.side, player=event.player)
        how = "umpire" if by_umpire else AGREED if persons else "host"
        self._list(n, "substitute", event.side, how, event.player)

    def left(self, n: int, by: str, event: Any) -> None:
        """After the start a seat is given back by its own player alone."""
        if self._seats.began:
            if by != event.side:
                raise ProtocolFault(n, "left-by-another", side=event.side, found=by)
            self._list(n, "left", event.side, "own", event.reason)

    def rules_changed(self, n: int, event: Any) -> None:
        """Other rules follow those in force; whoever orders on behind them has accepted."""
        require(n, "rules-not-in-force", self._rules, event.from_)
        self._rules = event.to
        self._list(n, "rules", "server", "ordering-on", event.to)

    def key_changed(self, n: int) -> None:
        """The old key has signed the new one: `chain` has checked it."""
        self._list(n, "key", "server", "old-key")

    def new_book(self, n: int, side: str) -> None:
        """A sealed seat begins another book."""
        self._list(n, "book", side, "own")

    # --- facts

    def _require_order(self, n: int, what: str, *sides: str) -> None:
        if self._order not in sides:
            raise ProtocolFault(n, "no-authority", type=what)

    def _proposes(self, n: int, event: Any, block: Block) -> None:
        self._require_order(n, "UmpireProposed", event.side)
        self._require_order(n, "UmpireProposed", *SEATS)
        self._proposed[event.side] = event.player

    def _named(self, n: int, event: Any, block: Block) -> None:
        if event.how == "opening":
            if block.first.n != 1 or self.umpire:
                raise ProtocolFault(n, "no-authority", type="UmpireNamed")
        else:
            self._require_order(n, "UmpireNamed", *SEATS)
            agreed = all(self._proposed.get(side) == event.player for side in SEATS)
            if event.how != "agreement" or not agreed:
                raise ProtocolFault(n, "no-authority", type="UmpireNamed")
        if not event.player or any(seat.player == event.player for seat in self._seats.all()):
            raise ProtocolFault(n, "umpire-plays", found=event.player)
        self.umpire = event.player
        self._list(n, "umpire", event.player, event.how, event.name)

    def _agrees(self, n: int, event: Any, block: Block) -> None:
        self._require_order(n, "SubstituteAgreed", event.side)
        self._substitutes[event.side] = event.player

    def _offers_remedy(self, n: int, event: Any, block: Block) -> None:
        self._require_order(n, "RemedyOffered", event.side)
        self._require_order(n, "RemedyOffered", *SEATS)
        self._offers[event.docket, event.side] = event.remedy

    def _settled(self, n: int, event: Any, block: Block) -> None:
        """A docket is closed: what was offered for it is spent, and holds only if both have offered the same."""
        if event.how not in SETTLED:
            raise ProtocolFault(n, "no-authority", type="DisputeSettled")
        if event.how == "ruled":
            self._require_order(n, "DisputeSettled", UMPIRE)
            if event.docket not in self._ruled_on:
                raise ProtocolFault(n, "no-authority", type="DisputeSettled")
        elif event.how == "lapsed":
            if not self._is_rewound:
                raise ProtocolFault(n, "no-authority", type="DisputeSettled")
        else:
            self._require_order(n, "DisputeSettled", *SEATS)
        offers = [self._offers.pop((event.docket, side), None) for side in SEATS]
        if event.how == AGREED:
            if offers[0] is None or any(offer != offers[0] for offer in offers):
                raise ProtocolFault(n, "no-authority", type="DisputeSettled")
            self._granted[event.docket] = offers[0], AGREED
            self._list(n, "settled", "server", AGREED, f"{event.docket}: {offers[0]}")
        else:
            self._list(n, "settled", self._order, event.how, event.docket)

    def _ruled(self, n: int, event: Any, block: Block) -> None:
        self._require_order(n, "RulingGiven", UMPIRE)
        self._ruled_on.add(event.docket)
        self._granted[event.docket] = event.effect, UMPIRE
        self._list(n, "ruling", self.umpire, UMPIRE, f"{event.docket}: {event.effect}")

    def _rewound(self, n: int, event: Any, block: Block) -> None:
        self._carried_out(n, "Rewound", event.docket, f"rewind {event.to}")
        self._is_rewound = True

    def _corrected(self, n: int, event: Any, block: Block) -> None:
        self._carried_out(n, "Corrected", event.docket, "correct")
        for fact in event.facts:
            name = fact[0] if fact else ""
            if not isinstance(name, str) or name.partition("@")[0] in PAGE_EVENTS:
                raise ProtocolFault(n, "not-correctable", type=str(name)[:80])

    def _carried_out(self, n: int, what: str, docket: str, remedy: str) -> None:
        granted, authority = self._granted.pop(docket, ("", ""))
        if granted != remedy:
            raise ProtocolFault(n, "no-authority", type=what)
        self._list(n, what.lower(), "server", authority, f"{docket}: {remedy}")

    def _list(self, n: int, what: str, who: str, authority: str, about: str = "") -> None:
        self.listed.append(Act(n, what, who, authority, about))
