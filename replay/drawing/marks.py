"""Draw the counters on a base.

Each mark takes a few steps of width in a strip and is drawn from its left end; what is spent is
hollow. A mark without a picture is printed as its text.
"""

from collections.abc import Callable, Sequence

from domain.contract.scene import Mark
from replay.drawing.palette import ALARM, GOLD, INK, WHITE
from replay.drawing.pen import number, path, tag, text

HIGH = 14.0
GAP = 2.0
CARD = "card"
"""The kind of a mark that is the last card of a unit: its count is the card."""
MANY = 3
"""More of a thing than this are a number."""

Picture = Callable[[float, float, bool], str]
"""Draws one mark whose left end is at (x, y middle); `there` is False for a spent one."""


def strip_width(marks: Sequence[Mark]) -> float:
    """How much room the marks take side by side."""
    return sum(mark_width(mark) + GAP for mark in marks)


def mark_width(mark: Mark) -> float:
    """How much room one mark takes."""
    wide, _ = PICTURES.get(mark.symbol or mark.kind, (0.0, None))
    if not wide:
        return 8.5 * len(mark.text or mark.kind[:1]) + 4
    shown = _presence(mark)
    return wide * len(shown) if len(shown) <= MANY else wide + 9.0 * len(str(mark.count))


def draw_mark(mark: Mark, x: float, y: float) -> str:
    """One mark, its left end at x, its middle at y."""
    wide, picture = PICTURES.get(mark.symbol or mark.kind, (0.0, None))
    if picture is None:
        return _lettered(mark, x, y)
    shown = _presence(mark)
    if len(shown) <= MANY:
        return tag(
            "g", *(picture(x + at * wide, y, there) for at, there in enumerate(shown)), class_=f"mark {mark.kind}"
        )
    count = str(mark.count)
    counted = text(count, x + wide, y, HIGH - 1, INK, text_anchor="start", font_weight="bold")
    return tag("g", picture(x, y, mark.count > 0), counted, class_=f"mark {mark.kind}")


def _presence(mark: Mark) -> list[bool]:
    """Which of them are there: what can be spent shows its spent ones too."""
    full = mark.count if mark.harm else mark.full
    return [at < mark.count for at in range(max(full, mark.count))]


def _lettered(mark: Mark, x: float, y: float) -> str:
    words = str(mark.count) if mark.kind == CARD else mark.text or mark.kind[:1]
    width = mark_width(mark)
    frame = tag("rect", x=x, y=y - 7, width=width, height=14, rx=2, fill=WHITE, stroke=INK, stroke_width=1)
    return tag("g", frame, text(words, x + width / 2, y, 11, INK, font_weight="bold"), class_=f"mark {mark.kind}")


# --- pictures


def _burst(x: float, y: float, there: bool) -> str:
    """A star of alarm with an exclamation mark."""
    rays = []
    for at, (dx, dy) in enumerate(_RAYS):
        reach = 7.5 if at % 2 == 0 else 5
        rays.append((x + 7 + dx * reach, y + dy * reach))
    star = tag("path", d=path(rays, close=True), fill=ALARM, stroke=INK, stroke_width=0.8)
    return star + text("!", x + 7, y, 11, WHITE, font_weight="bold")


_RAYS = (
    (0, -1), (0.5, -0.87), (0.87, -0.5), (1, 0), (0.87, 0.5), (0.5, 0.87),
    (0, 1), (-0.5, 0.87), (-0.87, 0.5), (-1, 0), (-0.87, -0.5), (-0.5, -0.87),
)  # fmt: skip


def _arrow(x: float, y: float, there: bool) -> str:
    """An arrow, upright."""
    shaft = f"M{number(x + 3.5)} {number(y + 6)} v-9"
    head = f"M{number(x + 3.5)} {number(y - 7)} l3 5 h-6 Z"
    return tag(
        "path",
        d=f"{shaft} {head}",
        fill=INK if there else "none",
        stroke=INK,
        stroke_width=1.4,
        opacity=None if there else 0.45,
    )


def _pennon(x: float, y: float, there: bool) -> str:
    """A slanting shaft with a pennon."""
    data = f"M{number(x + 1)} {number(y + 6.5)} L{number(x + 8)} {number(y - 6.5)} l3.5 3 l-5 2.6"
    return _outlined(data, there)


def _javelin(x: float, y: float, there: bool) -> str:
    """A long iron on a shaft."""
    data = (
        f"M{number(x + 1)} {number(y + 6.5)} L{number(x + 4.5)} {number(y - 0.5)} m-1.6 -0.8 l3.2 1.6 m-1.6 -0.8 "
        f"L{number(x + 8)} {number(y - 7)}"
    )
    return _outlined(data, there)


