"""Write PDF: pages that are painted, or text that flows from page to page.

The library is an extra (`phalera[pdf]`) and is imported only when it is needed. The same content gives the same bytes.
"""

from collections.abc import Callable, Iterable
from importlib.util import find_spec
from io import BytesIO
from typing import Any, NamedTuple

EXTRA = "pdf"
MAKER = "Phalera"

Paint = Callable[[Any], None]
"""Paints on a canvas of the library."""


class PaintedPage(NamedTuple):
    """A page: its size in points, the name of its place, and its entry in the outline ("": none)."""

    width: float
    height: float
    name: str
    entry: str
    paint: Paint


def can_write() -> bool:
    """Whether the library is installed."""
    return find_spec("reportlab") is not None


def painted(pages: Iterable[PaintedPage], title: str, lang: str, font: str) -> bytes:
    """A document of painted pages; `font` is what their canvas begins with.

    Raises:  ModuleNotFoundError without the extra; check `can_write` first
    """
    from reportlab.pdfgen.canvas import Canvas

    written = BytesIO()
    canvas = Canvas(written, invariant=True, pageCompression=1, lang=lang, initialFontName=font)
    canvas.setTitle(title)
    canvas.setAuthor(MAKER)
    canvas.setCreator(MAKER)
    for page in pages:
        canvas.setPageSize((page.width, page.height))
        canvas.bookmarkPage(page.name)
        if page.entry:
            canvas.addOutlineEntry(page.entry, page.name)
        page.paint(canvas)
        canvas.showPage()
    canvas.save()
    return written.getvalue()


def flowed(flow: list[Any], title: str, lang: str, margin: float, foot: Callable[[Any, Any], None]) -> bytes:
    """A document of paragraphs and pictures on A4; `foot` paints what stands below each page.

    Raises:  ModuleNotFoundError without the extra; check `can_write` first
    """
    from reportlab.platypus import SimpleDocTemplate

    written = BytesIO()
    template = SimpleDocTemplate(
        written,
        pagesize=A4,
        leftMargin=margin,
        rightMargin=margin,
        topMargin=margin,
        bottomMargin=margin,
        title=title,
        author=MAKER,
        creator=MAKER,
        lang=lang,
        invariant=1,
    )
    template.build(flow, onFirstPage=foot, onLaterPages=foot)
    return written.getvalue()


A4 = (595.2755905511812, 841.8897637795277)
"""Width and height in points."""
