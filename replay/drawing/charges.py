"""The charges of shields, in a square of 24 × 24 around (0, 0), x to the right and y down."""

from math import cos, pi, sin

from replay.drawing.pen import path


def _disc(x: float, y: float, radius: float) -> str:
    half = f"a{radius:g} {radius:g} 0 1 0"
    return f"M{x - radius:g} {y:g} {half} {2 * radius:g} 0 {half} {-2 * radius:g} 0 Z"


def _rays(count: int, outside: float, inside: float) -> str:
    angles = [pi * at / count for at in range(2 * count)]
    lengths = (outside, inside)
    return path([(lengths[at % 2] * sin(a), -lengths[at % 2] * cos(a)) for at, a in enumerate(angles)], close=True)


_DOTS = ((-3.5, -6, 1.9), (3, -3.5, 2.2), (-3, 1, 2.2), (3.2, 4.5, 1.9), (-2.6, 8, 1.7))
_BEAST = (
    "M-5.5 {y} l1.2 -1.6 1.4 0.6 4.6 0 1 -0.8 1 -0.4 1.4 0.9 -0.6 "
    "1.2 -1 0.4 0.4 1.8 -1.2 0 -0.6 -1.4 -3 0 -0.8 1.4 -1.2 0 0.6 -2 Z"
)

CHARGES: dict[str, str] = {
    "boss": _disc(0, 0, 3),
    "spine": f"M-0.9 -9 H0.9 L1.2 9 H-1.2 Z {_disc(0, 0, 3)}",
    "star": _rays(5, 7.5, 3),
    "sun": _rays(8, 8.4, 3.4),
    "crescent": "M3.5 -6.3 A7 7 0 1 0 3.5 6.3 A5.6 5.6 0 1 1 3.5 -6.3 Z",
    "dots": " ".join(_disc(x, y, radius) for x, y, radius in _DOTS),
    "bolt": "M2.4 -9.5 L-4.6 1 H-0.8 L-2.6 9.5 L4.6 -1.8 H0.8 Z",
    "lily": "M0 -8.5 C3.4 -5 3 -2 1.4 0.6 C3 -3.4 7.6 -2.8 6.6 1 C6 3 3.8 2.8 3.6 1.4 C2.6 2 2 3 2 3.6 H4 "
    "V5.2 H1.6 L2.4 8.4 "
    "H-2.4 L-1.6 5.2 H-4 V3.6 H-2 C-2 3 -2.6 2 -3.6 1.4 C-3.8 2.8 -6 3 -6.6 1 C-7.6 -2.8 -3 -3.4 -1.4 "
    "0.6 C-3 -2 -3.4 -5 0 -8.5 Z",
    "cup": "M-6 -8 H6 C6 -1 3.6 1 1.3 1.6 V5.4 L5 8 V9 H-5 V8 L-1.3 5.4 V1.6 C-3.6 1 -6 -1 -6 -8 Z",
    "wheel": f"{_disc(0, 0, 7.4)} {_rays(8, 5.6, 1.6)}",
    "anchor": "M-1 -5 H-4 V-6.8 H-1 V-9.5 H1 V-6.8 H4 V-5 H1 V5.6 C3.4 5.2 4.8 3.8 5 1.6 L3.6 2.2 L6 -1.4 L7.6 "
    "2.6 L6.6 2.2 "
    "C6.4 6 3.6 8.6 0 9 C-3.6 8.6 -6.4 6 -6.6 2.2 L-7.6 2.6 L-6 -1.4 L-3.6 2.2 L-5 1.6 C-4.8 3.8 -3.4 "
    "5.2 -1 5.6 Z",
    "trident": "M-1 9.5 V0.6 C-4.6 0.4 -6 -2 -6 -5 H-7.4 L-5 -9 L-2.6 -5 H-4 C-4 -3 -3.2 -1.6 -1 -1.4 V-6 H-2.4 "
    "L0 -10 L2.4 -6 H1 "
    "V-1.4 C3.2 -1.6 4 -3 4 -5 H2.6 L5 -9 L7.4 -5 H6 C6 -2 4.6 0.4 1 0.6 V9.5 Z",
    "eagle": "M0 -8 L2.4 -6.6 L1.4 -5 L1.8 -3.6 C4.6 -3.4 7 -5 8.4 -7 C8.8 -2 7 2 3 3.4 L2.4 5 L4.4 8.6 H-4.4 "
    "L-2.4 5 L-3 3.4 "
    "C-7 2 -8.8 -2 -8.4 -7 C-7 -5 -4.6 -3.4 -1.8 -3.6 L-1.6 -5 Z",
    "lions": " ".join(_BEAST.format(y=y) for y in (-4.6, 0.6, 5.8)),
    "spiral": "M0 0 C0 -3 4.6 -2.6 4.6 1 C4.6 5.4 -1 6.8 -4 3.6 C-7.6 -0.4 -5.4 -7.4 1 -7.8 C5 -8 8 -5.2 8.4 "
    "-2.6 L6.4 -2 "
    "C5.6 -4.4 3.6 -5.8 1 -5.6 C-3.4 -5.2 -5 -0.8 -2.6 1.8 C-0.8 3.6 2.4 3 2.4 1 C2.4 -0.2 1.4 -0.4 "
    "0.8 0.6 Z",
}  # fmt: skip
"""The data of each charge; what lies inside another part is cut out of it."""
