"""Write a table of free measure: a sketch to scale, then where everything stands and what is nearest to it.

A character of the sketch is a point of the table, twice as far from the line above as from its neighbour, since
letters are twice as high as wide. What would hide another thing moves a line aside, or is left to the table below.
"""

from collections.abc import Iterator
from itertools import chain, count, pairwise
from textwrap import wrap

from domain.mechanics.plane import DEGREES, bearing, distance, square_distance
from domain.scene import Cell, Line, Point, Scene, Token
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
    columns, rows = scene.width // step + 1, scene.height // (2 * step) + 1
    drawn: Sketch = {}
    for cell in scene.cells:
        if cell.kind not in OPEN:
            drawn |= dict.fromkeys(_covered(cell, step), signs.of(cell.kind))
    for line in scene.lines:
        drawn |= _along(line, step, signs)
    drawn |= _named(scene, step, columns, rows, signs)
    numbers = [coordinate(scene, (0, 2 * step * row))[1] for row in range(rows)]
    gutter = max(map(len, numbers))
    frame = " " * gutter + signs.corner + signs.across * columns + signs.corner
    yield frame
    for row in reversed(range(rows)):
        number = "" if row % (TICKS // 2) else numbers[row]
        content = "".join(drawn.get((column, row), " ") for column in range(columns))
        yield f"{number:>{gutter}}{signs.down}{content}{signs.down}"
    yield frame
    ticks = (coordinate(scene, (step * column, 0))[0].ljust(TICKS) for column in range(0, columns, TICKS))
    yield " " * (gutter + 1) + "".join(ticks)


def _spot(point: Point, step: int) -> Spot:
    """The character nearest to a point."""
    return (2 * point[0] + step) // (2 * step), (point[1] + step) // (2 * step)


def _covered(cell: Cell, step: int) -> Iterator[Spot]:
    """The characters inside an outline, at least the one in its middle."""
    yield _spot(middle(cell), step)
    spots = [_spot(point, step) for point in cell.outline]
    for column in range(min(c for c, _ in spots), max(c for c, _ in spots) + 1):
        for row in range(min(r for _, r in spots), max(r for _, r in spots) + 1):
            if _is_inside((column * step, row * 2 * step), cell.outline):
                yield column, row


def _is_inside(point: Point, outline: tuple[Point, ...]) -> bool:
    """Whether a line from a point to the east crosses the outline an odd number of times."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in pairwise((*outline, outline[0])):
        if (y1 > y) != (y2 > y) and ((x2 - x1) * (y - y1) > (x - x1) * (y2 - y1)) == (y2 > y1):
            inside = not inside
    return inside


def _along(line: Line, step: int, signs: Signs) -> Sketch:
    """The characters along a line."""
    flat, upright = signs.of_line(line.kind)
    drawn = {}
    for (x1, y1), (x2, y2) in pairwise(line.points):
        letter = flat if abs(x2 - x1) >= abs(y2 - y1) else upright
        parts = max(abs(x2 - x1), abs(y2 - y1)) // step + 1
        for part in range(parts + 1):
            point = x1 + (x2 - x1) * part // parts, y1 + (y2 - y1) * part // parts
            drawn[_spot(point, step)] = letter
    return drawn


def _named(scene: Scene, step: int, columns: int, rows: int, signs: Signs) -> Sketch:
    """The names of tokens around their places."""
    drawn: Sketch = {}
    for token in by_side(scene):
        words = _words(token, signs)
        column, row = _spot(token.at, step)
        left = max(0, min(column - len(words) // 2, columns - len(words)))
        for aside in (0, 1, -1):
            spots = [(left + at, row + aside) for at in range(len(words))]
            around = [(left - 1, row + aside), (left + len(words), row + aside)]
            if 0 <= row + aside < rows and not any(spot in drawn for spot in chain(spots, around)):
                drawn |= dict(zip(spots, words, strict=True))
                break
    return drawn


def _words(token: Token, signs: Signs) -> str:
    if token.form == "emblem":
        return emblem_text(token, signs)
    facings = FACINGS_FINE if signs.is_unicode else FACINGS
    return base_text(token, "" if token.facing is None else facings[(token.facing + 225) // 450 % 8], signs)


# --- the table


def _table(scene: Scene, lang: str) -> Iterator[str]:
    """Every token with its place, its facing in degrees, and the nearest one of another side."""
    titles = ("id", "side", "x", "y", "facing", "nearest", "distance", "bearing", "what")
    rows = [tuple(sign(title, lang) for title in titles), *(_row(scene, token) for token in by_side(scene))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(titles) - 1)]
    numeric = {titles.index(title) for title in ("x", "y", "facing", "distance", "bearing")}
    for row in rows:
        lead = "  ".join(
            words.rjust(width) if at in numeric else words.ljust(width)
            for at, (words, width) in enumerate(zip(row, widths, strict=False))
        )
        yield from wrap(f"{lead}  {row[-1]}", WIDTH, subsequent_indent="    ", drop_whitespace=False)


def _row(scene: Scene, token: Token) -> tuple[str, ...]:
    facing = "" if token.facing is None else degrees(scene, round(token.facing / 10))
    others = [one for one in scene.tokens if one.side != token.side and one.form == "base" and one.at != token.at]
    nearest = min(others, key=lambda one: square_distance(token.at, one.at), default=None)
    away = ("", "", "")
    if nearest:
        towards = degrees(scene, bearing(token.at, nearest.at, DEGREES))
        away = (plain(nearest.label or nearest.id), length(scene, distance(token.at, nearest.at)), towards)
    what = token.title or token.symbol.replace("_", " ")
    return plain(token.label or token.id), token.side, *coordinate(scene, token.at), facing, *away, plain(what)
