"""The points at stake in dice: the stands that wounds remove, and units driven too far.

The dice of a volley are weighed one after the other: each by what the volley brings if it hits against if it misses,
with those before it as they fell and those to come, and the saves, by their odds. So their luck adds up to what the
volley brought beyond what was to be expected. A stand counts when the wounds suffice for it; wounds left over count
nothing by themselves (WMS-CAS-01, -05, WMS-WIN-01).

The dice of a drive-back are weighed together: the unit routs, or it does not (WMS-DRV-06). A rout over an open table
edge, which depends on the way there, and confusion are weighed at nothing.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from domain.events.battle import Event, Fact
from domain.games.warmaster_shooting.chapters.drive_back import MM, SIX, DriveBackDiceRolled
from domain.games.warmaster_shooting.chapters.volleys import D6, HitDiceRolled, SaveDiceRolled, needed_to_save
from domain.games.warmaster_shooting.state.state import State, Unit
from domain.mechanics.dice import faces_at_least
from domain.mechanics.stake import Drawn, Stake

MOST_DICE = 20
"""More than a unit can have wounds; the ways in which so many fall are still an integer of JSON."""


def stake(drawn: Sequence[Drawn], fact: Fact, earlier: Sequence[Event]) -> Sequence[Stake] | None:
    """The points at stake in the dice that a fact settles; None for a fact that settles none."""
    settle = _SETTLED.get(type(fact.event))
    return None if settle is None else settle(drawn, fact.event, earlier)


# --- what dice bring


def points_for(state: State, unit: Unit, wounds: int) -> Fraction:
    """The points that further wounds of a unit bring: whole stands, and of the points their share, rounded down
    (WMS-CAS-01, WMS-WIN-01)."""
    open_ = unit.charge_open if unit.side == state.active else unit.open
    removed = min(len(unit.standing), (open_ + wounds) // unit.kind.hits)
    return Fraction(_lost(unit, len(unit.standing) - removed) - _lost(unit, len(unit.standing)))


def _lost(unit: Unit, left: int) -> int:
    return unit.kind.points * (len(unit.stands) - left) // len(unit.stands)


def one_by_one(dice: Sequence[Drawn], needed: int, worths: Sequence[Fraction]) -> list[Stake]:
    """The stakes of dice that count for themselves, in the order in which they fell.

    Shape: `worths` is what 0, 1, 2 … successes bring
    """
    does = faces_at_least(D6, needed)
    odds = Fraction(does, D6.sides)
    ahead = [worths]  # by how many dice are still to come: what the successes before them bring
    for _ in dice[1:]:
        ahead.append(one_more(ahead[-1], odds))
    stakes: list[Stake] = []
    for die in dice:
        event: Any = die.event
        worth, before = ahead.pop(), sum(stake.happened for stake in stakes)
        swing = worth[before + 1] - worth[before]
        stakes.append(Stake(die.n, die.by, event.unit, event.value >= needed, does, D6.sides, swing))
    return stakes


def one_more(worths: Sequence[Fraction], odds: Fraction) -> Sequence[Fraction]:
    """What 0, 1, 2 … successes bring on average with one more die, that succeeds with these odds."""
    return [worse + odds * (better - worse) for worse, better in pairwise(worths)]


# --- volleys and drive-backs


def _hits(drawn: Sequence[Drawn], event: HitDiceRolled, earlier: Sequence[Event]) -> list[Stake]:
    if len(drawn) != len(event.dice):
        return []
    state = drawn[0].before
    shooter, target = state.units[event.unit], state.units[event.target]
    needed, _ = needed_to_save(state, shooter.kind, target.kind)
    fails = 1 - Fraction(faces_at_least(D6, needed), D6.sides) if needed else Fraction(1)
    wounds: Sequence[Fraction] = [points_for(state, target, count) for count in range(len(drawn) + 1)]
    worths = [wounds[0]]
    for _ in drawn:
        wounds = one_more(wounds, fails)
        worths.append(wounds[0])
    return one_by_one(drawn, event.needed, worths)


def _saves(drawn: Sequence[Drawn], event: SaveDiceRolled, earlier: Sequence[Event]) -> list[Stake]:
    if len(drawn) != len(event.dice):
        return []
    state = drawn[0].before
    unit, hits = state.units[event.unit], len(event.dice)
    return one_by_one(drawn, event.needed, [-points_for(state, unit, hits - saved) for saved in range(hits + 1)])


def _drive(drawn: Sequence[Drawn], event: DriveBackDiceRolled, earlier: Sequence[Event]) -> list[Stake]:
    """The unit is lost if it is driven farther than its full pace, perhaps only with a six (WMS-DRV-06, -07)."""
    if len(drawn) != len(event.dice) or len(drawn) > MOST_DICE:
        return []
    last = drawn[-1]
    state = last.before
    unit = state.units[event.unit]
    needs_six = state.options.rout_needs_confusion
    far = unit.kind.pace // MM
    count = len(event.dice)
    does = _ways_beyond(count, far, D6.sides) - (_ways_beyond(count, far, D6.sides - 1) if needs_six else 0)
    happened = event.distance > unit.kind.pace and (SIX in event.dice or not needs_six)
    swing = Fraction(_lost(unit, 0) - _lost(unit, len(unit.standing)))
    return [Stake(last.n, last.by, unit.id, happened, does, D6.sides**count, swing)]


def _ways_beyond(dice: int, most: int, sides: int) -> int:
    """In how many ways dice of so many sides add up to more than a number."""
    sums = {0: 1}
    for _ in range(dice):
        grown: dict[int, int] = {}
        for total, ways in sums.items():
            for face in range(1, sides + 1):
                grown[total + face] = grown.get(total + face, 0) + ways
        sums = grown
    return sum(ways for total, ways in sums.items() if total > most)


_SETTLED: dict[type[Event], Callable[[Sequence[Drawn], Any, Sequence[Event]], list[Stake]]] = {
    HitDiceRolled: _hits,
    SaveDiceRolled: _saves,
    DriveBackDiceRolled: _drive,
}
"""What each fact settles."""
