"""Turn a picture of a scene into PNG bytes, the same everywhere.

resvg draws it with the font that comes with this package: the fonts of the machine are not looked at, so the same scene
gives the same bytes on every host, and no letter is missing where there are none. Where Pillow is installed the picture
gets a palette, which makes it four times smaller; a board has few colours.
"""

from functools import cache
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path

from domain.scene import Scene
from replay.drawing.svg import draw_svg
from replay.telling.words import ENGLISH

FAMILY = "DejaVu Sans"
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
WIDTH = 960
"""Of a picture with a palette: twice what a mail program shows, for fine screens."""
WIDTH_FULL = 560
"""Of one without: it would be too heavy otherwise."""
COLOURS = 128


def draw_png(scene: Scene, *, captions: bool = True, width: int | None = None, lang: str = ENGLISH) -> bytes:
    """The scene as a PNG picture; `width` in pixels, else what keeps it light."""
    svg = draw_svg(scene, captions=captions, lang=lang)
    return png_of(svg, width or (WIDTH if has_palette() else WIDTH_FULL))


def png_of(svg: str, width: int) -> bytes:
    """An SVG document of ours as PNG.

    Raises: ValueError for a document that is none
    """
    import resvg_py  # a reader of battle files does without

    drawn = bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=list(_fonts()),
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )
    return _with_palette(drawn) if has_palette() else drawn


@cache
def has_palette() -> bool:
    """Whether Pillow is installed."""
    try:
        import PIL.Image
    except ImportError:
        return False
    return bool(PIL.Image)


def _with_palette(drawn: bytes) -> bytes:
    from PIL import Image

    with Image.open(BytesIO(drawn)) as picture:
        few = picture.convert("RGB").quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    out = BytesIO()
    few.save(out, "PNG", optimize=True)
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
