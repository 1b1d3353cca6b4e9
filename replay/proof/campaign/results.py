"""What a battle has come to, by its own log, as its campaign counts it (CAM-RND-04)."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.basics.seats import SOUTH_AND_NORTH
from domain.campaign.kept import adjudicated, kept
from domain.campaign.rated import PERSON
from domain.events.battle import BattleBegan, Event, MasterRevealed, SideJoined, SideLeft, TurnBegan
from domain.run.timeline import Timeline

SIDES = SOUTH_AND_NORTH.names
ADJUDICATED = "adjudicated"
FEWEST_TURNS = 2


class BattleOutcome(Struct, frozen=True):
    """The members of a `ResultCounted` that follow from the log of the battle; `n` is its last event."""

    n: int
    winner: str
    how: str
    kept: dict[str, int]
    rated: bool


def counted(timeline: Timeline, is_cut: bool) -> BattleOutcome | None:
    """What is counted of a battle; None while it lasts, and where nobody can say who has won.

    Shape: `is_cut`: it is adjudicated by what was kept (CAM-TIM-06)
    """
    events = [recorded.event for recorded in timeline.events]
    n = _end(events)
    battle = timeline.at(n)
    if not n or (battle.winner is None and not is_cut):
        return None
    began = next((at for at, event in enumerate(events, 1) if isinstance(event, BattleBegan)), 1)
    start, now = _start(timeline, n), _tally(timeline, battle.game)
    winner, how = battle.winner or "", battle.how
    shares = kept(how, winner, start, now)
    if battle.winner is None:
        winner, shares = adjudicated(start, now)
        how = ADJUDICATED
    return BattleOutcome(n, winner, how, dict(zip(SIDES, shares, strict=True)), is_ratable(events[:n], began))


def is_ratable(events: Sequence[Event], began: int) -> bool:
    """Whether a battle can be rated, as far as its own log says (CAM-RAT-01): both seats were held by one person each
    from `BattleBegan`, event `began`, to the end, and two player-turns have begun."""
    seats: dict[str, Any] = {}
    for event in events[:began]:
        if isinstance(event, SideJoined):
            seats[event.side] = event.kind or PERSON
    later = events[began:]
    changed = any(isinstance(event, SideJoined | SideLeft) for event in later)
    turns = sum(isinstance(event, TurnBegan) for event in later)
    return not changed and turns >= FEWEST_TURNS and len(seats) == len(SIDES) and {*seats.values()} == {PERSON}


def _end(events: Sequence[Event]) -> int:
    """The last event of the append that ended the battle, 0 while it lasts."""
    return next((n for n, event in enumerate(events, 1) if isinstance(event, MasterRevealed)), 0)


def _start(timeline: Timeline, n: int) -> tuple[int, int]:
    """What both sides had when the battle was opened; where troops come later, the most that each had up to event
    `n`."""
    opened = _tally(timeline, timeline.at(1).game)
    if all(opened):
        return opened
    states = [_tally(timeline, battle.game) for battle, _ in timeline.along(last=n)]
    return max(south for south, _ in states), max(north for _, north in states)


def _tally(timeline: Timeline, game: Any) -> tuple[int, int]:
    """What south, then north has left."""
    shown = timeline.ruleset.shown
    tally: Mapping[str, int] = shown.strength(game) or shown.tally(game)
    return tally.get(SIDES[0], 0), tally.get(SIDES[1], 0)
