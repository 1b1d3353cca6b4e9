"""Colours and patterns that tell sides and ground apart.

The colours of sides are those of Okabe and Ito, which the colour-blind can tell apart; a side also
has its own shape of base, hatching and letter, so that a black-and-white print is enough. Graphics
reach a contrast of 3:1 against what lies around them, text 4.5:1 (checked by a test).
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.scene import Formation

SHADOW = "#3a3218"


class Dress(Struct, frozen=True, gc=False):
    """How a side looks: `strong` behind white pictures, `pale` behind dark text; `rounded` corners; `hatch` is the
    colour of its hatching ("" for none), `shadow` that of what its bases cast ("" for nothing), `tint` that of the
    plates of a formation ("": `pale`). `shield`: its bases carry a shield, which the picture brings once."""

    strong: str
    pale: str
    rounded: bool
    hatch: str
    shadow: str = SHADOW
    tint: str = ""
    shield: bool = False


DRESSES = (
    Dress("#d55e00", "#fdf0e0", False, ""),
    Dress("#0072b2", "#e6f2fa", True, "#0a5f90"),
    Dress("#8a4f74", "#f8ecf3", False, "#744060"),
    Dress("#00705a", "#e3f4ee", True, ""),
)
"""In the order of `Scene.sides`; the last two are darker than Okabe and Ito have them, for contrast."""

INK = "#1f1b16"
WHITE = "#ffffff"
PAPER = "#f6efdc"
FIELD, FIELD_OTHER = "#dbd9ae", "#d4d3a4"
CORNER = "#5f6138"
GRID_LINE = "#bab98a"
GOLD = "#f0e442"
ALARM, ALARM_PALE = "#b3001b", "#f5bcb8"
SPENT_PALE = "#c9c5b8"
"""The plate of a unit that has acted."""
TINTS = ("#ffffff", "#f7e463", "#a9d8f5", "#f7c3de", "#a8dda2", "#d3c8f5")
"""Plates of the formations of a side, in the order in which the game names them; then they begin again."""

TINCTURES = {
    "white": "#ffffff",
    "gold": "#f5cc4d",
    "red": "#b3202a",
    "blue": "#1d4e96",
    "green": "#2b6b3c",
    "brown": "#6f4724",
    "purple": "#6a2c70",
    "black": "#26221d",
}
"""The colours of shields; each of the first two reaches 3:1 on any of the others."""


class GroundLook(Struct, frozen=True, gc=False):
    """How ground looks: its fill, the colour of its outline and of the things on it; `slope` of ticks inside its
    outline (1: gentle, 2: steep)."""

    fill: str
    edge: str
    glyph: str = ""
    slope: int = 0


GROUNDS = {
    "hill": GroundLook("#e0c88c", "#7d5f22", slope=1),
    "steep_hill": GroundLook("#cfa968", "#6b4a12", slope=2),
    "wood": GroundLook("#a8bf86", "#3f5f2a", "tree"),
    "scrub": GroundLook("#c3cb93", "#55692e", "bush"),
    "marsh": GroundLook("#b5cfc0", "#2c6660", "reed"),
    "rocky": GroundLook("#cfc8b6", "#5f594c", "stone"),
    "building": GroundLook("#dccab0", "#6d4a30", "house"),
    "water": GroundLook("#a9cbe0", "#1f5f8a", "wave"),
    "stakes": GroundLook("#d6cf9c", "#6b4a1f", "stake"),
    "fallen_stakes": GroundLook("#d6d3ac", "#6b5f45", "pole"),
    "road": GroundLook("#e8dcc0", "#7d6a42"),
    "impassable": GroundLook("#a59f92", "#45413a", "crag"),
}
UNKNOWN_GROUND = GroundLook("#d3cdb9", "#5f594c")
OPEN = frozenset({"open", "plain", ""})


def dress_of(sides: tuple[str, ...], side: str) -> Dress:
    """The look of a side; the unknown one looks like the last."""
    return DRESSES[sides.index(side) % len(DRESSES)] if side in sides else DRESSES[-1]


def lightened(dress: Dress, tint: str = "") -> Dress:
    """The same look with as few colours as possible; `tint` is the plate of a formation, "" for none."""
    return replace(dress, hatch="", shadow="", tint=tint)


def tint_of(formations: Sequence[Formation], side: str, formation: str) -> str:
    """The colour of a formation of a side, "" if it has none."""
    ids = [known.id for known in formations if known.side == side]
    return TINTS[ids.index(formation) % len(TINTS)] if formation in ids else ""


def letter_of(side: str) -> str:
    """What to print for a side where there is room for one letter."""
    return side[:1].upper() or "?"


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 computes it, 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
