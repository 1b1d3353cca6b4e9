"""The shape of a scenario file, its checks, and the event that opens its battle (warmaster-shooting.md 4).

All defaults are resolved here and recorded in `BattleOpened`, so that the state folds from the log alone.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.engine import events
from domain.engine.errors import Refusal
from domain.engine.state import OTHER, SIDES
from domain.games.warmaster_shooting.state.profiles import CODE, PROFILES
from domain.games.warmaster_shooting.state.state import Area, Base, Board, Cover, Obstacle, Options, Stand, State, Unit
from domain.mechanics.outline import clockwise, is_convex
from domain.mechanics.plane import Point

RULE = "WMS-SCN-02"
MOST_STANDS, MOST_UNITS, MOST_AREAS, MOST_CORNERS = 4, 40, 60, 24
"""The largest unit, and what a scenario may bring of the rest."""
ID = re.compile(r"[A-Z][A-Z0-9-]{0,19}")
FARTHEST = 10_000
"""The largest coordinate, width or height in mm: a table of ten metres."""

Side = Literal["south", "north"]
BOTH: tuple[Side, ...] = ("south", "north")


class _Given(Struct, frozen=True, forbid_unknown_fields=True):
    """Members that a scenario file may have; unknown keys are refused by name."""


class StandGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A stand as written; a size of 0 stands for that of its type."""

    id: str
    at: Point
    facing: int
    cover: Cover | Literal[""] = ""
    w: int = 0
    d: int = 0


class UnitGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A unit as written."""

    id: str
    profile: str
    stands: tuple[StandGiven, ...]
    engaged: bool = False
    confused: bool = False
    shot: bool = False
    wounds: int = 0
    total: int = 0
    shot_by: tuple[str, ...] = ()


class SideGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A side as written."""

    name: str
    units: tuple[UnitGiven, ...]
    name_fr: str = ""


class AreaGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A piece of ground as written; `height` belongs to hills, 1 if it is not there."""

    kind: Literal["wood", "built", "hill", "marsh", "river", "works", "lake", "impassable"]
    polygon: tuple[Point, ...]
    height: int = 0


class EdgeGiven(_Given, frozen=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A linear obstacle as written."""

    from_: Point
    to: Point
    kind: Literal["low-wall", "hedge", "stream", "high-wall", "rampart"]


class ScenarioGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A whole scenario file; `history`, `sources` and what ends in `_fr` are for readers."""

    ruleset: str
    title: str
    sides: dict[Side, SideGiven]
    first: Side = "south"
    options: Options = Options()
    board: Board | None = None
    terrain: tuple[AreaGiven, ...] = ()
    edge: tuple[EdgeGiven, ...] = ()
    title_fr: str = ""
    history: str = ""
    history_fr: str = ""
    sources: tuple[str, ...] = ()


class BattleOpened(events.BattleOpened, frozen=True, gc=False, kw_only=True):
    """The whole set-up of the battle."""

    RULE = "WMS-SEQ-08"

    title: str
    first: Side
    options: Options
    board: Board
    terrain: tuple[AreaGiven, ...]
    edges: tuple[EdgeGiven, ...]
    sides: dict[Side, SideGiven]


def load(scenario: Mapping[str, Any]) -> BattleOpened:
    """A scenario (parsed TOML) as the event that opens its battle.

    Raises: Refusal wms.bad-scenario with `key` and `fault`
    """
    try:
        given = msgspec.convert(dict(scenario), ScenarioGiven)
    except msgspec.ValidationError as error:
        raise bad(_path_of(error), "shape", found=str(error).partition(" - at ")[0]) from None
    _require_both(given)
    terrain = tuple(_area(area, f"terrain[{at}]") for at, area in enumerate(given.terrain))
    sides = {side: _side(given.sides[side], f"sides.{side}") for side in BOTH}
    opened = BattleOpened(
        ruleset=CODE,
        title=given.title,
        first=given.first,
        options=given.options,
        board=given.board or Board(),
        terrain=terrain,
        edges=given.edge,
        sides=sides,
    )
    check(opened, is_bounded=given.board is not None)
    return opened


def bad(key: str, fault: str, **params: Any) -> Refusal:
    """`fault` says what is wrong at `key` and chooses the sentence."""
    return Refusal("wms.bad-scenario", RULE, key=key, fault=fault, **params)


def _path_of(error: msgspec.ValidationError) -> str:
    return str(error).partition(" - at `$")[2].rstrip("`").lstrip(".") or "the file"


def _require_both(given: ScenarioGiven) -> None:
    for side in BOTH:
        if side not in given.sides:
            raise bad(f"sides.{side}", "missing")


def _area(area: AreaGiven, key: str) -> AreaGiven:
    if not is_convex(area.polygon) or len(area.polygon) > MOST_CORNERS:
        raise bad(f"{key}.polygon", "not-convex")
    if area.kind == "hill":
        return replace(area, polygon=clockwise(area.polygon), height=area.height or 1)
    return replace(area, polygon=clockwise(area.polygon))


def _side(side: SideGiven, key: str) -> SideGiven:
    units = tuple(_unit(unit, f"{key}.units[{at}]") for at, unit in enumerate(side.units))
    return replace(side, units=units)


def _unit(unit: UnitGiven, key: str) -> UnitGiven:
    """Ids in capitals, sizes as the type has them (WMS-GEO-02)."""
    profile = PROFILES.get(unit.profile)
    if profile is None:
        raise bad(f"{key}.profile", "unknown-profile", profile=unit.profile[:40], known=sorted(PROFILES))
    stands = tuple(
        replace(
            stand,
            id=stand.id.upper(),
            facing=stand.facing % 3600,
            w=stand.w or profile.width,
            d=stand.d or profile.depth,
        )
        for stand in unit.stands
    )
    shooters = tuple(name.upper() for name in unit.shot_by)
    return replace(unit, id=unit.id.upper(), stands=stands, shot_by=shooters)


# --- checks


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
    from domain.games.warmaster_shooting.chapters.measure import is_on_table, overlap  # chapters stand on the state

    placed: list[tuple[Unit, Stand]] = []
    for unit in state.units.values():
        for stand in unit.stands:
            key = f"sides.{unit.side}.units.{unit.id}.stands.{stand.id}"
            if is_bounded and not is_on_table(stand.base, state.board):
                raise bad(key, "off-table")
            by = next((one for other, one in placed if other is not unit and overlap(stand.base, one.base)), None)
            if by:
                raise bad(key, "overlap", by=by.id)
        placed += [(unit, stand) for stand in unit.stands]


# --- the state at the start


def opened_state(state: State, event: BattleOpened) -> State:
    """The state that the scenario describes."""
    return replace(
        state,
        title=event.title,
        first=event.first,
        options=event.options,
        board=event.board,
        areas=tuple(Area(area.kind, area.polygon, area.height) for area in event.terrain),
        obstacles=tuple(Obstacle(edge.kind, (edge.from_, edge.to)) for edge in event.edges),
        units={unit.id: _made(side, unit) for side in BOTH for unit in event.sides[side].units},
        names={side: event.sides[side].name for side in BOTH},
    )


def _made(side: str, unit: UnitGiven) -> Unit:
    return Unit(
        id=unit.id,
        side=side,
        profile=unit.profile,
        stands=tuple(
            Stand(stand.id, Base(stand.at, stand.facing, stand.w, stand.d), stand.cover) for stand in unit.stands
        ),
        engaged=unit.engaged,
        fighting=unit.engaged,
        confused=unit.confused,
        shot=unit.shot,
        open=unit.wounds,
        total=unit.total,
        shot_by=unit.shot_by,
    )


EVOLUTIONS = {BattleOpened: opened_state}
