"""Check that nothing was done which the host may not do alone, and list what was done so (fairness.md 5).

A rewind, a ruling, a substitute or other rules each need somebody's word in the log: an order of a side, of all, or of
an umpire whom all have named. A settlement carries out one remedy, once; an agreed offer is spent with it.

What an order settles is what its line says, and nothing else (`domain.contract.dispute_lines`). A side that agrees has
seen what it agrees to. A sealed order says nothing yet, so it settles nothing. What is agreed or ruled is so for good.

The block of a settlement holds nothing of the game: no rule judges it, so nothing may hide in it.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct

from domain.contract.dispute_lines import DRAW, LOST, NO_WORDS, SUBSTITUTE, DisputeOrder, words_of
from domain.engine.dockets import TAKEBACK, UMPIRE, awarded
from domain.events.battle import CORE_EVENTS
from domain.log.record import Recorded
from replay.called_off import CAMPAIGN
from replay.proof.blocks import (
    BEHIND_A_CORRECTION,
    CORRECTION,
    DISPUTES,
    SETTLEMENTS,
    Block,
    ProtocolFault,
    require,
)
from replay.proof.office import Office
from replay.proof.seats import ProvenSeats
from replay.proof.silence import Silence
from replay.proof.substitutions import Substitutions, SubstitutionsSoFar

AGREED = "agreed"
WITHDRAWN = "DecisionWithdrawn"
"""What stands under a correction alone."""
END = "BattleEnded"
BY_CLOCK = frozenset({"deadline", "vacation-over"})
"""What hangs on the host's clock alone."""
STOP, CANCEL = "stopped", "cancelled"
PAGE_EVENTS = (frozenset(CORE_EVENTS) | SETTLEMENTS | DISPUTES) - {WITHDRAWN}
"""What is never corrected."""
_OF_DISPUTES = SETTLEMENTS | DISPUTES


class SettledAct(Struct, frozen=True):
    """What was done by agreement, by an umpire or by the host: event `n`, `what` as a code, who did it, by what
    `authority` (a code), and what it was about. `is_unsigned`: an umpire's word, without their signature;
    `kid` is the id of the key with which an umpire is named."""

    n: int
    what: str
    who: str
    authority: str
    about: str = ""
    is_unsigned: bool = False
    kid: str = ""


_Said = tuple[str, int]
"""What a seat has proposed or offered, and in which event."""


class AuthoritySoFar(Struct, frozen=True):
    """What the index of a check keeps. The orders that a take-back may go back to are not in it."""

    rules: str
    substitutions: SubstitutionsSoFar
    offers: dict[str, dict[str, _Said]]
    decided: frozenset[str]
    brought_at: int


