"""The report of a campaign as Markdown."""

from collections.abc import Iterator

from replay.drawing.atlas.text import map_text
from replay.reports.account.markdown import plain_text, table_row
from replay.reports.campaign.contents import CampaignContents
from replay.reports.campaign.parts import ReportBoard, ReportTable, Roll, ToldLine


def document(report: CampaignContents) -> str:
    """The whole report."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: CampaignContents) -> Iterator[str]:
    heads = report.headings
    yield f"# {plain_text(report.title)}"
    yield f"\n*{plain_text(report.subtitle)}*"
    yield f"\n**{plain_text(report.result)}**"
    yield f"\n## {heads['entrants']}\n"
    yield from (f"- {plain_text(line)}" for line in report.entrants)
    yield f"\n## {heads['story']}"
    for chapter in report.chapters:
        yield f"\n### {plain_text(chapter.title)}"
        yield from (f"\n*{plain_text(line)}*" for line in (chapter.when,) if line)
        yield from (f"\n{plain_text(paragraph)}" for paragraph in chapter.paragraphs)
        for board in chapter.boards:
            yield from _board(board, heads["board"])
        yield from _bulleted(chapter.notes)
        yield from (f"\n{plain_text(line)}" for line in chapter.ends)
        if chapter.map is not None:
            drawn = map_text(chapter.map, lang=report.lang).rstrip("\n").replace("```", "'''")
            yield f"\n```text\n{drawn}\n```"
    for table in report.tables:
        yield from _table(table)
    for roll in report.rolls:
        yield from _roll(roll)
    if report.figures:
        yield f"\n## {heads['figures']}"
        yield from _bulleted(report.figures)
    yield f"\n## {heads['proof']}"
    yield from _bulleted(line.strip() for line in report.proof)
    yield f"\n{plain_text(heads['made'])}"


def _board(board: ReportBoard, name: str) -> Iterator[str]:
    place = f"{name} {plain_text(board.place)} · " if board.place else ""
    title = plain_text(board.title)
    yield f"\n#### {place}{f'[{title}]({board.link})' if board.link else title}"
    yield from (f"\n*{plain_text(line)}*" for line in (board.under,) if line)
    yield f"\n**{plain_text(board.result)}**"
    yield from (f"\n{plain_text(line)}" for line in (board.story,) if line)
    yield from _told(board.left)


def _told(lines: tuple[ToldLine, ...]) -> Iterator[str]:
    if lines:
        yield ""
    for line in lines:
        text = plain_text(line.text)
        yield f"- {f'[{text}]({line.link})' if line.link else text}"


def _bulleted(lines: Iterator[str] | tuple[str, ...]) -> Iterator[str]:
    found = [f"- {plain_text(line)}" for line in lines]
    yield from ("", *found) if found else ()


def _table(table: ReportTable) -> Iterator[str]:
    yield f"\n## {plain_text(table.title)}\n"
    yield table_row(table.heads)
    yield table_row(tuple("---" if at == table.name else "---:" for at in range(len(table.heads))), escape=False)
    yield from (table_row(row) for row in table.rows)
    yield from (f"\n{plain_text(line)}" for line in (table.note,) if line)


def _roll(roll: Roll) -> Iterator[str]:
    yield f"\n## {plain_text(roll.title)}"
    for name, lines in roll.groups:
        yield f"\n### {plain_text(name)}"
        yield from _told(lines)
