"""Check that nothing was done which the host may not do alone, and list what was done so (fairness.md 5).

A rewind, a ruling, a substitute or other rules each need somebody's word in the log: an order of a side, of both, or of
an umpire whom both have named. A settlement carries out one remedy, once; an agreed offer is spent with it.

What an order settles is what its line says, and nothing else (`domain.engine.dispute_lines`). Who agrees has seen what
they agree to. A sealed order says nothing yet, so it settles nothing. What is agreed or ruled is so for good.

The block of a settlement holds nothing of the game: no rule judges it, so nothing may hide in it.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct

from domain.engine.dispute_lines import DRAW, LOST, NO_WORDS, SUBSTITUTE, DisputeOrder, words_of
from domain.engine.dockets import AWARDS, TAKEBACK, UMPIRE
from domain.engine.events import CORE_EVENTS
from domain.log.record import Recorded
from replay.proof.blocks import (
    BEHIND_A_CORRECTION,
    CORRECTION,
    DISPUTES,
    SEATS,
    SETTLEMENTS,
    Block,
    ProtocolFault,
    require,
)
from replay.proof.seats import Seats
from replay.proof.silence import Silence

AGREED = "agreed"
WITHDRAWN = "DecisionWithdrawn"
"""What stands under a correction alone."""
END = "BattleEnded"
STOP, CANCEL = "stopped", "cancelled"
PAGE_EVENTS = (frozenset(CORE_EVENTS) | SETTLEMENTS | DISPUTES) - {WITHDRAWN}
"""What is never corrected."""
_OF_DISPUTES = SETTLEMENTS | DISPUTES


class Act(Struct, frozen=True):
    """What was done by agreement, by an umpire or by the host: event `n`, `what` as a code, who did it, by what
    `authority` (a code), and what it was about."""

    n: int
    what: str
    who: str
    authority: str
    about: str = ""


class _Named(Struct, frozen=True):
    """Who is named for a seat, in event `n`; `is_silent`: while the one who sits there was silent."""

    player: str
    n: int
    is_silent: bool


_Said = tuple[str, int]
"""What a seat has proposed or offered, and in which event."""


def _is_backed(words: set[str], persons: list[str]) -> bool:
    """Whether those who have named a substitute are enough: the umpire, or every other person."""
    return UMPIRE in words or words.issuperset(persons)


class Authority:
    """Follows what needs authority in one battle; `rules` is the version that the header names."""

    def __init__(self, seats: Seats, rules: str, silence: Silence) -> None:
        self.umpire = ""
        self._umpires: set[str] = set()  # all that ever were
        self.listed: list[Act] = []
        self._seats = seats
        self._rules = rules
        self._proposed: dict[str, _Said] = {}
        self._offers: dict[tuple[str, str], _Said] = {}
        self._substitutes: dict[tuple[str, str], _Named] = {}  # by seat ("": none was named) and who says so
        self._silence = silence
        self._left_by = "", 0  # who has just left their seat to a substitute, and since when they had been silent
        self._decided: set[str] = set()  # the dockets that are agreed or ruled
        self._orders: list[tuple[int, str, int]] = []  # orders of the game: event, side, what a take-back goes back to
        self._brought_at = 0  # the contribution of the block before, if it brings an order
        self._takeback: tuple[str, str] | None = None  # of the present block: docket and remedy
        self._granted: dict[str, tuple[str, str]] = {}  # of the present block: docket -> (remedy, authority)
        self._awarded: set[str] = set()  # of the present block: who has won by a ruling on a flag, "" by a draw
        self._ruled_on: set[str] = set()  # of the present block
        self._is_rewound = False  # in the present block
        self._facts: set[tuple[str, str]] = set()  # of the present block: type and docket
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

    def _ends(self, n: int, event: Any) -> None:
        """A remedy that ends the battle, and the side that it names."""
        winners = {AWARDS[remedy] for remedy, _ in self._granted.values() if remedy in AWARDS} | self._awarded
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
        self._order = event.side if is_order else ""
        self._words = words_of(event.text) if is_order else NO_WORDS
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
            self._require_order(entry.n, entry.type, *SEATS, UMPIRE)
        self._require(entry.n, entry.type, entry.type != WITHDRAWN)
        check = self._checks.get(entry.type)
        if check is not None:
            fact = entry.type, str(getattr(entry.event, "docket", ""))
            self._require(entry.n, entry.type, fact not in self._facts)
            self._facts.add(fact)
            check(entry.n, entry.event, block)
        elif entry.type == END and self._facts:
            self._ends(entry.n, entry.event)

    def _require_nothing_else(self, block: Block) -> None:
        """What is of disputes stands in an order's block, and nothing of the game beside it."""
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
        """A substitute needs the word of every other person, or of the umpire, which is spent with it. Who sits there
        has asked for them, or has been silent since before they were named (CORE-DSP-12).

        Nobody who is or was umpire holds a seat."""
        if event.player in self._umpires:
            raise ProtocolFault(n, "umpire-plays", found=event.player)
        (left, since), self._left_by = self._left_by, ("", 0)
        if not self._seats.began:
            return
        persons = [seat.side for seat in self._seats.others(event.side) if seat.is_taken and not seat.is_bot]
        named = {by: one for (seat, by), one in self._substitutes.items() if seat == event.side}
        named = {by: one for by, one in named.items() if one.player == event.player}
        counted, what = {*named}, "substitute"
        if event.side in named:
            what = "substitute-asked"
        elif left == event.side:
            what = "substitute-silent" if named else what
            counted = {by for by, one in named.items() if since and one.is_silent and one.n > since}
        of_old = {by for (seat, by), one in self._substitutes.items() if not seat and one.player == event.player}
        if not _is_backed(counted | of_old, persons):
            fault = "seat-present" if _is_backed({*named}, persons) else "substitute-not-agreed"
            raise ProtocolFault(n, fault, side=event.side, player=event.player)
        for key, one in [*self._substitutes.items()]:
            if key[0] == event.side or one.player == event.player:
                del self._substitutes[key]
        how = UMPIRE if UMPIRE in counted | of_old else AGREED if persons or event.side in named else "host"
        self._list(n, what if counted else "substitute", event.side, how, event.player)

    def left(self, n: int, event: Any, at: str) -> None:
        """After the start a seat is given back in its player's name. No order says so: it is the host's word.

        What the player had agreed to is not the word of the next one; what they said of their own seat is."""
        for seat, by in [*self._substitutes]:
            if by == event.side != seat:
                del self._substitutes[seat, by]
        if self._seats.began:
            self._list(n, "left", event.side, "host", event.reason)
            is_given = event.reason == SUBSTITUTE and not self._seats[event.side].is_bot
            self._left_by = (event.side, self._silence.since(event.side, at)) if is_given else ("", 0)

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

    def clock_asked(self, n: int, event: Any) -> None:
        """A player does something about the clocks. No order says so: it is the host's word."""
        self._list(n, f"clock-{event.what}", event.side, "host")

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
        """Whether this is what the other seat has said, where the player who agrees could see it."""
        return said is not None and said[0] == what and (self._seen is None or said[1] <= self._seen)

    def _other(self) -> str:
        return next(side for side in SEATS if side != self._order)

    def _wants(self, player: str) -> bool:
        """Whether the order of the present block wants this umpire."""
        proposed = self._proposed.get(self._other())
        return self._says("umpire", player=player) or (self._says("agree umpire") and self._agrees_to(proposed, player))

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
        self._require(n, "DisputeRaised", says and is_right and event.side in SEATS)
        self._takeback = event.docket, event.remedy

    def _answered(self, n: int, event: Any, block: Block) -> None:
        says = {
            UNSET: self._says("answer", docket=event.docket, text=event.text),
            True: self._says("halt", docket=event.docket) and not event.text,
            False: self._says("go on", docket=event.docket) and not event.text,
        }
        self._require(n, "DisputeAnswered", event.by == self._order and says[event.halt])

    def _proposes(self, n: int, event: Any, block: Block) -> None:
        self._require_order(n, "UmpireProposed", *SEATS)
        self._require(n, "UmpireProposed", self._order == event.side and self._wants(event.player))
        self._proposed[event.side] = event.player, n

    def _named(self, n: int, event: Any, block: Block) -> None:
        if event.how == "opening":
            self._require(n, "UmpireNamed", block.first.n == 1 and not self.umpire)
        else:
            self._require_order(n, "UmpireNamed", *SEATS)
            agreed = all(self._proposed.get(side, ("", 0))[0] == event.player for side in SEATS)
            self._require(n, "UmpireNamed", event.how == "agreement" and agreed and self._wants(event.player))
        if not event.player or any(seat.player == event.player for seat in self._seats.all()):
            raise ProtocolFault(n, "umpire-plays", found=event.player)
        self.umpire = event.player
        self._umpires.add(event.player)
        self._list(n, "umpire", event.player, event.how, event.name)

    def _agrees(self, n: int, event: Any, block: Block) -> None:
        """Somebody names a substitute; where they say that who sits there is silent, so it was by the log."""
        self._require_order(n, "SubstituteAgreed", event.side)
        seat, is_silent = event.seat or "", event.silent is True
        says = self._says(SUBSTITUTE, side=seat, player=event.player)
        self._require(n, "SubstituteAgreed", says and event.silent in (True, UNSET))
        if is_silent and (seat == event.side or not self._silence.since(seat, block.first.at)):
            raise ProtocolFault(n, "seat-not-silent", side=seat)
        self._substitutes[seat, event.side] = _Named(event.player, n, is_silent)

    def _offers_remedy(self, n: int, event: Any, block: Block) -> None:
        self._require_order(n, "RemedyOffered", *SEATS)
        offers = self._says("offer", docket=event.docket, remedy=event.remedy, text=event.text)
        agrees = self._says("agree", docket=event.docket) and not event.text
        other = self._offers.get((event.docket, self._other()))
        takes_back = self._takeback == (event.docket, event.remedy) and not event.text
        said = offers or takes_back or (agrees and self._agrees_to(other, event.remedy))
        self._require(n, "RemedyOffered", self._order == event.side and said)
        self._offers[event.docket, event.side] = event.remedy, n

    def _settled(self, n: int, event: Any, block: Block) -> None:
        """A docket is closed: what was offered for it is spent, and holds only if both have offered the same."""
        offers = {side: self._offers.pop((event.docket, side), None) for side in SEATS}
        if event.how == AGREED:
            self._settled_by_both(n, event.docket, offers)
            return
        is_right = {
            "withdrawn": self._order in SEATS and self._says("withdraw", docket=event.docket),
            "declined": self._order in SEATS and self._says("decline", docket=event.docket),
            "lapsed": self._is_rewound,
            "ruled": event.docket in self._ruled_on,
        }
        self._require(n, "DisputeSettled", is_right.get(event.how, False))
        self._list(n, "settled", self._order, event.how, event.docket)

    def _settled_by_both(self, n: int, docket: str, offers: Mapping[str, _Said | None]) -> None:
        self._require_order(n, "DisputeSettled", *SEATS)
        own, other = offers[self._order], offers[self._other()]
        remedy = own[0] if own else ""
        words = self._words
        agrees = self._says("agree", docket=docket) and self._agrees_to(other, remedy)
        repeats = (words.verb, words.docket, words.remedy) == ("offer", docket, remedy)
        is_equal = own is not None and other is not None and other[0] == remedy
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
        self._list(n, "ruling", self.umpire, UMPIRE, f"{event.docket}: {event.effect}")

    def _ruled_on_flag(self, n: int, event: Any, block: Block) -> None:
        """A ruling on a fallen flag; whether it had fallen is `clock`'s. One that ends the battle does so at once."""
        self._require_order(n, "FlagRuled", UMPIRE)
        says = self._says("flag", side=event.side, remedy=event.effect, text=event.ruling)
        ends = event.effect in (LOST, DRAW)
        after = [entry.type for entry in block.facts if entry.n > n]
        self._require(n, "FlagRuled", says and block.facts[0].n == n and after == [END] * ends)
        if ends:
            self._awarded = {next(side for side in SEATS if side != event.side) if event.effect == LOST else ""}
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
        self.listed.append(Act(n, what, who, authority, about))
