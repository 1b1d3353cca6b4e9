"""Lay a sheet out: tables become words, lines and shades at places on pages.

Lengths are points, x to the right and y down from the upper left corner. The type is as large as
a sheet allows on the fewest pages; a table that does not fit on a page continues on the next, under its
heads again.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from replay.aids.measure import typeset, width
from replay.aids.pieces import ACCENT, FAINT, INK, SLACK, Box, Mark, SheetPiece, SheetWords, band_pieces, moved
from replay.aids.sheet import Sheet, Table, bands

A4 = (595.28, 841.89)
SIZES = (10.0, 9.75, 9.5, 9.25, 9.0, 8.75, 8.5, 8.25, 8.0, 7.75, 7.5, 7.25, 7.0)
"""Type sizes to try, largest first; the last is the smallest that is readable on paper."""
TITLE_SIZE, SUBTITLE_SIZE, FOOTER_SIZE = 21.0, 9.5, 7.5


class SheetPage(Struct, frozen=True):
    """A page of a sheet, in the order in which it is painted."""

    sheet: str
    lang: str
    title: str
    number: int
    width: float
    height: float
    marks: tuple[Mark, ...]


# --- pages


def pages_of(sheet: Sheet) -> tuple[SheetPage, ...]:
    """The pages of a sheet; each part of it in the largest type that still needs the fewest pages."""
    filled = [marks for tables in _parts(sheet) for marks in _best(sheet, tables)]
    wide, high = _paper(sheet)
    return tuple(
        SheetPage(
            sheet.key,
            sheet.lang,
            sheet.title,
            number,
            wide,
            high,
            (*_head(sheet, wide).marks, *marks, *_foot(sheet, wide, high, number, len(filled))),
        )
        for number, marks in enumerate(filled, start=1)
    )


def _is_overfull(mark: Mark, right: float, low: float) -> bool:
    """Whether words are wider than their room, or leave the page on the right or below."""
    if not isinstance(mark, SheetWords):
        return False
    return mark.width > mark.room + SLACK or mark.x + mark.width > right + SLACK or mark.y > low + SLACK


def _paper(sheet: Sheet) -> tuple[float, float]:
    return (A4[1], A4[0]) if sheet.landscape else A4


def _parts(sheet: Sheet) -> list[list[Table]]:
    """The tables, split where one begins a new page."""
    parts: list[list[Table]] = []
    for table in sheet.tables:
        if table.new_page or not parts:
            parts.append([])
        parts[-1].append(table)
    return parts


def _best(sheet: Sheet, tables: Sequence[Table]) -> list[list[Mark]]:
    """The marks of each page, in the largest type that needs no more pages than the smallest does."""
    smallest = _laid_out(sheet, tables, SIZES[-1])
    wide, high = _paper(sheet)
    right, low = wide - sheet.margin, high - sheet.margin - FOOTER_SIZE
    for size in SIZES:
        pages = _laid_out(sheet, tables, size)
        is_full = any(_is_overfull(mark, right, low) for marks in pages for mark in marks)
        if len(pages) <= len(smallest) and not is_full:
            return pages
    return smallest


def _laid_out(sheet: Sheet, tables: Sequence[Table], size: float) -> list[list[Mark]]:
    """The marks of each page with the cells in one size of type, without head and foot."""
    wide, high = _paper(sheet)
    top, foot = sheet.margin + _head(sheet, wide).height, high - sheet.margin - FOOTER_SIZE * 1.6
    pieces = [piece for band in bands(tables) for piece in band_pieces(band, wide - 2 * sheet.margin, size, sheet.lang)]
    return [moved(marks, sheet.margin, top) for marks in _pages(pieces, foot - top)]


def _pages(pieces: Sequence[SheetPiece], room: float) -> Iterator[list[Mark]]:
    """The marks of each page, with `room` points of height for them."""
    page: list[Mark] = []
    y = 0.0
    for at, piece in enumerate(pieces):
        if page and y + _needed(pieces, at) > room:
            yield page
            page, y = [], 0.0
            if piece.repeat:
                page += piece.repeat.marks
                y = piece.repeat.height
        page += moved(piece.marks, 0, y)
        y += piece.height
    if page:
        yield page


def _needed(pieces: Sequence[SheetPiece], at: int) -> float:
    """The room a piece needs, together with those that it must not be separated from."""
    total = 0.0
    for piece in pieces[at:]:
        total += piece.height
        if not piece.keep:
            break
    return total


# --- head and foot of a page


def _head(sheet: Sheet, wide: float) -> SheetPiece:
    """Title on the left, smaller where it is long, subject on the right, and a line under both."""
    room = wide - 2 * sheet.margin
    title, subtitle = typeset(sheet.title, sheet.lang), typeset(sheet.subtitle, sheet.lang)
    right = width(subtitle, SUBTITLE_SIZE)
    for_title = room - right - 8
    size = TITLE_SIZE * min(1.0, for_title / width(title, TITLE_SIZE, "title"))
    left, baseline = sheet.margin, sheet.margin + TITLE_SIZE * 0.8
    return SheetPiece(
        TITLE_SIZE * 0.8 + 17,
        (
            SheetWords(left, baseline, title, size, "title", INK, for_title),
            SheetWords(left + room - right, baseline, subtitle, SUBTITLE_SIZE, "regular", FAINT, right),
            Box(left, baseline + 6, room, 1.6, ACCENT),
        ),
    )


def _foot(sheet: Sheet, wide: float, high: float, number: int, of: int) -> list[Mark]:
    """What the sheet was made from, and its page number if there are several pages."""
    room, y = wide - 2 * sheet.margin, high - sheet.margin
    footer = typeset(sheet.footer, sheet.lang)
    marks: list[Mark] = [SheetWords(sheet.margin, y, footer, FOOTER_SIZE, "regular", FAINT, room - 40)]
    if of > 1:
        count = f"{number} / {of}"
        x = sheet.margin + room - width(count, FOOTER_SIZE)
        marks.append(SheetWords(x, y, count, FOOTER_SIZE, "regular", FAINT, 40))
    return marks
