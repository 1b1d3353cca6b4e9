"""The checks of a set-up: a scenario that contradicts itself is refused with the key at fault (WMS-SCN-02)."""

import re
from collections.abc import Iterator
from typing import Any

from domain.basics.errors import Refusal
from domain.engine.state import OTHER, SIDES
from domain.games.warmaster_shooting.state.measure import is_on_table, overlap
from domain.games.warmaster_shooting.state.profiles import PROFILES
from domain.games.warmaster_shooting.state.setup import BattleOpened, opened_state
from domain.games.warmaster_shooting.state.state import Stand, State

RULE = "WMS-SCN-02"
MOST_STANDS, MOST_UNITS, MOST_AREAS, MOST_CORNERS = 4, 40, 60, 24
"""The largest unit, and what a scenario may bring of the rest."""
ID = re.compile(r"[A-Z][A-Z0-9-]{0,19}")
LONGEST_TITLE, LONGEST_NAME = 200, 100
"""Characters: lists of battles show both."""
FARTHEST = 10_000
"""The largest coordinate, width or height in mm: a table of ten metres."""


def bad(key: str, fault: str, **params: Any) -> Refusal:
    """`fault` says what is wrong at `key` and chooses the sentence."""
    return Refusal("wms.bad-scenario", RULE, key=key, fault=fault, **params)


def check(opened: BattleOpened, *, is_bounded: bool) -> None:
    """Refuse a set-up that contradicts itself (WMS-SCN-02).

    Shape:  `is_bounded`: the scenario gives the size of its table. Without it the acceptance cases place stands outside
            the usual one
    Raises: Refusal wms.bad-scenario
    """
    board = opened.board
    for key, number, least, most in (
        ("options.turns", opened.options.turns, 1, 100),
        ("options.arc_slope", opened.options.arc_slope, 0, 1000),
        ("board.width", board.width, 100, FARTHEST),
        ("board.height", board.height, 100, FARTHEST),
        ("title.length", len(opened.title), 0, LONGEST_TITLE),
        ("terrain", len(opened.terrain), 0, MOST_AREAS),
        ("edge", len(opened.edges), 0, MOST_AREAS),
        *_numbers(opened),
    ):
        if not least <= number <= most:
            raise bad(key, "number", number=number, least=least, most=most)
    _check_names(opened)
    state = opened_state(State(), opened)
    _check_places(state, is_bounded)
    for side in SIDES:
        own = {stand.id for unit in state.of(OTHER[side]) for stand in unit.stands}
        for unit in state.of(side):
            if not own.issuperset(unit.shot_by) or (unit.total and not unit.shot_by):
                raise bad(f"sides.{side}.units.{unit.id}.shot_by", "shot-by")


def _numbers(opened: BattleOpened) -> Iterator[tuple[str, int, int, int]]:
    for axis in (0, 1):
        yield "board.origin", opened.board.origin[axis], -FARTHEST, FARTHEST
    for at, area in enumerate(opened.terrain):
        for x, y in area.polygon:
            yield f"terrain[{at}].polygon", max(abs(x), abs(y)), 0, FARTHEST
        yield f"terrain[{at}].height", area.height, 0, 100
    for at, edge in enumerate(opened.edges):
        yield f"edge[{at}]", max(map(abs, (*edge.from_, *edge.to))), 0, FARTHEST
    for side, given in opened.sides.items():
        yield f"sides.{side}.name.length", len(given.name), 0, LONGEST_NAME
        yield f"sides.{side}.units", len(given.units), 1, MOST_UNITS
        for unit in given.units:
            key = f"sides.{side}.units.{unit.id[:40]}"
            yield f"{key}.stands", len(unit.stands), 1, MOST_STANDS
            yield f"{key}.wounds", unit.wounds, 0, PROFILES[unit.profile].hits - 1
            yield f"{key}.total", unit.total, unit.wounds if unit.total else 0, 1000
            for stand in unit.stands:
                yield f"{key}.stands.at", max(map(abs, stand.at)), 0, FARTHEST
                yield f"{key}.stands.w", stand.w, 1, 1000
                yield f"{key}.stands.d", stand.d, 1, 1000


def _check_names(opened: BattleOpened) -> None:
    seen: set[str] = set()
    for side, given in opened.sides.items():
        for unit in given.units:
            for name in (unit.id, *(stand.id for stand in unit.stands)):
                key = f"sides.{side}.units.{unit.id[:40]}"
                if name in seen:
                    raise bad(key, "twice", name=name[:40])
                if not ID.fullmatch(name):
                    raise bad(key, "id", name=name[:40])
                seen.add(name)


def _check_places(state: State, is_bounded: bool) -> None:
    placed: list[Stand] = []  # of the units before
    for unit in state.units.values():
        for stand in unit.stands:
            key = f"sides.{unit.side}.units.{unit.id}.stands.{stand.id}"
            if is_bounded and not is_on_table(stand.base, state.board):
                raise bad(key, "off-table")
            by = next((one for one in placed if overlap(stand.base, one.base)), None)
            if by:
                raise bad(key, "overlap", by=by.id)
        placed += unit.stands
