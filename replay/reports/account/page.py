"""The report of a battle as one HTML page: it holds its own style and pictures, runs no script and fetches nothing.

On the screen it follows the reader's choice of light or dark; printed, it fills pages of A4 without tearing a board, a
chart or a table apart.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from domain.contract.scene import Scene
from replay.drawing.pen import escaped
from replay.drawing.svg import draw_svg
from replay.reports.account.charts import chart_svg
from replay.reports.account.contents import Contents, FieldedForce, Honours, Losses
from replay.reports.account.voice import heading


@cache
def style() -> str:
    """The style sheet of the page."""
    return files("replay.reports.account").joinpath("page.css").read_text(encoding="utf-8")


def document(report: Contents) -> str:
    """The whole page."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Contents) -> Iterator[str]:
    heads, lang = report.headings, report.lang
    yield "<!DOCTYPE html>"
    yield f'<html lang="{lang}">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f"<title>{escaped(report.title)}</title>"
    yield f"<style>{style()}</style>"
    yield "</head>"
    yield "<body>"
    yield "<header>"
    yield _element("p", report.subtitle, "kicker")
    yield _element("h1", report.title)
    yield _element("p", report.result, "result")
    yield "</header>"
    yield "<main>"
    yield from _section("forces", heads, _forces(report.forces, lang))
    yield from _section("opening", heads, _board(report.opening, "opening", lang))
    yield from _section("story", heads, _story(report))
    yield from _section("turning", heads, _turning_points(report))
    yield from _section("charts", heads, _charts(report))
    yield from _section("honours", heads, _honours(report.honours, lang))
    yield from _section("losses", heads, _losses(report.losses, lang))
    yield from _section("final", heads, _board(report.final, "final", lang))
    yield from _section("proof", heads, _list(line.strip() for line in report.proof))
    yield "</main>"
    yield f"<footer>{_element('p', heading('made', {}, lang))}</footer>"
    yield "</body>"
    yield "</html>"


def _section(name: str, heads: Mapping[str, str], lines: Iterable[str]) -> Iterator[str]:
    yield f'<section id="{name}" aria-labelledby="{name}-heading">'
    yield f'<h2 id="{name}-heading">{escaped(heads[name])}</h2>'
    yield from lines
    yield "</section>"


def _element(name: str, text: str, kind: str = "") -> str:
    start = f'{name} class="{kind}"' if kind else name
    return f"<{start}>{escaped(text)}</{name}>"


def _list(lines: Iterable[str]) -> Iterator[str]:
    yield "<ul>"
    yield from (_element("li", line) for line in lines)
    yield "</ul>"


def _forces(forces: Iterable[FieldedForce], lang: str) -> Iterator[str]:
    yield '<div class="beside">'
    for force in forces:
        yield f'<article class="side-{force.side}">'
        yield _element("h3", force.name)
        if force.player:
            yield _element("p", heading("player", {"player": force.player}, lang), "player")
        for group in force.groups:
            if group.title:
                yield _element("h4", group.title)
            yield from _list(group.lines)
        yield "</article>"
    yield "</div>"


def _board(scene: Scene, prefix: str, lang: str) -> Iterator[str]:
    yield f"<figure>{draw_svg(scene, prefix=prefix, lang=lang)}</figure>"


def _story(report: Contents) -> Iterator[str]:
    for chapter in report.chapters:
        yield _element("h3", chapter.title)
        yield from (_element("p", paragraph) for paragraph in chapter.paragraphs)


def _turning_points(report: Contents) -> Iterator[str]:
    if not report.turning_points:
        yield _element("p", heading("no-swing", {}, report.lang))
        return
    yield '<ol class="points">'
    for point in report.turning_points:
        yield f"<li>{_element('h3', point.title)}{_element('p', point.text)}{_element('p', point.stood, 'stood')}</li>"
    yield "</ol>"


def _charts(report: Contents) -> Iterator[str]:
    axis = heading("turn-axis", {}, report.lang)
    for at, chart in enumerate(report.charts):
        yield f"<figure>{chart_svg(chart, f'chart-{at}', axis)}"
        yield f"{_element('figcaption', chart.words)}</figure>"


def _honours(armies: Iterable[Honours], lang: str) -> Iterator[str]:
    yield '<div class="beside">'
    for army in armies:
        yield f'<article class="side-{army.side}">'
        yield _element("h3", army.name)
        if not army.given:
            yield _element("p", heading("no-honour", {}, lang), "left")
        else:
            yield '<ul class="deeds">'
            for one in army.given:
                told = _element("h4", one.title) + _element("p", one.text) + _element("p", one.events, "stood")
                yield f"<li>{told}</li>"
            yield "</ul>"
        yield "</article>"
    yield "</div>"


def _losses(losses: Iterable[Losses], lang: str) -> Iterator[str]:
    yield '<div class="beside">'
    for lost in losses:
        yield f'<article class="side-{lost.side}">'
        yield _element("h3", lost.name)
        yield from _list(lost.lines or (heading("nobody", {}, lang),))
        yield _element("p", lost.left, "left")
        yield "</article>"
    yield "</div>"
