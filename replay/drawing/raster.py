"""Turn a picture of a scene into PNG bytes, the same everywhere.

resvg draws it with the font that comes with this package: the fonts of the machine are not looked at, so the same scene
gives the same bytes on every host, and no letter is missing where there are none. Where Pillow is installed the picture
gets a palette, which makes it four times smaller; a board has few colours.
"""

from functools import cache
from importlib.resources import as_file, files
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from domain.scene import Scene
from replay.drawing.svg import draw_svg
from replay.telling.words import ENGLISH, worded

if TYPE_CHECKING:
    from PIL.Image import Image

FAMILY = "DejaVu Sans"
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
WIDTH = 960
"""Of a picture with a palette: twice what a mail program shows, for fine screens."""
WIDTH_FULL = 560
"""Of one without: it would be too heavy otherwise."""
COLOURS = 128
STEP = 4


def draw_png(scene: Scene, *, captions: bool = True, width: int | None = None, lang: str = ENGLISH) -> bytes:
    """The scene as a PNG picture; `width` in pixels, else what keeps it light."""
    if has_palette():
        return _in_layers(worded(scene, lang), captions, width or WIDTH, lang)
    return png_of(draw_svg(scene, captions=captions, lang=lang), width or WIDTH_FULL)


def _in_layers(scene: Scene, captions: bool, width: int, lang: str) -> bytes:
    from replay.drawing.layers import can_be_laid, draw_layers

    if captions or not can_be_laid(scene):
        return png_of(draw_svg(scene, captions=captions, lang=lang), width)
    return _with_palette(draw_layers(scene, width, _drawn))


def png_of(svg: str, width: int) -> bytes:
    """An SVG document of ours as PNG.

    Raises: ValueError for a document that is none
    """
    return _with_palette(_drawn(svg, width)) if has_palette() else _rendered(svg, width)


def _drawn(svg: str, width: int) -> "Image":
    """The same as a picture in memory."""
    from PIL import Image

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


@cache
def has_palette() -> bool:
    """Whether Pillow is installed."""
    try:
        import PIL.Image
    except ImportError:
        return False
    return bool(PIL.Image)


def _with_palette(drawn: "Image") -> bytes:
    """The picture as PNG with a palette, which is chosen by every fourth pixel: a quarter of the time, and no colour
    that can be seen is missing."""
    from PIL import Image

    full = drawn.convert("RGB")
    sample = full.resize((ceil(full.width / STEP), ceil(full.height / STEP)), Image.Resampling.NEAREST)
    palette = sample.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    out = BytesIO()
    full.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG")
    return out.getvalue()


@cache
def _fonts() -> tuple[str, ...]:
    """The font files; a package in an archive has them unpacked first."""
    found = []
    for name in FONTS:
        source = files("replay").joinpath("fonts", name)
        with as_file(source) as path:
            found.append(str(Path(path)) if path.exists() else "")
    return tuple(found)
