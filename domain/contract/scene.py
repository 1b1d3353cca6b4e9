"""What there is to see of a battle, without saying how it is drawn.

A ruleset's `view` returns a `Scene`; renderers (replay.drawing) turn it into SVG or text and know
no game. Coordinates are integers in scene units, x to the east and y to the north, from the
south-west corner of the table: 100 units to a box of a square grid, and to the width of a hex
(`mechanics.hex.outline`); a game of free measure uses its own unit and says what it is called
(`Measure`). Angles are tenths of a degree clockwise from north.

Words that choose a picture (`look`, `symbol`) are lower-case with underscores; a renderer draws a word
it does not know plainly, with its label. The words of the game itself (`kind`) name a thing in the
legend and choose the picture where no other word does; how they are written where there are only
letters, the game says (`Sign`).

A game gives its titles and captions as messages (`told`); `replay.telling.words.scenes.worded` makes them texts in
the reader's language before anything is drawn. A game without a catalogue sets the texts itself.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.basics.message import Message
from domain.contract.heraldry import Shield

Point = tuple[int, int]


class Cell(Struct, frozen=True, gc=False):
    """An outlined piece of the table: a box, a hex, a piece of ground.

    `look` chooses its picture, `kind` if it is empty (`replay.drawing.palette.GROUNDS`); `label` is printed in it,
    `title` is its plain name for a reader ("D5, rough"). `zone` is the side that may place its things here now, ""
    where none may.
    """

    id: str
    kind: str
    outline: tuple[Point, ...]
    label: str = ""
    title: str = ""
    told: Message | UnsetType = UNSET
    zone: str = ""
    look: str = ""


class Line(Struct, frozen=True, gc=False):
    """A linear feature or mark: `stream ford hedge wall stakes fortified …`.

    A `fortified` line has the inside on its left. `title` names it ("stream between F4 and F5").
    """

    kind: str
    points: tuple[Point, ...]
    title: str = ""
    told: Message | UnsetType = UNSET


class Mark(Struct, frozen=True, gc=False):
    """A counter beside a token.

    `count` of `full` are left or suffered (`full` 0: does not matter); `text` is the shortest
    thing to print for it ("a2"). `symbol` chooses its picture (`burst arrow star flag drop eye …`), `kind` if it is
    empty. `harm` marks what weakens a token: it is shown from afar, and only as much of it as there is.
    """

    kind: str
    count: int = 1
    full: int = 0
    text: str = ""
    symbol: str = ""
    harm: bool = False


class Token(Struct, frozen=True, gc=False):
    """Something of a side on the table (`kind`): a unit, a leader, a place.

    `form` says how it stands there: on a `base` with its name and marks; as a golden `emblem`, a badge where it goes
    with another token; as a `site`, a piece of ground below everything else. `symbol` chooses the picture
    (`replay.drawing.symbols.SYMBOLS`).

    `at` is the centre, `size` frontage and depth; `facing` is None where it has none. `on` is the id of the
    token it goes with (a leader with their unit). Higher layers are drawn later; of the units of
    one cell the front one has the highest. `unseen`: its own side alone knows that it is here; `spent`: it has acted.
    `title` is a plain sentence for a reader ("R1, heavy foot, facing north, 1 of 2 steps lost"). `type` is the game's
    word for what it is, which the catalogue names (`type.heavy_foot`), `formation` the id of the formation it belongs
    to.
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
    form: Literal["base", "emblem", "site"] = "base"
    unseen: bool = False
    spent: bool = False
    type: str = ""
    formation: str = ""

    @property
    def called(self) -> str:
        """What it is called where its label is not seen beside it: by its id, too."""
        if self.label == self.id and self.id not in self.title:
            return f"{self.id}, {self.title}" if self.title else self.id
        return self.title


class Formation(Struct, frozen=True, gc=False):
    """Tokens of a side that act one after the other, before or after those of another formation.

    `state` is `open` while they act, `ended` when they have acted in this turn. Ids are unique within a side.
    """

    id: str
    side: str
    state: Literal["", "open", "ended"] = ""
    title: str = ""
    told: Message | UnsetType = UNSET


class Group(Struct, frozen=True, gc=False):
    """Tokens that count as one: the stands of a unit, by their ids. A board in letters names it once."""

    label: str
    tokens: tuple[str, ...]
    title: str = ""
    told: Message | UnsetType = UNSET


class Arrow(Struct, frozen=True, gc=False):
    """A move or a shot to point out (`kind`: move, charge, shot, evade); `is_old`: others have come after it."""

    kind: str
    points: tuple[Point, ...]
    side: str = ""
    is_old: bool = False


class Throw(Struct, frozen=True, gc=False):
    """Cards or dice that were drawn for a token, as values, and which of them passed (() where nothing was tested)."""

    values: tuple[int, ...]
    passed: tuple[bool, ...] = ()
    is_dice: bool = False


class Happened(Struct, frozen=True, gc=False):
    """What lately happened to a token, or in a cell, around `at`: marks of the kinds of `contract.effect`, and throws.

    `depth` is how far the token reaches from north to south, 0 for a cell; `name` that of a token that is not
    there any more.
    """

    at: Point
    depth: int = 0
    name: str = ""
    marks: tuple[Mark, ...] = ()
    throws: tuple[Throw, ...] = ()


class Arc(Struct, frozen=True, gc=False):
    """What a token reaches ahead of an edge (`kind`: fire, control, view).

    The edge is `width` long with its middle at `at`; the arc opens by `spread` tenths of a degree on either side, less
    than 900, and ends `reach` from the edge. Without width it is a sector of a disc.
    """

    kind: str
    at: Point
    heading: int
    reach: int
    width: int = 0
    spread: int = 0
    side: str = ""
    title: str = ""
    told: Message | UnsetType = UNSET


