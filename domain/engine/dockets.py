"""The disputes of a battle: its umpire, its dockets, what is offered, whether play is halted.

Like seats they belong to the battle and not to its game: a rewind takes none of it back. Here is only what the events
say (`evolve_disputes`); what may be said is decided in `domain.disputes.disputes`.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.events.battle import (
    BattleOpened,
    DisputeAnswered,
    DisputeRaised,
    DisputeSettled,
    Event,
    RemedyOffered,
    RulingGiven,
    SideJoined,
    SideLeft,
    SubstituteAgreed,
    UmpireNamed,
    UmpireProposed,
)
from domain.events.event import of_core

UMPIRE = "umpire"
"""Who orders for the umpire: the `side` and `by` of their orders."""
TAKEBACK = "takeback"
"""The kind of a docket that its raiser opens about their own last order."""
AGREED, RULED, DECLINED, WITHDRAWN, LAPSED = "agreed", "ruled", "declined", "withdrawn", "lapsed"
AWARD, DRAW = "award ", "draw"
TAKEBACKS = ("agreed", "never")
DISPUTES_DAYS = 30


class Said(Struct, frozen=True, gc=False):
    """What a side has offered or proposed, and in which event; `signer` is the key of a proposed umpire."""

    what: str
    n: int
    signer: str = ""


class Substitute(Struct, frozen=True, gc=False):
    """A successor on a seat, as a side or the umpire has said in event `n`; `is_silent`: the one who sits there had
    been silent by then. `name` is the name of the player as it was shown."""

    player: str
    n: int
    is_silent: bool = False
    name: str = ""


class Docket(Struct, frozen=True, gc=False):
    """A matter in dispute, raised by `side` in event `n` about event `about`. `asked` is the remedy asked for then, ""
    for none; `offers` are the newest of the sides. `how` says how it was closed, "" while it is open, `closed` in which
    event, and `remedy` what was agreed or ruled."""

    id: str
    side: str
    about: int
    kind: str
    text: str
    n: int
    asked: str = ""
    offers: Mapping[str, Said] = {}
    how: str = ""
    closed: int = 0
    remedy: str = ""

    @property
    def is_open(self) -> bool:
        """Whether nothing has settled it yet."""
        return not self.how

    @property
    def is_decided(self) -> bool:
        """Whether an agreement or a ruling has settled it, for good."""
        return self.how in (AGREED, RULED)


class Disputes(Struct, frozen=True, gc=False):
    """The disputes of a battle. `umpires` are all who ever were; `proposed` is whom each side wants for umpire,
    `substitutes` who agrees (a side or the umpire) to which player, by the seat ("": no seat was named). `halted` is
    the docket for which play is halted, `halts` how often each side has halted it. `result` is the remedy that stands
    beside the result of a battle that was over. `takebacks` and `days` are options of the opening, and so is
    `unsigned_umpire`: an umpire without a key may judge players who sign. `umpire_signer` is the key of the umpire."""

    umpire: str = ""
    umpire_signer: str = ""
    unsigned_umpire: bool = False
    umpire_name: str = ""
    umpires: tuple[str, ...] = ()
    proposed: Mapping[str, Said] = {}
    substitutes: Mapping[str, Mapping[str, Substitute]] = {}
    dockets: tuple[Docket, ...] = ()
    halted: str = ""
    halts: Mapping[str, int] = {}
    result: str = ""
    takebacks: str = TAKEBACKS[0]
    days: int = DISPUTES_DAYS

    def docket(self, name: str) -> Docket | None:
        """The docket of an id."""
        number = int(name[1:]) if name[1:].isdecimal() else 0
        return self.dockets[number - 1] if 0 < number <= len(self.dockets) else None

    @property
    def open(self) -> tuple[Docket, ...]:
        """The dockets that nothing has settled yet, in the order of raising."""
        return tuple(docket for docket in self.dockets if docket.is_open)


NO_DISPUTES = Disputes()


def needs_key(signers: Iterable[str], is_opened_so: bool) -> bool:
    """Whether a battle needs an umpire who signs: every person's seat does, and it was not opened otherwise.

    Shape: `signers` the keys of the persons who play, "" for none
    """
    keys = tuple(signers)
    return bool(keys) and all(keys) and not is_opened_so


def awarded(remedy: str) -> str | None:
    """The winner by a remedy, "" for a draw; None if it ends no battle."""
    if remedy.startswith(AWARD):
        return remedy.removeprefix(AWARD)
    return "" if remedy == DRAW else None


def newest_of_others(said: Mapping[str, Said], side: str) -> Said | None:
    """What the sides beside one have said last, which an agreement is to; None if they have said nothing."""
    return max((one for of, one in said.items() if of != side), key=lambda one: one.n, default=None)


def _with(disputes: Disputes, docket: Docket) -> Disputes:
    """The disputes with another form of a docket."""
    return replace(disputes, dockets=tuple(docket if one.id == docket.id else one for one in disputes.dockets))


def _on_opened(disputes: Disputes, event: BattleOpened, n: int, is_over: bool) -> Disputes:
    return replace(
        disputes,
        takebacks=event.takebacks or TAKEBACKS[0],
        days=_days(event),
        unsigned_umpire=event.unsigned_umpire is True,
    )


def _days(event: BattleOpened) -> int:
    return event.disputes_days if isinstance(event.disputes_days, int) else DISPUTES_DAYS


def _on_named(disputes: Disputes, event: UmpireNamed, n: int, is_over: bool) -> Disputes:
    umpires = (*disputes.umpires, event.player)
    signer = event.signer or ""
    if signer:  # who signs has not signed what another umpire has said
        disputes = _with_substitutes(disputes, lambda seat, by, said: by != UMPIRE)
    return replace(disputes, umpire=event.player, umpire_name=event.name, umpires=umpires, umpire_signer=signer)


def _on_proposed(disputes: Disputes, event: UmpireProposed, n: int, is_over: bool) -> Disputes:
    return replace(disputes, proposed={**disputes.proposed, event.side: Said(event.player, n, event.signer or "")})


def _on_substitute(disputes: Disputes, event: SubstituteAgreed, n: int, is_over: bool) -> Disputes:
    seat = event.seat or ""
    said = {
        **disputes.substitutes.get(seat, {}),
        event.side: Substitute(event.player, n, event.silent is True, event.name or ""),
    }
    return replace(disputes, substitutes={**disputes.substitutes, seat: said})


def _on_joined(disputes: Disputes, event: SideJoined, n: int, is_over: bool) -> Disputes:
    """What was said of the seat is spent, and what was said for its new player."""
    return _with_substitutes(disputes, lambda seat, by, said: seat != event.side and said.player != event.player)


def _on_left(disputes: Disputes, event: SideLeft, n: int, is_over: bool) -> Disputes:
    """What a player has said of the other seat is not the word of the next one; of their own it is why they leave."""
    return _with_substitutes(disputes, lambda seat, by, said: by != event.side or seat == event.side)


def _with_substitutes(disputes: Disputes, keeps: Callable[[str, str, Substitute], bool]) -> Disputes:
    if not disputes.substitutes:
        return disputes
    kept = {
        seat: {by: one for by, one in said.items() if keeps(seat, by, one)}
        for seat, said in disputes.substitutes.items()
    }
    return replace(disputes, substitutes={seat: said for seat, said in kept.items() if said})


def _on_raised(disputes: Disputes, event: DisputeRaised, n: int, is_over: bool) -> Disputes:
    docket = Docket(event.docket, event.side, event.about, event.kind, event.text, n, event.remedy)
    return replace(disputes, dockets=(*disputes.dockets, docket))


def _on_answered(disputes: Disputes, event: DisputeAnswered, n: int, is_over: bool) -> Disputes:
    if event.halt is True:
        by = str(event.by or "")
        return replace(disputes, halted=event.docket, halts={**disputes.halts, by: disputes.halts.get(by, 0) + 1})
    return replace(disputes, halted="") if event.halt is False else disputes


def _on_offered(disputes: Disputes, event: RemedyOffered, n: int, is_over: bool) -> Disputes:
    docket = disputes.docket(event.docket)
    if docket is None:
        return disputes
    return _with(disputes, replace(docket, offers={**docket.offers, event.side: Said(event.remedy, n)}))


def _on_ruled(disputes: Disputes, event: RulingGiven, n: int, is_over: bool) -> Disputes:
    docket = disputes.docket(event.docket)
    if docket is None:
        return disputes
    result = event.effect if is_over and awarded(event.effect) is not None else disputes.result
    return replace(_with(disputes, replace(docket, remedy=event.effect)), result=result)


def _on_settled(disputes: Disputes, event: DisputeSettled, n: int, is_over: bool) -> Disputes:
    docket = disputes.docket(event.docket)
    if docket is None:
        return disputes
    remedy, result = docket.remedy, disputes.result
    if event.how == AGREED:
        remedy = next((offer.what for offer in docket.offers.values()), "")
        result = remedy if is_over and awarded(remedy) is not None else result
    halted = "" if disputes.halted == docket.id else disputes.halted
    closed = replace(docket, offers={}, how=event.how, closed=n, remedy=remedy)
    return replace(_with(disputes, closed), halted=halted, result=result)


_EVOLUTIONS: Mapping[type[Event], Callable[[Disputes, Any, int, bool], Disputes]] = {
    BattleOpened: _on_opened,
    SideJoined: _on_joined,
    SideLeft: _on_left,
    UmpireNamed: _on_named,
    UmpireProposed: _on_proposed,
    SubstituteAgreed: _on_substitute,
    DisputeRaised: _on_raised,
    DisputeAnswered: _on_answered,
    RemedyOffered: _on_offered,
    RulingGiven: _on_ruled,
    DisputeSettled: _on_settled,
}


def evolve_disputes(disputes: Disputes, kind: type[Event], event: Event, n: int, is_over: bool) -> Disputes:
    """The disputes after event `n`, of a core type or one that extends it; `is_over`: the battle was over before."""
    evolution = _evolution_of(kind)
    return disputes if evolution is None else evolution(disputes, event, n, is_over)


@cache
def _evolution_of(kind: type[Event]) -> Callable[[Disputes, Any, int, bool], Disputes] | None:
    return of_core(_EVOLUTIONS, kind)
