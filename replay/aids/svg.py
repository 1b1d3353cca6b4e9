"""Write a page of a play aid as SVG.

One file per page, in the size of its paper. Each run of words states its width, so that it
stays within its cell in whatever font the reader has.
"""

from collections.abc import Iterator

from replay.aids.layout import SheetPage
from replay.aids.measure import Face, runs, width
from replay.aids.pieces import DASH, INK, Box, Mark, Outline, SheetWords
from replay.drawing.pen import escaped

FAMILIES: dict[Face, str] = {
    "regular": "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif",
    "bold": "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif",
    "title": "Times, 'Times New Roman', 'Liberation Serif', 'DejaVu Serif', serif",
    "symbol": "'DejaVu Sans', 'Segoe UI Symbol', 'Apple Symbols', 'Noto Sans Symbols 2', Symbol, sans-serif",
}
POINT_MM = 25.4 / 72


def page_svg(page: SheetPage) -> str:
    """A page as a self-contained picture."""
    wide, high = _number(page.width), _number(page.height)
    return "\n".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{page.width * POINT_MM:.0f}mm"'
            f' height="{page.height * POINT_MM:.0f}mm" viewBox="0 0 {wide} {high}" xml:lang="{page.lang}"'
            f' font-family="{FAMILIES["regular"]}" fill="{INK}"'
            ' xml:space="preserve" role="img" aria-labelledby="title">',
            f'<title id="title">{escaped(page.title)}</title>',
            f'<rect width="{wide}" height="{high}" fill="#ffffff"/>',
            *(line for mark in page.marks for line in elements(mark)),
            "</svg>",
            "",
        )
    )


def picture(page: SheetPage) -> Iterator[str]:
    """A page as a picture within a document, which says its size and names it."""
    yield (
        f'<svg viewBox="0 0 {_number(page.width)} {_number(page.height)}" font-family="{FAMILIES["regular"]}"'
        f' fill="{INK}" xml:space="preserve">'
    )
    yield from (line for mark in page.marks for line in elements(mark))
    yield "</svg>"


def elements(mark: Mark) -> Iterator[str]:
    """A mark as elements of a picture."""
    if isinstance(mark, Box):
        yield (
            f'<rect x="{_number(mark.x)}" y="{_number(mark.y)}" width="{_number(mark.width)}"'
            f' height="{_number(mark.height)}" fill="{mark.colour}"/>'
        )
        return
    if isinstance(mark, Outline):
        yield _outline(mark)
        return
    x = mark.x
    for face, words in runs(mark.text, mark.face):
        wide = width(words, mark.size, face)
        yield f"<text{_place(x, mark.y, wide, words)}{_dressed(face, mark)}>{escaped(words)}</text>"
        x += wide


def _outline(mark: Outline) -> str:
    points = " ".join(f"{_number(mark.x + right)},{_number(mark.y + down)}" for right, down in mark.points)
    if not mark.pen:
        return f'<polygon points="{points}" fill="{mark.colour}"/>'
    dashes = f' stroke-dasharray="{DASH} {DASH}"' if mark.dashed else ""
    return (
        f'<polyline points="{points}" fill="none" stroke="{mark.colour}" stroke-width="{_number(mark.pen)}"{dashes}/>'
    )


def _place(x: float, y: float, wide: float, words: str) -> str:
    """The position and width of words; a single letter gets no width, which would only stretch it."""
    length = f' textLength="{_number(wide)}" lengthAdjust="spacingAndGlyphs"' if len(words) > 1 else ""
    return f' x="{_number(x)}" y="{_number(y)}"{length}'


def _dressed(face: Face, mark: SheetWords) -> str:
    """Size, face and colour where they differ from the picture's."""
    family = f' font-family="{FAMILIES[face]}"' if FAMILIES[face] != FAMILIES["regular"] else ""
    weight = ' font-weight="bold"' if face in ("bold", "title") else ""
    colour = f' fill="{mark.colour}"' if mark.colour != INK else ""
    return f'{family} font-size="{_number(mark.size)}"{weight}{colour}'


def _number(value: float) -> str:
    """Points with at most two decimals, in the shortest form."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
