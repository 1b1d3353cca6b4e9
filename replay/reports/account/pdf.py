"""The report of a battle as a PDF, for those who have no browser to print it."""

from collections.abc import Iterator
from typing import Any

from domain.contract.scene import Scene
from replay.drawing.pdf import A4, flowed
from replay.drawing.svg import draw_svg
from replay.reports.account.charts import chart_svg
from replay.reports.account.contents import Contents
from replay.reports.account.voice import heading
from replay.reports.typeset import MARGIN, page_number, paragraph, paragraphs, picture, register


def document(report: Contents) -> bytes:
    """The whole document.

    Raises:  ModuleNotFoundError without the extra; check `replay.drawing.pdf.can_write` first
    """
    register()
    return flowed(list(_flow(report, A4[0] - 2 * MARGIN - 12)), report.title, report.lang, MARGIN, page_number)


def _flow(report: Contents, width: float) -> Iterator[Any]:
    from reportlab.platypus import KeepTogether, PageBreak, Spacer

    heads, lang = report.headings, report.lang
    yield paragraph(report.subtitle, "kicker")
    yield paragraph(report.title, "title")
    yield paragraph(report.result, "result")
    yield paragraph(heads["forces"], "section")
    yield from _forces(report)
    yield KeepTogether([paragraph(heads["opening"], "section"), _board(report.opening, width, lang)])
    yield PageBreak()
    yield paragraph(heads["story"], "section")
    for chapter in report.chapters:
        first, *more = chapter.paragraphs or ("",)
        yield KeepTogether([paragraph(chapter.title, "chapter"), paragraph(first, "text")])
        yield from paragraphs(more, "text")
    yield paragraph(heads["turning"], "section")
    for point in report.turning_points:
        yield KeepTogether(
            [paragraph(point.title, "chapter"), paragraph(point.text, "text"), paragraph(point.stood, "small")]
        )
    if not report.turning_points:
        yield paragraph(heading("no-swing", {}, lang), "text")
    for at, chart in enumerate(report.charts):
        svg = chart_svg(chart, f"chart-{at}", heading("turn-axis", {}, lang), on_paper=True)
        heads_here = [paragraph(heads["charts"], "section")] if not at else []
        yield KeepTogether([*heads_here, picture(svg, width), Spacer(1, 4), paragraph(chart.words, "small")])
    yield paragraph(heads["honours"], "section")
    yield from _honours(report)
    yield paragraph(heads["losses"], "section")
    for lost in report.losses:
        lines = lost.lines or (heading("nobody", {}, lang),)
        yield paragraph(lost.name, "chapter")
        yield from paragraphs((*lines, lost.left), "line")
    yield KeepTogether([paragraph(heads["final"], "section"), _board(report.final, width, lang)])
    yield paragraph(heads["proof"], "section")
    yield from paragraphs((line.strip() for line in report.proof), "line")
    yield paragraph(heading("made", {}, lang), "small")


def _forces(report: Contents) -> Iterator[Any]:
    for force in report.forces:
        player = heading("player", {"player": force.player}, report.lang) if force.player else ""
        yield paragraph(force.name, "chapter")
        yield from paragraphs([player] if player else [], "small")
        for group in force.groups:
            yield from paragraphs([group.title] if group.title else [], "group")
            yield from paragraphs(group.lines, "line")


def _honours(report: Contents) -> Iterator[Any]:
    from reportlab.platypus import KeepTogether

    for army in report.honours:
        yield paragraph(army.name, "chapter")
        for one in army.given:
            yield KeepTogether([paragraph(one.title, "group"), paragraph(f"{one.text} ({one.events})", "line")])
        yield from paragraphs(() if army.given else (heading("no-honour", {}, report.lang),), "line")


def _board(scene: Scene, width: float, lang: str) -> Any:
    return picture(draw_svg(scene, lang=lang), width)
