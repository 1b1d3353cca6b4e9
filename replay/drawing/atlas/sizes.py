"""How large the marks of a map are, on a picture as wide as a page and on one as wide as a phone."""

from msgspec import Struct

AVERAGE = 0.6
"""Width of a letter in font sizes, in wide fonts."""


class Sizes(Struct, frozen=True, gc=False):
    """Sizes of the letters of names and of banners, times for towns and arrows, half the swords; `stacked`: the name
    of a force stands above its strength. `name` is the class of the group of marks."""

    name: str
    letters: float
    banner: float
    big: float
    arrows: float
    swords: float
    stacked: bool


WIDE = Sizes("wide", 15.5, 13.5, 1.0, 1.0, 18.0, False)
NARROW = Sizes("narrow", 30.0, 30.0, 1.25, 1.4, 30.0, True)
"""A picture of 1200 units has 366 pixels on the page of a phone: a letter has a third of its size there."""
