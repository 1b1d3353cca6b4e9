"""Turn a picture of a scene into PNG bytes, the same everywhere.

resvg draws it with the font that comes with this package: the fonts of the machine are not looked at, so the same scene
gives the same bytes on every host, and no letter is missing where there are none. Pictures have a palette, which makes
them several times smaller; a board has few colours.
"""

from functools import cache, partial
from importlib.resources import as_file, files
from io import BytesIO
from math import ceil, dist
from pathlib import Path
from typing import Any

from PIL import Image

from domain.contract.scene import Scene
from replay.drawing.canvas import canvas_of, light_width
from replay.drawing.flat import Flat
from replay.drawing.layers import can_be_laid, draw_layers
from replay.drawing.png import FEW, NONE, UP, Colour, palette_png
from replay.drawing.svg import draw_svg
from replay.telling.words import ENGLISH, worded

FAMILY = "DejaVu Sans"
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
WIDTH = 960
COLOURS = 128
STEP = 4
LIGHT_COLOURS = 64
"""More than a light picture has, unless much overlaps that can be seen through."""
LIGHT_BYTES = 18_000
"""Of a light picture, if they can be had in any time."""
NEAR = 17
"""How far apart two colours may be of which the rarer is left out where that halves the picture (in steps of 256)."""


def draw_png(scene: Scene, *, lang: str = ENGLISH) -> bytes:
    """The scene with its captions as a PNG picture."""
    return png_of(draw_svg(scene, lang=lang), WIDTH)


def draw_still(scene: Scene, form: str, *, lang: str = ENGLISH) -> bytes:
    """The same as a picture of a form that Pillow writes, `gif` or `webp`."""
    full = picture_of(draw_svg(scene, lang=lang), WIDTH)
    out = BytesIO()
    full.quantize(palette=palette_of(full), dither=Image.Dither.NONE).save(out, form.upper(), lossless=True)
    return out.getvalue()


def draw_light_png(scene: Scene, *, lang: str = ENGLISH) -> bytes:
    """The table for a mail: of few bytes, so with little detail, and with the formations in colours of their own
    (`palette.TINTS`)."""
    scene = worded(scene, lang)
    width = light_width(scene, canvas_of(scene, light=True))
    drawn: Flat | Image.Image
    if can_be_laid(scene):
        drawn = draw_layers(scene, width, _image)
    else:
        drawn = _image(draw_svg(scene, captions=False, lang=lang, light=True), width)
    filter_ = UP if scene.grid == "square" else NONE
    return _in_its_colours(drawn, filter_) if isinstance(drawn, Flat) else _with_its_colours(drawn, filter_)


def png_of(svg: str, width: int) -> bytes:
    """An SVG document of ours as PNG.

    Raises: ValueError for a document that is none
    """
    return _with_palette(_image(svg, width))


def _image(svg: str, width: int) -> Image.Image:
    """The same as a picture in memory."""
    with Image.open(BytesIO(_rendered(svg, width))) as picture:
        picture.load()
        return picture


def _rendered(svg: str, width: int) -> bytes:
    """The same in full colour."""
    import resvg_py  # a reader of battle files does without

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=list(_fonts()),
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )


def picture_of(svg: str, width: int) -> Image.Image:
    """An SVG document of ours as a picture in memory, in full colour.

    Raises: ValueError for a document that is none
    """
    return _image(svg, width).convert("RGB")


def palette_of(full: Image.Image) -> Image.Image:
    """A palette for a picture, chosen by every fourth pixel: a quarter of the time, and no colour that can be seen is
    missing."""
    sample = full.resize((ceil(full.width / STEP), ceil(full.height / STEP)), Image.Resampling.NEAREST)
    return sample.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _with_palette(drawn: Image.Image) -> bytes:
    """The picture as PNG with a palette."""
    full = drawn.convert("RGB")
    out = BytesIO()
    full.quantize(palette=palette_of(full), dither=Image.Dither.NONE).save(out, "PNG")
    return out.getvalue()


def _with_its_colours(drawn: Image.Image, filter_: int) -> bytes:
    """A light picture as PNG with a palette of just the colours it has, the commonest first; if there are too many, the
    rarest become the one most like them."""
    full = drawn.convert("RGB")
    found: list[tuple[int, Any]] = list(full.getcolors(full.width * full.height) or ())
    colours = _chosen(found, filter_)
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in colours for channel in colour])
    placed = full.quantize(palette=palette, dither=Image.Dither.NONE)
    return palette_png(Image.frombytes("L", placed.size, placed.tobytes()), colours, filter_, LIGHT_BYTES)


def _in_its_colours(drawn: Flat, filter_: int) -> bytes:
    """The same of a picture whose colours are known."""
    counted = zip(drawn.places.histogram(), drawn.colours, strict=False)
    colours = _chosen([(count, colour) for count, colour in counted if count], filter_)
    at = {colour: place for place, colour in enumerate(colours)}
    table = [at[colour] if colour in at else at[_nearest(colour, colours)] for colour in drawn.colours]
    return palette_png(drawn.places.point(table + [0] * (256 - len(table))), colours, filter_, LIGHT_BYTES)


def _nearest(colour: Colour, colours: list[Colour]) -> Colour:
    return min(colours, key=partial(dist, colour))


def _chosen(counted: list[tuple[int, Colour]], filter_: int) -> list[Colour]:
    """The colours of the palette, of colours with the numbers of their pixels."""
    ordered = sorted(counted, key=lambda one: (-one[0], one[1]))
    colours = [colour for _, colour in ordered][:LIGHT_COLOURS]
    return _fewer(colours) if filter_ == NONE else colours


def _fewer(colours: list[Colour]) -> list[Colour]:
    """So few of these colours, the commonest first, that two pixels fit into a byte; all of them if that would leave
    out one that no other is near to."""
    kept = list(colours)
    for colour in reversed(colours):
        if len(kept) > FEW and any(other != colour and dist(colour, other) <= NEAR for other in kept):
            kept.remove(colour)
    return kept if len(kept) <= FEW else colours


@cache
def _fonts() -> tuple[str, ...]:
    """The font files; a package in an archive has them unpacked first."""
    found = []
    for name in FONTS:
        source = files("replay").joinpath("fonts", name)
        with as_file(source) as path:
            found.append(str(Path(path)) if path.exists() else "")
    return tuple(found)
