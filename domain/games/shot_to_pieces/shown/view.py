"""The scene of a battle: the table in 1/100 cm, ground, bases, generals, charges and salvoes that are declared.

Both sides see the same: nothing is hidden in this game but standing orders. Fire and control zones are shown on demand
(`shown.dossier`).
"""

from collections.abc import Iterator
from types import MappingProxyType

from domain.contract.scene import Arrow, Cell, Formation, Line, Mark, Measure, Scene, Sign, Token
from domain.games.shot_to_pieces.plane.angles import tenths
from domain.games.shot_to_pieces.shown.captions import (
    captions,
    corps_title,
    general_title,
    ground_title,
    has_fired,
    has_moved,
    unit_title,
)
from domain.games.shot_to_pieces.shown.heraldry import shields
from domain.games.shot_to_pieces.state.figures import figures
from domain.games.shot_to_pieces.state.state import General, State, Unit, place_of, units_here
from domain.games.shot_to_pieces.state.vocabulary import FIRE, MELEE

DECIMALS = 2
"""Hundredths are told in centimetres."""
NEAREST = 3
"""So many enemies are named for each unit where the table is written down."""
DISC = 300
"""The diameter of a general (STP-GEO-03)."""
KEYS = MappingProxyType(
    {
        "armoured_car": "armoured_car",
        "cavalry_light": "light_cavalry",
        "cossack": "lancers",
        "indians": "warriors",
        "machine_gun_mounted": "machine_gun",
        "native_camelry": "camels",
        "native_cavalry_light": "light_cavalry",
        "reivers": "light_cavalry",
        "rockets": "rockets",
        "tank_heavy": "tank",
        "tank_light": "tank",
        "tchanka": "wagons",
        "warband": "warriors",
    }
)
"""Pictures of types; others have that of their arm."""
ARMS = MappingProxyType(
    {
        "inf": "riflemen",
        "skm": "sharpshooters",
        "cav": "cavalry",
        "skc": "horse_riflemen",
        "art": "cannon",
        "mg": "machine_gun",
        "veh": "armoured_car",
    }
)
LOOKS = MappingProxyType({"rough": "scrub"})
"""Ground whose picture has another name than the ground itself."""
LOWEST = ("hill", "water", "road", "rough", "impassable", "wood", "building")
"""In the order in which ground is drawn."""

SIGNS = (
    Sign("wood", ("w",)),
    Sign("building", ("b",)),
    Sign("hill", ("h",)),
    Sign("rough", ("r",)),
    Sign("road", ("=",)),
    Sign("impassable", ("X",)),
    Sign("water", ("~",), ("≈",)),
    Sign("wall", ("#",), ("█",)),
    Sign("hedge", ("%",), ("♣",)),
    Sign("stream", ("~", "S"), ("≈", "≀")),
    Sign("general", ("*",), ("★",)),
    Sign("shaken", ("?", '"'), ("?", "⁇")),
    Sign("brittle", ("!", '"'), ("!", "‼")),
    Sign("in_melee", ("+",), ("⚔",)),
    Sign("hidden", ("o",), ("◌",)),
)
"""How the table is written as text."""


def view(state: State, side: str) -> Scene:
    """The scene of a battle; `side` is the reader's."""
    return Scene(
        width=state.board.width,
        height=state.board.height,
        grid="free",
        cells=tuple(_cells(state)),
        lines=tuple(_lines(state)),
        tokens=(*_units(state), *_generals(state)),
        arrows=tuple(_arrows(state)),
        told=tuple(captions(state)),
        signs=SIGNS,
        measure=Measure("cm", DECIMALS, nearest=NEAREST),
        title=state.title,
        formations=tuple(_formations(state)),
        shields=shields(state),
    )


def _cells(state: State) -> Iterator[Cell]:
    outlined = [ground for ground in state.terrain if ground.outline]
    for ground in sorted(outlined, key=lambda ground: LOWEST.index(ground.kind)):
        yield Cell(
            ground.id,
            ground.kind,
            ground.outline,
            label=ground.id,
            told=ground_title(state, ground),
            look=LOOKS.get(ground.kind, ""),
        )


def _lines(state: State) -> Iterator[Line]:
    for ground in state.terrain:
        if ground.line:
            yield Line(ground.kind, ground.line, told=ground_title(state, ground))


def _formations(state: State) -> Iterator[Formation]:
    """The corps, where a side has several."""
    for side in state.names:
        corps = state.corps_of(side)
        if len(corps) > 1:
            yield from (Formation(one.id, side, told=corps_title(one)) for one in corps)


# --- units and generals


def _units(state: State) -> Iterator[Token]:
    several = {one.id for one in _formations(state)}
    for unit in units_here(state):
        yield Token(
            id=unit.id,
            side=unit.side,
            kind="unit",
            symbol=_symbol(state, unit),
            at=unit.at,
            size=(unit.base.width, unit.base.depth),
            facing=tenths(unit.facing),
            label=unit.id,
            marks=tuple(_marks(unit)),
            type=unit.key,
            formation=unit.corps if unit.corps in several else "",
            told=unit_title(state, unit),
            spent=_has_acted(state, unit),
        )


def _symbol(state: State, unit: Unit) -> str:
    return KEYS.get(unit.key) or ARMS[figures(state, unit).arm]


def _has_acted(state: State, unit: Unit) -> bool:
    """Whether a unit has done what it may do in the open step."""
    if state.step == FIRE:
        return has_fired(state, unit)
    return unit.side == state.side and state.step != MELEE and has_moved(state, unit)


def _marks(unit: Unit) -> Iterator[Mark]:
    if unit.shaken:
        yield Mark("shaken", len(unit.shaken), symbol="burst", harm=True)
    if unit.brittle:
        yield Mark("brittle", unit.brittle, symbol="drop", harm=True)
    if unit.engaged:
        yield Mark("in_melee", symbol="swords", text="×")
    if unit.hidden:
        yield Mark("hidden", symbol="eye")


def _generals(state: State) -> Iterator[Token]:
    for general in state.generals.values():
        if general.alive and general.placed and _is_here(state, general):
            yield Token(
                id=general.id,
                side=general.side,
                kind="general",
                symbol="general",
                at=place_of(state, general),
                size=(DISC, DISC),
                label=general.id,
                type="general",
                on=general.unit,
                form="emblem",
                layer=1,
                told=general_title(general),
            )


def _is_here(state: State, general: General) -> bool:
    return not general.unit or state.units[general.unit].here


# --- what is declared


def _arrows(state: State) -> Iterator[Arrow]:
    units = state.units
    for charge in state.charges:
        yield Arrow("charge", (units[charge.unit].at, units[charge.target].at), units[charge.unit].side)
    for salvo in state.salvoes:
        yield from (Arrow("shot", (units[name].at, units[salvo.target].at), salvo.side) for name in salvo.units)