class Disc(Struct, frozen=True, gc=False):
    """All that is within `radius` of a point (`kind`: command, blast)."""

    kind: str
    at: Point
    radius: int
    side: str = ""
    title: str = ""
    told: Message | UnsetType = UNSET


class Ruler(Struct, frozen=True, gc=False):
    """A measured distance and its result (`label`: "18 cm")."""

    ends: tuple[Point, Point]
    label: str = ""
    side: str = ""
    title: str = ""
    told: Message | UnsetType = UNSET


class Sight(Struct, frozen=True, gc=False):
    """A line of sight from its first end to the second; `cut` is where something blocks it, None if it is clear."""

    ends: tuple[Point, Point]
    cut: Point | None = None
    side: str = ""
    title: str = ""
    told: Message | UnsetType = UNSET


class Sign(Struct, frozen=True, gc=False):
    """How a word of the game (`kind` of a cell, line, token or mark) is written where there are only letters.

    `plain` are characters of ASCII, `fine` better ones where they are available, () for the same. A line has two: along
    a horizontal and along a vertical border. A harm has one for each count, the last for all above. All else has one.
    """

    word: str
    plain: tuple[str, ...]
    fine: tuple[str, ...] = ()


class Measure(Struct, frozen=True, gc=False):
    """What lengths are called on a table of free measure: in `unit`, a word ("cm"), with so many `decimals` that the
    last one is a scene unit (1: millimetres). The south-west corner of the table is called `origin`. Where things are
    written down, so many of the `nearest` of another side are named for each."""

    unit: str = ""
    decimals: int = 0
    origin: Point = (0, 0)
    nearest: int = 1


class Scene(Struct, frozen=True, gc=False):
    """A whole picture.

    `grid` says what its cells are: boxes of a square grid named by column and row (`A1`), hexes in rows of which
    every second is pushed half a hex (both fill the table and may be drawn as text), or outlines that lie `free`.
    `sides` are in the order in which they get their colours and hatchings;
    `captions` are lines below it, each with the side it is about ("" for both); `told` are those still to be worded.
    `formations` are in the order in which the game names them; () where every token acts for itself.
    `aside` are tokens that have no place on the table now: nobody draws them, but they have names and titles.
    `groups` are tokens that count as one; most games have none.
    `held` are the cards that only the reader holds, each with its effect; `hand` those still to be worded.
    `is_turned`: north is below, as the player of the northern side sees it.
    `shields` are those of the sides, in their order; () where they have none.
    `strikes` are shots and charges, from the token that acts to the one that it aims at; `happened` what came of them.
    """

    width: int
    height: int
    cells: tuple[Cell, ...]
    lines: tuple[Line, ...] = ()
    tokens: tuple[Token, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    grid: Literal["square", "hex", "free"] = "free"
    captions: tuple[tuple[str, str], ...] = ()
    title: str = ""
    sides: tuple[str, ...] = ("south", "north")
    told: tuple[tuple[str, Message], ...] | UnsetType = UNSET
    aside: tuple[Token, ...] = ()
    groups: tuple[Group, ...] = ()
    held: tuple[str, ...] = ()
    hand: tuple[Message, ...] | UnsetType = UNSET
    arcs: tuple[Arc, ...] = ()
    discs: tuple[Disc, ...] = ()
    rulers: tuple[Ruler, ...] = ()
    sights: tuple[Sight, ...] = ()
    signs: tuple[Sign, ...] = ()
    measure: Measure = Measure()
    is_turned: bool = False
    formations: tuple[Formation, ...] = ()
    strikes: tuple[Arrow, ...] = ()
    happened: tuple[Happened, ...] = ()
    shields: tuple[Shield, ...] = ()


def shield_of(scene: Scene, side: str) -> Shield | None:
    """The shield of a side; None where the sides have none."""
    return dict(zip(scene.sides, scene.shields, strict=False)).get(side)  # () where there are none


def turned(scene: Scene) -> Scene:
    """The same scene as seen from the other edge of the table: south is up."""

    def spot(point: Point) -> Point:
        return scene.width - point[0], scene.height - point[1]

    def over(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple(spot(point) for point in points)

    def ends(of: Ruler | Sight) -> tuple[Point, Point]:
        return spot(of.ends[0]), spot(of.ends[1])

    return replace(
        scene,
        cells=tuple(replace(cell, outline=over(cell.outline)) for cell in scene.cells),
        lines=tuple(replace(line, points=over(line.points)) for line in scene.lines),
        tokens=tuple(
            replace(token, at=spot(token.at), facing=None if token.facing is None else (token.facing + 1800) % 3600)
            for token in scene.tokens
        ),
        arrows=tuple(replace(arrow, points=over(arrow.points)) for arrow in scene.arrows),
        strikes=tuple(replace(strike, points=over(strike.points)) for strike in scene.strikes),
        happened=tuple(replace(one, at=spot(one.at)) for one in scene.happened),
        arcs=tuple(replace(arc, at=spot(arc.at), heading=(arc.heading + 1800) % 3600) for arc in scene.arcs),
        discs=tuple(replace(disc, at=spot(disc.at)) for disc in scene.discs),
        rulers=tuple(replace(ruler, ends=ends(ruler)) for ruler in scene.rulers),
        sights=tuple(
            replace(sight, ends=ends(sight), cut=None if sight.cut is None else spot(sight.cut))
            for sight in scene.sights
        ),
        is_turned=not scene.is_turned,
    )
