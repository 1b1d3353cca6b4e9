"""The scene of a battle: boxes, units, generals, camps, edges.

A box is 100 units wide. Of two units in a box the front one stands ahead of the middle and the rear
one behind it, as seen by the front one (TTS-STK-03); both are drawn shallower than a unit alone.
The state is already limited to the reader's knowledge, so nothing is held back here.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from domain.basics.message import Message
from domain.contract.scene import Cell, Formation, Line, Mark, Point, Scene, Sign, Token
from domain.engine.state import SIDES
from domain.games.to_the_strongest.chapters.ambushes import with_shown
from domain.games.to_the_strongest.chapters.deployment import row_from
from domain.games.to_the_strongest.shown.captions import (
    LEADERLESS,
    Led,
    army_name,
    box_title,
    camp_named,
    camp_title,
    captions,
    edge_title,
    general_title,
    generals_with,
    rampart_title,
    unit_title,
)
from domain.games.to_the_strongest.shown.heraldry import shields
from domain.games.to_the_strongest.shown.setup_captions import corps_named, hand
from domain.games.to_the_strongest.state.ground import OPEN
from domain.games.to_the_strongest.state.records import Profile
from domain.games.to_the_strongest.state.state import (
    Camp,
    General,
    State,
    Unit,
    general_box,
    general_unit,
    generals_in,
    kind,
    units_in,
)
from domain.mechanics.square import TENTHS, VECTOR, XY, Board, box_by

BOX = 100
HALF = BOX // 2

SIDE_ENDS = {
    "N": ((BOX, BOX), (0, BOX)),
    "E": ((BOX, 0), (BOX, BOX)),
    "S": ((0, 0), (BOX, 0)),
    "W": ((0, BOX), (0, 0)),
}
"""The ends of each side of a box, anticlockwise: the inside is on the left."""

FRONTAGE, FRONTAGE_LIGHT = 88, 76
DEPTH_ALONE, DEPTH_OF_TWO = 62, 40
SQUEEZED = 44
"""The frontage of a rear unit that faces sideways to the front one: it may be deeper then."""
BACK_ALONE, AHEAD_OF_TWO, BACK_OF_TWO = 4, 21, 28
"""How far the centre of a base is from the centre of its box: room for the pointer in front."""
BADGE: Point = (38, 17)  # of a general in a box with units
GENERAL_BASE: Point = (56, 56)
CAMP_SIZE: Point = (96, 96)
GROUND, REAR, FRONT, GENERAL = 0, 1, 2, 3

GROUNDS_KEPT, UNITS_KEPT = 64, 4096  # shown lately: a few megabytes

CHARIOTS = frozenset({"heavy_chariots", "light_chariots", "battle_cars"})
SYMBOL_BY_FLAG = (
    ("elephant", "elephants"),
    ("wagon", "wagons"),
    ("scythed", "scythed_chariots"),
    ("beast", "camels"),
    ("knight", "knights"),
    ("pike", "pikes"),
    ("long_spear", "spears"),
    ("two_handed", "axes"),
    ("poor", "mob"),
)
SHOOTERS = {"bow": "archers", "longbow": "archers", "crossbow": "crossbows", "handgun": "handguns"}
LIGHT_FOOT = {"bow": "light_archers", "sling": "slingers", "crossbow": "light_archers"}
LINE_FOOT = {"javelin": "javelins"}
LIGHT_HORSE = {"bow": "light_horse_archers"}
LINE_HORSE = {"bow": "horse_archers"}
CANNON = frozenset({"cannon", "organ"})

LOOKS = {"gentle_hill": "hill"}
"""Ground whose picture has another name than the ground itself."""
MARK_SYMBOLS = {"shieldwall": "shields", "tortoise": "shell", "veteran": "chevrons", "raw": "ring"}

SIGNS = (
    Sign("gentle_hill", ("h",)),
    Sign("steep_hill", ("H",)),
    Sign("wood", ("w",)),
    Sign("marsh", ("m",)),
    Sign("rocky", ("r",)),
    Sign("building", ("b",)),
    Sign("impassable", ("X",)),
    Sign("camp", ("c",)),
    Sign("general", ("*",), ("★",)),
    Sign("disorder", ("!", '"', "#"), ("!", "‼", "⁂")),
    Sign("stream", ("~", "S"), ("≈", "≀")),
    Sign("ford", ("=",), ("╪",)),
    Sign("hedge", ("%",), ("♣",)),
    Sign("wall", ("#",), ("█",)),
    Sign("stakes", ("x",), ("╳",)),
    Sign("fortified", ("M",), ("▓",)),
)
"""How the board is written as text."""


def view(state: State, side: str) -> Scene:
    """The scene of a battle, made from `known(state, side)`; `side` is the reader's."""
    columns, rows = state.board
    told, hidden = captions(state, side), frozenset(unit for ambush in state.ambushes for unit in ambush.units)
    held = hand(state, side)
    state = with_shown(state, hidden)  # the reader's own: they see where those lie
    led = generals_with(state)
    return Scene(
        width=columns * BOX,
        height=rows * BOX,
        grid="square",
        cells=_ground(state),
        lines=(*_edges(state), *_fortified_sides(state)),
        tokens=(*_camps(state), *_units(state, led, hidden), *_generals(state)),
        aside=tuple(_aside(state, led)),
        told=told,
        hand=held,
        title=state.title,
        sides=SIDES,
        signs=SIGNS,
        formations=tuple(_formations(state)),
        shields=shields(state),
    )


