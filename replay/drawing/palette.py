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
    """How a side looks: `strong` behind white pictures and on its figures, `pale` behind dark text, `dark` behind small
    white text; `rounded` corners; `hatch` is the colour of its hatching ("" for none), `shadow` that of what its bases
    cast ("" for nothing), `tint` that of the pennon of a formation ("" for none), `arms` the colour of the shields of
    its figures ("": `dark`). `shield`: its bases carry a shield, which the picture brings once."""

    strong: str
    pale: str
    rounded: bool
    hatch: str
    dark: str
    shadow: str = SHADOW
    tint: str = ""
    arms: str = ""
    shield: bool = False


DRESSES = (
    Dress("#d55e00", "#fdf0e0", False, "", "#863500"),
    Dress("#0072b2", "#e6f2fa", True, "#0a5f90", "#00446d"),
    Dress("#8a4f74", "#f8ecf3", False, "#744060", "#552c46"),
    Dress("#00705a", "#e3f4ee", True, "", "#00473a"),
)
"""In the order of `Scene.sides`; the last two are darker than Okabe and Ito have them, for contrast."""

INK = "#1f1b16"
WHITE = "#ffffff"
PAPER = "#f6efdc"
QUIET, RIM = "#665839", "#7d6a42"
"""Letters and numbers around a board, and the rim of its table."""
FIELD = "#ced2a1"
PATCHES = ("#ddd7a6", "#b9c487", "#cbc38c", "#c3cc94")
"""Of open ground: dry, lush, bare and fresh."""
TUFT = "#7f8d4e"
CORNER = "#565a32"
GOLD = "#f0e442"
ALARM, ALARM_PALE = "#b3001b", "#f5bcb8"
STAND, SPENT_PALE = "#ebe4c2", "#c9c5b8"
"""The stand of a unit, and that of one that has acted."""
SKIN, STEEL, SHAFT = "#d9ab80", "#6d675c", "#4a3520"
HORSES = ("#6d4a2c", "#8a6a45", "#3f2d1f")
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
    outline (1: gentle, 2: steep), and the fills of the `layers` above its foot."""

    fill: str
    edge: str
    glyph: str = ""
    slope: int = 0
    layers: tuple[str, ...] = ()


GROUNDS = {
    "water": GroundLook("#8fbccb", "#1f5f80", "wave"),
    "marsh": GroundLook("#b3caaf", "#2c6660", "reed"),
    "road": GroundLook("#e8dcc0", "#75623a"),
    "rocky": GroundLook("#cbc4ad", "#5f594c", "stone"),
    "scrub": GroundLook("#bcc588", "#4e622a", "bush"),
    "hill": GroundLook("#c9bd83", "#6f5a22", slope=1, layers=("#d5ca95", "#e0d7a9")),
    "steep_hill": GroundLook("#b89d62", "#5d4212", slope=2, layers=("#c6ad74", "#d3bd89", "#dfcc9f")),
    "impassable": GroundLook("#a8a18c", "#45413a", "crag"),
    "stakes": GroundLook("#cfc78f", "#6b4a1f", "stake"),
    "fallen_stakes": GroundLook("#d0cea4", "#62573e", "pole"),
    "building": GroundLook("#d3c39f", "#6d4a30", "house"),
    "wood": GroundLook("#97ad6d", "#3a5427", "tree"),
}
"""In the order in which they are drawn: what stands high covers what lies low."""
UNKNOWN_GROUND = GroundLook("#d3cdb9", "#5f594c")
OPEN = frozenset({"open", "plain", ""})


def dress_of(sides: tuple[str, ...], side: str) -> Dress:
    """The look of a side; the unknown one looks like the last."""
    return DRESSES[sides.index(side) % len(DRESSES)] if side in sides else DRESSES[-1]


def lightened(dress: Dress) -> Dress:
    """The same look with as few colours as possible."""
    return replace(dress, hatch="", shadow="", shield=False)


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
