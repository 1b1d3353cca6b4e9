"""Positions: ground and works that help whoever waits in them, and which corps should wait.

Estimates for the bot of this game, never rules. A corps holds a position that it stands in while the
enemy has to come; it leaves one when the battle would be lost by waiting.
"""

from collections.abc import Iterable

from domain.games.to_the_strongest.chapters.deployment import own_row
from domain.games.to_the_strongest.chapters.geometry import is_hill, is_rough
from domain.games.to_the_strongest.state.state import Corps, State, Unit, edge_kind, enemy, kind
from domain.mechanics.square import box_at

HELD = 3
"""A corps holds if one in this many of its line stands in a position."""
LONG = 12
"""The turns that a side waits for an enemy who need not come, if there is no turn limit."""
HURRY = 4
"""The turns before the limit in which a side that is behind stops waiting."""
BEHIND = 0.05
"""The deficit in shares of medals that loses a battle at the turn limit (TTS-WIN-05)."""


def works(state: State, unit: Unit, box: str, facing: str) -> int:
    """The steps of cover that foot has in a box of its own half, from slope, walls, stakes and streams."""
    profile = kind(unit)
    if not profile.foot or profile.elephant or 2 * own_row(state, unit.side, box) >= state.board[1]:
        return 0
    steps = int(is_hill(state, box))
    camp = state.camps.get(box)
    if camp and camp.side == unit.side and facing in camp.fortified:
        steps += 2
    ahead = box_at(state.board, box, facing, 1, 0)
    if "stakes" in unit.extras or (ahead and edge_kind(state, (box, ahead))):
        steps += 1
    return steps


def cover(state: State, unit: Unit, box: str, facing: str) -> int:
    """Works, and rough ground for foot that fights well in it."""
    profile = kind(unit)
    nimble = profile.foot and "close" not in profile.flags and not (profile.elephant or profile.artillery)
    return works(state, unit, box, facing) + (nimble and is_rough(state, box))


def holding(state: State, side: str) -> frozenset[str]:
    """The corps of a side that do best to let the enemy come."""
    if not _may_wait(state, side):
        return frozenset()
    corps = state.armies[side].corps.values()
    if _share(state, corps) <= _share(state, state.armies[enemy(side)].corps.values()):
        return frozenset()
    return frozenset(one.id for one in corps if HELD * _share(state, [one]) >= 1)


def _may_wait(state: State, side: str) -> bool:
    limit = state.options.turn_limit
    if not limit:
        return state.turn <= LONG
    own, other = (army.medals / army.medals_full for army in (state.armies[side], state.armies[enemy(side)]))
    return state.turn <= limit - HURRY or own + BEHIND >= other


def _share(state: State, corps: Iterable[Corps]) -> float:
    """How much of the line of some corps stands in a position."""
    line = [unit for one in corps for name in one.units if (unit := state.units[name]).box and not kind(unit).light]
    return sum(works(state, unit, unit.box, unit.facing) > 0 for unit in line) / max(1, len(line))