class Authority:
    """Follows what needs authority in one battle; `rules` is the version that the header names."""

    def __init__(self, seats: ProvenSeats, rules: str, silence: Silence, office: Office) -> None:
        self._office = office
        self.substitutions = Substitutions(seats, silence, office)
        self.listed: list[SettledAct] = []
        self._seats = seats
        self._rules = rules
        self._offers: dict[str, dict[str, _Said]] = {}  # by docket and seat
        self._decided: set[str] = set()  # the dockets that are agreed or ruled
        self._orders: list[tuple[int, str, int]] = []  # orders of the game: event, side, what a take-back goes back to
        self._brought_at = 0  # the contribution of the block before, if it brings an order
        self._takeback: tuple[str, str] | None = None  # of the present block: docket and remedy
        self._granted: dict[str, tuple[str, str]] = {}  # of the present block: docket -> (remedy, authority)
        self._awarded: set[str] = set()  # of the present block: who has won by a ruling on a flag, "" by a draw
        self._ruled_on: set[str] = set()  # of the present block
        self._is_rewound = False  # in the present block
        self._facts: set[tuple[str, str]] = set()  # of the present block: type and docket
        self._is_called_off = False  # by its campaign, in the present block: `clock` checks how
        self._order = ""  # whose order the present block is
        self._words = NO_WORDS  # what it says
        self._seen: int | None = None  # the head that it quotes
        self._checks = {
            "DisputeRaised": self._raised,
            "DisputeAnswered": self._answered,
            "UmpireProposed": self._proposes,
            "UmpireNamed": self._named,
            "SubstituteAgreed": self._agrees,
            "RemedyOffered": self._offers_remedy,
            "DisputeSettled": self._settled,
            "RulingGiven": self._ruled,
            "FlagRuled": self._ruled_on_flag,
            "Rewound": self._rewound,
            "Corrected": self._corrected,
        }

    def so_far(self) -> AuthoritySoFar:
        """What an index keeps between two blocks."""
        offers = {docket: {**said} for docket, said in self._offers.items()}
        substitutions = self.substitutions.so_far()
        return AuthoritySoFar(self._rules, substitutions, offers, frozenset(self._decided), self._brought_at)

    def resume(self, kept: AuthoritySoFar) -> None:
        """Go on from there."""
        self._rules, self._brought_at, self._decided = kept.rules, kept.brought_at, {*kept.decided}
        self._offers = {docket: {**said} for docket, said in kept.offers.items()}
        self.substitutions.resume(kept.substitutions)

    def _ends(self, n: int, event: Any) -> None:
        """A remedy that ends the battle, and the side that it names."""
        winners = {awarded(remedy) for remedy, _ in self._granted.values()} - {None} | self._awarded
        self._require(n, END, event.winner in winners)

    def block_began(self, block: Block) -> None:
        """A block begins: what its input may authorize."""
        self._granted = {}
        self._awarded = set()
        self._ruled_on = set()
        self._is_rewound = False
        self._facts = set()
        event: Any = block.first.event
        is_order = block.first.type == "OrderAccepted"
        self._is_called_off = block.first.type == "ClockFired" and event.what == CAMPAIGN
        self._order = event.side if is_order else ""
        self._words = words_of(event.text, self._seats.names) if is_order else NO_WORDS
        self._seen = event.seen.n if is_order and event.seen is not UNSET else None
        self._takeback = None
        self._require_nothing_else(block)
        if is_order and not any(entry.type in _OF_DISPUTES for entry in block.facts):
            self._orders.append((block.first.n, self._order, (self._brought_at or block.first.n) - 1))
        is_brought = block.first.type == "ContributionGiven" and event.channel is UNSET
        self._brought_at = block.first.n if is_brought else 0

    def check(self, entry: Recorded, block: Block) -> None:
        """Check one fact of the present block."""
        if entry.by == UMPIRE and self._order != UMPIRE:
            raise ProtocolFault(entry.n, "no-umpire", found=UMPIRE)
        if entry.type in _OF_DISPUTES and entry.by not in (self._order or "server", "server"):
            raise ProtocolFault(entry.n, "other-author", expected=self._order or "server", found=entry.by)
        if entry.type in DISPUTES:
            self._require_order(entry.n, entry.type, *self._seats.names, UMPIRE)
        self._require(entry.n, entry.type, entry.type != WITHDRAWN)
        check = self._checks.get(entry.type)
        if self._is_called_off:
            return
        if check is not None:
            fact = entry.type, str(getattr(entry.event, "docket", ""))
            self._require(entry.n, entry.type, fact not in self._facts)
            self._facts.add(fact)
            check(entry.n, entry.event, block)
        elif entry.type == END and self._facts:
            self._ends(entry.n, entry.event)

    def _require_nothing_else(self, block: Block) -> None:
        """What is of disputes stands in an order's block, and nothing of the game beside it."""
        if self._is_called_off:
            return
        facts = block.facts
        settling = [entry for entry in facts if entry.type in _OF_DISPUTES]
        if block.first.n == 1:
            settling = [entry for entry in settling if entry.type != "UmpireNamed"]
        if not settling:
            return
        is_corrected = False
        for entry in facts if self._order else settling:
            fits = (
                entry.type in _OF_DISPUTES
                or (is_corrected and entry.type in BEHIND_A_CORRECTION)
                or (entry.type == END and entry is facts[-1])
            )
            if not (self._order and fits):
                raise ProtocolFault(entry.n, "mixed-settlement", type=entry.type)
            is_corrected = is_corrected or entry.type == CORRECTION

    # --- inputs

    def joined(self, n: int, event: Any) -> None:
        """A substitute needs the word of the others (`Substitutions`). Nobody who is or was umpire holds a seat."""
        if self._office.was(event.player):
            raise ProtocolFault(n, "umpire-plays", found=event.player)
        is_begun = bool(self._seats.began)
        what, how = self.substitutions.joined(n, event)
        if is_begun:
            self._list(n, what, event.side, how, event.player)

    def left(self, n: int, event: Any, at: str) -> None:
        """After the start a seat is given back in its player's name: by their signed line, or by the host's word."""
        is_own = self.substitutions.left(n, event, at)
        if self._seats.began:
            self._list(n, "own-left" if is_own else "left", event.side, "own" if is_own else "host", event.reason)

    def rules_changed(self, n: int, event: Any) -> None:
        """Other rules follow those in force; whoever orders on behind them has accepted."""
        require(n, "rules-not-in-force", self._rules, event.from_)
        self._rules = event.to
        self._list(n, "rules", "server", "ordering-on", event.to)

    def stopped(self, n: int, event: Any, block: Block) -> None:
        """The host stops a battle, or it is cancelled before it begins. It decides nothing: it is the host's word."""
        if event.how not in (STOP, CANCEL) or (event.how == CANCEL and self._seats.began):
            raise ProtocolFault(n, "bad-member", member="how")
        if block.facts:
            raise ProtocolFault(block.facts[0].n, "after-the-stop", type=block.facts[0].type)
        self._list(n, event.how, "server", "host", event.reason)

    def key_changed(self, n: int) -> None:
        """The old key has signed the new one: `chain` has checked it."""
        self._list(n, "key", "server", "old-key")

    def clock_fired(self, n: int, event: Any, block: Block) -> None:
        """Something happens to the clocks: by a player's own signed line, by the host's word that a player asks for it,
        or by its clock alone; or the campaign of the battle ends it."""
        if event.what == CAMPAIGN:
            ruling: Any = block.facts[0].event
            self._list(n, "called-off", "server", "host", ruling.ruling)
        elif event.serial is not UNSET:
            self._list(n, f"own-{event.what}", event.side, "own", event.text or "")
        else:
            self._list(n, f"clock-{event.what}", event.side, "clock" if event.what in BY_CLOCK else "host")

    def new_book(self, n: int, side: str) -> None:
        """A sealed seat begins another book."""
        self._list(n, "book", side, "own")

    # --- facts

    @staticmethod
    def _require(n: int, what: str, is_right: bool) -> None:
        if not is_right:
            raise ProtocolFault(n, "no-authority", type=what)

    def _require_order(self, n: int, what: str, *sides: str) -> None:
        self._require(n, what, self._order in sides)

    def _says(self, verb: str, **members: Any) -> bool:
        """Whether the order of the present block says this, and nothing else."""
        return self._words == DisputeOrder(verb, **members)

    def _agrees_to(self, said: _Said | None, what: str) -> bool:
        """Whether this is what another seat has said, where the player who agrees could see it."""
        return said is not None and said[0] == what and (self._seen is None or said[1] <= self._seen)

    def _newest_of_others(self, said: Mapping[str, _Said]) -> _Said | None:
        """What the seats beside that of the order have said, the newest of it: that is what an agreement is to."""
        found = (one for side, one in said.items() if side != self._order)
        return max(found, key=lambda one: one[1], default=None)

    def _wants(self, player: str, signer: str) -> bool:
        """Whether the order of the present block wants this umpire, with this key."""
        agrees = self._office.is_newest(player, signer, self._order, self._seen)
        return self._says("umpire", player=player, signer=signer) or (self._says("agree umpire") and agrees)

    def _raised(self, n: int, event: Any, block: Block) -> None:
        """A docket says what its line says. A take-back is about the last order of its side that counts, and goes back
        to before it."""
        self._require_order(n, "DisputeRaised", event.side)
        if self._words.verb != TAKEBACK:
            says = self._says("dispute", about=event.about, kind=event.kind, text=event.text)
            self._require(n, "DisputeRaised", says and not event.remedy)
            return
        last = next((order for order in reversed(self._orders) if order[1] == event.side), None)
        is_right = last is not None and (event.about, event.remedy) == (last[0], f"rewind {last[2]}")
        says = self._says(TAKEBACK, text=event.text) and event.kind == TAKEBACK
        self._require(n, "DisputeRaised", says and is_right and event.side in self._seats.names)
        self._takeback = event.docket, event.remedy

    def _answered(self, n: int, event: Any, block: Block) -> None:
        says = {
            UNSET: self._says("answer", docket=event.docket, text=event.text),
            True: self._says("halt", docket=event.docket) and not event.text,
            False: self._says("go on", docket=event.docket) and not event.text,
        }
        self._require(n, "DisputeAnswered", event.by == self._order and says[event.halt])
        if event.by == UMPIRE and self._office.has_keys:
            self._list(n, "umpire-said", self._office.umpire, UMPIRE, event.docket)

    def _proposes(self, n: int, event: Any, block: Block) -> None:
        self._require_order(n, "UmpireProposed", *self._seats.names)
        self._require(n, "UmpireProposed", self._order == event.side and self._wants(event.player, event.signer or ""))
        self._office.proposes(n, event)

    def _named(self, n: int, event: Any, block: Block) -> None:
        if event.how == "opening":
            self._require(n, "UmpireNamed", block.first.n == 1 and not self._office.umpire)
        else:
            self._require_order(n, "UmpireNamed", *self._seats.names)
            agreed, signer = self._office.is_agreed(event.player, event.signer or ""), event.signer or ""
            self._require(n, "UmpireNamed", event.how == "agreement" and agreed and self._wants(event.player, signer))
        self._office.named(n, event)
        self.substitutions.umpire_named()
        self._list(n, "umpire", event.player, event.how, event.name)

    def _agrees(self, n: int, event: Any, block: Block) -> None:
        """Somebody names a substitute."""
        self._require_order(n, "SubstituteAgreed", event.side)
        says = self._says(SUBSTITUTE, side=event.seat or "", player=event.player)
        self._require(n, "SubstituteAgreed", says and event.silent in (True, UNSET))
        self.substitutions.agreed(n, event, block.first.at)

    def _offers_remedy(self, n: int, event: Any, block: Block) -> None:
        self._require_order(n, "RemedyOffered", *self._seats.names)
        offers = self._says("offer", docket=event.docket, remedy=event.remedy, text=event.text)
        agrees = self._says("agree", docket=event.docket) and not event.text
        other = self._newest_of_others(self._offers.get(event.docket, {}))
        takes_back = self._takeback == (event.docket, event.remedy) and not event.text
        said = offers or takes_back or (agrees and self._agrees_to(other, event.remedy))
        self._require(n, "RemedyOffered", self._order == event.side and said)
        self._offers.setdefault(event.docket, {})[event.side] = event.remedy, n

    def _settled(self, n: int, event: Any, block: Block) -> None:
        """A docket is closed: what was offered for it is spent, and holds only if all have offered the same."""
        offers = self._offers.pop(event.docket, {})
        if event.how == AGREED:
            self._settled_by_all(n, event.docket, offers)
            return
        is_right = {
            "withdrawn": self._order in self._seats.names and self._says("withdraw", docket=event.docket),
            "declined": self._order in self._seats.names and self._says("decline", docket=event.docket),
            "lapsed": self._is_rewound,
            "ruled": event.docket in self._ruled_on,
        }
        self._require(n, "DisputeSettled", is_right.get(event.how, False))
        self._list(n, "settled", self._order, event.how, event.docket)

    def _settled_by_all(self, n: int, docket: str, offers: Mapping[str, _Said]) -> None:
        self._require_order(n, "DisputeSettled", *self._seats.names)
        remedy = offers.get(self._order, ("", 0))[0]
        words = self._words
        agrees = self._says("agree", docket=docket) and self._agrees_to(self._newest_of_others(offers), remedy)
        repeats = (words.verb, words.docket, words.remedy) == ("offer", docket, remedy)
        is_equal = all(side in offers and offers[side][0] == remedy for side in self._seats.names)
        is_new = docket not in self._decided
        self._require(n, "DisputeSettled", is_new and is_equal and (agrees or repeats))
        self._decided.add(docket)
        self._granted[docket] = remedy, AGREED
        self._list(n, "settled", "server", AGREED, f"{docket}: {remedy}")

    def _ruled(self, n: int, event: Any, block: Block) -> None:
        self._require_order(n, "RulingGiven", UMPIRE)
        rules = self._says("rule", docket=event.docket, remedy=event.effect, text=event.ruling)
        self._require(n, "RulingGiven", rules and event.docket not in self._decided)
        self._decided.add(event.docket)
        self._ruled_on.add(event.docket)
        self._granted[event.docket] = event.effect, UMPIRE
        self._list(n, "ruling", self._office.umpire, UMPIRE, f"{event.docket}: {event.effect}")

    def _ruled_on_flag(self, n: int, event: Any, block: Block) -> None:
        """A ruling on a fallen flag; whether it had fallen is `clock`'s. One that ends the battle does so at once."""
        self._require_order(n, "FlagRuled", UMPIRE)
        says = self._says("flag", side=event.side, remedy=event.effect, text=event.ruling)
        ends = event.effect in (LOST, DRAW)
        after = [entry.type for entry in block.facts if entry.n > n]
        self._require(n, "FlagRuled", says and block.facts[0].n == n and after == [END] * ends)
        if ends:
            others = [seat.side for seat in self._seats.others(event.side)]
            self._require(n, "FlagRuled", event.effect == DRAW or len(others) == 1)
            self._awarded = {others[0] if event.effect == LOST else ""}
        self._list(n, "flag", event.side, UMPIRE, event.effect)

    def _rewound(self, n: int, event: Any, block: Block) -> None:
        self._carried_out(n, "Rewound", event.docket, f"rewind {event.to}")
        self._is_rewound = True
        while self._orders and self._orders[-1][0] > event.to:
            self._orders.pop()

    def _corrected(self, n: int, event: Any, block: Block) -> None:
        self._carried_out(n, "Corrected", event.docket, "correct")
        for fact in event.facts:
            name = fact[0] if fact else ""
            if not isinstance(name, str) or name.partition("@")[0] in PAGE_EVENTS:
                raise ProtocolFault(n, "not-correctable", type=str(name)[:80])

    def _carried_out(self, n: int, what: str, docket: str, remedy: str) -> None:
        granted, authority = self._granted.pop(docket, ("", ""))
        self._require(n, what, granted == remedy)
        self._list(n, what.lower(), "server", authority, f"{docket}: {remedy}")

    def _list(self, n: int, what: str, who: str, authority: str, about: str = "") -> None:
        is_word = UMPIRE in (authority, self._order) and self._office.key is None
        kid = self._office.kid if what == "umpire" else ""
        self.listed.append(SettledAct(n, what, who, authority, about, is_word, kid))
