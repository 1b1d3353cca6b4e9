"""Paragraphs, pictures and the foot of a page, for reports as PDF.

The fonts come with this package, so that every name can be written.
"""

from collections.abc import Iterable, Iterator
from importlib.resources import files
from io import BytesIO
from typing import Any

from replay.drawing.pen import escaped
from replay.drawing.raster import png_of

SERIF = "PhaleraText"
BOLD = "PhaleraBold"
MARGIN = 54
ACCENT = "#8a2b12"
FAINT = "#4d463a"
PIXELS = 1400
"""Width of a picture."""
MOST_HEIGHT = 600.0
STYLES = {
    "kicker": (SERIF, 8.5, FAINT, 0, 4, True),
    "title": (BOLD, 22, "#000000", 0, 8, True),
    "result": (SERIF, 11, ACCENT, 0, 14, True),
    "section": (BOLD, 13, ACCENT, 16, 8, True),
    "chapter": (BOLD, 10, "#000000", 8, 3, False),
    "group": (BOLD, 9, FAINT, 3, 1, False),
    "text": (SERIF, 9.5, "#000000", 0, 6, False),
    "line": (SERIF, 9, "#000000", 0, 2, False),
    "ends": (SERIF, 9.5, ACCENT, 6, 8, True),
    "note": (SERIF, 8, FAINT, 5, 6, True),
    "small": (SERIF, 8.5, FAINT, 0, 6, False),
}
"""Font, size, colour, room before and after, and whether it stands in the middle."""


def page_number(canvas: Any, template: Any) -> None:
    """The number of a page at its foot."""
    canvas.setFont(SERIF, 8)
    canvas.setFillColor(FAINT)
    canvas.drawCentredString(template.pagesize[0] / 2, MARGIN / 2, str(template.page))


def register() -> None:
    """Make the fonts known to the library."""
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    for name, file in ((SERIF, "DejaVuSans.ttf"), (BOLD, "DejaVuSans-Bold.ttf")):
        registerFont(TTFont(name, BytesIO(files("replay").joinpath("fonts", file).read_bytes())))


def paragraphs(lines: Iterable[str], kind: str) -> Iterator[Any]:
    """Each line as a paragraph of its own."""
    for line in lines:
        yield paragraph(line, kind)


def paragraph(words: str, kind: str, link: str = "") -> Any:
    """A paragraph of a kind of `STYLES`; all of it leads to `link`, "" for nowhere."""
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    font, size, colour, before, after, centred = STYLES[kind]
    style = ParagraphStyle(
        kind,
        fontName=font,
        fontSize=size,
        leading=size * 1.42,
        textColor=colour,
        spaceBefore=before,
        spaceAfter=after,
        alignment=1 if centred else 0,
        leftIndent=10 if kind == "line" else 0,
        keepWithNext=kind in ("section", "chapter", "group"),
        splitLongWords=1,
    )
    text = escaped(words)
    return Paragraph(f'<a href="{escaped(link)}">{text}</a>' if link else text, style)


def picture(svg: str, width: float) -> Any:
    """An SVG document, as wide as the page unless it would be too high for it."""
    from reportlab.platypus import Image

    found = Image(BytesIO(png_of(svg, PIXELS)))
    scale = min(width / found.imageWidth, MOST_HEIGHT / found.imageHeight)
    found.drawWidth, found.drawHeight = found.imageWidth * scale, found.imageHeight * scale
    return found
