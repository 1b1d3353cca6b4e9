"""Draws the icons of the installed site from `icon.svg`.

Run `python -m tests.icons` after the drawing was changed.
"""

from pathlib import Path

import resvg_py

from server.web.pages import rendering
from server.web.pages.installing import ICONS

STATIC_FILES = Path(rendering.__file__).parent / "static"


def draw(size: int) -> bytes:
    """The icon as PNG, so many pixels wide and high."""
    return bytes(resvg_py.svg_to_bytes(svg_path=str(STATIC_FILES / "icon.svg"), width=size, height=size))


def main() -> None:
    """Write the files."""
    for name, sizes in ICONS.items():
        (STATIC_FILES / name).write_bytes(draw(int(sizes.partition("x")[0])))


if __name__ == "__main__":
    main()
