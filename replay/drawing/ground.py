"""Draw the ground of a scene as one landscape.

Neighbouring cells of one kind grow together (`regions`): a hill of four boxes is one hill, with contours and hachures.
What stands on it (`plants`) stands on a jittered lattice; the jitter comes from the place itself, so the same table
always looks the same. Cells themselves lie on top, unseen, for pointers and readers.
"""

from collections.abc import Iterable, Iterator
from zlib import crc32

from msgspec import Struct

from domain.contract.scene import Cell, Scene
from replay.drawing.canvas import Canvas, column_and_row, middle
from replay.drawing.palette import (
    CORNER,
    FIELD,
    GROUNDS,
    INK,
    OPEN,
    PATCHES,
    TUFT,
    UNKNOWN_GROUND,
    GroundLook,
    dress_of,
)
from replay.drawing.pen import Spot, fitting, group, id_of, number, path, squeezed, tag, text
from replay.drawing.plants import Planted, planted
from replay.drawing.regions import Loop, inset, is_inside, joined, loops_of, narrowest, pairs, soft, swaying, ticks
from replay.remembered import Remembered

INSET, SWAY = 5.0, 4.0
"""How far inside the edges of its cells a piece of ground ends, and how far its outline sways about that."""
CONTOURS = {1: (0.0, 16.0, 31.0), 2: (0.0, 12.0, 23.0, 33.0)}
"""How far inside the foot of a hill its contours lie, by slope."""
RISE, DROP = (-2.0, -3.0), (5.0, 6.0)
"""How far a contour is pushed to the light, and where the shadow of a hill falls."""
LATTICE, LATTICE_NAMED, LATTICE_LIGHT = 26, 34, 50
"""How far apart trees, reeds and stones stand; less densely where a name is to be read among them."""
LATTICE_CRAG = 36
"""The same of crags, which are larger."""
FLAT, FLAT_ROOM, FOOT = ("wave", "reed"), 11, 6
"""Things that lie on the ground and must not stick out, how far from an edge they lie, and how far below the middle of
its place a thing has its foot."""
ALIKE = 31
"""A number by which what stands on the ground stands in the middle of its place."""
TICK_STEP, TICK = 11.0, 8.0
ZONE_TINT, ZONE_RIM = 0.2, 4
ARM = 5
NAME, NAME_UP, NAME_FAINT = 14, 24, 0.75
"""Size of the name in a hex, how far above its lowest corner, and how faint."""
GLYPH_DOWN = 26
"""How far below its highest corner the only thing on a hex stands."""
LOOSE_NAME, LOOSE_HALO = 13, 3.5
"""Size of the name of a loose piece of ground, and of what parts it from the things there."""
NAME_ROOM = (26, 20)
"""Half of the width and of the height around a name in which nothing stands."""
PATCH_ROOM, TUFT_ROOM = 110_000.0, 14_000.0
"""So much table has one soft patch, and one tuft of grass."""


_drawn: Remembered[str] = Remembered(8 << 20, len, by_value=True)


def draw_ground(scene: Scene, canvas: Canvas, prefix: str) -> str:
    """The land, all cells, and on a grid the corners of its boxes."""
    how = scene.grid, scene.sides, canvas, prefix
    return _drawn.get((scene.cells,), how, lambda: _ground(scene, canvas, prefix))


def _ground(scene: Scene, canvas: Canvas, prefix: str) -> str:
    look = _cloth(scene, canvas)
    land = group(_land(scene, canvas, look), class_="land", aria_hidden="true", pointer_events="none")
    cells = (_cell(cell, canvas, prefix, look) for cell in scene.cells)
    parts = (land, *cells, *_zones(scene, canvas), *_corners(scene, canvas))
    return group(parts, class_="ground", stroke_linejoin="round")


class Cloth(Struct, frozen=True, gc=False):
    """How cells lie: tiled, or loose on the table; `named`: each has its name in it, and a line around it; `light`:
    with few things on it."""

    tiled: bool
    named: bool
    light: bool

    @property
    def lattice(self) -> int:
        """How far apart the things on the ground stand."""
        if self.light:
            return LATTICE_LIGHT
        return LATTICE_NAMED if self.named else LATTICE


