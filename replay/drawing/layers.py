"""Put a picture together from layers, each drawn once as long as it does not change.

Most of the time of a picture goes into drawing again what was there before: the ground, and units that have not moved.
So the ground is drawn once for all pictures of it, and each token and arrow once as a small picture of its own, at
whole pixels, which is laid upon the ground. The picture is the same whatever was drawn before it.
"""

from collections.abc import Callable
from functools import partial
from math import ceil, floor

from PIL import Image

from domain.scene import Scene
from replay.drawing.canvas import canvas_of
from replay.drawing.pen import Spot
from replay.drawing.svg import Piece, backdrop, part, pieces
from replay.remembered import Remembered

Draw = Callable[[str, int], Image.Image]
"""Draws an SVG document so many pixels wide."""
Laid = tuple[Image.Image, tuple[int, int]]
"""A small picture, and where its upper left corner lies."""

GROWTH = 1.5
GROUND_BYTES, PIECE_BYTES = 24 << 20, 16 << 20
PIXEL_BYTES = 4

# both by what they are drawn of: each letter writes it anew
_grounds: Remembered[Image.Image] = Remembered(GROUND_BYTES, lambda ground: ground.width * ground.height * PIXEL_BYTES)
_pieces: Remembered[Laid | None] = Remembered(
    PIECE_BYTES, lambda laid: PIXEL_BYTES * laid[0].width * laid[0].height if laid else 100
)


def can_be_laid(scene: Scene) -> bool:
    """Whether a scene has nothing but what this module draws in layers."""
    return not (scene.arcs or scene.discs or scene.rulers or scene.sights)


def draw_layers(scene: Scene, width: int, draw: Draw) -> Image.Image:
    """The table of a scene, light and without captions; the scene is worded."""
    ground, canvas = backdrop(scene), canvas_of(scene, light=True)
    picture = _grounds.get((), (ground, width), lambda: draw(ground, width).convert("RGB")).copy()
    scale = width / canvas.width, picture.height / (canvas.table_height + 2 * canvas.margin)
    for piece in pieces(scene):
        laid = _pieces.get((), (piece, scale), partial(_drawn, piece, scale, draw))
        if laid is not None:
            picture.paste(laid[0], laid[1], laid[0])
    return picture


def _drawn(piece: Piece, scale: Spot, draw: Draw) -> Laid | None:
    """A piece as a small picture; None if there is nothing to see of it."""
    (x, y), (across, down), half = piece.at, scale, piece.half
    while True:
        left, top = floor((x - half) * across), floor((y - half) * down)
        wide, high = ceil((x + half) * across) - left, ceil((y + half) * down) - top
        drawn = draw(part(piece.drawn, left, top, wide, high, scale), wide)
        seen = drawn.getbbox()
        if seen is None:
            return None
        if seen[0] > 0 and seen[1] > 0 and seen[2] < drawn.width and seen[3] < drawn.height:
            return drawn.crop(seen), (left + seen[0], top + seen[1])
        half *= GROWTH  # it reaches the edge: some of it may be missing
