"""Put a picture together from layers, each drawn once as long as it does not change.

Most of the time of a picture goes into drawing again what was there before: the ground, and units that have not moved.
So the ground is drawn once for all pictures of it, and each token and arrow once as a small picture of its own, at
whole pixels, which is laid upon the ground. The picture is the same whatever was drawn before it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil, floor

from msgspec import Struct
from PIL import Image

from domain.contract.scene import Scene
from replay.drawing.canvas import canvas_of
from replay.drawing.flat import Flat, flat_of, laid_upon
from replay.drawing.pen import Spot
from replay.drawing.svg import DrawnPiece, backdrop, part, pieces
from replay.remembered import Remembered

Draw = Callable[[str, int], Image.Image]
"""Draws an SVG document, of a width in pixels."""


class LaidPicture(Struct, frozen=True):
    """A small picture with where it is seen (mode `L`), and where its upper left corner lies; in full colour where it
    has blends, or can be seen through."""

    picture: Flat | Image.Image
    mask: Image.Image
    corner: tuple[int, int]


GROWTH = 1.5
GROUND_BYTES, PIECE_BYTES = 24 << 20, 16 << 20
FEW_BYTES, PIXEL_BYTES = 2, 4
"""Of a pixel of a piece with its mask, flat and in full colour."""


def _ground_bytes(ground: Flat | Image.Image) -> int:
    return ground.places.width * ground.places.height if isinstance(ground, Flat) else ground.width * ground.height * 3


def _piece_bytes(laid: LaidPicture | None) -> int:
    if laid is None:
        return 100
    return laid.mask.width * laid.mask.height * (FEW_BYTES if isinstance(laid.picture, Flat) else PIXEL_BYTES + 1)


# both by what they are drawn of: each letter writes it anew
_grounds: Remembered[Flat | Image.Image] = Remembered(GROUND_BYTES, _ground_bytes)
_pieces: Remembered[LaidPicture | None] = Remembered(PIECE_BYTES, _piece_bytes)


def can_be_laid(scene: Scene) -> bool:
    """Whether a scene has nothing but what this module draws in layers."""
    return not (scene.arcs or scene.discs or scene.rulers or scene.sights)


def draw_layers(scene: Scene, width: int, draw: Draw) -> Flat | Image.Image:
    """The table of a scene, light and without captions, in full colour if it has blends; the scene is worded."""
    drawn, canvas = backdrop(scene), canvas_of(scene, light=True)
    ground = _grounds.get((), (drawn, width), lambda: _ground(draw(drawn, width)))
    high = (ground.places if isinstance(ground, Flat) else ground).height
    scale = width / canvas.width, high / (canvas.table_height + 2 * canvas.margin)
    laid = [_pieces.get((), (piece, scale), partial(_picture, piece, scale, draw)) for piece in pieces(scene)]
    seen = [one for one in laid if one is not None]
    flat = [(one.picture, one.mask, one.corner) for one in seen if isinstance(one.picture, Flat)]
    together = laid_upon(ground, flat) if isinstance(ground, Flat) and len(flat) == len(seen) else None
    return together or _in_full(ground, seen)


def _ground(drawn: Image.Image) -> Flat | Image.Image:
    full = drawn.convert("RGB")
    return flat_of(full) or full


def _in_full(ground: Flat | Image.Image, laid: Sequence[LaidPicture]) -> Image.Image:
    """The same in full colour."""
    picture = ground.full() if isinstance(ground, Flat) else ground.copy()
    for one in laid:
        picture.paste(one.picture.full() if isinstance(one.picture, Flat) else one.picture, one.corner, one.mask)
    return picture


def _picture(piece: DrawnPiece, scale: Spot, draw: Draw) -> LaidPicture | None:
    """A piece as a small picture; None if there is nothing to see of it."""
    (x, y), (across, down), (wide_half, high_half) = piece.at, scale, piece.half
    while True:
        left, top = floor((x - wide_half) * across), floor((y - high_half) * down)
        wide, high = ceil((x + wide_half) * across) - left, ceil((y + high_half) * down) - top
        drawn = draw(part(piece.drawn, left, top, wide, high, scale), wide)
        seen = drawn.getbbox()
        if seen is None:
            return None
        if seen[0] > 0 and seen[1] > 0 and seen[2] < drawn.width and seen[3] < drawn.height:
            cut = drawn.crop(seen)
            flat = flat_of(cut)
            mask = flat.mask() if flat else cut.getchannel("A")
            return LaidPicture(flat or cut, mask, (left + seen[0], top + seen[1]))
        wide_half, high_half = wide_half * GROWTH, high_half * GROWTH  # at the edge: some of it may be missing
