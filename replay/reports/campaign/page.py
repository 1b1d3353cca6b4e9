"""The report of a campaign as one HTML page, to be read on a screen or printed and bound."""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from replay.drawing.atlas.svg import draw_map
from replay.drawing.pen import escaped
from replay.reports.account.page import style as battle_style
from replay.reports.campaign.contents import CampaignContents
from replay.reports.campaign.parts import ReportBoard, ReportChapter, ReportTable, Roll, ToldLine
from replay.reports.html import HtmlHead, bulleted, element, framed, section


@cache
def style() -> str:
    """The style sheet of the page: that of a battle's report, and what is only here."""
    return battle_style() + files("replay.reports.campaign").joinpath("page.css").read_text(encoding="utf-8")


def document(report: CampaignContents) -> str:
    """The whole page."""
    head = HtmlHead(report.subtitle, report.title, report.result)
    return "\n".join(framed(report.lang, style(), head, _main(report), report.headings["made"])) + "\n"


def _main(report: CampaignContents) -> Iterator[str]:
    heads = report.headings
    yield from section("entrants", heads["entrants"], _people(report.entrants))
    yield from _plan(report)
    yield from section("story", heads["story"], _story(report))
    for at, table in enumerate(report.tables):
        yield from section(f"table-{at}", table.title, _table(table))
    for at, roll in enumerate(report.rolls):
        yield from section(f"roll-{at}", roll.title, _roll(roll))
    if report.figures:
        yield from section("figures", heads["figures"], bulleted(report.figures))
    yield from section("proof", heads["proof"], bulleted(line.strip() for line in report.proof))


def _people(lines: Iterable[str]) -> Iterator[str]:
    yield '<ul class="who">'
    yield from (element("li", line) for line in lines)
    yield "</ul>"


def _plan(report: CampaignContents) -> Iterator[str]:
    """The table of contents."""
    name = "plan"
    yield f'<section id="{name}" class="plan" aria-labelledby="{name}-heading">'
    yield f'<h2 id="{name}-heading">{escaped(report.headings["contents"])}</h2>'
    yield "<ol>"
    for at, chapter in enumerate(report.chapters):
        yield f'<li><a href="#chapter-{at}">{escaped(chapter.title)}</a></li>'
    titles = {f"table-{at}": table.title for at, table in enumerate(report.tables)}
    titles |= {f"roll-{at}": roll.title for at, roll in enumerate(report.rolls)}
    for place, title in titles.items():
        yield f'<li><a href="#{place}">{escaped(title)}</a></li>'
    yield "</ol>"
    yield "</section>"


def _story(report: CampaignContents) -> Iterator[str]:
    for at, chapter in enumerate(report.chapters):
        yield f'<div class="chapter" id="chapter-{at}">'
        yield from _chapter(chapter, report.headings["board"], is_first=not at)
        if chapter.map is not None:
            yield f"<figure>{draw_map(chapter.map, prefix=f'map-{at}-', which='wide', lang=report.lang)}</figure>"
        yield "</div>"


def _chapter(chapter: ReportChapter, board: str, is_first: bool) -> Iterator[str]:
    yield element("h3", chapter.title)
    yield from (element("p", line, "when") for line in (chapter.when,) if line)
    for at, paragraph in enumerate(chapter.paragraphs):
        yield element("p", paragraph, "opens" if is_first and not at else "")
    for one in chapter.boards:
        yield from _board(one, board)
    if chapter.notes:
        yield '<div class="notes">'
        yield from bulleted(chapter.notes)
        yield "</div>"
    yield from (element("p", line, "ends") for line in chapter.ends)


def _board(board: ReportBoard, name: str) -> Iterator[str]:
    yield '<article class="battle">'
    place = f'<span class="place">{escaped(name)} {escaped(board.place)}</span> ' if board.place else ""
    yield f"<h4>{place}{_linked(ToldLine(board.title, board.link))}</h4>"
    yield from (element("p", line, "under") for line in (board.under,) if line)
    yield element("p", board.result, "came")
    yield from (element("p", line, "story") for line in (board.story,) if line)
    yield from _told(board.left, "left")
    yield "</article>"


def _told(lines: tuple[ToldLine, ...], kind: str) -> Iterator[str]:
    if lines:
        yield f'<ul class="{kind}">'
        yield from (f"<li>{_linked(line)}</li>" for line in lines)
        yield "</ul>"


def _linked(line: ToldLine) -> str:
    text = escaped(line.text)
    return f'<a href="{escaped(line.link)}">{text}</a>' if line.link else text


def _table(table: ReportTable) -> Iterator[str]:
    yield '<div class="rolls">'
    yield "<table>"
    yield f"<thead><tr>{''.join(_cell(head, at, table, 'col') for at, head in enumerate(table.heads))}</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        yield f"<tr>{''.join(_cell(cell, at, table, 'row') for at, cell in enumerate(row))}</tr>"
    yield "</tbody>"
    yield "</table>"
    yield "</div>"
    yield from (element("p", line, "note") for line in (table.note,) if line)


def _cell(text: str, at: int, table: ReportTable, scope: str) -> str:
    if scope == "col":
        kind = ' class="named"' if at == table.name else ""
        return f'<th scope="col"{kind}>{escaped(text)}</th>'
    return f'<th scope="row">{escaped(text)}</th>' if at == table.name else element("td", text)


def _roll(roll: Roll) -> Iterator[str]:
    yield '<div class="roll">'
    for name, lines in roll.groups:
        yield element("h3", name)
        yield from _told(lines, "lines")
    yield "</div>"