def _formations(state: State) -> Iterator[Formation]:
    """The corps with units on the board; in the turns one of the side to move may be open (TTS-TRN-04)."""
    placed = {(unit.side, unit.corps) for unit in state.units.values() if unit.box}
    for side, army in state.armies.items():
        is_moving = state.phase == "turns" and state.active == side
        for corps in army.corps.values():
            if (side, corps.id) in placed:
                is_open, has_ended = is_moving and corps.id == army.opened, is_moving and corps.id in army.ended
                now: Literal["", "open", "ended"] = "open" if is_open else "ended" if has_ended else ""
                told = Message("tts.title-corps", corps_named(corps))
                yield Formation(corps.id, side, now, told=told)


# --- ground


def _ground(state: State) -> tuple[Cell, ...]:
    """Every box, the north-west one first, as one reads."""
    camps = tuple((camp, army_name(state, camp.side)) for camp in state.camps.values())
    rows = state.options.deploy_rows if state.phase == "deployment" else 0
    return _cells(state.board, tuple(state.terrain.items()), camps, rows)


@lru_cache(GROUNDS_KEPT)
def _cells(
    board: Board, terrain: tuple[tuple[str, str], ...], camps: tuple[tuple[Camp, str], ...], deploy_rows: int
) -> tuple[Cell, ...]:
    """The boxes of a ground, with the side that deploys in them now (TTS-DEP-02). Hardly any order changes it, so that
    one made lately is taken again.

    Shape: `camps` each with the name of its army; `deploy_rows` 0 if nobody deploys now
    """
    columns, rows = board
    grounds, named = dict(terrain), {camp.box: camp_named(camp, army) for camp, army in camps}
    cells = []
    for row in reversed(range(rows)):
        for column in range(columns):
            box = box_by(board, "A1", column, row)
            ground = grounds.get(box, OPEN)
            x, y = column * BOX, row * BOX
            outline = ((x, y), (x + BOX, y), (x + BOX, y + BOX), (x, y + BOX))
            zone = next((side for side in SIDES if row_from(board, side, box) < deploy_rows), "")
            told = box_title(box, ground, zone, named.get(box, {}))
            cells.append(Cell(box, ground, outline, told=told, zone=zone, look=LOOKS.get(ground, "")))
    return tuple(cells)


def _edges(state: State) -> Iterator[Line]:
    for (one, other), feature in sorted(state.edges.items()):
        (x, y), (ox, oy) = XY[one], XY[other]
        left, bottom = max(x, ox) * BOX, max(y, oy) * BOX
        ends = ((left, bottom), (left + BOX, bottom)) if x == ox else ((left, bottom), (left, bottom + BOX))
        yield Line(feature, ends, told=edge_title(feature, one, other))


