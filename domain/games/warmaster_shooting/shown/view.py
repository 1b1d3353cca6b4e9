"""The scene of a battle: the table in millimetres, ground, obstacles, stands, and captions.

Nothing is hidden in this game but standing orders, so both sides see the same.
"""

from collections.abc import Iterator

from domain.basics.message import Message
from domain.contract.scene import Cell, Group, Line, Mark, Measure, Point, Scene, Sign, Token
from domain.engine.state import SIDES
from domain.games.warmaster_shooting.chapters.turns import points
from domain.games.warmaster_shooting.shown.aims import fields_of_fire, shots
from domain.games.warmaster_shooting.shown.heraldry import shields
from domain.games.warmaster_shooting.state.measure import centre
from domain.games.warmaster_shooting.state.profiles import TroopKind
from domain.games.warmaster_shooting.state.state import Stand, State, TerrainArea, Unit
from domain.mechanics.plane import FINE

DECIMALS = 1
"""Millimetres are told in centimetres."""
SYMBOLS = {
    "spears": "spears",
    "heavyFoot": "heavy_foot",
    "armouredFoot": "axes",
    "tribesmen": "warriors",
    "bows": "archers",
    "handguns": "handguns",
    "javelins": "javelins",
    "skirmishers": "slingers",
    "fanatics": "mob",
    "knights": "knights",
    "pistoliers": "cavalry",
    "cannon": "cannon",
    "repeatingBolt": "engines",
    "stoneThrower": "engines",
    "elephant": "elephants",
    "steamWagon": "wagons",
}
LOOKS = {"built": "building", "river": "water", "lake": "water", "works": "rocky"}
"""Ground whose picture has another name than the ground itself."""
LINES = {"low-wall": "wall", "hedge": "hedge", "stream": "stream", "high-wall": "wall", "rampart": "wall"}

SIGNS = (
    Sign("wood", ("w",)),
    Sign("built", ("b",)),
    Sign("hill", ("h",)),
    Sign("marsh", ("m",)),
    Sign("river", ("~",), ("≈",)),
    Sign("works", ("#",), ("▒",)),
    Sign("lake", ("~",), ("≈",)),
    Sign("impassable", ("X",)),
    Sign("wall", ("#",), ("█",)),
    Sign("hedge", ("%",), ("♣",)),
    Sign("stream", ("~", "S"), ("≈", "≀")),
    Sign("confused", ("?",)),
    Sign("engaged", ("+",), ("⚔",)),
    Sign("wound", ("!", '"', "#"), ("!", "‼", "⁂")),
)
"""How the table is written as text."""


def view(state: State, side: str) -> Scene:
    """The scene of a battle; `side` is the reader's."""
    board = state.board
    return Scene(
        width=board.width,
        height=board.height,
        grid="free",
        cells=tuple(_cells(state)),
        lines=tuple(_lines(state)),
        tokens=tuple(_tokens(state)),
        groups=tuple(_groups(state)),
        arcs=tuple(fields_of_fire(state)),
        rulers=tuple(shots(state)),
        told=tuple(_captions(state)),
        signs=SIGNS,
        measure=Measure("cm", DECIMALS, board.origin),
        title=state.title,
        shields=shields(state),
    )


def _spot(state: State, point: Point) -> Point:
    """A point of the table, seen from its south-west corner."""
    return point[0] - state.board.origin[0], point[1] - state.board.origin[1]


def _cells(state: State) -> Iterator[Cell]:
    for at, area in enumerate(state.areas, start=1):
        outline = tuple(_spot(state, point) for point in area.polygon)
        yield Cell(f"ground-{at}", area.kind, outline, told=_ground(area), look=LOOKS.get(area.kind, ""))


def _ground(area: TerrainArea) -> Message:
    return Message("wms.ground", {"kind": area.kind, "height": area.height})


def _lines(state: State) -> Iterator[Line]:
    for obstacle in state.obstacles:
        ends = tuple(_spot(state, point) for point in obstacle.ends)
        yield Line(LINES[obstacle.kind], ends, told=Message("wms.obstacle", {"kind": obstacle.kind}))


def _tokens(state: State) -> Iterator[Token]:
    for unit in state.units.values():
        for at, stand in enumerate(unit.standing):
            yield _token(state, unit, stand, marks=_marks(unit) if at == 0 else ())


def _groups(state: State) -> Iterator[Group]:
    for unit in state.units.values():
        if unit.alive:
            stands = tuple(stand.id for stand in unit.standing)
            told = {
                "profile": unit.profile,
                "stands": " ".join(stands),
                "wounds": unit.open or "",
                "confused": unit.confused,
                "engaged": unit.engaged,
                "shot": unit.shot,
            }
            yield Group(unit.id, stands, told=Message("wms.unit", told))


def _token(state: State, unit: Unit, stand: Stand, marks: tuple[Mark, ...]) -> Token:
    x, y = centre(stand.base)
    profile: TroopKind = unit.kind
    return Token(
        id=stand.id,
        side=unit.side,
        kind="stand",
        symbol=SYMBOLS.get(profile.name, profile.type),
        at=_spot(state, (round(x / FINE), round(y / FINE))),
        size=(stand.base.width, stand.base.depth),
        facing=stand.base.facing,
        label=stand.id,
        marks=marks,
        type=unit.profile,
        told=Message(
            "wms.stand",
            {
                "unit": unit.id,
                "stand": stand.id,
                "profile": unit.profile,
                "left": len(unit.standing),
                "of": len(unit.stands),
                "wounds": unit.open or "",
                "confused": unit.confused,
                "engaged": unit.engaged,
                "shot": unit.shot,
            },
        ),
    )


def _marks(unit: Unit) -> tuple[Mark, ...]:
    """What the first stand of a unit shows for all of it."""
    marks = []
    if unit.open:
        marks.append(Mark("wound", unit.open, unit.kind.hits, symbol="drop", harm=True))
    if unit.confused:
        marks.append(Mark("confused", symbol="star", text="?", harm=True))
    if unit.engaged:
        marks.append(Mark("engaged", symbol="burst"))
    return tuple(marks)


def _captions(state: State) -> Iterator[tuple[str, Message]]:
    yield (
        "",
        Message(
            "wms.headline",
            {
                "phase": state.phase,
                "turn": state.turn,
                "active": state.active,
                "t": state.t,
                "turns": state.options.turns,
                "names": dict(state.names),
                "winner": state.winner or "",
                "ended": state.winner is not None,
            },
        ),
    )
    for side in SIDES:
        if side in state.names:
            yield (
                side,
                Message(
                    "wms.side",
                    {
                        "name": state.names[side],
                        "units": len(state.of(side)),
                        "points": points(state, side),
                    },
                ),
            )
