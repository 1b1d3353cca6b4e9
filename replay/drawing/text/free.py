"""Write a table of free measure: a sketch to scale, then where everything stands and what is nearest to it.

A character of the sketch is a point of the table, twice as far from the line above as from its neighbour, since
letters are twice as high as wide. What would hide another thing moves a line aside, or is left to the table below. Of a
group the facing of each token is shown, and its name once.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, count, pairwise
from textwrap import wrap
from typing import NamedTuple

from msgspec.structs import replace

from domain.contract.scene import Cell, Line, Point, Scene, Token
from domain.mechanics.outline import Outline, square_gap
from domain.mechanics.plane import DEGREES, FINE, bearing, corners, measured
from replay.drawing.canvas import middle
from replay.drawing.describe import by_side
from replay.drawing.measures import coordinate, degrees, length
from replay.drawing.palette import OPEN
from replay.drawing.text.signs import WIDTH, Signs, base_text, emblem_text, legend, plain
from replay.telling.words.scenes import sign
from replay.telling.words.sentences import phrase

ROOM = 66
"""Characters across: the rest of a line is the scale at the left."""
ROUND = (10, 15, 20, 25, 30, 40, 50, 60, 80)
"""What one character may stand for, in tenths of a power of ten."""
TICKS = 10
"""So many characters are between two numbers of the scale."""
FACINGS, FACINGS_FINE = "^/>\\v/<\\", "↑↗→↘↓↙←↖"
"""Clockwise from north."""

Spot = tuple[int, int]
"""Column from the west and row from the south."""
ASIDE: Sequence[Spot] = ((0, 0), (0, 1), (0, -1))
"""Where a name goes, the first with room: columns and rows from its place."""
FAR_ASIDE: Sequence[Spot] = sorted(
    ((across, up) for across in range(-12, 13) for up in range(-3, 4)), key=lambda spot: abs(spot[0]) + 4 * abs(spot[1])
)
Sketch = dict[Spot, str]


def board(scene: Scene, signs: Signs, lang: str) -> Iterator[str]:
    """The sketch with its legend and scale, and the table."""
    step = _step(scene.width)
    yield from sketch(scene, signs)
    yield from legend(scene, signs, facings_of(scene, signs), lang)
    steps = {"column": length(scene, step), "row": length(scene, 2 * step)}
    yield from wrap(phrase("scene.scale", steps, lang), WIDTH)
    if scene.tokens:
        yield ""
        yield from _table(scene, lang)


# --- the sketch


def _step(width: int) -> int:
    """Scene units between two neighbouring characters: a round number with which the table fits."""
    tenths: Iterator[int] = (tenth * 10**power for power in count() for tenth in ROUND)
    return next(tenth // 10 for tenth in tenths if tenth % 10 == 0 and width <= tenth // 10 * ROOM)


def facings_of(scene: Scene, signs: Signs) -> str:
    """The signs of facings, "" if nothing faces anywhere."""
    if not any(token.facing is not None for token in scene.tokens):
        return ""
    return " ".join(FACINGS_FINE if signs.is_unicode else FACINGS)


def sketch(scene: Scene, signs: Signs) -> Iterator[str]:
    """The table to scale in its frame, and a line of numbers below it."""
    step = _step(scene.width)
    scale = LetterScale(scene, step, 2 * step)
    lines = _lines(scene, scale, signs)
    frame = " " * scale.gutter + signs.corner + signs.across * scale.columns + signs.corner
    yield frame
    yield from reversed(lines)
    yield frame
    yield scale.ticks()


def strip(scene: Scene, signs: Signs, most: int) -> Iterator[str]:
    """The part of the table from south to north where anybody stands, in at most so many lines without a frame, and a
    line of numbers below them: where it is deep, a line is more of it than elsewhere."""
    step, heights = _step(scene.width), [token.at[1] for token in scene.tokens]
    low, high = min(heights), max(heights)
    scale = LetterScale(scene, step, max(2 * step, _rounded_up((high - low) // (most - 2) + 1)))
    shown = range(scale.spot((0, low))[1], scale.spot((0, high))[1] + 1)
    yield from reversed(_lines(scene, scale, signs, shown))
    yield scale.ticks()


def _rounded_up(number: int) -> int:
    """The next number that begins with one digit, or with one and a 5, and ends with 0 for the rest."""
    half: int = max(1, 10 ** (len(str(number)) - 1) // 2)
    return -(-number // half) * half


class LetterScale:
    """How many scene units a character stands for, from west to east (`step`) and from south to north (`rise`)."""

    def __init__(self, scene: Scene, step: int, rise: int) -> None:
        self.scene, self.step, self.rise = scene, step, rise
        self.columns, self.rows = scene.width // step + 1, scene.height // rise + 1
        self.numbers = [coordinate(scene, (0, rise * row))[1] for row in range(self.rows)]
        self.gutter = max(map(len, self.numbers))

    def spot(self, point: Point) -> Spot:
        """The character nearest to a point."""
        x, y = point
        return (2 * x + self.step) // (2 * self.step), (2 * y + self.rise) // (2 * self.rise)

    def ticks(self) -> str:
        """The numbers below the sketch."""
        at = range(0, self.columns, TICKS)
        ticks = (coordinate(self.scene, (self.step * column, 0))[0].ljust(TICKS) for column in at)
        return " " * (self.gutter + 1) + "".join(ticks)


def _lines(scene: Scene, scale: LetterScale, signs: Signs, shown: range | None = None) -> list[str]:
    """The rows of the sketch, from the south. Where only those `shown` are wanted, every name finds a place in them, if
    farther from its own."""
    drawn: Sketch = {}
    for cell in scene.cells:
        if cell.kind not in OPEN:
            drawn |= dict.fromkeys(_covered(cell, scale), signs.of(cell.kind))
    for line in scene.lines:
        drawn |= _along(line, scale, signs)
    rows = shown or range(scale.rows)
    named = _named(scene, scale, signs, rows, ASIDE if shown is None else FAR_ASIDE)
    if shown is not None:
        drawn |= dict.fromkeys(((column + side, row) for column, row in named for side in (-1, 1)), " ")
    drawn |= named
    lines = []
    for row in rows:
        number = "" if row % (TICKS // 2) else scale.numbers[row]
        content = "".join(drawn.get((column, row), " ") for column in range(scale.columns))
        lines.append(f"{number:>{scale.gutter}}{signs.down}{content}{signs.down}")
    return lines


def _covered(cell: Cell, scale: LetterScale) -> Iterator[Spot]:
    """The characters inside an outline, at least the one in its middle."""
    yield scale.spot(middle(cell))
    spots = [scale.spot(point) for point in cell.outline]
    for column in range(min(c for c, _ in spots), max(c for c, _ in spots) + 1):
        for row in range(min(r for _, r in spots), max(r for _, r in spots) + 1):
            if _is_inside((column * scale.step, row * scale.rise), cell.outline):
                yield column, row


def _is_inside(point: Point, outline: tuple[Point, ...]) -> bool:
    """Whether a line from a point to the east crosses the outline an odd number of times."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in pairwise((*outline, outline[0])):
        if (y1 > y) != (y2 > y) and ((x2 - x1) * (y - y1) > (x - x1) * (y2 - y1)) == (y2 > y1):
            inside = not inside
    return inside


