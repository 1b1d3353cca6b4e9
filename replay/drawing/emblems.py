"""Draw emblems: a golden badge on another token, or a medallion of its own.

There is little room on them: of the marks, only what harms is shown.
"""

from collections.abc import Iterator

from domain.contract.scene import Token
from replay.drawing.bases import STRIP, Plate
from replay.drawing.figure import figure
from replay.drawing.marks import draw_mark, mark_width
from replay.drawing.palette import GOLD, INK, Dress
from replay.drawing.pen import Spot, fitting, rounded_rectangle, squeezed, tag, text
from replay.drawing.symbols import symbol

BADGE_HIGH = 17.0
BADGE_LIMIT = 24.0
"""A base less deep than this is drawn as a badge."""


def draw_badge(token: Token, at: Spot, dress: Dress, prefix: str) -> str:
    """An emblem that goes with a unit or stands beside others: its symbol and its name."""
    width = badge_width(token)
    radius = BADGE_HIGH / 2 if dress.rounded else 2.0
    left = -width / 2
    outline = rounded_rectangle(left, -BADGE_HIGH / 2, width, BADGE_HIGH, [radius] * 4)
    parts = [
        tag("path", d=outline, fill=GOLD, stroke=INK, stroke_width=2),
        symbol(token.symbol, left + 9, 0, 14, INK, GOLD),
        text(token.label, left + 17, 0, 13, INK, font_weight="bold", text_anchor="start"),
        *_harms(token, left + 18 + 10 * len(token.label)),
    ]
    return figure(token, at, parts, prefix, f"{token.kind} {token.side}")


def badge_width(token: Token) -> float:
    """The width of a badge."""
    return 21 + 10 * len(token.label) + sum(mark_width(mark) for mark in token.marks if mark.harm)


def draw_medallion(token: Token, at: Spot, scale: float, dress: Dress, prefix: str) -> str:
    """An emblem by itself: a disc, or a square with rounded corners."""
    radius = min(token.size) * scale / 2
    corner = radius if dress.rounded else radius * 0.3
    outline = rounded_rectangle(-radius, -radius, 2 * radius, 2 * radius, [corner] * 4)
    size = fitting(token.label, radius * 1.5, radius * 0.75)
    parts = [
        tag("path", d=outline, fill=dress.shadow, opacity=0.3, transform="translate(2 3)") if dress.shadow else "",
        tag("path", d=outline, fill=GOLD, stroke=INK, stroke_width=2),
        tag(
            "path",
            d=rounded_rectangle(4 - radius, 4 - radius, 2 * radius - 8, 2 * radius - 8, [max(corner - 4, 0)] * 4),
            fill="none",
            stroke=dress.strong,
            stroke_width=4,
            stroke_dasharray="9 3" if dress.hatch else None,
        ),
        symbol(token.symbol, 0, -radius * 0.3, radius * 0.95, INK, GOLD),
        squeezed(token.label, 0, radius * 0.45, size, radius * 1.5, INK),
        *_harms(token, radius * 0.3),
    ]
    return figure(token, at, parts, prefix, f"{token.kind} {token.side}")


def _harms(token: Token, left: float) -> Iterator[str]:
    for mark in token.marks:
        if mark.harm:
            yield draw_mark(mark, left, 0)


def badge_spot(plate: Plate, at: Spot, width: float, place: int, *, below: bool = False) -> Spot:
    """Where a badge sits on the base of its unit: its upper right corner, or the lower one, `below`, where another unit
    stands above; on a tall base above its name; a second one beside it, or above it on a tall base."""
    if plate.tall:
        return at[0], at[1] + plate.height / 2 - STRIP - BADGE_HIGH / 2 - 3 - place * BADGE_HIGH
    edge = plate.height / 2 + 4
    return at[0] + plate.width / 2 + 5 - width / 2 - place * (width + 2), at[1] + (edge if below else -edge)
