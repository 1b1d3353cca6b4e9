"""What there is to see of a battle, without saying how it is drawn.

A ruleset's `view` returns a `Scene`; renderers (replay.drawing) turn it into SVG or text and know
no game. Coordinates are integers in scene units, x to the east and y to the north, from the
south-west corner of the table. A square grid uses 100 units to a box; a game of free measure uses
millimetres. Angles are tenths of a degree clockwise from north.

Words that choose a picture (`kind`, `symbol`) are lower-case with underscores. A renderer draws a
word it does not know plainly, with its label, so a game may use its own.

A game gives its titles and captions as messages (`told`); `replay.telling.words.scenes.worded` makes them texts in
the reader's language before anything is drawn. A game without a catalogue sets the texts itself.
"""

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.engine.message import Message

Point = tuple[int, int]


class Cell(Struct, frozen=True, gc=False):
    """An outlined piece of the table: a box, a hex, a wood.

    `kind` chooses its look (`open wood marsh rocky gentle_hill steep_hill building impassable …`),
    `label` is printed in it, `title` is its plain name for a reader ("D5, wood"). `zone` is the side
    that may place its things here now, "" where none may.
    """

    id: str
    kind: str
    outline: tuple[Point, ...]
    label: str = ""
    title: str = ""
    told: Message | UnsetType = UNSET
    zone: str = ""


class Line(Struct, frozen=True, gc=False):
    """A linear feature or mark: `stream ford hedge wall stakes fortified …`.

    A `fortified` line has the inside on its left. `title` names it ("stream between F4 and F5").
    """

    kind: str
    points: tuple[Point, ...]
    title: str = ""
    told: Message | UnsetType = UNSET


class Mark(Struct, frozen=True, gc=False):
    """A counter beside a token: `disorder ammo lance pilum hero standard veteran raw wound …`.

    `count` of `full` are left or suffered (`full` 0: does not matter); `text` is the shortest
    thing to print for it ("a2").
    """

    kind: str
    count: int = 1
    full: int = 0
    text: str = ""


class Token(Struct, frozen=True, gc=False):
    """Something of a side on the table: a unit, a general, a camp (`kind`).

    `at` is the centre, `size` frontage and depth; `facing` is None where it has none; `symbol`
    chooses the picture (`heavy_foot light_cavalry elephants general camp …`). `on` is the id of the
    token it goes with (a general with his unit). Higher layers are drawn later; of the units of
    one cell the front one has the highest. `title` is a plain sentence for a reader ("R1,
    legionaries, veteran, facing north, 1 of 2 steps lost").
    """

    id: str
    side: str
    kind: str
    symbol: str
    at: Point
    size: Point
    cell: str = ""
    facing: int | None = None
    label: str = ""
    title: str = ""
    marks: tuple[Mark, ...] = ()
    layer: int = 0
    on: str = ""
    told: Message | UnsetType = UNSET


class Arrow(Struct, frozen=True, gc=False):
    """A move or a shot to point out (`kind`: move, charge, shot, evade)."""

    kind: str
    points: tuple[Point, ...]
    side: str = ""


class Scene(Struct, frozen=True, gc=False):
    """A whole picture.

    `columns` and `rows` are set for a square grid, whose cells are named by column and row and may
    be drawn as text; `sides` are in the order in which they get their colours and hatchings;
    `captions` are lines below it, each with the side it is about ("" for both); `told` are those still to be worded.
    `aside` are tokens that have no place on the table now: nobody draws them, but they have names and titles.
    `held` are the cards that the looker alone holds, each with what it does; `hand` those still to be worded.
    """

    width: int
    height: int
    cells: tuple[Cell, ...]
    lines: tuple[Line, ...] = ()
    tokens: tuple[Token, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    columns: int = 0
    rows: int = 0
    captions: tuple[tuple[str, str], ...] = ()
    title: str = ""
    sides: tuple[str, ...] = ("south", "north")
    told: tuple[tuple[str, Message], ...] | UnsetType = UNSET
    aside: tuple[Token, ...] = ()
    held: tuple[str, ...] = ()
    hand: tuple[Message, ...] | UnsetType = UNSET


def turned(scene: Scene) -> Scene:
    """The same scene as seen from the other edge of the table: south is up."""

    def over(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((scene.width - x, scene.height - y) for x, y in points)

    return replace(
        scene,
        cells=tuple(replace(cell, outline=over(cell.outline)) for cell in scene.cells),
        lines=tuple(replace(line, points=over(line.points)) for line in scene.lines),
        tokens=tuple(
            replace(
                token,
                at=over((token.at,))[0],
                facing=None if token.facing is None else (token.facing + 1800) % 3600,
            )
            for token in scene.tokens
        ),
        arrows=tuple(replace(arrow, points=over(arrow.points)) for arrow in scene.arrows),
    )
