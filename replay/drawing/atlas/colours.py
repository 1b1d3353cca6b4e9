"""The colours of maps by what they are for, by day and at dusk, and how those of powers are told apart without them.

A picture carries the colours of day as attributes. Each coloured element has a class, too, by which a style sheet
(`dusk`) gives it the colours of dusk.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

Scheme = Literal["day", "dusk"]
Value = str | float | None
Look = dict[str, Value]
"""Attributes of an element."""
NONE = "none"
GOLD = "#e0b13c"

COLOURS: dict[str, tuple[str, str]] = {
    "casing": ("#3a3226", "#14110c"),
    "paper": ("#efe4c9", "#2b251b"),
    "rule": ("#a98f5a", "#7d6a42"),
    "ink": ("#2b2218", "#f1e7cf"),
    "quiet": ("#5c4f36", "#cdbf9d"),
    "sea": ("#a3c6c6", "#2c4a54"),
    "deep": ("#7fabb4", "#1b333d"),
    "shoal": ("#dcecea", "#587d86"),
    "name-sea": ("#1f4a57", "#b9d8de"),
    "land": ("#dcd6a8", "#565640"),
    "low": ("#c6c98f", "#474b37"),
    "patch": ("#b4bd7c", "#3c4330"),
    "coast": ("#6a5f3a", "#b5a878"),
    "border": ("#7c6f45", "#a3966a"),
    "road-edge": ("#7a5f38", "#20190f"),
    "road": ("#f3e6c4", "#cbb98c"),
    "track": ("#7a5f38", "#cbb98c"),
    "lane": ("#2f6472", "#9cc6d0"),
    "river": ("#5f97a6", "#6d9dab"),
    "height": ("#c2b27a", "#6d6547"),
    "shade": ("#8d7c4c", "#3f3a28"),
    "leaf": ("#6f8a4c", "#3d5132"),
    "leaf-light": ("#93ab66", "#566d43"),
    "bark": ("#5d452b", "#2b2115"),
    "reed": ("#4f7468", "#7fa598"),
    "wall": ("#f0e4c6", "#cfc19c"),
    "wall-shade": ("#c9b68a", "#968a68"),
    "roof": ("#a9502f", "#8c432a"),
    "halo": ("#f4ecd2", "#332e22"),
    "tag": ("#fbf4de", "#221c13"),
    "alarm": ("#9c1c14", "#ffb3a3"),
}
"""By day and at dusk."""

PLAIN_CLOTH, EDGE, STEEL = "#fbf4de", "#2b2218", "#c9ccd0"
"""The sign on a banner, the edge of banners and arrows, the blades of swords: the same at all hours."""


class Banner(Struct, frozen=True, gc=False):
    """What a power shows: the colour of its banners, and the word of the sign on them."""

    colour: str
    sign: str


CLOTHS = (
    Banner("#8f2f1f", "disc"),
    Banner("#27557f", "cross"),
    Banner("#5f3a7d", "bars"),
    Banner("#7a5210", "chevron"),
    Banner("#2b6140", "star"),
    Banner("#13636b", "crescent"),
    Banner("#8e2f60", "square"),
    Banner("#474b5c", "saltire"),
)
"""In the order of the powers in the file; of more than there are the signs and colours come again."""

SIGNS = {
    "disc": '<circle r="7"/>',
    "cross": '<path d="M-2.6-9h5.2v6.4h6.4v5.2h-6.4v6.4h-5.2v-6.4h-6.4v-5.2h6.4z"/>',
    "bars": '<path d="M-9-8H9v3.6H-9zM-9-1.8H9v3.6H-9zM-9 4.4H9v3.6H-9z"/>',
    "chevron": '<path d="M0-8L10 4v5L0-2-10 9V4z"/>',
    "star": '<path d="M0-9.5l2.7 6.1 6.6.5-5 4.4 1.5 6.5L0 4.5l-5.8 3.5 1.5-6.5-5-4.4 6.6-.5z"/>',
    "crescent": '<path d="M4-8.5a9 9 0 1 0 0 17a7 7 0 1 1 0-17z"/>',
    "square": '<path d="M0-9L9 0 0 9-9 0z"/>',
    "saltire": '<path d="M-9-6l3-3 6 6 6-6 3 3-6 6 6 6-3 3-6-6-6 6-3-3 6-6z"/>',
}
"""Signs around the middle of a banner."""


def cloth_of(powers: tuple[str, ...], power: str) -> Banner:
    """What a power shows; a stranger shows what the last of them all does."""
    return CLOTHS[powers.index(power) % len(CLOTHS)] if power in powers else CLOTHS[-1]


def colour(name: str, scheme: Scheme = "day") -> str:
    """A colour by what it is for."""
    return COLOURS[name][scheme == "dusk"]


def paint(scheme: Scheme = "day", fill: str = "", stroke: str = "", stop: str = "", **more: Value) -> Look:
    """Attributes that paint an element in colours by what they are for (`none`: not at all), with the classes that dusk
    goes by; `more` are others."""
    wanted = [(key, name, letter) for key, name, letter in _painted(fill, stroke, stop) if name]
    found: Look = {key: name if name == NONE else colour(name, scheme) for key, name, _ in wanted}
    classes = " ".join(f"{letter}-{name}" for _, name, letter in wanted if name != NONE)
    return {**found, "class_": classes or None, **more}


def _painted(fill: str, stroke: str, stop: str) -> tuple[tuple[str, str, str], ...]:
    return ("fill", fill, "f"), ("stroke", stroke, "s"), ("stop_color", stop, "p")


def dusk(above: str = "") -> str:
    """The rules of a style sheet that turn a picture of the day into one at dusk, below a selector."""
    return "".join(_rules(f"{above} " if above else ""))


def _rules(above: str) -> Iterator[str]:
    for name, (_, at_dusk) in COLOURS.items():
        for letter, key in (("f", "fill"), ("s", "stroke"), ("p", "stop-color")):
            yield f"{above}.{letter}-{name}{{{key}:{at_dusk}}}"