def _fortified_sides(state: State) -> Iterator[Line]:
    for camp in state.camps.values():
        x, y = _corner(camp.box)
        for side in camp.fortified:
            (from_x, from_y), (to_x, to_y) = SIDE_ENDS[side]
            ends = ((x + from_x, y + from_y), (x + to_x, y + to_y))
            yield Line("fortified", ends, told=rampart_title(camp.box, side))


def _corner(box: str) -> Point:
    column, row = XY[box]
    return column * BOX, row * BOX


def _centre(box: str, facing: str = "N", ahead: int = 0) -> Point:
    """The point `ahead` units from the middle of a box, along a facing."""
    (x, y), (fx, fy) = _corner(box), VECTOR[facing]
    return x + HALF + fx * ahead, y + HALF + fy * ahead


# --- camps


def _camps(state: State) -> Iterator[Token]:
    for camp in state.camps.values():
        yield Token(
            id=f"camp-{camp.box}",
            side=camp.side,
            kind="camp",
            symbol="camp",
            at=_centre(camp.box),
            size=CAMP_SIZE,
            cell=camp.box,
            told=camp_title(state, camp),
            layer=GROUND,
            form="site",
        )


# --- units


def _units(state: State, led: Mapping[str, Led], hidden: frozenset[str]) -> Iterator[Token]:
    for names in state.boxes.values():
        front, is_alone = state.units[names[0]], len(names) == 1
        for rank, name in enumerate(names):
            place = _Place(rank, front.id if rank else "", front.facing, is_alone, name in hidden)
            yield _unit(state.units[name], led.get(name, LEADERLESS), place)


class _Place(NamedTuple):
    """How a unit stands in its box: `behind` is the unit in front of it, `facing` the way that one faces."""

    rank: int
    behind: str
    facing: str
    is_alone: bool
    hides: bool


@lru_cache(UNITS_KEPT)
def _unit(unit: Unit, led: Led, place: _Place) -> Token:
    """A unit on the board. From one order to the next hardly any of them changes: one made lately is taken again."""
    profile = kind(unit)
    frontage = FRONTAGE_LIGHT if profile.light else FRONTAGE
    depth = DEPTH_ALONE if place.is_alone else DEPTH_OF_TWO
    if (TENTHS[unit.facing] - TENTHS[place.facing]) % 1800:
        frontage, depth = SQUEEZED, DEPTH_ALONE
    is_in_front = not place.is_alone and not place.rank
    return Token(
        id=unit.id,
        side=unit.side,
        kind="unit",
        symbol=symbol_of(profile),
        at=_spot(unit.box, place.facing, place.rank, alone=place.is_alone),
        size=(frontage, depth),
        cell=unit.box,
        facing=TENTHS[unit.facing],
        label=unit.id,
        told=unit_title(unit, led, place.behind, in_front=is_in_front, hidden=place.hides),
        marks=(*((Mark("ambush", text="@", symbol="eye"),) if place.hides else ()), *_marks(unit)),
        layer=REAR if place.rank else FRONT,
        unseen=place.hides,
        type=unit.type,
        formation=unit.corps,
    )


def _aside(state: State, led: Mapping[str, Led]) -> Iterator[Token]:
    """Living units without a place on the board: not deployed yet, gone over an edge, or round a flank."""
    for unit in state.units.values():
        if unit.alive and not unit.box:
            yield _unit_aside(unit, led.get(unit.id, LEADERLESS))
    for general in state.generals.values():
        if general.alive and not general_box(state, general):
            told = general_title(general, general_unit(general), "")
            yield Token(general.id, general.side, "general", "general", (0, 0), (0, 0), label=general.id, told=told)


@lru_cache(UNITS_KEPT)
def _unit_aside(unit: Unit, led: Led) -> Token:
    symbol, told = symbol_of(kind(unit)), unit_title(unit, led)
    return Token(unit.id, unit.side, "unit", symbol, (0, 0), (0, 0), label=unit.id, told=told)


def _spot(box: str, facing: str, rank: int, *, alone: bool) -> Point:
    """The centre of a base in a box whose front unit faces a way."""
    return _centre(box, facing, -BACK_ALONE if alone else -BACK_OF_TWO if rank else AHEAD_OF_TWO)


