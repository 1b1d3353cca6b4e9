"""What cannot be in a state of a battle, however it came to be there.

A position comes from a file that anybody may have written. What the rules lean on is checked here: who there is and of
what type, and where everything stands. That a position could have come about is not asked.
"""

from collections.abc import Iterator
from itertools import chain

from domain.engine.positions import Flaw
from domain.engine.state import SIDES
from domain.games.warmaster_shooting.state.measure import overlap
from domain.games.warmaster_shooting.state.profiles import PROFILES
from domain.games.warmaster_shooting.state.scenario_checks import (
    FARTHEST,
    MOST_AREAS,
    MOST_CORNERS,
    MOST_STANDS,
    MOST_UNITS,
)
from domain.games.warmaster_shooting.state.state import Stand, State, Unit, units_on_table
from domain.mechanics.outline import is_convex

PHASES = ("", "command", "shooting", "drive-back", "ended")
MOST_WOUNDS, LARGEST = 1000, 1000
"""Wounds of a phase; millimetres of a stand."""


def flaws(state: State) -> Iterator[Flaw]:
    """The first of them is enough to refuse a state; those behind it may trip over it."""
    yield from _table(state)
    names = [name for unit in state.units.values() for name in (unit.id, *(stand.id for stand in unit.stands))]
    if len(set(names)) < len(names):
        yield "units", "twice"
    for side in SIDES:
        if sum(1 for unit in state.units.values() if unit.side == side) > MOST_UNITS:
            yield "units", "number"
    for name, unit in state.units.items():
        yield from _unit(state, name, unit)
    yield from _places(state)
    for name, touched in state.contacts.items():
        if not {name, *touched} <= state.units.keys():
            yield f"contacts.{name}", "unknown"


def _table(state: State) -> Iterator[Flaw]:
    board, options = state.board, state.options
    if not (100 <= board.width <= FARTHEST and 100 <= board.height <= FARTHEST and _is_near(board.origin)):
        yield "board", "number"
    if not (1 <= options.turns <= 100 and 0 <= options.arc_slope <= 1000):
        yield "options", "number"
    if state.phase not in PHASES or state.first not in SIDES or not set(state.names) <= set(SIDES):
        yield "phase", "unknown"
    if max(len(state.areas), len(state.obstacles)) > MOST_AREAS:
        yield "areas", "number"
    for area in state.areas:
        is_small = 3 <= len(area.polygon) <= MOST_CORNERS and all(map(_is_near, area.polygon))
        if not is_small or not is_convex(area.polygon) or not 0 <= area.height <= 100:
            yield "areas", "number"
    if not all(map(_is_near, chain.from_iterable(obstacle.ends for obstacle in state.obstacles))):
        yield "obstacles", "number"


def _unit(state: State, name: str, unit: Unit) -> Iterator[Flaw]:
    where = f"units.{name}"
    if unit.id != name or unit.side not in SIDES:
        yield where, "side"
    if unit.profile not in PROFILES:
        yield where, "unknown"
    if not 1 <= len(unit.stands) <= MOST_STANDS:
        yield where, "number"
    wounds = (unit.open, unit.total, unit.charge_open, unit.charge_total)
    if not (min(wounds) >= 0 and max(wounds) <= MOST_WOUNDS):
        yield where, "number"
    for stand in unit.stands:
        base = stand.base
        sizes = (base.width, base.depth)
        if not _is_near(base.at) or not 0 <= base.facing < 3600 or not (min(sizes) >= 1 and max(sizes) <= LARGEST):
            yield f"{where}.{stand.id}", "number"
    enemies = {stand.id for other in state.units.values() if other.side != unit.side for stand in other.stands}
    if not set(unit.shot_by) <= enemies:
        yield f"{where}.shot_by", "unknown"


def _places(state: State) -> Iterator[Flaw]:
    """Stands of two units do not overlap (WMS-SCN-02)."""
    placed: list[Stand] = []
    for unit in units_on_table(state):
        for stand in unit.standing:
            if any(overlap(stand.base, other.base) for other in placed):
                yield f"units.{unit.id}.{stand.id}", "overlap"
        placed += unit.standing


def _is_near(point: tuple[int, int]) -> bool:
    return max(abs(point[0]), abs(point[1])) <= FARTHEST
