"""Write the pages of play aids as one PDF.

It uses the fonts that every PDF reader has.
"""

from collections.abc import Iterable
from typing import Any

from replay.aids.layout import SheetPage
from replay.aids.measure import Face, runs, width
from replay.aids.pieces import DASH, Box, Mark, Outline
from replay.drawing.pdf import PaintedPage, painted

FONTS: dict[Face, str] = {
    "regular": "Helvetica",
    "bold": "Helvetica-Bold",
    "title": "Times-Bold",
    "symbol": "Symbol",
}

STAND_INS = {ord("\N{MINUS SIGN}"): "\N{EN DASH}"}
"""Characters that the fonts lack, and their replacements."""


def pages_pdf(pages: Iterable[SheetPage], title: str, lang: str) -> bytes:
    """All pages as a document; the outline names the first of each sheet.

    Raises:  ModuleNotFoundError without the extra; check `replay.drawing.pdf.can_write` first
    """
    return painted((_page(page) for page in pages), title, lang, FONTS["regular"])


def _page(page: SheetPage) -> PaintedPage:
    def paint(canvas: Any) -> None:
        for mark in page.marks:
            _paint(canvas, mark, page.height)

    entry = page.title if page.number == 1 else ""
    return PaintedPage(page.width, page.height, f"{page.sheet}-{page.number}", entry, paint)


def _paint(canvas: Any, mark: Mark, height: float) -> None:
    """Paint one mark; the y of a PDF goes up from the foot of the page."""
    canvas.setFillColor(mark.colour)
    if isinstance(mark, Box):
        canvas.rect(mark.x, height - mark.y - mark.height, mark.width, mark.height, stroke=0, fill=1)
        return
    if isinstance(mark, Outline):
        _trace(canvas, mark, height)
        return
    x = mark.x
    for face, words in runs(mark.text, mark.face):
        canvas.setFont(FONTS[face], mark.size)
        canvas.drawString(x, height - mark.y, words.translate(STAND_INS))
        x += width(words, mark.size, face)


def _trace(canvas: Any, mark: Outline, height: float) -> None:
    """A filled figure, or a line."""
    path = canvas.beginPath()
    for at, (right, down) in enumerate(mark.points):
        (path.lineTo if at else path.moveTo)(mark.x + right, height - mark.y - down)
    if not mark.pen:
        path.close()
        canvas.drawPath(path, stroke=0, fill=1)
        return
    canvas.setStrokeColor(mark.colour)
    canvas.setLineWidth(mark.pen)
    canvas.setDash(*((DASH, DASH) if mark.dashed else ()))
    canvas.drawPath(path, stroke=1, fill=0)
