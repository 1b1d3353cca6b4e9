"""A page of evidence as plain text of 78 columns, for terminals and letters.

Lines of code stand by themselves, unbroken, so that a command can be copied.
"""

from collections.abc import Iterator
from textwrap import wrap

from replay.drawing.text import draw_text
from replay.drawing.text.signs import WIDTH
from replay.drawing.text.signs import plain as printable
from replay.reports.evidence.page import Block, Code, EvidenceBoard, EvidencePage, ItemsBlock, WordsBlock


def as_text(page: EvidencePage) -> str:
    """The page; it ends in a line feed."""
    title = printable(page.title)
    lines = [title, "=" * min(len(title), WIDTH), ""]
    for part in page.parts:
        title = printable(part.title)
        lines += [title, "-" * len(title)]
        for block in part.blocks:
            lines += [*_block(block, page.lang), ""]
    return "".join(f"{line}\n" for line in lines[:-1])


def _block(block: Block, lang: str) -> Iterator[str]:
    match block:
        case WordsBlock():
            yield from _wrapped(block.said, "!! " if block.is_strong else "")
        case ItemsBlock():
            for item in block.said:
                yield from _wrapped(item, "- ")
        case Code():
            yield from (f"    {printable(line)}" for line in block.lines)
        case EvidenceBoard():
            yield from _wrapped(block.title, "")
            yield ""
            yield from (f"  {line}".rstrip() for line in draw_text(block.scene, lang=lang).splitlines())


def _wrapped(said: str, sign: str) -> list[str]:
    """A sentence in lines; what is longer than a line, such as a hash, is not broken."""
    return wrap(
        printable(said),
        WIDTH,
        initial_indent=sign,
        subsequent_indent=" " * len(sign),
        break_long_words=False,
        break_on_hyphens=False,
    )