def _along(line: Line, scale: LetterScale, signs: Signs) -> Sketch:
    """The characters along a line."""
    flat, upright = signs.of_line(line.kind)
    drawn = {}
    for (x1, y1), (x2, y2) in pairwise(line.points):
        letter = flat if abs(x2 - x1) >= abs(y2 - y1) else upright
        parts = max(abs(x2 - x1), abs(y2 - y1)) // scale.step + 1
        for part in range(parts + 1):
            point = x1 + (x2 - x1) * part // parts, y1 + (y2 - y1) * part // parts
            drawn[scale.spot(point)] = letter
    return drawn


def _named(scene: Scene, scale: LetterScale, signs: Signs, rows: range, asides: Sequence[Spot]) -> Sketch:
    """The names of tokens around their places; a group has its name behind the facings of its tokens."""
    drawn: Sketch = {}
    columns = range(scale.columns)
    grouped = {name for group in scene.groups for name in group.tokens}
    for token in by_side(scene):
        if token.id in grouped:
            drawn[scale.spot(token.at)] = _words(replace(token, label="", marks=()), signs)
        else:
            drawn |= _with_words(_words(token, signs), scale.spot(token.at), asides, drawn, columns, rows)
    tokens = {token.id: token for token in scene.tokens}
    for group in scene.groups:
        own = [tokens[name] for name in group.tokens]
        middle = own[len(own) // 2]
        named = replace(middle, label=group.label, marks=tuple(mark for token in own for mark in token.marks))
        behind = 1 if 900 < (middle.facing or 0) < 2700 else -1
        words = base_text(named, "", signs)
        around = [(0, behind), (0, -behind), (0, 2 * behind)]
        drawn |= _with_words(words, scale.spot(middle.at), around, drawn, columns, rows)
    return drawn


def _with_words(words: str, spot: Spot, asides: Sequence[Spot], drawn: Sketch, columns: range, rows: range) -> Sketch:
    """Words around a spot, in the first of some places beside it with room for them; nothing if none has."""
    for across, up in asides:
        column, row = spot[0] + across, spot[1] + up
        left = max(0, min(column - len(words) // 2, len(columns) - len(words)))
        spots = [(left + at, row) for at in range(len(words))]
        around = [(left - 1, row), (left + len(words), row)]
        if row in rows and not any(spot in drawn for spot in chain(spots, around)):
            return dict(zip(spots, words, strict=True))
    return {}


def _words(token: Token, signs: Signs) -> str:
    if token.form == "emblem":
        return emblem_text(token, signs)
    facings = FACINGS_FINE if signs.is_unicode else FACINGS
    return base_text(token, "" if token.facing is None else facings[(token.facing + 225) // 450 % 8], signs)


# --- the table


class RowPiece(NamedTuple):
    """What has a row of its own: a token, or a group of them."""

    label: str
    title: str
    tokens: tuple[Token, ...]

    @property
    def side(self) -> str:
        """Its side."""
        return self.tokens[0].side

    @property
    def at(self) -> Point:
        """The middle of all its tokens."""
        xs, ys = zip(*(token.at for token in self.tokens), strict=True)
        return round(sum(xs) / len(xs)), round(sum(ys) / len(ys))

    def away(self, other: "RowPiece") -> int:
        """The least distance to another piece, from edge to edge."""
        gaps = (square_gap(_outline(one), _outline(two)) for one in self.tokens for two in other.tokens)
        return measured(min(gaps) / FINE**2)


def _outline(token: Token) -> Outline:
    return corners(token.at, token.facing or 0, *token.size, centred=True, fine=FINE)


def _pieces(scene: Scene) -> Iterator[RowPiece]:
    """What stands on the table, that of the first side first."""
    groups = {name: group for group in scene.groups for name in group.tokens}
    told = set()
    for token in by_side(scene):
        group = groups.get(token.id)
        if group is None:
            title = token.title or token.symbol.replace("_", " ")
            yield RowPiece(token.label or token.id, title, (token,))
        elif group.label not in told:
            told.add(group.label)
            yield RowPiece(group.label, group.title, tuple(one for one in scene.tokens if one.id in group.tokens))


def _table(scene: Scene, lang: str) -> Iterator[str]:
    """Every piece with its place, its facing in degrees, and the nearest one of another side; further ones follow in a
    line of their own."""
    titles = ("id", "side", "x", "y", "facing", "nearest", "distance", "bearing", "what")
    pieces = list(_pieces(scene))
    around = [_around(piece, pieces) for piece in pieces]
    rows = [tuple(sign(title, lang) for title in titles)]
    rows += [_row(scene, piece, near) for piece, near in zip(pieces, around, strict=True)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(titles) - 1)]
    numeric = {titles.index(title) for title in ("x", "y", "facing", "distance", "bearing")}
    indent = " " * 4
    for row, near in zip(rows, [[], *around], strict=True):
        lead = "  ".join(
            words.rjust(width) if at in numeric else words.ljust(width)
            for at, (words, width) in enumerate(zip(row, widths, strict=False))
        )
        yield from wrap(f"{lead}  {row[-1]}", WIDTH, subsequent_indent=indent, drop_whitespace=False)
        if near[1 : scene.measure.nearest]:
            further = ", ".join(" ".join((*parts[:2], f"{parts[2]}\N{DEGREE SIGN}")) for parts in _far(scene, near))
            yield from wrap(further, WIDTH, initial_indent=indent, subsequent_indent=indent)


class NearPiece(NamedTuple):
    """Another piece as one sees it: how far and which way it is, in scene units and degrees."""

    away: int
    label: str
    towards: int


def _around(piece: RowPiece, pieces: Sequence[RowPiece]) -> list[NearPiece]:
    """The pieces of other sides, the nearest first; only bases count."""
    others = [one for one in pieces if one.side != piece.side and one.tokens[0].form == "base" and one.at != piece.at]
    seen = [NearPiece(piece.away(one), plain(one.label), bearing(piece.at, one.at, DEGREES)) for one in others]
    return sorted(seen, key=lambda one: one.away)


def _far(scene: Scene, near: Sequence[NearPiece]) -> Iterator[tuple[str, str, str]]:
    """The nearest but for the first: name, distance, direction."""
    for one in near[1 : scene.measure.nearest]:
        yield one.label, length(scene, one.away), degrees(scene, one.towards)


def _row(scene: Scene, piece: RowPiece, near: Sequence[NearPiece]) -> tuple[str, ...]:
    heading = piece.tokens[0].facing
    facing = "" if heading is None else degrees(scene, round(heading / 10))
    away = ("", "", "")
    if near:
        away = (near[0].label, length(scene, near[0].away), degrees(scene, near[0].towards))
    return plain(piece.label), piece.side, *coordinate(scene, piece.at), facing, *away, plain(piece.title)
