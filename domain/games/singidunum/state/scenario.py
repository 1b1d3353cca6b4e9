"""Check a scenario file and make the event that opens its battle (PRG-SCN-01).

A scenario that contradicts the rules is refused with `singidunum.bad-scenario`, the key at fault and what is wrong.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from domain.basics.decoding import convert
from domain.basics.errors import Refusal
from domain.engine.state import SIDES
from domain.games.singidunum.state.board import (
    BASE,
    BURNED,
    FOREST,
    LAYOUTS,
    PLAIN,
    RAMPART,
    SCRUB,
    Ground,
    in_order,
    layout,
)
from domain.games.singidunum.state.roster import ABILITIES, MODULES, PROFILES, is_barred_from_forest
from domain.games.singidunum.state.scenario_file import HexGiven, HexScenarioGiven, HexSideGiven, HexUnitGiven
from domain.games.singidunum.state.setup import AmbushSetUp, BattleOpened, SideAtStart, UnitAtStart
from domain.games.singidunum.state.state import Marker, Options
from domain.games.singidunum.state.vocabulary import begins_an_order, is_well_formed
from domain.mechanics import hex as hexes

RULE = "PRG-SCN-01"
CODE = "singidunum"
CHOICES = {
    "isolated": ("no-adjacent-friend", "no-flank-friend"),
    "scrub_markers": ("none", "both", "picture"),
}
LEAST = {
    "budget": 1,
    "goal": 0,
    "turn_limit": 1,
    "deploy_rows": 1,
    "rally_target": 1,
    "rally_min_diff": 1,
    "shot_hit": 1,
    "shot_kill": 1,
    "general_range": 0,
}
MOST = 1000
MOST_UNITS = 40
"""Of a side: what may be ordered grows with the pairs of units."""
LONGEST_TITLE, LONGEST_NAME = 200, 100
"""Characters: lists of battles show both."""


def bad(key: str, fault: str, **params: Any) -> Refusal:
    """The refusal of a scenario: the key at fault, and a stable word for what is wrong."""
    return Refusal("singidunum.bad-scenario", RULE, key=key, fault=fault, **params)


# --- the event


def load(scenario: Mapping[str, Any]) -> BattleOpened:
    """A scenario (parsed TOML) as the event that opens its battle.

    Raises: Refusal singidunum.bad-scenario with `key` and `fault`
    """
    try:
        given = convert(dict(scenario), HexScenarioGiven)
        options = convert(given.options, Options)
    except msgspec.ValidationError as error:
        text = str(error)
        found, _, path = text.partition(" - at ")
        raise bad(path.strip("`$.") or "options", "shape", found=found) from None
    _check_head(given, options)
    board = (given.board.columns, given.board.rows)
    ground = {**layout(given.board.layout, board), **{_hex(board, t.hex): _ground(t) for t in given.terrain}}
    ambushes = tuple(AmbushSetUp(_hex(board, a.hex), a.side, a.unit.upper()) for a in given.ambush)
    markers = {_hex(board, m.hex): Marker(m.kind, m.active, m.side) for m in given.marker if m.kind != BURNED}
    opened = BattleOpened(
        ruleset=CODE,
        title=given.title,
        first=given.first,
        options=options,
        board={"layout": given.board.layout, "columns": board[0], "rows": board[1]},
        terrain={hex_: ground[hex_] for hex_ in in_order(ground) if ground[hex_].kind != PLAIN},
        sides={side: _side(given.sides[side], board, {a.unit for a in ambushes}) for side in SIDES},
        turn=given.turn,
        markers=markers,
        burned=tuple(in_order(_hex(board, m.hex) for m in given.marker if m.kind == BURNED)),
        ambushes=ambushes or UNSET,
    )
    _check_markers(opened)
    _check_units(opened)
    _check_ambushes(opened)
    return opened


def _check_head(given: HexScenarioGiven, options: Options) -> None:
    if given.ruleset != CODE:
        raise bad("ruleset", "not-among", choices=[CODE])
    if set(given.sides) != set(SIDES):
        raise bad("sides", "keys", needed=list(SIDES))
    for key, choices in CHOICES.items():
        if getattr(options, key) not in choices:
            raise bad(f"options.{key}", "not-among", choices=list(choices))
    unknown = set(options.modules) - set(MODULES)
    if unknown:
        raise bad("options.modules", "unknown", found=sorted(unknown))
    for key, least in LEAST.items():
        if not least <= getattr(options, key) <= MOST:
            raise bad(f"options.{key}", "number", least=least, most=MOST)
    if options.shot_kill < options.shot_hit:
        raise bad("options.shot_kill", "number", least=options.shot_hit, most=MOST)
    board = given.board
    if board.layout not in LAYOUTS:
        raise bad("board.layout", "not-among", choices=list(LAYOUTS))
    for key, size, most in (("columns", board.columns, hexes.MAX_COLUMNS), ("rows", board.rows, hexes.MAX_ROWS)):
        if not 1 <= size <= most:
            raise bad(f"board.{key}", "number", least=1, most=most)
    for key, length, most in _lengths(given):
        if length > most:
            raise bad(key, "number", least=0, most=most)
    if not 1 <= given.turn <= options.turn_limit:
        raise bad("turn", "number", least=1, most=options.turn_limit)
    if 2 * options.deploy_rows > board.rows:
        raise bad("options.deploy_rows", "number", least=1, most=board.rows // 2)


def _lengths(given: HexScenarioGiven) -> Iterator[tuple[str, int, int]]:
    yield "title.length", len(given.title), LONGEST_TITLE
    yield "title_fr.length", len(given.title_fr), LONGEST_TITLE
    for side, army in given.sides.items():
        yield f"sides.{side}.name.length", len(army.name), LONGEST_NAME
        yield f"sides.{side}.name_fr.length", len(army.name_fr), LONGEST_NAME
        yield f"sides.{side}.units", len(army.units), MOST_UNITS


def _hex(board: hexes.Board, written: str) -> str:
    name = written.upper()
    if "," in name:
        column, _, row = name.partition(",")
        name = hexes.name_at(int(column), int(row)) if column.isdecimal() and row.isdecimal() else name
    if not hexes.on_board(board, name):
        raise bad(written, "off-board", hex=written)
    return name


def _ground(given: HexGiven) -> Ground:
    is_base = given.kind in (BASE, RAMPART)
    if is_base != bool(given.side):
        raise bad(f"terrain.{given.hex}.side", "base-side", hex=given.hex)
    return Ground(given.kind, given.side)


def _side(given: HexSideGiven, board: hexes.Board, hidden: set[str]) -> SideAtStart:
    if not 0 <= given.half_vp <= MOST:
        raise bad("half_vp", "number", least=0, most=MOST)
    units = tuple(_unit(unit, board, unit.id.upper() in hidden) for unit in given.units)
    return SideAtStart(given.name, given.half_vp, given.held_base, units)


def _unit(given: HexUnitGiven, board: hexes.Board, hidden: bool) -> UnitAtStart:
    if given.type not in PROFILES:
        raise bad(f"{given.id}.type", "unknown", found=[given.type])
    unknown = set(given.abilities) - set(ABILITIES.get(given.type, ()))
    if unknown:
        raise bad(f"{given.id}.abilities", "unknown", found=sorted(unknown))
    if not 1 <= given.strength <= MOST:
        raise bad(f"{given.id}.strength", "number", least=1, most=MOST)
    place = _hex(board, given.hex) if given.hex else ""
    return UnitAtStart(
        given.id.upper(),
        given.type,
        given.strength,
        "" if hidden else place,
        given.state == "activated",
        given.abilities,
        given.no_burn,
    )


# --- what must fit together


def _units(opened: BattleOpened) -> Iterator[tuple[str, UnitAtStart]]:
    return ((side, unit) for side, army in opened.sides.items() for unit in army.units)


def _check_units(opened: BattleOpened) -> None:
    board = (opened.board["columns"], opened.board["rows"])
    ids: set[str] = set()
    taken: dict[str, str] = {}
    for _, unit in _units(opened):
        if unit.id in ids:
            raise bad(unit.id, "twice")
        ids.add(unit.id)
        if not is_well_formed(unit.id):
            raise bad(unit.id, "id-form")
        if hexes.on_board(board, unit.id):
            raise bad(unit.id, "id-is-hex")
        if begins_an_order(unit.id):
            raise bad(unit.id, "begins-an-order")
        if not unit.hex:
            continue
        if unit.hex in taken:
            raise bad(f"{unit.id}.hex", "two-units", hex=unit.hex)
        taken[unit.hex] = unit.id
        _check_place(opened, unit.id, unit.type, unit.hex)


def _check_place(opened: BattleOpened, name: str, type_: str, hex_: str) -> None:
    marker = opened.markers.get(hex_)
    if marker and marker.kind == FOREST and is_barred_from_forest(type_):
        raise bad(f"{name}.hex", "forest", hex=hex_)


def _check_markers(opened: BattleOpened) -> None:
    for hex_ in opened.markers:
        here = opened.terrain.get(hex_, Ground(PLAIN))
        if here.is_base or (here.kind == SCRUB and opened.options.scrub_markers == "none"):
            raise bad(f"marker.{hex_}", "marker-ground", hex=hex_)
    for hex_ in opened.burned:
        if not opened.terrain.get(hex_, Ground(PLAIN)).is_base:
            raise bad(f"marker.{hex_}", "not-a-base", hex=hex_)


def _check_ambushes(opened: BattleOpened) -> None:
    units = {unit.id: (side, unit) for side, unit in _units(opened)}
    taken = {unit.hex for _, unit in units.values()}
    seen: set[str] = set()
    for given in opened.ambushes or ():
        marker = opened.markers.get(given.hex)
        if marker is None or marker.kind != FOREST or given.hex in taken:
            raise bad(f"ambush.{given.hex}", "no-forest", hex=given.hex)
        taken.add(given.hex)
        if not given.unit:
            continue
        side, unit = units.get(given.unit, ("", None))
        if unit is None or side != given.side or given.unit in seen:
            raise bad(f"ambush.{given.hex}", "not-of-side", unit=given.unit, side=given.side)
        seen.add(given.unit)
        if is_barred_from_forest(unit.type):
            raise bad(f"{unit.id}.hex", "forest", hex=given.hex)
