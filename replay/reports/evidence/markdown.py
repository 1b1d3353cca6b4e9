"""A page of evidence as Markdown, for forums and trackers; boards are of text."""

import re
from collections.abc import Iterator

from replay.drawing.text import draw_text
from replay.drawing.text.signs import plain as printable
from replay.reports.evidence.page import Block, Code, EvidenceBoard, EvidencePage, ItemsBlock, WordsBlock

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~!])")
FENCE = "```"


def as_markdown(page: EvidencePage) -> str:
    """The page; nothing that a player has written is taken for a mark or a tag."""
    lines = [f"# {_escaped(page.title)}", ""]
    for part in page.parts:
        lines += [f"## {_escaped(part.title)}", ""]
        for block in part.blocks:
            lines += [*_block(block, page.lang), ""]
    return "".join(f"{line}\n" for line in lines[:-1])


def _block(block: Block, lang: str) -> Iterator[str]:
    match block:
        case WordsBlock():
            said = _escaped(block.said)
            yield f"**{said}**" if block.is_strong else said
        case ItemsBlock():
            yield from (f"- {_escaped(item)}" for item in block.said)
        case Code():
            yield from _fenced(block.lines)
        case EvidenceBoard():
            yield _escaped(block.title)
            yield ""
            yield from _fenced(draw_text(block.scene, lang=lang).splitlines())


def _fenced(lines: tuple[str, ...] | list[str]) -> Iterator[str]:
    """Lines between fences; none of them can close the fence."""
    yield FENCE
    yield from (printable(line).replace(FENCE, "'''") for line in lines)
    yield FENCE


def _escaped(said: str) -> str:
    return _MARKS.sub(r"\\\1", printable(said))
