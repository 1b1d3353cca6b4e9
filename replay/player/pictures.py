"""The board that is looked at as a picture in a file."""

from collections.abc import Callable
from pathlib import Path

from domain.scene import Scene
from replay.drawing.raster import draw_png
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text

FORMS: dict[str, Callable[[Scene, str], bytes]] = {
    ".png": lambda scene, lang: draw_png(scene, lang=lang),
    ".svg": lambda scene, lang: draw_svg(scene, lang=lang).encode(),
    ".txt": lambda scene, lang: draw_text(scene, lang=lang).encode(),
}
"""How a picture is drawn, by the ending of its name."""


class UnknownForm(Exception):
    """A name with another ending."""


def write(name: str, scene: Scene, lang: str) -> None:
    """Draw a scene into a new file; never over one that is there.

    Raises:  UnknownForm; OSError; ValueError for a name that no file can have
    """
    path = Path(name)
    draw = FORMS.get(path.suffix.lower())
    if draw is None:
        raise UnknownForm
    content = draw(scene, lang)
    with path.open("xb") as file:
        file.write(content)
