"""Write the pages of play aids as one PDF.

It uses the fonts that every PDF reader has; the same sheets produce the same bytes. The library that
writes it is an extra (`phalera[pdf]`) and is imported only when it is needed.
"""

from collections.abc import Iterable
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from replay.aids.layout import Page
from replay.aids.measure import Face, runs, width
from replay.aids.pieces import Box, Mark

EXTRA = "pdf"
FONTS: dict[Face, str] = {
    "regular": "Helvetica",
    "bold": "Helvetica-Bold",
    "title": "Times-Bold",
    "symbol": "Symbol",
}

STAND_INS = {ord("\N{MINUS SIGN}"): "\N{EN DASH}"}
"""Characters that the fonts lack, and their replacements."""


def can_write() -> bool:
    """Whether the library is installed."""
    return find_spec("reportlab") is not None


def pages_pdf(pages: Iterable[Page], title: str, lang: str) -> bytes:
    """All pages as a document.

    Raises:  ModuleNotFoundError without the extra; check `can_write` first
    """
    from reportlab.pdfgen.canvas import Canvas

    written = BytesIO()
    canvas = Canvas(written, invariant=True, pageCompression=1, lang=lang, initialFontName=FONTS["regular"])
    canvas.setTitle(title)
    canvas.setAuthor("Phalera")
    canvas.setCreator("Phalera")
    for page in pages:
        canvas.setPageSize((page.width, page.height))
        canvas.bookmarkPage(f"{page.sheet}-{page.number}")
        if page.number == 1:
            canvas.addOutlineEntry(page.title, f"{page.sheet}-{page.number}")
        for mark in page.marks:
            _paint(canvas, mark, page.height)
        canvas.showPage()
    canvas.save()
    return written.getvalue()


def _paint(canvas: Any, mark: Mark, height: float) -> None:
    """Paint one mark; the y of a PDF goes up from the foot of the page."""
    canvas.setFillColor(mark.colour)
    if isinstance(mark, Box):
        canvas.rect(mark.x, height - mark.y - mark.height, mark.width, mark.height, stroke=0, fill=1)
        return
    x = mark.x
    for face, words in runs(mark.text, mark.face):
        canvas.setFont(FONTS[face], mark.size)
        canvas.drawString(x, height - mark.y, words.translate(STAND_INS))
        x += width(words, mark.size, face)
