"""The words, lines and shades of a table at a given type size.

A piece is never split: a title, the heads of columns, a row, a note, or tables side by side.
Lengths are points, x to the right and y down.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from replay.aids.measure import Face, typeset, widest_word, width, width_after, wrapped, wrapped_after
from replay.aids.sheet import Column, Diagram, Ink, Row, Table

GAP = 16.0
LEADING = 1.22
SMALL = 0.84
"""Sizes of column heads and faint cells relative to the others."""
PAD_X, PAD_Y = 2.6, 1.7
TIGHT_LEADING, TIGHT_Y = 1.12, 0.3
"""Of tight tables."""
LEAST = 7.0
"""The smallest type of a tight table."""
PEN, DASH, HIGHEST = 0.8, 2, 84.0
"""Points of a line in a diagram, of a dash and of the gap after it, and the most of its height."""
SLACK = 0.01
"""Tolerance for rounding."""
INK, FAINT, ACCENT, RULE, SHADE = "#1a1a1a", "#5c5c5c", "#6d1f1a", "#b9b2a5", "#f2efe8"
INKS: Mapping[Ink, str] = {
    "base": "#3d5a80",
    "foe": "#a4472f",
    "near": "#d9c9a3",
    "middle": "#e6dcc2",
    "far": "#f2ecdd",
    "edge": "#6d1f1a",
    "mark": "#5c5c5c",
}
"""The colours of diagrams."""


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


class Outline(Struct, frozen=True):
    """A figure of a diagram, its points relative to (x, y): filled, or a line of the `pen` width, dashed or not."""

    x: float
    y: float
    points: tuple[tuple[float, float], ...]
    colour: str
    pen: float = 0.0
    dashed: bool = False


Mark = SheetWords | Box | Outline


class SheetPiece(Struct, frozen=True):
    """An unsplittable piece: its marks are positioned from (0, 0). `repeat` is placed above it
    where it begins a page; `keep` prevents it from standing at the foot, apart from the next."""

    height: float
    marks: tuple[Mark, ...]
    repeat: "SheetPiece | None" = None
    keep: bool = False


def moved(marks: Sequence[Mark], x: float, y: float) -> list[Mark]:
    return [replace(mark, x=mark.x + x, y=mark.y + y) for mark in marks]


def band_pieces(columns: Sequence[Sequence[Table]], room: float, size: float, lang: str) -> list[SheetPiece]:
    """One column of tables as pieces, or several side by side as one piece."""
    if len(columns) == 1:
        return [piece for table in columns[0] for piece in _pieces(table, room, size, lang)]
    shares = [tables[0].share for tables in columns]
    part = (room - (len(columns) - 1) * GAP) / sum(shares)
    marks: list[Mark] = []
    x = height = 0.0
    for tables, share in zip(columns, shares, strict=True):
        y = 0.0
        for table in tables:
            for piece in _pieces(table, part * share, size, lang):
                marks += moved(piece.marks, x, y)
                y += piece.height
        height = max(height, y)
        x += part * share + GAP
    return [SheetPiece(height, tuple(marks))]


def _pieces(table: Table, room: float, size: float, lang: str) -> Iterator[SheetPiece]:
    """A table as pieces: title, intro, diagrams, heads, rows, notes."""
    widths = column_widths(table, room, size, lang)
    across = min(room, sum(widths)) if widths else room
    title = _paragraph(table.title, room, size * 1.2, "bold", ACCENT, lang)
    yield SheetPiece(title.height + 2, title.marks, keep=True)
    for intro in table.intro:
        said = _paragraph(intro, room, size, "regular", INK, lang)
        yield SheetPiece(said.height + 1.5, said.marks, keep=bool(table.rows))
    if table.diagrams:
        yield replace(drawn(table.diagrams, room, _small(table, size), lang), keep=bool(table.rows))
    heads = None
    if any(column.title for column in table.columns):
        heads = _heads(table, widths, size, across, lang)
        yield replace(heads, keep=True)
    odd = False
    for row in table.rows:
        odd = not odd and not row.heading
        yield _row(table, row, widths, size, across, lang, odd, heads)
    for at, note in enumerate(table.notes):
        said = _paragraph(note, room, max(size * 0.92, LEAST) if table.tight else size * 0.92, "regular", FAINT, lang)
        yield SheetPiece(said.height + (3 if at == 0 else 1), tuple(moved(said.marks, 0, 2.5 if at == 0 else 0.5)))
    yield SheetPiece(size * (0.5 if table.tight else 0.9), ())


def drawn(diagrams: Sequence[Diagram], room: float, size: float, lang: str) -> SheetPiece:
    """Diagrams side by side in equal parts of the room, their words in a size of type."""
    part = (room - (len(diagrams) - 1) * GAP / 2) / len(diagrams)
    marks: list[Mark] = []
    height = 0.0
    for at, diagram in enumerate(diagrams):
        scale = min(part / diagram.width, HIGHEST / diagram.height)
        x = at * (part + GAP / 2) + (part - diagram.width * scale) / 2
        for shape in diagram.shapes:
            points = tuple((across * scale, down * scale) for across, down in shape.points)
            marks.append(Outline(x, 0, points, INKS[shape.ink], PEN if shape.is_line else 0.0, shape.dashed))
        for label in diagram.labels:
            said = typeset(label.text, lang)
            wide = width(said, size)
            left = label.x * scale - (wide / 2 if label.align == "centre" else 0.0)
            marks.append(SheetWords(x + left, label.y * scale, said, size, "regular", INK, part))
        height = max(height, diagram.height * scale)
    return SheetPiece(height + 3, tuple(marks))


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
    own = _size(table, column, size)
    cells = [measured(typeset(cells[at], lang).replace("\n", " "), own, _face(column)) for cells in table.bodies()]
    head = widest_word(typeset(column.title, lang), _small(table, size), "bold")
    return max([head, *cells]) + 2 * PAD_X + SLACK / 2


def _heads(table: Table, widths: Sequence[float], size: float, room: float, lang: str) -> SheetPiece:
    """The heads of the columns, standing on a line."""
    columns, pad, own, leading = table.columns, _pad(table), _small(table, size), _leading(table)
    cells = [_lines(column.title, wide, own, "bold", lang) for column, wide in zip(columns, widths, strict=True)]
    rows = max(len(lines) for lines in cells)
    height = rows * own * leading + 2 * pad
    marks: list[Mark] = []
    x = 0.0
    for column, lines, wide in zip(columns, cells, widths, strict=True):
        top = height - pad - len(lines) * own * leading
        marks += _set_lines(lines, x, top, wide, own, "bold", FAINT, column.align, own * leading)
        x += wide
    marks.append(Box(0, height - 0.8, room, 0.8, INK))
    return SheetPiece(height, tuple(marks))


def _row(
    table: Table,
    row: Row,
    widths: Sequence[float],
    size: float,
    room: float,
    lang: str,
    shaded: bool,
    heads: SheetPiece | None,
) -> SheetPiece:
    """A row of cells, as high as its tallest."""
    columns, pad = table.columns, _pad(table)
    if row.heading:
        said = _paragraph(row.cells[0], room - 2 * PAD_X, size, "bold", INK, lang)
        marks = [*moved(said.marks, PAD_X, pad + 1), Box(0, said.height + 2 * pad, room, 0.5, RULE)]
        return SheetPiece(said.height + 2 * pad + 0.5, tuple(marks), heads, keep=True)
    step = size * _leading(table)
    painted: list[Mark] = []
    x, most = 0.0, 1
    for column, cell, wide in zip(columns, row.cells, widths, strict=True):
        own = _size(table, column, size)
        if column.weight == "led":
            led = _led_lines(cell, wide, own, lang)
            painted += _set_led(led, x, pad, wide, own, step)
            most = max(most, len(led))
        else:
            colour = FAINT if column.weight == "faint" else INK
            lines = _lines(cell, wide, own, _face(column), lang)
            painted += _set_lines(lines, x, pad, wide, own, _face(column), colour, column.align, step)
            most = max(most, len(lines))
        x += wide
    height = most * step + 2 * pad
    shade = [Box(0, 0, room, height, SHADE)] if shaded else []
    return SheetPiece(height + 0.35, (*shade, *painted, Box(0, height, room, 0.35, RULE)), heads)


def _pad(table: Table) -> float:
    return TIGHT_Y if table.tight else PAD_Y


def _leading(table: Table) -> float:
    return TIGHT_LEADING if table.tight else LEADING


def _small(table: Table, size: float) -> float:
    """The size of column heads, faint cells and words in diagrams."""
    return max(size * SMALL, LEAST) if table.tight else size * SMALL


def _face(column: Column) -> Face:
    """The face of a cell; a led cell has both, and is measured by the wider."""
    return "bold" if column.weight in ("bold", "led") else "regular"


def _size(table: Table, column: Column, size: float) -> float:
    return _small(table, size) if column.weight == "faint" else size


def _lines(words: str, wide: float, size: float, face: Face, lang: str) -> list[str]:
    return wrapped(typeset(words, lang), wide - 2 * PAD_X, size, face)


def _led_lines(words: str, wide: float, size: float, lang: str) -> list[tuple[str, str]]:
    lead, _, rest = typeset(words, lang).partition("\n")
    return wrapped_after(lead, rest, wide - 2 * PAD_X, size)


def _set_led(
    lines: Sequence[tuple[str, str]], x: float, y: float, wide: float, size: float, step: float
) -> Iterator[SheetWords]:
    """The lines of a cell with bold words at its head."""
    room = wide - 2 * PAD_X
    for at, (lead, rest) in enumerate(lines):
        baseline = y + (at + 0.8) * step
        if lead:
            yield SheetWords(x + PAD_X, baseline, lead, size, "bold", INK, room)
        if rest:
            before = width_after(lead, rest, size) - width(rest, size)
            yield SheetWords(x + PAD_X + before, baseline, rest, size, "regular", INK, room - before)


def _set_lines(
    lines: Sequence[str],
    x: float,
    y: float,
    wide: float,
    size: float,
    face: Face,
    colour: str,
    align: str,
    step: float,
) -> Iterator[SheetWords]:
    """The lines of a cell that begins at (x, y), `step` apart as those of the cells beside it."""
    room = wide - 2 * PAD_X
    for at, line in enumerate(lines):
        slack = (room - width(line, size, face)) / 2 if align == "centre" else 0.0
        if line:
            yield SheetWords(x + PAD_X + slack, y + (at + 0.8) * step, line, size, face, colour, room)


def _paragraph(words: str, room: float, size: float, face: Face, colour: str, lang: str) -> SheetPiece:
    """A paragraph across the table."""
    lines = wrapped(typeset(words, lang), room, size, face)
    marks = [
        SheetWords(0, (at + 0.8) * size * LEADING, line, size, face, colour, room)
        for at, line in enumerate(lines)
        if line
    ]
    return SheetPiece(len(lines) * size * LEADING, tuple(marks))