def _cloth(scene: Scene, canvas: Canvas) -> Cloth:
    return Cloth(scene.grid != "free", scene.grid == "hex", canvas.light)


def look_of(cell: Cell) -> str:
    """The word that chooses the picture of a cell."""
    return cell.look or cell.kind


# --- the land


def _land(scene: Scene, canvas: Canvas, cloth: Cloth) -> Iterator[str]:
    """Open ground with its grass, then each kind of other ground, flat kinds first."""
    whole: list[Loop] = []
    if cloth.named:  # hexes end where they end
        whole = loops_of(canvas.spots(cell.outline) for cell in scene.cells)
        yield tag("path", d=" ".join(path(loop, close=True) for loop in whole), fill=FIELD)
    if not cloth.light and len(scene.cells) != 1:
        yield from _grass(canvas, whole)
    kinds: dict[str, list[Cell]] = {}
    for cell in scene.cells:
        if look_of(cell) not in OPEN:
            kinds.setdefault(look_of(cell), []).append(cell)
    for kind in sorted(kinds, key=lambda kind: [*GROUNDS, kind].index(kind)):
        ground = GROUNDS.get(kind, UNKNOWN_GROUND)
        if cloth.tiled:
            yield from _region(ground, [canvas.spots(cell.outline) for cell in kinds[kind]], cloth)
        else:
            for cell in kinds[kind]:
                yield from _region(ground, [canvas.spots(cell.outline)], cloth)


def _grass(canvas: Canvas, whole: list[Loop]) -> Iterator[str]:
    """Soft patches, and tufts, anywhere on the table, but within `whole` where that is given."""

    def lies_on(spots: Loop) -> bool:
        return not whole or all(is_inside(x, y, whole) for x, y in spots)

    left, top, wide, high = canvas.margin, canvas.margin, canvas.table_width, canvas.table_height
    size = wide * high
    patches: list[list[str]] = [[] for _ in PATCHES]
    for at in range(round(size / PATCH_ROOM)):
        seed = crc32(f"patch {at}".encode())
        half_x, half_y = 70 + seed % 90, 40 + seed // 90 % 50
        x = left + half_x + (seed >> 4) % 997 / 997 * max(0.0, wide - 2 * half_x)
        y = top + half_y + (seed >> 14) % 991 / 991 * max(0.0, high - 2 * half_y)
        corners = ((-1, -0.2), (-0.5, -0.9), (0.3, -1), (1, -0.5), (0.9, 0.4), (0.2, 0.9), (-0.6, 0.8))
        spots = [(x + half_x * a, y + half_y * b) for a, b in corners]
        if lies_on(spots):
            patches[seed % len(PATCHES)].append(soft(spots))
    for colour, drawn in zip(PATCHES, patches, strict=True):
        yield tag("path", d="".join(drawn), fill=colour, opacity=0.4) if drawn else ""
    tufts = []
    for at in range(round(size / TUFT_ROOM)):
        seed = crc32(f"tuft {at}".encode())
        x, y = left + 4 + seed % 4099 / 4099 * (wide - 8), top + 8 + (seed >> 13) % 4093 / 4093 * (high - 10)
        if lies_on([(x - 4, y), (x + 4, y), (x, y - 8)]):
            tufts.append(f"M{round(x)} {round(y)}l-3-4m3 4v-6m0 6l2-4")
    yield tag("path", d="".join(tufts), fill="none", stroke=TUFT, stroke_width=1, opacity=0.7)


def _region(ground: GroundLook, outlines: list[list[Spot]], cloth: Cloth) -> Iterator[str]:
    """Ground of one kind: its outline, contours where it is a hill, and what stands on it."""
    loops = [inset(loop, min(INSET, narrowest(loop) / 12)) if cloth.tiled else loop for loop in loops_of(outlines)]
    sway = 0.0 if cloth.light else min(SWAY, min(map(narrowest, loops)) / 12)
    foot = "".join(_outline(loop, sway, cloth) for loop in loops)
    if ground.slope:
        yield from _hill(ground, loops, foot, sway, cloth)
    else:
        yield tag("path", d=foot, fill=ground.fill, fill_rule="evenodd", stroke=ground.edge, stroke_width=1.8)
    if ground.glyph:
        step = max(cloth.lattice, LATTICE_CRAG if ground.glyph == "crag" else 0)
        places = _lattice(loops, step, FLAT_ROOM if ground.glyph in FLAT else 0, cloth)
        if cloth.named:
            places = _above_the_names(outlines) if cloth.light else _beside_the_names(places, outlines)
        yield from planted(ground.glyph, places, ground.edge, light=cloth.light)


