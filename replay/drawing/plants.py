"""What stands on ground: trees, reeds, stones, crags, houses, stakes, waves.

Things are drawn together, part by part, those that overlap row by row from the rear to the front: a wood takes a few
paths, however many its trees are.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from replay.drawing.pen import tag


class PlantPart(Struct, frozen=True, gc=False):
    """One shape of a thing, around its foot at (0, 0), as the rest of a path that begins with a move; `fill` and `line`
    are colours, "" for none, "edge" for that of the outline of its ground. `fine`: left out of a light picture."""

    data: str
    fill: str = ""
    line: str = ""
    wide: float = 1.4
    faint: float = 1.0
    fine: bool = False


SHADE = "#33351a"


def _shade(wide: int, high: int, at: int = 0) -> PlantPart:
    data = f"m{at - wide} 0a{wide} {high} 0 1 0 {2 * wide} 0a{wide} {high} 0 1 0-{2 * wide} 0z"
    return PlantPart(data, SHADE, faint=0.28, fine=True)


PLANTS: dict[str, tuple[tuple[PlantPart, ...], ...]] = {
    "tree": (
        (
            _shade(10, 4, 5),
            PlantPart("v-8", line="#4a3520", wide=3),
            PlantPart(
                "m-10-11a6 6 0 0 1 3-8a8 8 0 0 1 14 0a6 6 0 0 1 3 8a6 6 0 0 1-7 5a7 7 0 0 1-7 0a6 6 0 0 1-6-5z",
                "#476a2f",
            ),
            PlantPart("m-8-13a6 6 0 0 1 5-7a7 7 0 0 1 7-1a9 9 0 0 0-6 7a8 8 0 0 0-6 1z", "#86a657", fine=True),
        ),
        (
            _shade(9, 3, 4),
            PlantPart("m0-29l6 11h-3l5 8h-3l4 8h-18l4-8h-3l5-8h-3z", "#3c5d2b"),
            PlantPart("m0-29l-6 11h3l-5 8h3l-4 8h5l4-15z", "#6a8c48", fine=True),
        ),
        (
            _shade(10, 4, 5),
            PlantPart("v-8", line="#4a3520", wide=3),
            PlantPart("m-9-12a9 9 0 1 0 18 0a9 9 0 1 0-18 0z", "#54793a"),
            PlantPart("m-7-14a8 8 0 0 1 9-6a9 9 0 0 0-7 7z", "#90ad60", fine=True),
        ),
    ),
    "bush": (
        (_shade(6, 2, 2), PlantPart("m-6-1a4 4 0 0 1 3-5a4 4 0 0 1 7 1a3 3 0 0 1 2 4z", "#5f7a39", "edge", 0.8)),
        (_shade(5, 2, 2), PlantPart("m-5-1a5 5 0 0 1 10 0z", "#6f8a45", "edge", 0.8)),
    ),
    "stone": (
        (
            _shade(8, 3, 3),
            PlantPart("m-7 0l2-7l6-2l5 5l1 4z", "#a49d8d", "edge", 1),
            PlantPart("m-5-7l6-2l-2 4z", "#d8d3c5", fine=True),
        ),
        (_shade(5, 2, 2), PlantPart("m-5 0l1-4l4-2l4 3l1 3z", "#b3ac9b", "edge", 1)),
    ),
    "crag": (
        (
            PlantPart("m-19 0l13-21l5-9l8 15l12 15z", "#a39c8e"),
            PlantPart("m-1-30l8 15l12 15h-18l2-14z", "#625c52"),
            PlantPart("m-1-30l-4 7l5-2l4 3z", "#eae7e0", fine=True),
        ),
    ),
    "house": (
        (
            _shade(13, 4, 4),
            PlantPart("m-10 0v-9h20v9z", "#e4d6ba", "edge", 1.2),
            PlantPart("m-12-9l5-9h14l5 9z", "#a65f3d", "edge", 1.2),
            PlantPart("m-2 0v-5h4v5z", "#5a4330"),
        ),
        (
            _shade(9, 3, 3),
            PlantPart("m-7 0v-8h14v8z", "#dccdae", "edge", 1.2),
            PlantPart("m-9-8l9-9l9 9z", "#8f5238", "edge", 1.2),
        ),
    ),
    "stake": ((PlantPart("m-6 6l10-13m-4 13l-10-13", line="#6b4a1f", wide=2.4),),),
    "pole": ((PlantPart("m-8 2l16-3", line="#6b5f45", wide=2),),),
    "wave": (
        (PlantPart("m-9 0q4-5 9 0t9 0", line="#e8f3f5", wide=1.6),),
        (PlantPart("m-6 0q3-4 6 0t6 0", line="#5f98b0", wide=1.4),),
    ),
    "reed": (
        (PlantPart("m-9 1q9 4 18 0", line="#7fb1b5", wide=1.6), PlantPart("v-11m-4 11l-3-8m7 8l4-9", line="edge")),
        (PlantPart("v-9m-3 9l-2-6m5 6l3-7", line="edge"),),
    ),
}  # fmt: skip
"""The things that grounds name (`palette.GroundLook.glyph`), each in some shapes; a light picture has the first."""

IN_ROWS = frozenset({"tree"})
"""Things that overlap those behind them: drawn row by row."""

Planted = tuple[float, float, int]
"""A place, and a number from which the shape of what stands there follows."""


def planted(glyph: str, places: Iterable[Planted], edge: str, *, light: bool) -> Iterator[str]:
    """Things at places that come in rows, from the rear to the front."""
    shapes = PLANTS[glyph]
    for _, row in groupby(places, key=lambda place: place[2] >> 8 if glyph in IN_ROWS else 0):
        spots = list(row)
        for at, shape in enumerate(shapes[:1] if light else shapes):
            here = spots if light else [spot for spot in spots if (spot[2] & 255) % len(shapes) == at]
            if here:
                yield from (_drawn(part, here, edge) for part in shape if not (light and part.fine))


def _drawn(part: PlantPart, spots: list[Planted], edge: str) -> str:
    data = "".join(f"M{round(x)} {round(y)}{part.data}" for x, y, _ in spots)
    fill, line = (edge if colour == "edge" else colour for colour in (part.fill, part.line))
    return tag(
        "path",
        d=data,
        fill=fill or "none",
        stroke=line or None,
        stroke_width=part.wide if line else None,
        opacity=part.faint if part.faint < 1 else None,
    )
