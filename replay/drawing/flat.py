"""Pictures of few colours, held as places in a palette: a byte to a pixel, and counted at once.

A board for a letter has some twenty colours without blends. To count the colours of a picture in full colour, and to
find them again in its palette, takes longer than to lay its pieces upon each other.
"""

import sys
from collections.abc import Sequence

from msgspec import Struct
from PIL import Image

from replay.drawing.png import Colour

MOST = 255
"""Colours of a picture; one place more says that nothing is there."""
CLEAR = MOST


class Flat(Struct, frozen=True):
    """`places` (mode `L`) are places in `colours`, or `CLEAR`."""

    places: Image.Image
    colours: tuple[Colour, ...]

    def mask(self) -> Image.Image:
        """Where something is drawn (mode `L`, 255 or 0)."""
        return self.places.point([255] * CLEAR + [0])

    def full(self) -> Image.Image:
        """The same in full colour (mode `RGB`); what is clear is black."""
        picture = Image.frombytes("P", self.places.size, self.places.tobytes())
        picture.putpalette([channel for colour in self.colours for channel in colour])
        return picture.convert("RGB")


def flat_of(picture: Image.Image) -> Flat | None:
    """A picture as places in a palette of just its colours; None if there are more than `MOST`, or something can be
    seen through."""
    pixels = memoryview(picture.convert("RGBA").tobytes()).cast("I")
    wide = picture.width
    rows = [pixels[at : at + wide] for at in range(0, len(pixels), wide)]
    found: set[int] = set()
    alike: dict[bytes, memoryview] = {row.tobytes(): row for row in rows}  # most rows are like another one
    for row in alike.values():
        found.update(row)
        if len(found) > MOST + 1:
            return None
    channels = {value: value.to_bytes(4, sys.byteorder) for value in found}
    if any(0 < alpha < 255 for _, _, _, alpha in channels.values()):
        return None
    colours = sorted({(red, green, blue) for red, green, blue, alpha in channels.values() if alpha})
    if len(colours) > MOST:
        return None
    at = {colour: place for place, colour in enumerate(colours)}
    table = {value: at[red, green, blue] if alpha else CLEAR for value, (red, green, blue, alpha) in channels.items()}
    placed = {key: bytes(map(table.__getitem__, row)) for key, row in alike.items()}
    return Flat(Image.frombytes("L", picture.size, b"".join([placed[row.tobytes()] for row in rows])), tuple(colours))


def laid_upon(ground: Flat, pieces: Sequence[tuple[Flat, Image.Image, tuple[int, int]]]) -> Flat | None:
    """Pieces, each with its mask and the place of its upper left corner, upon a ground, one after the other; None if
    they have too many colours together."""
    at = {colour: place for place, colour in enumerate(ground.colours)}
    places = ground.places.copy()
    for flat, mask, corner in pieces:
        table = [at.setdefault(colour, len(at)) for colour in flat.colours]
        if len(at) > MOST:
            return None
        places.paste(flat.places.point(table + [0] * (256 - len(table))), corner, mask)
    return Flat(places, tuple(at))
