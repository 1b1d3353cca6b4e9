"""The scene of a battle: hexes, ramparts, units and ambush markers.

The state is already limited to the reader's knowledge, so nothing is held back here.
"""

from collections.abc import Iterator

from domain.basics.message import Message
from domain.contract.scene import Cell, Line, Mark, Point, Scene, Sign, Token
from domain.engine.state import OTHER, SIDES
from domain.games.singidunum.chapters.deployment import in_zone
from domain.games.singidunum.shown.captions import ambush_title, captions, hex_title, unit_title
from domain.games.singidunum.shown.heraldry import shields
from domain.games.singidunum.state.board import BASE, RAMPART, STAKES
from domain.games.singidunum.state.state import State, Unit, ground, is_in_base, neighbours
from domain.mechanics import hex as hexes

WIDTH, DEPTH = 74, 46
MARKER_SIZE: Point = (40, 30)
SYMBOLS = {
    "EL": "axes",
    "HI": "heavy_foot",
    "AR": "archers",
    "CV": "cavalry",
    "SC": "lancers",
    "HA": "horse_archers",
    "LI": "light_foot",
    "SV": "mob",
    "GE": "general",
}
"""The picture of each type."""
LOOKS = {BASE: "building", RAMPART: "rocky", "forest": "wood", "brush": "scrub"}
SIGNS = (
    Sign("scrub", ("%",), ("♣",)),
    Sign(BASE, ("b",)),
    Sign(RAMPART, ("r",)),
    Sign("forest", ("f",)),
    Sign("hill", ("h",)),
    Sign("brush", ("u",)),
    Sign(STAKES, ("x",)),
    Sign("fallen_stakes", ("-",)),
    Sign("burned", ("F",)),
    Sign("fortified", ("#", "#"), ("█", "█")),
    Sign("ambush", ("?",)),
    Sign("activated", ("'",), ("′",)),
)
"""How the board is written as text."""


def view(state: State, side: str) -> Scene:
    """The scene of a battle, made from `known(state, side)`; `side` is the reader's."""
    width, height = hexes.size(state.board)
    return Scene(
        width=width,
        height=height,
        grid="hex",
        cells=tuple(_cells(state)),
        lines=tuple(_ramparts(state)),
        tokens=(*_units(state), *_ambushes(state)),
        aside=tuple(_aside(state)),
        told=captions(state),
        title=state.title,
        sides=SIDES,
        signs=SIGNS,
        shields=shields(state),
    )


def _cells(state: State) -> Iterator[Cell]:
    columns, rows = state.board
    for row in range(rows):
        for column in range(columns):
            hex_ = hexes.name_at(column, row)
            kind = _kind(state, hex_)
            zone = next((side for side in SIDES if in_zone(state, side, hex_)), "") if _deploys(state) else ""
            told = hex_title(state, hex_, kind, zone)
            outline = hexes.outline(state.board, hex_)
            yield Cell(hex_, kind, outline, told=told, zone=zone, look=LOOKS.get(kind, kind))


def _deploys(state: State) -> bool:
    return state.phase == "deployment"


def _kind(state: State, hex_: str) -> str:
    """The word for what counts on a hex: a fire, a marker, else its terrain."""
    if hex_ in state.burned:
        return "burned"
    marker = state.markers.get(hex_)
    if marker and marker.kind == STAKES and not marker.active:
        return "fallen_stakes"
    return marker.kind if marker else ground(state, hex_).kind


def _ramparts(state: State) -> Iterator[Line]:
    """The sides of rampart hexes towards what is no base, with the inside on the left."""
    for hex_, here in sorted(state.terrain.items(), key=lambda item: hexes.reading_order(item[0])):
        if here.kind != RAMPART:
            continue
        for other in neighbours(state, hex_):
            if not ground(state, other).is_base:
                told = Message("singidunum.title-rampart", {"hex": hex_, "other": other})
                yield Line("fortified", _border(state, hex_, other), told=told)


def _border(state: State, hex_: str, other: str) -> tuple[Point, Point]:
    """The common side of two hexes, as it runs anticlockwise round the first."""
    corners = hexes.outline(state.board, hex_)
    shared = set(corners) & set(hexes.outline(state.board, other))
    pairs = zip(corners, (*corners[1:], corners[0]), strict=True)
    one, two = next(pair for pair in pairs if shared.issuperset(pair))
    return two, one


def _units(state: State) -> Iterator[Token]:
    for hex_ in state.places:
        unit = state.units[state.places[hex_]]
        yield _unit(state, unit, hex_, hides=False)


def _unit(state: State, unit: Unit, hex_: str, *, hides: bool) -> Token:
    return Token(
        id=unit.id,
        side=unit.side,
        kind="unit",
        symbol=SYMBOLS[unit.type],
        at=hexes.middle(state.board, hex_),
        size=(WIDTH, DEPTH),
        cell=hex_,
        label=unit.id,
        told=unit_title(unit, hidden=hides),
        marks=tuple(_marks(state, unit, hides=hides)),
        layer=1,
        unseen=hides,
        spent=unit.activated,
        type=unit.type,
    )


def _marks(state: State, unit: Unit, *, hides: bool) -> Iterator[Mark]:
    if hides:
        yield Mark("ambush", text="@", symbol="eye")
    if str(unit.strength) not in unit.id:
        yield Mark("force", text=f"={unit.force}")
    if unit.activated:
        yield Mark("activated", 1, 1, "'", symbol="turn", harm=True)
    for ability in unit.abilities:
        yield Mark(ability, text=ability[0], symbol="star")
    if unit.no_burn and is_in_base(state, unit.hex, OTHER[unit.side]):
        yield Mark("no-burn", text="n", symbol="drop")


def _ambushes(state: State) -> Iterator[Token]:
    """A unit in ambush for its own side; a marker for all who do not know what lies there."""
    for ambush in state.ambushes:
        if ambush.unit:
            yield _unit(state, state.units[ambush.unit], ambush.hex, hides=True)
            continue
        yield Token(
            id=f"ambush-{ambush.hex}",
            side=ambush.side,
            kind="ambush",
            symbol="ambush",
            at=hexes.middle(state.board, ambush.hex),
            size=MARKER_SIZE,
            cell=ambush.hex,
            label="?",
            told=ambush_title(ambush),
            layer=0,
        )


def _aside(state: State) -> Iterator[Token]:
    """Units that wait for their place."""
    hidden = {ambush.unit for ambush in state.ambushes}
    for unit in state.units.values():
        if unit.in_play and not unit.hex and unit.id not in hidden:
            told = unit_title(unit, hidden=False)
            yield Token(unit.id, unit.side, "unit", SYMBOLS[unit.type], (0, 0), (0, 0), label=unit.id, told=told)
