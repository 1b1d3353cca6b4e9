"""Write a grid of hexes as a board of characters.

Each hex has its name and ground in its first line, with emblems, and what stands in it in the second; if there are
more things, their number is in the first. Which way a unit faces is said by a sign on that side of its name. A hex is
as wide as a mail allows; its upper sides share a line with the lower ones of the row above. A board whose names have no
room in that is written in parts of a few columns each, below each other.
"""

from collections.abc import Iterable, Iterator, Sequence

from domain.contract.scene import Cell, Line, Point, Scene, Token
from replay.drawing.canvas import middle
from replay.drawing.text.parts import parts
from replay.drawing.text.signs import WIDTH, Signs, base_text, by_cell, counters, emblem_text, ground_of, legend

WIDEST = 8
LINES = 3
"""Of a row: the slanting sides above it, and two of content."""
FACINGS, FACINGS_FINE = "/>\\/<\\", "↗→↘↙←↖"
"""Clockwise from the north-east; the first three stand behind a name."""

Spot = tuple[int, int]
"""Line and column of a character."""
Content = tuple[str, str, str, str]


def board(scene: Scene, signs: Signs, lang: str) -> Iterator[str]:
    """The board with its legend."""
    middles = {cell.id: middle(cell) for cell in scene.cells}
    steps = steps_of(scene.cells[0], [x for x, _ in middles.values()])
    rows = {y: at for at, y in enumerate(sorted({y for _, y in middles.values()}, reverse=True))}
    tokens = by_cell(scene)
    contents = {cell.id: _content(cell, tokens.get(cell.id, ()), signs) for cell in scene.cells}
    needed = _needed(contents.values())
    columns = max(steps.values()) // 2 + 1
    most = columns if needed <= _room(columns) else (2 * (WIDTH - 1) // needed - 1) // 2
    features = {frozenset((line.points[0], line.points[-1])): line for line in scene.lines}
    for part in parts(columns, most):
        wide = max(min(_room(len(part)), WIDEST), needed)
        drawn: dict[Spot, str] = {}
        for cell in scene.cells:
            x, y = middles[cell.id]
            if steps[x] // 2 in part:
                top, left = LINES * rows[y], (steps[x] - 2 * part.start) * wide // 2
                drawn |= _outline(cell, (top, left), wide, features, signs)
                for line, words in enumerate(_laid_out(contents[cell.id], wide - 1)):
                    drawn |= {(top + 1 + line, left + 1 + at): letter for at, letter in enumerate(words)}
        yield from [""] if part.start else []
        yield from _lines(drawn)
    facings = " ".join(faced("x", 600 * at, signs) for at in range(len(FACINGS)))
    faces = any(token.facing is not None for token in scene.tokens if token.form == "base")
    yield from legend(scene, signs, facings if faces else "", lang)


def steps_of(cell: Cell, xs: list[int]) -> dict[int, int]:
    """How many halves of a hex from the west the middles are."""
    corners = [x for x, _ in cell.outline]
    return {x: round(2 * (x - min(xs)) / (max(corners) - min(corners))) for x in xs}


def _needed(contents: Iterable[Content]) -> int:
    """Characters from one side of a hex to the other that all words need: even, so that half a hex is whole."""
    needed = 1 + max(max(len(name) + len(ground) + bool(ground), len(thing)) for name, ground, thing, _ in contents)
    return needed + needed % 2


def _room(columns: int) -> int:
    """The most characters from one side of a hex to the other with which all columns fit: an even number."""
    return 2 * (WIDTH - 1) // (2 * columns + 1) // 2 * 2


def _content(cell: Cell, tokens: Sequence[Token], signs: Signs) -> Content:
    """Name, ground with emblems and the number of more things, what stands in a hex, and its counters."""
    here = sorted(tokens, key=lambda token: -token.layer)
    bases = [token for token in here if token.form == "base"]
    emblems = [emblem_text(token, signs) for token in here if token.form == "emblem"]
    ground = ground_of(cell, tokens, signs)
    if not bases:
        return cell.id, ground, "".join(emblems), ""
    more = f"+{len(bases) - 1}" if len(bases) > 1 else ""
    thing = base_text(bases[0], "", signs)
    if bases[0].facing is not None:
        thing = faced(thing, bases[0].facing, signs)
    return cell.id, ground + "".join(emblems) + more, thing, counters(bases[0], WIDEST)


def faced(name: str, facing: int, signs: Signs) -> str:
    """A name with the sign of a facing on that side of it."""
    at = facing // 600 % len(FACINGS)
    shown = (FACINGS_FINE if signs.is_unicode else FACINGS)[at]
    return name + shown if at < len(FACINGS) // 2 else shown + name


def _laid_out(content: Content, room: int) -> tuple[str, str]:
    """Both lines of a hex; counters are left out where they have no room."""
    name, ground, thing, marks = content
    second = thing + marks if len(thing + marks) <= room else thing
    return f"{name}{ground:>{room - len(name)}}", second.center(room)


# --- outlines


def _outline(
    cell: Cell, corner: Spot, wide: int, features: dict[frozenset[Point], Line], signs: Signs
) -> dict[Spot, str]:
    """The six sides of a hex; a linear feature along a side is drawn in its place."""
    (top, left), slant = corner, wide // 2 - wide // 4
    bottom, right, rest = top + LINES, left + wide, wide // 2 - slant
    north, south = max(cell.outline, key=_up), min(cell.outline, key=_up)
    low_west, high_west, low_east, high_east = _shoulders(cell)
    upright = ((high_west, low_west, left), (high_east, low_east, right))
    slanting = (
        (high_west, north, "/", (top, left + slant)),
        (north, high_east, "\\", (top, right - slant)),
        (low_west, south, "\\", (bottom, left + rest)),
        (south, low_east, "/", (bottom, right - rest)),
    )
    drawn = {}
    for one, other, plain, spot in slanting:
        feature = features.get(frozenset((one, other)))
        drawn[spot] = signs.of_line(feature.kind)[0] if feature else plain
    for one, other, at in upright:
        feature = features.get(frozenset((one, other)))
        letter = signs.of_line(feature.kind)[1] if feature else signs.down
        drawn |= {(top + line, at): letter for line in range(1, LINES)}
    return drawn


def _up(point: Point) -> int:
    return point[1]


def _shoulders(cell: Cell) -> list[Point]:
    """The corners at the sides of a hex: the lower and the upper one in the west, then those in the east."""
    ends = min(x for x, _ in cell.outline), max(x for x, _ in cell.outline)
    return sorted(point for point in cell.outline if point[0] in ends)


def _lines(drawn: dict[Spot, str]) -> Iterator[str]:
    for line in range(max(line for line, _ in drawn) + 1):
        letters = {at: letter for (on, at), letter in drawn.items() if on == line}
        yield "".join(letters.get(at, " ") for at in range(max(letters, default=-1) + 1))