def _outline(loop: Loop, sway: float, cloth: Cloth) -> str:
    """By a soft hand; straight in a light picture, where boxes and hexes that look alike then have the same pixels."""
    return path(loop, close=True) if cloth.light else soft(swaying(loop, sway))


def _hill(ground: GroundLook, loops: list[Loop], foot: str, sway: float, cloth: Cloth) -> Iterator[str]:
    """Layers of contour, each lighter and nearer to the light, on a shadow, with hachures around."""
    room = min(map(narrowest, loops)) * 0.4
    contours = [by for by in CONTOURS[ground.slope] if by < room]
    if not cloth.light:
        yield tag("path", d=foot, fill=INK, opacity=0.2, transform=f"translate({joined([round(by) for by in DROP])})")
    fills = (ground.fill, *ground.layers)
    for at, by in enumerate(contours[: 2 if cloth.light else None]):
        moved = [[(x + RISE[0] * at, y + RISE[1] * at) for x, y in inset(loop, by)] for loop in loops]
        data = "".join(_outline(loop, sway, cloth) for loop in moved) if at else foot
        yield tag(
            "path",
            d=data,
            fill=fills[min(at, len(fills) - 1)],
            fill_rule="evenodd",
            stroke=ground.edge,
            stroke_width=0.9 if at else 1.8,
            stroke_opacity=0.55 if at and not cloth.light else None,
        )
    if not cloth.light:
        step, length = (TICK_STEP * 0.8, TICK * 1.3) if ground.slope > 1 else (TICK_STEP, TICK)
        strokes = "".join(ticks(loop, step, length) for loop in loops)
        yield tag("path", d=strokes, fill="none", stroke=ground.edge, stroke_width=1.2, opacity=0.8)


# --- cells


def _cell(cell: Cell, canvas: Canvas, prefix: str, cloth: Cloth) -> str:
    """A cell for pointers and readers: seen are its name, and the line around a hex."""
    spots = canvas.spots(cell.outline)
    x, y = canvas.spot(middle(cell))
    line = CORNER if cloth.named else None
    parts = [
        tag(
            "path",
            d=path(spots, close=True),
            fill=FIELD,
            fill_opacity=0,
            stroke=line,
            stroke_width=0.8 if line else None,
        )
    ]
    if cell.label:
        width = max(spot[0] for spot in spots) - min(spot[0] for spot in spots)
        if cloth.tiled:
            parts.append(squeezed(cell.label, x, y, fitting(cell.label, width, 20), width, INK))
        else:
            halo = FIELD if look_of(cell) in OPEN else GROUNDS.get(look_of(cell), UNKNOWN_GROUND).fill
            named = text(cell.label, x, y, LOOSE_NAME, INK, stroke=halo, stroke_width=LOOSE_HALO, paint_order="stroke")
            parts.append(named)
    if cloth.named:
        parts += _name(cell.id, x, max(spot[1] for spot in spots) - NAME_UP, cloth)
    return group(
        parts,
        title=cell.title or f"{cell.id}, {cell.kind.replace('_', ' ')}",
        id=id_of(prefix, "cell", cell.id),
        class_=f"cell {cell.kind}",
        data_cell=cell.id,
    )


def _around(spots: list[Spot]) -> str:
    """The outline of a cell; that of a box in a few letters, alike for all of them."""
    (left, low), (right, _), (_, top), _ = spots if len(spots) == 4 else [(0.0, 0.0)] * 4
    if spots[1:] != [(right, low), (right, top), (left, top)]:
        return path(spots, close=True)
    return f"M{number(left)} {number(low)}h{number(right - left)}v{number(top - low)}h{number(left - right)}z"


