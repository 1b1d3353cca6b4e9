"""Write a picture of few colours as PNG: a third of Pillow's time, and fewer bytes.

Pillow guesses a filter for each row, which suits photographs. In a picture of flat colours most rows are like the one
above (`UP`); where hardly two rows are, as on a board of hexes, no filter is best, and two pixels fit into a byte.
"""

import struct
import zlib
from collections.abc import Sequence

from PIL import Image, ImageChops

NONE, UP = 0, 2
"""Filters of PNG."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"
INDEXED = 3
FEW = 16
"""Colours of which two pixels fit into a byte."""
LEVEL, SLOW = 6, 9
"""How hard it is compressed at first, and if there are too many bytes: then it takes two to four times as long, for a
twentieth of them."""

Colour = tuple[int, int, int]


def palette_png(places: Image.Image, colours: Sequence[Colour], filter_: int, most: int) -> bytes:
    """A picture whose pixels (mode `L`) are places in a palette, with a filter for all of its rows; in `most` bytes
    or fewer, if that can be had."""
    is_packed = len(colours) <= FEW and filter_ == NONE and places.width % 2 == 0
    rows = _filtered(_packed(places) if is_packed else places, filter_)
    data = zlib.compress(rows, LEVEL)
    if len(data) > most:
        data = zlib.compress(rows, SLOW)
    head = struct.pack(">IIBBBBB", places.width, places.height, 4 if is_packed else 8, INDEXED, 0, 0, 0)
    palette = bytes(channel for colour in colours for channel in colour)
    chunks = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", data), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(name, content) for name, content in chunks)


def _packed(places: Image.Image) -> Image.Image:
    """Two pixels to a byte, the left one first."""
    size = (places.width // 2, places.height)
    left, right = (  # the middle of a pixel is asked for
        places.transform(size, Image.Transform.AFFINE, (2, 0, at - 0.5, 0, 1, 0), Image.Resampling.NEAREST)
        for at in (0, 1)
    )
    return ImageChops.add(left.point([min(place << 4, 255) for place in range(256)]), right)


def _filtered(bytes_: Image.Image, filter_: int) -> bytes:
    """The rows with their filter before each of them."""
    if filter_ == UP:
        above = Image.new("L", bytes_.size, 0)
        above.paste(bytes_, (0, 1))
        bytes_ = ImageChops.subtract_modulo(bytes_, above)
    rows = Image.new("L", (bytes_.width + 1, bytes_.height), filter_)
    rows.paste(bytes_, (1, 0))
    return rows.tobytes()


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
