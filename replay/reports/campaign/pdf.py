"""The report of a campaign as a PDF."""

from collections.abc import Iterator
from typing import Any

from replay.drawing.atlas.svg import draw_map
from replay.drawing.pdf import A4, flowed
from replay.reports.campaign.contents import CampaignContents
from replay.reports.campaign.parts import ReportBoard, ReportTable, Roll
from replay.reports.typeset import (
    ACCENT,
    BOLD,
    FAINT,
    MARGIN,
    SERIF,
    page_number,
    paragraph,
    paragraphs,
    picture,
    register,
)

SMALL, ROOM = 8.5, 5.0
WIDE = 10
"""Columns from which on a table is set smaller."""


def document(report: CampaignContents) -> bytes:
    """The whole document.

    Raises:  ModuleNotFoundError without the extra; check `replay.drawing.pdf.can_write` first
    """
    register()
    return flowed(list(_flow(report)), report.title, report.lang, MARGIN, page_number)


def _flow(report: CampaignContents) -> Iterator[Any]:
    from reportlab.platypus import KeepTogether, PageBreak, Spacer

    heads = report.headings
    yield Spacer(1, A4[1] / 5)
    yield paragraph(report.subtitle, "kicker")
    yield paragraph(report.title, "title")
    yield paragraph(report.result, "result")
    yield paragraph(heads["entrants"], "section")
    yield from paragraphs(report.entrants, "kicker")
    yield PageBreak()
    yield paragraph(heads["story"], "section")
    for chapter in report.chapters:
        first, *more = (*chapter.paragraphs, "")
        when = [paragraph(chapter.when, "kicker")] if chapter.when else []
        yield KeepTogether([paragraph(chapter.title, "section"), *when, *([paragraph(first, "text")] if first else [])])
        yield from paragraphs((line for line in more if line), "text")
        for board in chapter.boards:
            yield from _board(board, heads["board"])
        yield from paragraphs(chapter.notes, "line")
        yield from paragraphs(chapter.ends, "ends")
        if chapter.map is not None:
            yield picture(draw_map(chapter.map, which="wide", lang=report.lang), A4[0] - 2 * MARGIN - 12)
    for table in report.tables:
        yield from _table(table)
    for roll in report.rolls:
        yield from _roll(roll)
    if report.figures:
        yield paragraph(heads["figures"], "section")
        yield from paragraphs(report.figures, "line")
    yield paragraph(heads["proof"], "section")
    yield from paragraphs((line.strip() for line in report.proof), "line")
    yield paragraph(heads["made"], "small")


def _board(board: ReportBoard, name: str) -> Iterator[Any]:
    from reportlab.platypus import KeepTogether

    place = f"{name} {board.place} · " if board.place else ""
    head = [paragraph(f"{place}{board.title}", "chapter", board.link)]
    head += [paragraph(line, "small") for line in (board.under,) if line]
    head.append(paragraph(board.result, "group"))
    story = [paragraph(board.story, "text")] if board.story else []
    yield KeepTogether([*head, *story])
    for line in board.left:
        yield paragraph(f"✦ {line.text}", "line", line.link)


def _table(table: ReportTable) -> Iterator[Any]:
    from reportlab.platypus import Table, TableStyle

    yield paragraph(table.title, "section")
    size = SMALL if len(table.heads) < WIDE else SMALL - 1.5
    style = [
        ("FONT", (0, 0), (-1, -1), SERIF, size),
        ("FONT", (0, 1), (-1, 1), BOLD, size),
        ("TEXTCOLOR", (0, 0), (-1, 0), FAINT),
        ("ALIGN", (0, 0), (-1, -1), "RIGHT"),
        ("ALIGN", (table.name, 0), (table.name, -1), "LEFT"),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, ACCENT),
        ("LINEBELOW", (0, 1), (-1, -1), 0.25, FAINT),
        ("LEFTPADDING", (0, 0), (-1, -1), ROOM),
        ("RIGHTPADDING", (0, 0), (-1, -1), ROOM),
    ]
    yield Table([table.heads, *table.rows], style=TableStyle(style), repeatRows=1, hAlign="CENTER")
    yield from (paragraph(line, "note") for line in (table.note,) if line)


def _roll(roll: Roll) -> Iterator[Any]:
    yield paragraph(roll.title, "section")
    for name, lines in roll.groups:
        yield paragraph(name, "chapter")
        for line in lines:
            yield paragraph(f"✦ {line.text}", "line", line.link)
