"""The report of a battle as Markdown: it reads well as it is, and needs no picture."""

import re
from collections.abc import Iterator

from domain.contract.scene import Scene
from replay.drawing.text import draw_text
from replay.reports.account.charts import table
from replay.reports.account.contents import Contents
from replay.reports.account.voice import heading
from replay.telling.words.sentences import fragment

MARKS = re.compile(r"([\\`*_\[\]<>#|~])")
"""What Markdown reads as more than a letter."""


def document(report: Contents) -> str:
    """The whole report."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Contents) -> Iterator[str]:
    heads, lang = report.headings, report.lang
    yield f"# {plain_text(report.title)}"
    yield f"\n*{plain_text(report.subtitle)}*"
    yield f"\n**{plain_text(report.result)}**"
    yield f"\n## {heads['forces']}"
    yield from _forces(report)
    yield f"\n## {heads['opening']}\n"
    yield from _board(report.opening, lang)
    yield f"\n## {heads['story']}"
    for chapter in report.chapters:
        yield f"\n### {plain_text(chapter.title)}"
        yield from (f"\n{plain_text(paragraph)}" for paragraph in chapter.paragraphs)
    yield f"\n## {heads['turning']}\n"
    if not report.turning_points:
        yield heading("no-swing", {}, lang)
    for at, point in enumerate(report.turning_points, start=1):
        yield f"{at}. **{plain_text(point.title)}.** {plain_text(point.text)} {plain_text(point.stood)}"
    yield f"\n## {heads['charts']}"
    yield from _charts(report)
    yield f"\n## {heads['honours']}"
    yield from _honours(report)
    yield f"\n## {heads['losses']}"
    for lost in report.losses:
        yield f"\n### {plain_text(lost.name)}\n"
        yield from (f"- {plain_text(line)}" for line in lost.lines or (heading("nobody", {}, lang),))
        yield f"\n{plain_text(lost.left)}"
    yield f"\n## {heads['final']}\n"
    yield from _board(report.final, lang)
    yield f"\n## {heads['proof']}\n"
    yield from (f"- {plain_text(line.strip())}" for line in report.proof)
    yield f"\n{plain_text(heading('made', {}, lang))}"


def _forces(report: Contents) -> Iterator[str]:
    for force in report.forces:
        player = fragment("report.player", {"player": force.player}, report.lang) if force.player else ""
        yield f"\n### {plain_text(force.name)}{player and f' ({plain_text(player)})'}\n"
        for group in force.groups:
            indent = "  " if group.title else ""
            if group.title:
                yield f"- {plain_text(group.title)}"
            yield from (f"{indent}- {plain_text(line)}" for line in group.lines)


def _charts(report: Contents) -> Iterator[str]:
    for chart in report.charts:
        yield f"\n### {plain_text(chart.title)}\n"
        header, *rows = table(chart)
        yield table_row((heading("turn-axis", {}, report.lang), *header[1:]))
        yield table_row(("---:",) * len(header), escape=False)
        yield from (table_row(row) for row in rows)


def _honours(report: Contents) -> Iterator[str]:
    for army in report.honours:
        yield f"\n### {plain_text(army.name)}\n"
        for one in army.given:
            yield f"- **{plain_text(one.title)}.** {plain_text(one.text)} ({plain_text(one.events)})"
        if not army.given:
            yield heading("no-honour", {}, report.lang)


def _board(scene: Scene, lang: str) -> Iterator[str]:
    yield "```text"
    yield draw_text(scene, unicode=True, lang=lang).rstrip("\n").replace("```", "'''")
    yield "```"


def table_row(cells: tuple[str, ...], escape: bool = True) -> str:
    return f"| {' | '.join(plain_text(cell) if escape else cell for cell in cells)} |"


def plain_text(text: str) -> str:
    """A text in which nothing is Markdown: a name may hold anything."""
    return MARKS.sub(r"\\\1", " ".join(text.split()))
