"""What a battle has come to, by its own log, as its campaign counts it (CAM-RND-04)."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from domain.campaign.kept import adjudicated, kept
from domain.campaign.rated import PERSON
from domain.events.battle import BattleBegan, Event, MasterRevealed, SideJoined, SideLeft, TurnBegan
from domain.run.timeline import Timeline
from replay.called_off import BY_DEFAULT, BY_KEPT, SIDES, strength_at

FEWEST_TURNS = 2


class BattleOutcome(Struct, frozen=True):
    """The members of a `ResultCounted` that follow from the log of the battle; `n` is its last event."""

    n: int
    winner: str
    how: str
    kept: dict[str, int]
    rated: bool


def counted(timeline: Timeline, is_cut: bool) -> BattleOutcome | None:
    """What is counted of a battle; None while it lasts, and where nobody can say who has won: the host has stopped it,
    or it says that its campaign has decided what the campaign has not.

    Shape: `is_cut`: it is adjudicated by what was kept (CAM-TIM-06), in its own log or, in logs of earlier releases, by
           the campaign alone
    """
    events = [recorded.event for recorded in timeline.events]
    n = _end(events)
    battle = timeline.at(n)
    if not n or (battle.winner is None and not is_cut) or battle.how == BY_DEFAULT:
        return None
    if battle.how == BY_KEPT and not is_cut:
        return None
    began = next((at for at, event in enumerate(events, 1) if isinstance(event, BattleBegan)), 1)
    strength = strength_at(timeline, n)
    winner, how = battle.winner or "", battle.how
    shares = kept(how, winner, strength.start, strength.now)
    if battle.winner is None:
        winner, shares = adjudicated(strength.start, strength.now)
        how = BY_KEPT
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
