"""The words, lines and shades of a table at a given type size.

A piece is never split: a title, the heads of columns, a row, a note, or tables side by side.
Lengths are points, x to the right and y down.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from replay.aids.measure import Face, typeset, widest_word, width, wrapped
from replay.aids.sheet import Column, Row, Table

GAP = 16.0
LEADING = 1.22
SMALL = 0.84
"""Sizes of column heads and faint cells relative to the others."""
PAD_X, PAD_Y = 2.6, 1.7
SLACK = 0.01
"""Tolerance for rounding."""
INK, FAINT, ACCENT, RULE, SHADE = "#1a1a1a", "#5c5c5c", "#6d1f1a", "#b9b2a5", "#f2efe8"


class SheetWords(Struct, frozen=True):
    """Words on one line: x is their left edge, y the baseline, `room` the width that the layout allows them."""

    x: float
    y: float
    text: str
    size: float
    face: Face
    colour: str
    room: float

    @property
    def width(self) -> float:
        """Their width in print."""
        return width(self.text, self.size, self.face)


class Box(Struct, frozen=True):
    """A filled rectangle: a shade behind a row, or a line if it is thin."""

    x: float
    y: float
    width: float
    height: float
    colour: str


Mark = SheetWords | Box


class SheetPiece(Struct, frozen=True):
    """An unsplittable piece: its marks are positioned from (0, 0). `repeat` is placed above it
    where it begins a page; `keep` prevents it from standing at the foot, apart from the next."""

    height: float
    marks: tuple[Mark, ...]
    repeat: "SheetPiece | None" = None
    keep: bool = False


def moved(marks: Sequence[Mark], x: float, y: float) -> list[Mark]:
    return [replace(mark, x=mark.x + x, y=mark.y + y) for mark in marks]


def band_pieces(tables: Sequence[Table], room: float, size: float, lang: str) -> list[SheetPiece]:
    """One table as pieces, or several side by side as one piece."""
    if len(tables) == 1:
        return list(_pieces(tables[0], room, size, lang))
    share = (room - (len(tables) - 1) * GAP) / len(tables)
    marks: list[Mark] = []
    height = 0.0
    for at, table in enumerate(tables):
        y = 0.0
        for piece in _pieces(table, share, size, lang):
            marks += moved(piece.marks, at * (share + GAP), y)
            y += piece.height
        height = max(height, y)
    return [SheetPiece(height, tuple(marks))]


def _pieces(table: Table, room: float, size: float, lang: str) -> Iterator[SheetPiece]:
    """A table as pieces: title, intro, heads, rows, notes."""
    widths = column_widths(table, room, size, lang)
    across = min(room, sum(widths)) if widths else room
    head_size = size * SMALL
    title = _paragraph(table.title, room, size * 1.2, "bold", ACCENT, lang)
    yield SheetPiece(title.height + 2, title.marks, keep=True)
    for intro in table.intro:
        said = _paragraph(intro, room, size, "regular", INK, lang)
        yield SheetPiece(said.height + 1.5, said.marks, keep=bool(table.rows))
    heads = None
    if any(column.title for column in table.columns):
        heads = _heads(table.columns, widths, head_size, across, lang)
        yield replace(heads, keep=True)
    odd = False
    for row in table.rows:
        odd = not odd and not row.heading
        yield _row(table.columns, row, widths, size, across, lang, odd, heads)
    for at, note in enumerate(table.notes):
        said = _paragraph(note, room, size * 0.92, "regular", FAINT, lang)
        yield SheetPiece(said.height + (3 if at == 0 else 1), tuple(moved(said.marks, 0, 2.5 if at == 0 else 0.5)))
    yield SheetPiece(size * 0.9, ())


def column_widths(table: Table, room: float, size: float, lang: str) -> list[float]:
    """The widths of the columns: those without a share as their widest line, the others by share,
    but never narrower than their widest word."""
    widths = [_least(table, at, column, size, lang) for at, column in enumerate(table.columns)]
    open_columns = {at: column.share for at, column in enumerate(table.columns) if column.share}
    left = room - sum(wide for at, wide in enumerate(widths) if at not in open_columns)
    while open_columns:
        shares = sum(open_columns.values())
        tight = [at for at, share in open_columns.items() if widths[at] > left * share / shares]
        if not tight:
            return [left * open_columns[at] / shares if at in open_columns else w for at, w in enumerate(widths)]
        for at in tight:
            left -= widths[at]
            del open_columns[at]
    return widths


def _least(table: Table, at: int, column: Column, size: float, lang: str) -> float:
    measured = widest_word if column.share else width
    cells = [measured(typeset(cells[at], lang), _size(column, size), _face(column)) for cells in table.bodies()]
    head = widest_word(typeset(column.title, lang), size * SMALL, "bold")
    return max([head, *cells]) + 2 * PAD_X + SLACK / 2


def _heads(columns: Sequence[Column], widths: Sequence[float], size: float, room: float, lang: str) -> SheetPiece:
    """The heads of the columns, standing on a line."""
    cells = [_lines(column.title, wide, size, "bold", lang) for column, wide in zip(columns, widths, strict=True)]
    rows = max(len(lines) for lines in cells)
    height = rows * size * LEADING + 2 * PAD_Y
    marks: list[Mark] = []
    x = 0.0
    for column, lines, wide in zip(columns, cells, widths, strict=True):
        top = height - PAD_Y - len(lines) * size * LEADING
        marks += _set_lines(lines, x, top, wide, size, "bold", FAINT, column.align)
        x += wide
    marks.append(Box(0, height - 0.8, room, 0.8, INK))
    return SheetPiece(height, tuple(marks))


def _row(
    columns: Sequence[Column],
    row: Row,
    widths: Sequence[float],
    size: float,
    room: float,
    lang: str,
    shaded: bool,
    heads: SheetPiece | None,
) -> SheetPiece:
    """A row of cells, as high as its tallest."""
    if row.heading:
        said = _paragraph(row.cells[0], room - 2 * PAD_X, size, "bold", INK, lang)
        marks = [*moved(said.marks, PAD_X, PAD_Y + 1), Box(0, said.height + 2 * PAD_Y, room, 0.5, RULE)]
        return SheetPiece(said.height + 2 * PAD_Y + 0.5, tuple(marks), heads, keep=True)
    cells = [
        _lines(cell, wide, _size(column, size), _face(column), lang)
        for column, cell, wide in zip(columns, row.cells, widths, strict=True)
    ]
    height = max(len(lines) for lines in cells) * size * LEADING + 2 * PAD_Y
    painted: list[Mark] = [Box(0, 0, room, height, SHADE)] if shaded else []
    x = 0.0
    for column, lines, wide in zip(columns, cells, widths, strict=True):
        colour = FAINT if column.weight == "faint" else INK
        painted += _set_lines(lines, x, PAD_Y, wide, _size(column, size), _face(column), colour, column.align, size)
        x += wide
    painted.append(Box(0, height, room, 0.35, RULE))
    return SheetPiece(height + 0.35, tuple(painted), heads)


def _face(column: Column) -> Face:
    return "bold" if column.weight == "bold" else "regular"


def _size(column: Column, size: float) -> float:
    return size * SMALL if column.weight == "faint" else size


def _lines(words: str, wide: float, size: float, face: Face, lang: str) -> list[str]:
    return wrapped(typeset(words, lang), wide - 2 * PAD_X, size, face)


def _set_lines(
    lines: Sequence[str],
    x: float,
    y: float,
    wide: float,
    size: float,
    face: Face,
    colour: str,
    align: str,
    beside: float = 0.0,
) -> Iterator[SheetWords]:
    """The lines of a cell that begins at (x, y), aligned with the lines of cells in the size `beside` it."""
    room = wide - 2 * PAD_X
    for at, line in enumerate(lines):
        slack = (room - width(line, size, face)) / 2 if align == "centre" else 0.0
        if line:
            baseline = y + (at + 0.8) * (beside or size) * LEADING
            yield SheetWords(x + PAD_X + slack, baseline, line, size, face, colour, room)


def _paragraph(words: str, room: float, size: float, face: Face, colour: str, lang: str) -> SheetPiece:
    """A paragraph across the table."""
    lines = wrapped(typeset(words, lang), room, size, face)
    marks = [
        SheetWords(0, (at + 0.8) * size * LEADING, line, size, face, colour, room)
        for at, line in enumerate(lines)
        if line
    ]
    return SheetPiece(len(lines) * size * LEADING, tuple(marks))