def _name(name: str, x: float, y: float, cloth: Cloth) -> Iterator[str]:
    """The name of a hex. In a light picture its number begins at the same pixel in each, which takes fewer bytes."""
    if not cloth.light:
        yield text(name, x, y, NAME, INK, opacity=NAME_FAINT, aria_hidden="true")
        return
    for part, anchor in zip(column_and_row(name), ("end", "start"), strict=True):
        if part:
            yield text(part, x, y, NAME, INK, text_anchor=anchor, aria_hidden="true")


# --- where a side may place its things


def _zones(scene: Scene, canvas: Canvas) -> Iterator[str]:
    """A tint in the colour of each side, and a broken line around its boxes."""
    for side in scene.sides:
        outlines = [canvas.spots(cell.outline) for cell in scene.cells if cell.zone == side]
        if not outlines:
            continue
        strong = dress_of(scene.sides, side).strong
        edges = [frozenset(edge) for outline in outlines for edge in pairs(outline)]
        rims = (path(sorted(edge)) for edge in dict.fromkeys(edges) if edges.count(edge) == 1)
        tint = " ".join(path(outline, close=True) for outline in outlines)
        yield tag("path", d=tint, fill=strong, fill_opacity=ZONE_TINT, pointer_events="none")
        yield tag(
            "path",
            d=" ".join(rims),
            fill="none",
            stroke=strong,
            stroke_width=ZONE_RIM,
            stroke_dasharray="14 8",
            pointer_events="none",
        )


# --- where things stand


def _lattice(loops: list[Loop], step: int, room: int, cloth: Cloth) -> Iterator[Planted]:
    """Places inside loops with a number for each, row by row from the top, `room` from their sides; all alike if the
    picture is to be light."""
    xs, ys = [x for loop in loops for x, _ in loop], [y for loop in loops for _, y in loop]
    left, top = min(xs), min(ys)
    across, down = (max(1, round((max(v) - min(v)) / step)) for v in (xs, ys))
    wide, high = (max(xs) - left) / across, (max(ys) - top) / down
    for row in range(down):
        for column in range(across):
            seed = ALIKE if cloth.light else crc32(f"{round(left)},{round(top)},{column},{row}".encode())
            x = left + (column + 0.5) * wide + (seed % 13 - 6) * (0 if cloth.light else 1)
            y = top + (row + 0.5) * high + (seed // 13 % 9 - 4) * (0 if cloth.light else 1)
            if all(is_inside(x + by, y + FOOT, loops) for by in (-room, room)):
                yield x, y + FOOT, row << 8 | seed >> 9 & 255


def _above_the_names(outlines: Iterable[list[Spot]]) -> Iterator[Planted]:
    """One place in each hex, above what stands in it."""
    for spots in outlines:
        xs, ys = [x for x, _ in spots], [y for _, y in spots]
        yield (min(xs) + max(xs)) / 2, min(ys) + GLYPH_DOWN, 0


def _beside_the_names(places: Iterator[Planted], outlines: list[list[Spot]]) -> Iterator[Planted]:
    """Places that leave the names of hexes free."""
    wide, high = NAME_ROOM
    names = []
    for spots in outlines:
        xs = [x for x, _ in spots]
        names.append(((min(xs) + max(xs)) / 2, max(y for _, y in spots) - NAME_UP))
    return (place for place in places if all(abs(place[0] - x) > wide or abs(place[1] - y) > high for x, y in names))


def _corners(scene: Scene, canvas: Canvas) -> Iterator[str]:
    """A small cross at each corner of a box, as on a gaming cloth."""
    if scene.grid != "square" or not scene.cells:
        return
    corners = sorted({point for cell in scene.cells for point in cell.outline}, key=lambda point: (-point[1], point[0]))
    arms, last_x, last_y = ["M0 0"], 0.0, 0.0
    for x, y in canvas.spots(corners):
        arms.append(f"m{number(x - ARM - last_x)} {number(y - last_y)}h{2 * ARM}m-{ARM}-{ARM}v{2 * ARM}")
        last_x, last_y = x, y + ARM
    yield tag("path", d="".join(arms), fill="none", stroke=CORNER, stroke_width=1.4, class_="corners")
