"""Phalerae: the discs of bronze and silver that a unit has won, as a row, and on the card of its service record."""

from math import cos, pi, sin
from textwrap import wrap

from msgspec import Struct

from replay.drawing.palette import INK, PAPER
from replay.drawing.pen import Spot, escaped, path, tag, text
from replay.drawing.raster import png_of
from replay.drawing.svg import NAMESPACE

RADIUS, GAP = 40.0, 18.0
METALS = (("#c9a24a", "#8a6a1f", "#f2dfa5"), ("#b5b8bd", "#6f747b", "#eceef0"), ("#b0714a", "#6f4224", "#e6bd9b"))
"""Ground, edge and light of gold, silver and bronze."""
RAYS = 16
WIDTH, HEIGHT = 1200, 630
SOFT, ACCENT = "#5d5446", "#8a2b12"
MOST_DISCS, MOST_LINES = 9, 4
SHORT, TITLE_LETTERS, WORDS_LETTERS = 26, 40, 62


class ServiceCard(Struct, frozen=True):
    """What the card of a service record shows: the campaign, the name, a line about it, its honours, its battles."""

    kicker: str
    title: str
    words: str
    honours: tuple[str, ...]
    lines: tuple[str, ...]


def phalera(x: float, y: float, honour: str, at: int, radius: float = RADIUS) -> str:
    """A disc with the rays of a star and the first letter of what it is for; metals follow each other."""
    ground, edge, light = METALS[at % len(METALS)]
    star = path(_star(x, y, radius * 0.78, radius * 0.6), close=True)
    return "".join(
        (
            tag("circle", cx=x, cy=y, r=radius, fill=edge),
            tag("circle", cx=x, cy=y, r=radius * 0.93, fill=ground),
            tag("path", d=star, fill=light),
            tag("circle", cx=x, cy=y, r=radius * 0.5, fill=ground, stroke=edge, stroke_width=radius * 0.05),
            text(honour[:1].upper(), x, y, radius * 0.6, INK, text_anchor="middle", font_weight="bold"),
        )
    )


def _star(x: float, y: float, outer: float, inner: float) -> list[Spot]:
    radii = (outer, inner)
    return [
        (x + radii[at % 2] * sin(pi * at / RAYS), y - radii[at % 2] * cos(pi * at / RAYS)) for at in range(2 * RAYS)
    ]


def phalerae_svg(honours: tuple[str, ...], words: str) -> str:
    """A row of discs as an SVG document; `words` say what it shows."""
    step, side = 2 * RADIUS + GAP, 2 * RADIUS
    discs = [phalera(RADIUS + step * at, RADIUS, honour, at) for at, honour in enumerate(honours)]
    width = step * max(len(honours), 1) - GAP
    return tag(
        "svg",
        tag("title", escaped(words)),
        *discs,
        xmlns=NAMESPACE,
        view_box=f"0 0 {width:g} {side:g}",
        width=width,
        height=side,
        role="img",
        class_="phalerae",
    )


def service_card(card: ServiceCard) -> bytes:
    """The card as PNG, 1200 × 630 pixels."""
    parts = [
        tag("rect", width=WIDTH, height=HEIGHT, fill=PAPER),
        tag("rect", x=24, y=24, width=WIDTH - 48, height=HEIGHT - 48, fill="none", stroke=ACCENT, stroke_width=3),
        tag("rect", x=32, y=32, width=WIDTH - 64, height=HEIGHT - 64, fill="none", stroke=ACCENT, stroke_width=1),
        _centred(card.kicker, 92, 26, SOFT),
    ]
    y = 160.0
    size = 54 if len(card.title) <= SHORT else 42
    for line in wrap(card.title, TITLE_LETTERS, max_lines=2, placeholder=" …"):
        parts.append(_centred(line, y, size, INK, bold=True))
        y += 66
    parts.append(_centred(card.words, y + 2, 28, ACCENT))
    y += 96
    shown = card.honours[:MOST_DISCS]
    step = 2 * RADIUS + GAP
    left = (WIDTH - step * len(shown) + GAP) / 2 + RADIUS
    parts += [phalera(left + step * at, y, honour, at) for at, honour in enumerate(shown)]
    y += 88 if shown else -24
    named = ", ".join(dict.fromkeys(shown))
    for words in [*([named] if shown else []), *card.lines][:MOST_LINES]:
        (line, *_) = wrap(words, WORDS_LETTERS, max_lines=1, placeholder=" …") or [""]
        parts.append(_centred(line, y, 25, INK))
        y += 38
    parts.append(text("Phalera", WIDTH - 60, HEIGHT - 58, 22, SOFT, text_anchor="end"))
    svg = tag("svg", "\n".join(parts), xmlns=NAMESPACE, view_box=f"0 0 {WIDTH} {HEIGHT}", width=WIDTH, height=HEIGHT)
    return png_of(svg, WIDTH)


def _centred(words: str, y: float, size: float, fill: str, bold: bool = False) -> str:
    weight = "bold" if bold else None
    return text(words, WIDTH / 2, y, size, fill, text_anchor="middle", font_weight=weight)
