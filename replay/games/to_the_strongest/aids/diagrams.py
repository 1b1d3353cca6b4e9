"""Diagrams of boxes around a unit that faces up the page: its zone of control, whom it may charge, front, flank and
rear against charges and shots. Every box is shaded as the engine answers for it."""

from collections.abc import Callable, Iterator
from itertools import product

from domain.games.to_the_strongest.chapters.geometry import FRONT_ZONE, charge_aspect, shot_aspect
from domain.games.to_the_strongest.chapters.zones import zone_of
from domain.games.to_the_strongest.state.state import State, Unit
from domain.mechanics.square import frame
from replay.aids.sheet import Diagram, Ink, Label, Shape
from replay.games.to_the_strongest.aids.asking import KINDS, battle_of, unit_of
from replay.games.to_the_strongest.aids.wording import word

MIDDLE = "D5"
NEAR, FAR = ("CDE", range(6, 3, -1)), ("BCDEF", range(7, 2, -1))
"""The boxes around it, one or two deep, from the upper left corner."""
ROOM_BELOW = 1.17
"""The height of a picture with the words below it, in that of its boxes."""
SPEED_INKS: dict[int, Ink] = {1: "near", 2: "middle"}
ASPECT_INKS: dict[str, Ink] = {"front": "far", "flank": "middle", "rear": "near"}


def pictures(lang: str) -> tuple[Diagram, ...]:
    """The four diagrams; where boxes are small, one of a kind is named."""
    state = battle_of(KINDS[0])
    unit = unit_of(state, box=MIDDLE, facing="N")
    struck = _aspects(lambda box: charge_aspect(state, unit, box, box))
    shot = _aspects(lambda box: shot_aspect(state, unit, box))
    return (
        _picture("control", lang, _control(state, unit), NEAR),
        _picture("reach", lang, _reach(unit), FAR),
        _picture("struck", lang, struck, NEAR),
        _picture("shot", lang, shot, FAR, named=("D7", "C5", "E5", "D3")),
    )


Area = tuple[str, range]
Shade = Callable[[str], tuple[Ink, str] | None]
"""The colour of a box and the key of what is written in it; None for neither."""


def _control(state: State, unit: Unit) -> Shade:
    controlled = zone_of(state, unit)
    return lambda box: ("near", "") if box == controlled else None


def _reach(unit: Unit) -> Shade:
    """The boxes that may be charged, by speed (TTS-GEO-14)."""

    def shade(box: str) -> tuple[Ink, str] | None:
        place = frame(unit.box, unit.facing, box)
        return next(((ink, f"speed-{speed}") for speed, ink in SPEED_INKS.items() if place in FRONT_ZONE[speed]), None)

    return shade


def _aspects(aspect: Callable[[str], str]) -> Shade:
    """From where a unit is struck in front, flank or rear."""
    return lambda box: (ASPECT_INKS[aspect(box)], aspect(box))


def _picture(key: str, lang: str, shade: Shade, area: Area, named: tuple[str, ...] = ()) -> Diagram:
    columns, rows = area
    shapes: list[Shape] = []
    labels: list[Label] = []
    for (across, column), (down, row) in product(enumerate(columns), enumerate(rows)):
        box = f"{column}{row}"
        found = shade(box) if box != MIDDLE else None
        around = ((across, down), (across + 1, down), (across + 1, down + 1), (across, down + 1))
        if found:
            shapes.append(Shape(around, found[0]))
            if found[1] and box in (named or (box,)):
                labels.append(Label(across + 0.5, down + 0.62, word(f"picture.{found[1]}", lang)))
        shapes.append(Shape((*around, around[0]), "mark", is_line=True))
    shapes += _standing(len(columns) / 2)
    told = word(f"picture.{key}", lang)
    high = len(rows) * ROOM_BELOW
    labels.append(Label(len(columns) / 2, high - 0.03 * len(rows), told))
    return Diagram(key, told, len(columns), high, tuple(shapes), tuple(labels))


def _standing(middle: float) -> Iterator[Shape]:
    """The unit in the middle, with a notch where it faces."""
    x = y = middle
    yield Shape(((x - 0.3, y - 0.1), (x + 0.3, y - 0.1), (x + 0.3, y + 0.3), (x - 0.3, y + 0.3)), "base")
    yield Shape(((x - 0.15, y - 0.1), (x, y - 0.3), (x + 0.15, y - 0.1)), "base")
