"""Write a square grid as a board of characters.

Each box is five wide and three high, with ground, site and emblem in its first line and a base in each of the
others, so that twelve columns fit a mail.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.contract.scene import Cell, Point, Scene, Token
from replay.drawing.canvas import lettering, middle
from replay.drawing.text.borders import border, borders_of
from replay.drawing.text.signs import ZONE, Signs, base_text, by_cell, counters, emblem_text, ground_of, legend
from replay.remembered import Remembered

BOX_WIDE = 5
FACINGS, FACINGS_FINE = "^>v<", "▲▶▼◀"
"""North, east, south and west."""


def board(scene: Scene, signs: Signs, lang: str) -> Iterator[str]:
    """The board with its legend."""
    columns, rows, at, xs, ys = _grids.get((scene.cells,), "", lambda: _grid(scene))
    tokens = by_cell(scene)
    boxes = {cell.id: _kept_box(cell, tokens.get(cell.id, ()), signs) for cell in scene.cells}
    wide = max(BOX_WIDE, *(len(line) for lines in boxes.values() for line in lines))
    gutter = max(len(row) for row in rows) + 1
    edges = _edges.get((scene.cells,), (scene.lines, signs.known), lambda: _all_edges(scene, xs, ys, signs))
    head = " " * (gutter + 1) + " ".join(name.center(wide) for name in columns)
    yield head
    for row, y in enumerate(ys):
        yield " " * gutter + _across(edges.across[row], wide, signs)
        for line in range(3):
            name = rows[row] if line == 1 else ""
            content = _down(edges.down[row], [boxes[at[x, y].id][line] for x in xs], wide)
            yield f"{name:>{gutter - 1}} {content}{' ' + name if line == 1 else ''}"
    yield " " * gutter + _across(edges.across[-1], wide, signs)
    yield head
    yield from legend(scene, signs, " ".join(FACINGS_FINE if signs.is_unicode else FACINGS), lang)


Grid = tuple[list[str], list[str], dict[Point, Cell], list[int], list[int]]

CELL_BYTES, BOX_BYTES = 300, 400
_grids: Remembered[Grid] = Remembered(2 << 20, lambda grid: CELL_BYTES * len(grid[2]), by_value=True)
_boxes: Remembered[list[str]] = Remembered(4 << 20, lambda box: BOX_BYTES, by_value=True)


class Edges(Struct, frozen=True):
    """The signs of the borders, row by row: above the boxes of each row and below the last, and left of each box and
    right of the last."""

    across: tuple[tuple[str, ...], ...]
    down: tuple[tuple[str, ...], ...]


_edges: Remembered[Edges] = Remembered(
    2 << 20, lambda edges: CELL_BYTES * len(edges.down) * len(edges.down[0]), by_value=True
)


def _grid(scene: Scene) -> Grid:
    """The names of columns and rows, the cells by their middles, and the middles from the left and from the top."""
    columns, rows = lettering(scene)
    at = {middle(cell): cell for cell in scene.cells}
    return columns, rows, at, sorted({x for x, _ in at}), sorted({y for _, y in at}, reverse=True)


def _kept_box(cell: Cell, here: Sequence[Token], signs: Signs) -> list[str]:
    """The three lines of a box, the same as long as nothing in it changes."""
    return _boxes.get((cell, *here), signs.known, lambda: _box(cell, here, signs))


def _box(cell: Cell, here: Sequence[Token], signs: Signs) -> list[str]:
    """The three lines of a box; `here` are its tokens."""
    bases = sorted((t for t in here if t.form == "base"), key=lambda t: (-t.at[1], -t.layer))
    emblems = [emblem_text(token, signs) for token in here if token.form == "emblem"]
    ground = ground_of(cell, here, signs)
    has_room = len("".join(emblems)) < BOX_WIDE - 1
    ground = f"{ground or ' '} " if has_room else ground if ground != ZONE else ""
    first = ground + "".join(emblems)
    if len(first) > BOX_WIDE and len(emblems) > 1:
        first = f"{ground}{emblems[0]}+"
    if len(bases) == 1:
        return [first, faced_base(bases[0], signs), counters(bases[0], BOX_WIDE).rjust(BOX_WIDE)]
    return [first, *(faced_base(base, signs) for base in bases), *[""] * (2 - len(bases))][:3]


def faced_base(token: Token, signs: Signs) -> str:
    """Facing, name and harm of a base."""
    facings = FACINGS_FINE if signs.is_unicode else FACINGS
    return base_text(token, "" if token.facing is None else facings[(token.facing + 450) // 900 % 4], signs)


def _all_edges(scene: Scene, xs: list[int], ys: list[int], signs: Signs) -> Edges:
    """The borders of a board whose boxes have these middles."""
    borders = borders_of(scene)
    wide, high = scene.width // len(xs), scene.height // len(ys)
    half, half_y = wide // 2, high // 2

    def across(x: int, y: int) -> str:
        feature = borders.get(border((x - half, y), (x + half, y)))
        return signs.of_line(feature.kind)[0] if feature else signs.across

    def down(x: int, y: int) -> str:
        feature = borders.get(border((x - half, y - half), (x - half, y + half)))
        return signs.of_line(feature.kind)[1] if feature else signs.down

    levels = [*(y + half_y for y in ys), ys[-1] - half_y]
    return Edges(
        tuple(tuple(across(x, y) for x in xs) for y in levels),
        tuple(tuple(down(x, y) for x in [*xs, xs[-1] + wide]) for y in ys),
    )


def _across(edges: Sequence[str], wide: int, signs: Signs) -> str:
    """A horizontal border of the board."""
    return signs.corner + "".join([edge * wide + signs.corner for edge in edges])


def _down(edges: Sequence[str], contents: list[str], wide: int) -> str:
    """A line of boxes with the vertical borders between them."""
    boxes = [edge + content.ljust(wide) for edge, content in zip(edges, contents, strict=False)]
    return "".join(boxes) + edges[-1]
