"""A map as a picture of pixels, for letters and for whoever cannot show SVG."""

from domain.campaign.theatre.map_scene import MapScene
from replay.drawing.atlas.svg import Which, draw_map
from replay.drawing.raster import FAMILY, png_of
from replay.telling.words import ENGLISH

PIXELS, LETTER_PIXELS = 1200, 960


def map_png(scene: MapScene, *, lang: str = ENGLISH) -> bytes:
    """The map as PNG, with the marks of a page."""
    return _png(scene, "wide", PIXELS, lang)


def letter_png(scene: MapScene, *, lang: str = ENGLISH) -> bytes:
    """The map for a letter, which is read on a phone as often as not: large marks on few pixels."""
    return _png(scene, "narrow", LETTER_PIXELS, lang)


def _png(scene: MapScene, which: Which, width: int, lang: str) -> bytes:
    return png_of(draw_map(scene, which=which, lang=lang, font=FAMILY), width)
