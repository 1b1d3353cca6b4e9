"""Write SVG so that the same scene always produces the same bytes.

Only presentation attributes are used, no style sheet, script, pattern or font of our own: the
picture looks the same in a page, in a mail and in a converter, and nothing of it leaks into the
page that holds it.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

Number = int | float
Spot = tuple[float, float]
"""A point of the picture: x to the right, y down."""

FONT = "Verdana, 'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif"
WIDEST_LETTER, NARROWEST_LETTER = 0.76, 0.62
"""Width of a bold capital or digit in font sizes: in the widest fonts, and squeezed as far as looks well."""

CAMEL = {
    "view_box": "viewBox",
    "text_length": "textLength",
    "length_adjust": "lengthAdjust",
    "preserve_aspect_ratio": "preserveAspectRatio",
    "pattern_units": "patternUnits",
}

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_UNFIT_FOR_ID = re.compile(r"[^A-Za-z0-9_.:-]")


def number(value: Number) -> str:
    """A number with at most one decimal, the shortest way to write it."""
    text = f"{value:.1f}"
    text = text.removesuffix(".0")
    return "0" if text == "-0" else text


def escaped(text: str) -> str:
    """Text made safe for content and attributes; what XML cannot hold becomes a question mark."""
    if text.isalnum():
        return text
    text = _UNPRINTABLE.sub("?", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def id_of(*parts: str) -> str:
    """An id for an element, of names that may hold anything; different names stay different."""
    return "-".join(_UNFIT_FOR_ID.sub(lambda found: f"_{ord(found[0]):x}_", part) for part in parts if part)


def tag(name: str, *children: str, **attributes: str | Number | None) -> str:
    """An element. `stroke_width` becomes `stroke-width`, `class_` becomes `class`; None is left out."""
    written = "".join(
        [
            f' {_attribute(key)}="{escaped(value) if isinstance(value, str) else number(value)}"'
            for key, value in attributes.items()
            if value is not None
        ]
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


@cache
def _attribute(key: str) -> str:
    """The name of an attribute, one of the few that this package writes."""
    return CAMEL.get(key) or key.rstrip("_").replace("_", "-")


def group(children: Iterable[str], *, title: str = "", **attributes: str | Number | None) -> str:
    """A group, one child to a line, with a title for readers and pointers."""
    named = [tag("title", escaped(title))] if title else []
    return tag("g", "\n".join(["", *named, *(child for child in children if child), ""]), **attributes)


def text(words: str, x: Number, y: Number, size: Number, fill: str, **attributes: str | Number | None) -> str:
    """Words whose middle stands at (x, y), unless `text_anchor` says otherwise."""
    given: dict[str, str | Number | None] = {
        "x": x,
        "y": y + size * 0.36,  # the middle of capitals; dominant-baseline is not understood everywhere
        "font_size": size,
        "fill": fill,
        "text_anchor": "middle",
    }
    return tag("text", escaped(words), **(given | attributes))


def fitting(words: str, width: Number, height: Number) -> float:
    """The largest font size at which bold words fit, squeezed if need be (`squeezed`)."""
    return min(height, width / (NARROWEST_LETTER * max(1, len(words))))


def squeezed(words: str, x: Number, y: Number, size: Number, width: Number, fill: str) -> str:
    """Bold words that keep to a width, whatever the font."""
    tight = WIDEST_LETTER * size * len(words) > width
    return text(
        words,
        x,
        y,
        size,
        fill,
        font_weight="bold",
        text_length=width if tight else None,
        length_adjust="spacingAndGlyphs" if tight else None,
        class_="name",
    )


def path(spots: Sequence[Spot], *, close: bool = False) -> str:
    """The data of a path through spots."""
    steps = " ".join(f"{'L' if at else 'M'}{number(x)} {number(y)}" for at, (x, y) in enumerate(spots))
    return steps + (" Z" if close else "")


def rounded_rectangle(left: Number, top: Number, width: Number, height: Number, radii: Sequence[Number]) -> str:
    """The data of a rectangle with its own radius at each corner, from the upper left, clockwise."""
    right, bottom = left + width, top + height
    corners = (
        ((left, top + radii[0]), (left + radii[0], top), radii[0]),
        ((right - radii[1], top), (right, top + radii[1]), radii[1]),
        ((right, bottom - radii[2]), (right - radii[2], bottom), radii[2]),
        ((left + radii[3], bottom), (left, bottom - radii[3]), radii[3]),
    )
    steps = []
    for at, ((x, y), (to_x, to_y), radius) in enumerate(corners):
        steps.append(f"{'L' if at else 'M'}{number(x)} {number(y)}")
        if radius:
            steps.append(f"A{number(radius)} {number(radius)} 0 0 1 {number(to_x)} {number(to_y)}")
    return " ".join(steps) + " Z"
