"""What has been said in the dockets of a battle, and what going back would take back, for lists, pages and letters."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from domain.basics.seats import Seats
from domain.engine.dockets import Docket
from domain.events.battle import (
    CardDrawn,
    DieRolled,
    DisputeAnswered,
    DisputeRaised,
    DisputeSettled,
    RemedyOffered,
    Rewound,
    RulingGiven,
)
from domain.log.record import Recorded


class DocketStatement(Struct, frozen=True):
    """One thing said in a docket, or come of it, in event `n`. `what` is raised, answered, halted, went-on, offered,
    ruled, settled or rewound; `text` what was said, `remedy` what it asks for or comes to, or how it was settled."""

    n: int
    at: str
    by: str
    what: str
    text: str = ""
    remedy: str = ""


class TakenBack(Struct, frozen=True):
    """What would be drawn anew for a side, if play went back: how many cards and dice that have fallen."""

    side: str
    cards: int
    dice: int


def statements(events: Sequence[Recorded], docket: Docket) -> tuple[DocketStatement, ...]:
    """All that was said in a docket, in order."""
    found = (_statement(one) for one in events[docket.n - 1 :] if getattr(one.event, "docket", "") == docket.id)
    return tuple(each for each in found if each is not None)


def _statement(one: Recorded) -> DocketStatement | None:
    event = one.event
    match event:
        case DisputeRaised():
            return DocketStatement(one.n, one.at, one.by, "raised", event.text, event.remedy)
        case DisputeAnswered():
            what = {True: "halted", False: "went-on"}.get(event.halt is True) if isinstance(event.halt, bool) else None
            return DocketStatement(one.n, one.at, one.by, what or "answered", event.text)
        case RemedyOffered():
            return DocketStatement(one.n, one.at, one.by, "offered", event.text, event.remedy)
        case RulingGiven():
            return DocketStatement(one.n, one.at, one.by, "ruled", event.ruling, event.effect)
        case DisputeSettled():
            return DocketStatement(one.n, one.at, one.by, "settled", remedy=event.how)
        case Rewound():
            return DocketStatement(one.n, one.at, one.by, "rewound", remedy=f"rewind {event.to}")
    return None


def taken_back(
    events: Iterable[Recorded], counts: Callable[[int], bool], to: int, seats: Seats
) -> tuple[TakenBack, ...]:
    """What would be drawn anew if play went back to event `to`, by side; sides with nothing are left out."""
    cards, dice = Counter[str](), Counter[str]()
    for one in events:
        if one.n > to and isinstance(one.event, (CardDrawn, DieRolled)) and counts(one.n):
            side = one.event.scope.partition("/")[0].partition(":")[2]
            (cards if isinstance(one.event, CardDrawn) else dice)[side] += 1
    return tuple(TakenBack(side, cards[side], dice[side]) for side in seats.names if cards[side] or dice[side])
