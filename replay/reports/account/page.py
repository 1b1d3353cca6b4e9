"""The report of a battle as one HTML page: it holds its own style and pictures, runs no script and fetches nothing.

On the screen it follows the reader's choice of light or dark; printed, it fills pages of A4 without tearing a board, a
chart or a table apart.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from domain.contract.scene import Scene
from replay.drawing.svg import draw_svg
from replay.reports.account.charts import chart_svg
from replay.reports.account.contents import Contents, FieldedForce, Honours, Losses
from replay.reports.account.voice import heading
from replay.reports.html import HtmlHead, bulleted, element, framed, section


@cache
def style() -> str:
    """The style sheet of the page."""
    return files("replay.reports.account").joinpath("page.css").read_text(encoding="utf-8")


def document(report: Contents) -> str:
    """The whole page."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Contents) -> Iterator[str]:
    head = HtmlHead(report.subtitle, report.title, report.result)
    return framed(report.lang, style(), head, _main(report), heading("made", {}, report.lang))


def _main(report: Contents) -> Iterator[str]:
    heads, lang = report.headings, report.lang
    yield from section("forces", heads["forces"], _forces(report.forces, lang))
    yield from section("opening", heads["opening"], _board(report.opening, "opening", lang))
    yield from section("story", heads["story"], _story(report))
    yield from section("turning", heads["turning"], _turning_points(report))
    yield from section("charts", heads["charts"], _charts(report))
    yield from section("honours", heads["honours"], _honours(report.honours, lang))
    yield from section("losses", heads["losses"], _losses(report.losses, lang))
    yield from section("final", heads["final"], _board(report.final, "final", lang))
    yield from section("proof", heads["proof"], bulleted(line.strip() for line in report.proof))


def _forces(forces: Iterable[FieldedForce], lang: str) -> Iterator[str]:
    yield '<div class="beside">'
    for force in forces:
        yield f'<article class="side-{force.side}">'
        yield element("h3", force.name)
        if force.player:
            yield element("p", heading("player", {"player": force.player}, lang), "player")
        for group in force.groups:
            if group.title:
                yield element("h4", group.title)
            yield from bulleted(group.lines)
        yield "</article>"
    yield "</div>"


def _board(scene: Scene, prefix: str, lang: str) -> Iterator[str]:
    yield f"<figure>{draw_svg(scene, prefix=prefix, lang=lang)}</figure>"


def _story(report: Contents) -> Iterator[str]:
    for chapter in report.chapters:
        yield element("h3", chapter.title)
        yield from (element("p", paragraph) for paragraph in chapter.paragraphs)


def _turning_points(report: Contents) -> Iterator[str]:
    if not report.turning_points:
        yield element("p", heading("no-swing", {}, report.lang))
        return
    yield '<ol class="points">'
    for point in report.turning_points:
        yield f"<li>{element('h3', point.title)}{element('p', point.text)}{element('p', point.stood, 'stood')}</li>"
    yield "</ol>"


def _charts(report: Contents) -> Iterator[str]:
    axis = heading("turn-axis", {}, report.lang)
    for at, chart in enumerate(report.charts):
        yield f"<figure>{chart_svg(chart, f'chart-{at}', axis)}"
        yield f"{element('figcaption', chart.words)}</figure>"


def _honours(armies: Iterable[Honours], lang: str) -> Iterator[str]:
    yield '<div class="beside">'
    for army in armies:
        yield f'<article class="side-{army.side}">'
        yield element("h3", army.name)
        if not army.given:
            yield element("p", heading("no-honour", {}, lang), "left")
        else:
            yield '<ul class="deeds">'
            for one in army.given:
                told = element("h4", one.title) + element("p", one.text) + element("p", one.events, "stood")
                yield f"<li>{told}</li>"
            yield "</ul>"
        yield "</article>"
    yield "</div>"


def _losses(losses: Iterable[Losses], lang: str) -> Iterator[str]:
    yield '<div class="beside">'
    for lost in losses:
        yield f'<article class="side-{lost.side}">'
        yield element("h3", lost.name)
        yield from bulleted(lost.lines or (heading("nobody", {}, lang),))
        yield element("p", lost.left, "left")
        yield "</article>"
    yield "</div>"