def _outlined(data: str, there: bool) -> str:
    return tag(
        "path",
        d=data,
        fill="none",
        stroke=INK,
        stroke_width=1.8,
        opacity=None if there else 0.45,
        stroke_dasharray=None if there else "2 2",
    )


def _star(x: float, y: float, there: bool) -> str:
    """A star of gold; hollow once it is spent."""
    points = []
    for at, (dx, dy) in enumerate(_STAR):
        reach = 7.0 if at % 2 == 0 else 3.0
        points.append((x + 7 + dx * reach, y + 0.5 + dy * reach))
    return tag("path", d=path(points, close=True), fill=GOLD if there else "none", stroke=INK, stroke_width=1.3)


_STAR = (
    (0, -1), (0.59, -0.81), (0.95, -0.31), (0.95, 0.31), (0.59, 0.81),
    (0, 1), (-0.59, 0.81), (-0.95, 0.31), (-0.95, -0.31), (-0.59, -0.81),
)  # fmt: skip


def _flag(x: float, y: float, there: bool) -> str:
    """A flag on a pole."""
    return tag(
        "path",
        d=f"M{number(x + 2)} {number(y + 7)} v-14 h8 l-2.5 3.5 l2.5 3.5 h-8",
        fill=GOLD,
        stroke=INK,
        stroke_width=1.4,
    )


def _chevrons(x: float, y: float, there: bool) -> str:
    """Two chevrons."""
    data = f"M{number(x + 1)} {number(y + 1)} l4.5 -5 l4.5 5 m-9 5 l4.5 -5 l4.5 5"
    return tag("path", d=data, fill="none", stroke=INK, stroke_width=1.8)


def _ring(x: float, y: float, there: bool) -> str:
    """An empty ring."""
    return tag("circle", cx=x + 5, cy=y, r=4, fill="none", stroke=INK, stroke_width=1.8)


def _shields(x: float, y: float, there: bool) -> str:
    data = f"M{number(x + 1)} {number(y - 5)} h15 v10 h-15 Z m5 0 v10 m5 -10 v10"
    return tag("path", d=data, fill=GOLD, stroke=INK, stroke_width=1.4)


def _shell(x: float, y: float, there: bool) -> str:
    data = f"M{number(x + 1)} {number(y + 5)} c0 -14 15 -14 15 0 Z m5 0 v-9 m5 9 v-9 m-9.5 4 h14"
    return tag("path", d=data, fill=GOLD, stroke=INK, stroke_width=1.4)


def _turn(x: float, y: float, there: bool) -> str:
    """An arrow that goes round: turned over."""
    arc = f"M{number(x + 10.5)} {number(y - 3.5)} a5 5 0 1 0 1.2 5"
    head = tag("path", d=f"M{number(x + 13)} {number(y - 7.5)} v6.5 h-6.5 Z", fill=INK)
    return tag("path", d=arc, fill="none", stroke=INK, stroke_width=2) + head


def _drop(x: float, y: float, there: bool) -> str:
    """A drop."""
    data = f"M{number(x + 4)} {number(y - 6)} c5 6 4 12 0 12 c-4 0 -5 -6 0 -12 Z"
    return tag("path", d=data, fill=ALARM, stroke=INK, stroke_width=0.8)


def _eye(x: float, y: float, there: bool) -> str:
    """An eye with a line through it."""
    at = f"M{number(x + 1)} {number(y)}"
    eye = tag("path", d=f"{at} q7 -9 14 0 q-7 9 -14 0 Z", fill=WHITE, stroke=INK, stroke_width=1.5)
    pupil = tag("circle", cx=x + 8, cy=y, r=2.4, fill=INK)
    return eye + pupil + tag("path", d=f"M{number(x + 2)} {number(y + 6)} l12 -12", stroke=ALARM, stroke_width=2)


PICTURES: dict[str, tuple[float, Picture]] = {
    "burst": (13.0, _burst),
    "arrow": (7.5, _arrow),
    "pennon": (12.0, _pennon),
    "javelin": (10.0, _javelin),
    "star": (14.0, _star),
    "flag": (12.0, _flag),
    "chevrons": (11.0, _chevrons),
    "ring": (10.0, _ring),
    "shields": (17.0, _shields),
    "shell": (17.0, _shell),
    "turn": (14.0, _turn),
    "drop": (9.0, _drop),
    "eye": (16.0, _eye),
}
"""The width of each picture, and who draws it."""
