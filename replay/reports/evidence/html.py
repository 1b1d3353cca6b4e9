"""A page of evidence as HTML: a document of its own, or the part of one, without script and without an address.

The boards are pictures (SVG). The part has class names and no style, so that the page that holds it dresses it.
"""

from collections.abc import Iterator

from replay.drawing.pen import escaped
from replay.drawing.svg import draw_svg
from replay.drawing.text.signs import plain as printable
from replay.reports.evidence.page import Block, Code, EvidenceBoard, EvidencePage, ItemsBlock, WordsBlock

BOARD_WIDTH = 640
STYLE = """
body { color: #2b2118; background: #fffdf7; margin: 0 auto; padding: 1rem; max-width: 46rem;
  font: 1rem/1.45 Georgia, "DejaVu Serif", serif; }
h1 { font-size: 1.6rem; line-height: 1.2; }
h2 { font-size: 1.15rem; border-bottom: 1px solid #c9b990; margin: 2rem 0 0.6rem; break-after: avoid; }
pre { background: #f3ecd9; padding: 0.5rem 0.7rem; overflow-x: auto; font-size: 0.8rem; line-height: 1.35; }
figure { margin: 0.8rem 0; break-inside: avoid; }
figure svg { width: 100%; height: auto; }
.strong { font-weight: bold; color: #8a1c1c; }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } pre { white-space: pre-wrap; } }
"""


def as_html(page: EvidencePage) -> str:
    """The page as a file that needs nothing else."""
    return "\n".join(
        (
            "<!DOCTYPE html>",
            f'<html lang="{page.lang}">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_text(page.title)}</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            "<main>",
            f"<h1>{_text(page.title)}</h1>",
            as_fragment(page),
            "</main>",
            "</body>",
            "</html>",
            "",
        )
    )


def as_fragment(page: EvidencePage, level: int = 2) -> str:
    """The parts of the page, their headings of a level; without its title."""
    return "\n".join(line for part in page.parts for line in _part(part.title, part.blocks, page.lang, level))


def _part(title: str, blocks: tuple[Block, ...], lang: str, level: int) -> Iterator[str]:
    yield '<section class="evidence">'
    yield f"<h{level}>{_text(title)}</h{level}>"
    for block in blocks:
        yield from _block(block, lang)
    yield "</section>"


def _block(block: Block, lang: str) -> Iterator[str]:
    match block:
        case WordsBlock():
            yield f'<p class="strong">{_text(block.said)}</p>' if block.is_strong else f"<p>{_text(block.said)}</p>"
        case ItemsBlock():
            yield f"<ul>{''.join(f'<li>{_text(item)}</li>' for item in block.said)}</ul>"
        case Code():
            yield f"<pre>{escaped(chr(10).join(map(printable, block.lines)))}</pre>"
        case EvidenceBoard():
            drawn = draw_svg(block.scene, prefix=f"evidence-{block.key}", width=BOARD_WIDTH, lang=lang)
            yield f"<figure><figcaption>{_text(block.title)}</figcaption>{drawn}</figure>"


def _text(words: str) -> str:
    return escaped(printable(words))
