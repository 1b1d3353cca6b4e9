"""Draw the shields of peoples, from basic shapes.

A shield lies in a square of 24 × 24 around (0, 0), x to the right and y down. What its pattern covers is cut out of its
outline as a polygon, so that a drawing needs no clip and no id of its own: any number of them may stand on one page.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import cos, pi, sin

from domain.contract.heraldry import Shield
from replay.drawing.charges import CHARGES
from replay.drawing.palette import INK, TINCTURES
from replay.drawing.pen import Spot, path, tag

HALF = 12.0
RIM, EDGE = 1.6, 13.0
"""The stroke around a shield; how far from the middle it reaches with that."""
ARC_PARTS, CURVE_PARTS = 28, 6
FAR = 30.0
"""Beyond every outline."""
RINGS = {"border": (1.0, 0.7), "rings": (0.76, 0.46)}
"""Patterns that run along the outline, from the outside to the inside, as shares of it."""
BAND = 2.7
"""Half the width of a band."""

Outline = tuple[Spot, ...]
Curve = tuple[Spot, Spot, Spot]
"""Two points that pull, and where the curve ends."""


# --- outlines


ROUND = {"round": (11.2, 11.2), "oval": (8.2, 12.0)}
"""Half width and half height of shapes without corners."""


def _ellipse(across: float, down: float) -> Outline:
    angles = [2 * pi * at / ARC_PARTS for at in range(ARC_PARTS)]
    return tuple((across * sin(angle), -down * cos(angle)) for angle in angles)


def _curved(start: Spot, curves: Sequence[Curve]) -> Outline:
    """The right half of an outline from the top to the foot, and its mirror image."""
    spots = [start]
    for pull, other, end in curves:
        x0, y0 = spots[-1]
        for step in range(1, CURVE_PARTS + 1):
            t = step / CURVE_PARTS
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            x = a * x0 + b * pull[0] + c * other[0] + d * end[0]
            spots.append((x, a * y0 + b * pull[1] + c * other[1] + d * end[1]))
    return _mirrored(spots)


def _mirrored(right: Sequence[Spot]) -> Outline:
    """A right half, from the top to the foot, and its mirror image."""
    left = [(-x, y) for x, y in reversed(right) if x]
    return (*right, *left)


OUTLINES: dict[str, Outline] = {
    **{name: _ellipse(across, down) for name, (across, down) in ROUND.items()},
    "scutum": _curved(
        (0, -12),
        [((4, -12), (7, -11.8), (8, -11)), ((8.6, -4), (8.6, 4), (8, 11)), ((7, 11.8), (4, 12), (0, 12))],
    ),
    "hexagon": _mirrored([(0, -12), (7.5, -7.5), (7.5, 7.5), (0, 12)]),
    "waisted": _curved(
        (0, -12),
        [
            ((6, -12), (10, -9), (9, -5)),
            ((8.5, -2.5), (6, -2), (6, 0)),
            ((6, 2), (8.5, 2.5), (9, 5)),
            ((10, 9), (6, 12), (0, 12)),
        ],
    ),
    "arched": _curved((0, -12), [((5, -12), (8.5, -8), (8.5, -2)), ((8.5, 3), (8.2, 8), (8, 12))]),
    "pavise": _mirrored([(0, -12), (6.5, -11.2), (9, -9.5), (8.5, 12)]),
    "kite": _curved((0, -12), [((5, -12), (9.2, -9.5), (9.2, -5)), ((9.2, 1), (4, 9), (0, 12))]),
    "heater": _curved((0, -11), [((4, -11), (8, -11), (10.2, -11)), ((10.2, -2), (10.5, 6), (0, 12))]),
}


# --- patterns


def _box(left: float, top: float, right: float, bottom: float) -> Outline:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _band(one: Spot, other: Spot, half: float = BAND) -> Outline:
    """A band from one spot to another."""
    (x, y), (to_x, to_y) = one, other
    long = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    ox, oy = (to_y - y) / long * half, (x - to_x) / long * half
    return ((x + ox, y + oy), (to_x + ox, to_y + oy), (to_x - ox, to_y - oy), (x - ox, y - oy))


def _chequers() -> Iterator[Outline]:
    wide, high = 18 / 4, 24 / 5
    for row in range(5):
        for column in range(4):
            if (row + column) % 2:
                yield _box(column * wide - 9, row * high - 12, (column + 1) * wide - 9, (row + 1) * high - 12)


PATTERNS: dict[str, tuple[Outline, ...]] = {
    "plain": (),
    "halved": (_box(0, -FAR, FAR, FAR),),
    "quartered": (_box(0, -FAR, FAR, 0), _box(-FAR, 0, 0, FAR)),
    "bars": tuple(_box(-FAR, y, FAR, y + 4.2) for y in (-8, 0, 8)),
    "stripes": tuple(_box(x, -FAR, x + 3.6, FAR) for x in (-7, -1.8, 3.4)),
    "bend": (_band((-FAR, -FAR), (FAR, FAR), 3.4),),
    "chevron": (_band((-12, 11), (1.4, -6), 2.4), _band((12, 11), (-1.4, -6), 2.4)),
    "cross": (_box(-BAND, -FAR, BAND, FAR), _box(-FAR, -BAND - 1, FAR, BAND - 1)),
    "saltire": (_band((-FAR, -FAR), (FAR, FAR), 2.4), _band((FAR, -FAR), (-FAR, FAR), 2.4)),
    "chequers": tuple(_chequers()),
}
"""What is painted, each a convex polygon."""


def _within(outline: Iterable[Spot], cell: Outline) -> Outline:
    """The part of an outline that lies within a convex polygon, clockwise in the picture."""
    kept = list(outline)
    middle = sum(x for x, _ in cell) / len(cell), sum(y for _, y in cell) / len(cell)
    for one, other in pairwise((*cell, cell[0])):
        sign = 1 if _turn(one, other, middle) > 0 else -1
        inside: list[Spot] = []
        for spot, following in pairwise((*kept, *kept[:1])):
            here, there = sign * _turn(one, other, spot), sign * _turn(one, other, following)
            if here >= 0:
                inside.append(spot)
            if (here < 0) != (there < 0):
                share = here / (here - there)
                inside.append((spot[0] + share * (following[0] - spot[0]), spot[1] + share * (following[1] - spot[1])))
        kept = inside
    return tuple(kept)


def _turn(one: Spot, other: Spot, spot: Spot) -> float:
    """On which side of a line a spot lies: above 0, below 0."""
    return (other[0] - one[0]) * (spot[1] - one[1]) - (other[1] - one[1]) * (spot[0] - one[0])


def _outlined(shape: str, share: float = 1.0) -> str:
    """The data of an outline, or of a smaller one inside it."""
    if shape in ROUND:
        across, down = (f"{size * share:.3g}" for size in ROUND[shape])
        return f"M0 -{down} A{across} {down} 0 1 1 0 {down} A{across} {down} 0 1 1 0 -{down} Z"
    return path([(x * share, y * share) for x, y in OUTLINES[shape]], close=True)


def _pattern(shield: Shield) -> str:
    """The data of what is painted with the second colour."""
    if shield.pattern in RINGS:
        return " ".join(_outlined(shield.shape, share) for share in RINGS[shield.pattern])
    parts = (_within(OUTLINES[shield.shape], cell) for cell in PATTERNS[shield.pattern])
    return " ".join(path(part, close=True) for part in parts if part)


# --- a whole shield


@cache
def shield_drawn(shield: Shield) -> str:
    """The strokes of a shield: its field, its pattern, its charge, its rim."""
    outline, painted = _outlined(shield.shape), _pattern(shield)
    is_over = bool(painted)  # a charge may lie on both colours then
    return "".join(
        (
            tag("path", d=outline, fill=TINCTURES[shield.field]),
            tag("path", d=painted, fill=TINCTURES[shield.paint], fill_rule=_rule(shield.pattern)) if painted else "",
            tag(
                "path",
                d=CHARGES[shield.charge],
                fill=TINCTURES[shield.tint],
                fill_rule="evenodd",
                stroke=INK if is_over else None,
                stroke_width=0.8 if is_over else None,
            )
            if shield.charge
            else "",
            tag("path", d=outline, fill="none", stroke=INK, stroke_width=RIM, stroke_linejoin="round"),
        )
    )


def _rule(pattern: str) -> str | None:
    return "evenodd" if pattern in RINGS else None


@cache
def shield_picture(shield: Shield, size: int) -> str:
    """A shield by itself as an SVG element, so many pixels wide and high, beside words that say what it is."""
    view_box = f"{-EDGE:g} {-EDGE:g} {2 * EDGE:g} {2 * EDGE:g}"
    return tag(
        "svg", shield_drawn(shield), class_="shield", view_box=view_box, width=size, height=size, aria_hidden="true"
    )
