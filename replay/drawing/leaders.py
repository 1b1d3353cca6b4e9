"""Draw generals and camps."""

from collections.abc import Iterator

from domain.scene import Token
from replay.drawing.bases import Plate
from replay.drawing.marks import draw_mark, mark_width
from replay.drawing.palette import GOLD, INK, SHADOW, WHITE, Dress, letter_of
from replay.drawing.pen import Spot, fitting, group, id_of, number, rounded_rectangle, squeezed, tag, text
from replay.drawing.symbols import symbol

BADGE_HIGH = 17.0
BADGE_LIMIT = 24.0
"""A base less deep than this is drawn as a badge."""
TENTS = ((0, -23, 15), (-28, -17, 19), (28, -17, 19), (0, 36, 15), (-28, 44, 19), (28, 44, 19))
"""Middle of the foot and half width of each tent; those farther back first."""


def draw_badge(token: Token, at: Spot, dress: Dress, prefix: str) -> str:
    """A general who goes with a unit or stands beside others: a golden badge with a star."""
    width = badge_width(token)
    radius = BADGE_HIGH / 2 if dress.rounded else 2.0
    left = -width / 2
    outline = rounded_rectangle(left, -BADGE_HIGH / 2, width, BADGE_HIGH, [radius] * 4)
    parts = [
        tag("path", d=outline, fill=GOLD, stroke=INK, stroke_width=2),
        symbol("general", left + 9, 0, 14, INK, GOLD),
        text(token.label, left + 17, 0, 13, INK, font_weight="bold", text_anchor="start"),
        *_wounds(token, left + 18 + 10 * len(token.label)),
    ]
    return _general(token, at, parts, prefix)


def badge_width(token: Token) -> float:
    """The width of a general's badge."""
    wounds = sum(mark_width(mark) for mark in token.marks if mark.kind == "wound")
    return 21 + 10 * len(token.label) + wounds


def draw_general(token: Token, at: Spot, scale: float, dress: Dress, prefix: str) -> str:
    """A general on a base of his own: a disc, or a square with cut corners."""
    radius = min(token.size) * scale / 2
    corner = radius if dress.rounded else radius * 0.3
    outline = rounded_rectangle(-radius, -radius, 2 * radius, 2 * radius, [corner] * 4)
    size = fitting(token.label, radius * 1.5, radius * 0.75)
    parts = [
        tag("path", d=outline, fill=SHADOW, opacity=0.3, transform="translate(2 3)"),
        tag("path", d=outline, fill=GOLD, stroke=INK, stroke_width=2),
        tag(
            "path",
            d=rounded_rectangle(4 - radius, 4 - radius, 2 * radius - 8, 2 * radius - 8, [max(corner - 4, 0)] * 4),
            fill="none",
            stroke=dress.strong,
            stroke_width=4,
            stroke_dasharray="9 3" if dress.hatch else None,
        ),
        symbol("general", 0, -radius * 0.3, radius * 0.95, INK, GOLD),
        squeezed(token.label, 0, radius * 0.45, size, radius * 1.5, INK),
        *_wounds(token, radius * 0.3),
    ]
    return _general(token, at, parts, prefix)


def _wounds(token: Token, left: float) -> Iterator[str]:
    for mark in token.marks:
        if mark.kind == "wound":
            yield draw_mark(mark, left, 0)


def _general(token: Token, at: Spot, parts: list[str], prefix: str) -> str:
    return group(
        parts,
        title=token.title or token.id,
        id=id_of(prefix, "unit", token.id),
        class_=f"general {token.side}",
        data_unit=token.id,
        data_side=token.side,
        data_cell=token.cell or None,
        transform=f"translate({number(at[0])} {number(at[1])})",
    )


def badge_spot(plate: Plate, at: Spot, width: float, place: int) -> Spot:
    """Where the badge of a general sits on the base of his unit: its upper right corner; a second one
    beside it, or below it on a tall base."""
    if plate.tall:
        return at[0], at[1] + plate.height / 2 - 1 - place * BADGE_HIGH
    return at[0] + plate.width / 2 + 5 - width / 2 - place * (width + 2), at[1] - plate.height / 2 - 4


def draw_camp(token: Token, at: Spot, scale: float, dress: Dress, prefix: str) -> str:
    """Tents around the middle, so that they show beside a unit in the camp, and a flag."""
    fit = token.size[0] * scale / 96
    half = 46 * fit
    radius = 14 * fit if dress.rounded else 3 * fit
    outline = rounded_rectangle(-half, -half, 2 * half, 2 * half, [radius] * 4)
    ground = tag(
        "path",
        d=outline,
        fill=dress.pale,
        fill_opacity=0.75,
        stroke=dress.strong,
        stroke_width=3,
        stroke_dasharray="7 4",
    )
    tents = (_tent(x * fit, y * fit, size * fit, dress) for x, y, size in TENTS)
    return group(
        [ground, *tents, _flag(token, fit, dress)],
        title=token.title or token.id,
        id=id_of(prefix, "unit", token.id),
        class_=f"camp {token.side}",
        data_unit=token.id,
        data_side=token.side,
        data_cell=token.cell or None,
        transform=f"translate({number(at[0])} {number(at[1])})",
    )


def _tent(x: float, y: float, size: float, dress: Dress) -> str:
    """A tent with its opening; (x, y) is the middle of its foot."""
    wall = f"M{number(x - size)} {number(y)} l{number(size)} {number(-size)} l{number(size)} {number(size)} Z"
    left, half, high = number(x - size * 0.3), number(size * 0.3), number(size * 0.6)
    door = f"M{left} {number(y)} l{half} -{high} l{half} {high} Z"
    return tag("path", d=wall, fill=WHITE, stroke=INK, stroke_width=1.6, stroke_linejoin="round") + tag(
        "path", d=door, fill=dress.strong
    )


def _flag(token: Token, fit: float, dress: Dress) -> str:
    """The side's letter on a flag, in the middle of the camp."""
    pole = tag("path", d=f"M{number(-12 * fit)} {number(24 * fit)} v{number(-46 * fit)}", stroke=INK, stroke_width=2.4)
    cloth = tag(
        "path",
        d=rounded_rectangle(-11 * fit, -22 * fit, 30 * fit, 22 * fit, [0, *[6 * fit if dress.rounded else 0] * 2, 0]),
        fill=dress.strong,
        stroke=INK,
        stroke_width=1.6,
    )
    return pole + cloth + text(letter_of(token.side), 4 * fit, -11 * fit, 17 * fit, WHITE, font_weight="bold")
