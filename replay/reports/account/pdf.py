"""The report of a battle as a PDF, for those who have no browser to print it.

The fonts come with this package, so that every name can be written.
"""

from collections.abc import Iterable, Iterator
from importlib.resources import files
from io import BytesIO
from typing import Any

from domain.contract.scene import Scene
from replay.drawing.pdf import A4, flowed
from replay.drawing.pen import escaped
from replay.drawing.raster import png_of
from replay.drawing.svg import draw_svg
from replay.reports.account.charts import chart_svg
from replay.reports.account.contents import Contents
from replay.reports.account.voice import heading

SERIF = "PhaleraText"
BOLD = "PhaleraBold"
MARGIN = 54
ACCENT = "#8a2b12"
FAINT = "#4d463a"
PIXELS = 1400
"""Width of a picture."""


def document(report: Contents) -> bytes:
    """The whole document.

    Raises:  ModuleNotFoundError without the extra; check `replay.drawing.pdf.can_write` first
    """
    _register()
    return flowed(list(_flow(report, A4[0] - 2 * MARGIN - 12)), report.title, report.lang, MARGIN, _number)


def _number(canvas: Any, template: Any) -> None:
    """The number of a page at its foot."""
    canvas.setFont(SERIF, 8)
    canvas.setFillColor(FAINT)
    canvas.drawCentredString(template.pagesize[0] / 2, MARGIN / 2, str(template.page))


def _register() -> None:
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    for name, file in ((SERIF, "DejaVuSans.ttf"), (BOLD, "DejaVuSans-Bold.ttf")):
        registerFont(TTFont(name, BytesIO(files("replay").joinpath("fonts", file).read_bytes())))


def _flow(report: Contents, width: float) -> Iterator[Any]:
    from reportlab.platypus import KeepTogether, PageBreak, Spacer

    heads, lang = report.headings, report.lang
    yield _paragraph(report.subtitle, "kicker")
    yield _paragraph(report.title, "title")
    yield _paragraph(report.result, "result")
    yield _paragraph(heads["forces"], "section")
    yield from _forces(report)
    yield KeepTogether([_paragraph(heads["opening"], "section"), _board(report.opening, width, lang)])
    yield PageBreak()
    yield _paragraph(heads["story"], "section")
    for chapter in report.chapters:
        first, *more = chapter.paragraphs or ("",)
        yield KeepTogether([_paragraph(chapter.title, "chapter"), _paragraph(first, "text")])
        yield from _paragraphs(more, "text")
    yield _paragraph(heads["turning"], "section")
    for point in report.turning_points:
        yield KeepTogether(
            [_paragraph(point.title, "chapter"), _paragraph(point.text, "text"), _paragraph(point.stood, "small")]
        )
    if not report.turning_points:
        yield _paragraph(heading("no-swing", {}, lang), "text")
    for at, chart in enumerate(report.charts):
        svg = chart_svg(chart, f"chart-{at}", heading("turn-axis", {}, lang), on_paper=True)
        heads_here = [_paragraph(heads["charts"], "section")] if not at else []
        yield KeepTogether([*heads_here, _picture(svg, width), Spacer(1, 4), _paragraph(chart.words, "small")])
    yield _paragraph(heads["honours"], "section")
    yield from _honours(report)
    yield _paragraph(heads["losses"], "section")
    for lost in report.losses:
        lines = lost.lines or (heading("nobody", {}, lang),)
        yield _paragraph(lost.name, "chapter")
        yield from _paragraphs((*lines, lost.left), "line")
    yield KeepTogether([_paragraph(heads["final"], "section"), _board(report.final, width, lang)])
    yield _paragraph(heads["proof"], "section")
    yield from _paragraphs((line.strip() for line in report.proof), "line")
    yield _paragraph(heading("made", {}, lang), "small")


def _forces(report: Contents) -> Iterator[Any]:
    for force in report.forces:
        player = heading("player", {"player": force.player}, report.lang) if force.player else ""
        yield _paragraph(force.name, "chapter")
        yield from _paragraphs([player] if player else [], "small")
        for group in force.groups:
            yield from _paragraphs([group.title] if group.title else [], "group")
            yield from _paragraphs(group.lines, "line")


def _honours(report: Contents) -> Iterator[Any]:
    from reportlab.platypus import KeepTogether

    for army in report.honours:
        yield _paragraph(army.name, "chapter")
        for one in army.given:
            yield KeepTogether([_paragraph(one.title, "group"), _paragraph(f"{one.text} ({one.events})", "line")])
        yield from _paragraphs(() if army.given else (heading("no-honour", {}, report.lang),), "line")


def _paragraphs(lines: Iterable[str], kind: str) -> Iterator[Any]:
    for line in lines:
        yield _paragraph(line, kind)


def _paragraph(words: str, kind: str) -> Any:
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
    return Paragraph(escaped(words), style)


STYLES = {
    "kicker": (SERIF, 8.5, FAINT, 0, 4, True),
    "title": (BOLD, 22, "#000000", 0, 8, True),
    "result": (SERIF, 11, ACCENT, 0, 14, True),
    "section": (BOLD, 13, ACCENT, 16, 8, True),
    "chapter": (BOLD, 10, "#000000", 8, 3, False),
    "group": (BOLD, 9, FAINT, 3, 1, False),
    "text": (SERIF, 9.5, "#000000", 0, 6, False),
    "line": (SERIF, 9, "#000000", 0, 2, False),
    "small": (SERIF, 8.5, FAINT, 0, 6, False),
}
"""Font, size, colour, room before and after, and whether it stands in the middle."""


def _board(scene: Scene, width: float, lang: str) -> Any:
    return _picture(draw_svg(scene, lang=lang), width)


def _picture(svg: str, width: float) -> Any:
    """An SVG document, as wide as the page unless it would be too high for it."""
    from reportlab.platypus import Image

    picture = Image(BytesIO(png_of(svg, PIXELS)))
    scale = min(width / picture.imageWidth, MOST_HEIGHT / picture.imageHeight)
    picture.drawWidth, picture.drawHeight = picture.imageWidth * scale, picture.imageHeight * scale
    return picture


MOST_HEIGHT = 600.0