def symbol_of(profile: Profile) -> str:
    """The picture for a troop type."""
    for flag, symbol in SYMBOL_BY_FLAG:
        if flag in profile.flags:
            return symbol
    if profile.artillery:
        return "cannon" if profile.weapon in CANNON else "engines"
    if profile.key in CHARIOTS:
        return "light_chariots" if profile.light else "chariots"
    if profile.mounted:
        return LIGHT_HORSE.get(profile.weapon, "light_cavalry") if profile.light else _line_horse(profile)
    if profile.light:
        return LIGHT_FOOT.get(profile.weapon, "light_foot")
    if "first_charge" in profile.flags or profile.key == "warriors":
        return "warriors"
    armed = SHOOTERS if profile.shooter else LINE_FOOT
    return armed.get(profile.weapon, "heavy_foot")


def _line_horse(profile: Profile) -> str:
    return "lancers" if "lance" in profile.flags else LINE_HORSE.get(profile.weapon, "cavalry")


def _marks(unit: Unit) -> Iterator[Mark]:
    """The marks that a player needs on the base, most urgent first."""
    if unit.losses:
        yield Mark("disorder", unit.losses, unit.steps, f"d{unit.losses}", symbol="burst", harm=True)
    if unit.formation != "normal":
        yield Mark(unit.formation, text=unit.formation[0].upper(), symbol=MARK_SYMBOLS.get(unit.formation, ""))
    if unit.quality != "standard":
        yield Mark(unit.quality, text=unit.quality[0], symbol=MARK_SYMBOLS.get(unit.quality, ""))
    if unit.hero:
        yield Mark("hero", 0 if unit.hero_spent else 1, 1, "" if unit.hero_spent else "h", symbol="star")
    if "standard" in unit.extras:
        yield Mark("standard", text="s", symbol="flag")
    if unit.ammo_full:
        yield Mark("ammo", unit.ammo, unit.ammo_full, f"a{unit.ammo}", symbol="arrow")
    if unit.lance_full:
        yield Mark("lance", unit.lance, unit.lance_full, "l" * unit.lance, symbol="pennon")
    if unit.pilum_full:
        yield Mark("pilum", unit.pilum, unit.pilum_full, "p" * unit.pilum, symbol="javelin")
    if unit.last:
        yield Mark("card", unit.last)


# --- generals


def _generals(state: State) -> Iterator[Token]:
    """Generals on the field: on the base of their unit, beside the units of their box, or alone."""
    for general in state.generals.values():
        box = general_box(state, general)
        if box:
            yield _general(general, box, _general_at(state, general, box), box in state.boxes)


@lru_cache(UNITS_KEPT)
def _general(general: General, box: str, at: Point, is_among_units: bool) -> Token:
    unit = general_unit(general)
    return Token(
        id=general.id,
        side=general.side,
        kind="general",
        symbol="general",
        at=at,
        size=BADGE if is_among_units else GENERAL_BASE,
        cell=box,
        label=general.id,
        told=general_title(general, unit, box),
        marks=tuple(_general_marks(general)),
        layer=GENERAL,
        on=unit,
        form="emblem",
    )


def _general_at(state: State, general: General, box: str) -> Point:
    """With a unit a general is a badge on its base; loose ones keep clear of bases and of each other."""
    unit = general_unit(general)
    if unit:
        here = units_in(state, box)
        return _spot(box, here[0].facing, here.index(state.units[unit]), alone=len(here) == 1)
    step = [g.id for g in generals_in(state, box, general.side) if not general_unit(g)].index(general.id)
    x, y = _centre(box)
    if box in state.boxes:
        return x - HALF + BADGE[0] // 2, y + HALF - BADGE[1] // 2 - step * BADGE[1]
    return x + step * 14, y - step * 14


def _general_marks(general: General) -> Iterator[Mark]:
    if general.wound:
        serious = general.wound == "serious"
        yield Mark("wound", 2 if serious else 1, 2, "W" if serious else "w", symbol="drop", harm=True)
    for trait in sorted(general.traits):
        yield Mark(trait, text=trait[:2])
