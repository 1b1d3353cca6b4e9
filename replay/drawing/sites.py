"""Draw sites: pieces of ground that belong to a side, such as a camp."""

from collections.abc import Callable, Iterator

from domain.contract.scene import Token
from replay.drawing.figure import figure
from replay.drawing.palette import INK, WHITE, Dress, letter_of
from replay.drawing.pen import Spot, number, rounded_rectangle, tag, text

EARTH = "#cbb88a"
"""Trodden ground, within a palisade in the colour of the side."""
SHADED = "#ded3bb"
TENTS = ((0, -22, 14), (-25, -15, 17), (25, -15, 17), (0, 32, 14), (-25, 37, 17), (25, 37, 17))
"""Middle of the foot and half width of each tent; those farther back first."""


def draw_site(token: Token, at: Spot, scale: float, dress: Dress, prefix: str) -> str:
    """A site in the colours of its side, with a flag; what stands on it shows around the middle."""
    fit = token.size[0] * scale / 96
    half = 44 * fit
    radius = 30 * fit if dress.rounded else 12 * fit
    outline = rounded_rectangle(-half, -half, 2 * half, 2 * half, [radius] * 4)
    ground = tag("path", d=outline, fill=EARTH, stroke=INK, stroke_width=1) + tag(
        "path", d=outline, fill="none", stroke=dress.strong, stroke_width=5, stroke_dasharray="3 3"
    )
    things = PICTURES[token.symbol](fit, dress) if token.symbol in PICTURES else ()
    parts = [ground, *things, _flag(token, fit, dress)]
    return figure(token, at, parts, prefix, f"{token.kind} {token.side}")


def _camp(fit: float, dress: Dress) -> Iterator[str]:
    """Tents around the middle, so that they show beside a unit in the camp."""
    for x, y, size in TENTS:
        yield _tent(x * fit, y * fit, size * fit, dress)


def _tent(x: float, y: float, size: float, dress: Dress) -> str:
    """A tent with its opening; (x, y) is the middle of its foot."""
    wall = f"M{number(x - size)} {number(y)} l{number(size)} {number(-size)} l{number(size)} {number(size)} Z"
    left, half, high = number(x - size * 0.3), number(size * 0.3), number(size * 0.6)
    door = f"M{left} {number(y)} l{half} -{high} l{half} {high} Z"
    return (
        tag("path", d=wall, fill=WHITE, stroke=INK, stroke_width=1.6, stroke_linejoin="round")
        + tag(
            "path",
            d=f"M{number(x)} {number(y - size)}l{number(size)} {number(size)}h-{number(size * 0.6)}z",
            fill=SHADED,
        )
        + tag("path", d=door, fill=dress.strong)
    )


def _flag(token: Token, fit: float, dress: Dress) -> str:
    """The side's letter on a flag, in the middle of the site."""
    pole = tag("path", d=f"M{number(-12 * fit)} {number(24 * fit)} v{number(-46 * fit)}", stroke=INK, stroke_width=2.4)
    cloth = tag(
        "path",
        d=rounded_rectangle(-11 * fit, -22 * fit, 30 * fit, 22 * fit, [0, *[6 * fit if dress.rounded else 0] * 2, 0]),
        fill=dress.strong,
        stroke=INK,
        stroke_width=1.6,
    )
    return pole + cloth + text(letter_of(token.side), 4 * fit, -11 * fit, 17 * fit, WHITE, font_weight="bold")


PICTURES: dict[str, Callable[[float, Dress], Iterator[str]]] = {"camp": _camp}
"""What stands around the middle, by symbol; nothing for others."""
