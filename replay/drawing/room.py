"""Where there is room for the names of small bases, and for the badges of leaders who stand by themselves.

On a table of free measure units stand anywhere: a name behind its base may lie under another base, and a badge over a
name. Such a name stands before its base instead, such a badge beside its place.
"""

from collections.abc import Iterator, Mapping
from itertools import chain

from msgspec import Struct

from domain.contract.scene import Scene, Token
from replay.drawing.bases import OUT, POINTER_LONG, POINTER_WIDE, Plate, is_small, name_spot, name_width
from replay.drawing.canvas import Canvas
from replay.drawing.emblems import BADGE_HIGH, BADGE_LIMIT, badge_width
from replay.drawing.pen import Spot

NAME_HIGH = 16.0
ASIDE = 2.0
"""Between a badge and its place."""


class NameRoom(Struct, frozen=True):
    """The tokens whose name stands before their base, and the spots of badges that are not in their place."""

    before: frozenset[str] = frozenset()
    badges: Mapping[str, Spot] = {}


class _Box(Struct, frozen=True, gc=False):
    x: float
    y: float
    width: float
    height: float

    def meets(self, other: "_Box") -> bool:
        return (
            2 * abs(self.x - other.x) < self.width + other.width
            and 2 * abs(self.y - other.y) < self.height + other.height
        )


def room_of(scene: Scene, canvas: Canvas, plates: Mapping[str, Plate]) -> NameRoom:
    """Where names and badges of a scene have room; `plates` are those of its bases."""
    units = [token for token in scene.tokens if token.id in plates]
    bases = {token.id: _base(canvas.spot(token.at), plates[token.id]) for token in units}
    named = {token.id: token for token in units if is_small(plates[token.id])}
    before, names = set[str](), dict[str, _Box]()
    for name, token in named.items():
        others = [box for other, boxes in bases.items() if other != name for box in boxes]
        spot, plate = canvas.spot(token.at), plates[name]
        behind, ahead = (_name(token, spot, plate, before=one) for one in (False, True))
        if any(map(behind.meets, others)) and not any(map(ahead.meets, others)):
            before.add(name)
        names[name] = ahead if name in before else behind
    taken = [*chain.from_iterable(bases.values()), *names.values()]
    return NameRoom(frozenset(before), dict(_badges(scene, canvas, taken)))


def _base(spot: Spot, plate: Plate) -> tuple[_Box, ...]:
    """A base and its pointer."""
    base = _Box(*spot, plate.width, plate.height)
    if plate.front is None:
        return (base,)
    right, down = OUT[plate.front]
    far = ((plate.width if right else plate.height) + POINTER_LONG) / 2
    width, height = (POINTER_LONG, POINTER_WIDE) if right else (POINTER_WIDE, POINTER_LONG)
    return base, _Box(spot[0] + right * far, spot[1] + down * far, width, height)


def _name(token: Token, spot: Spot, plate: Plate, *, before: bool) -> _Box:
    return _Box(spot[0], spot[1] + name_spot(plate, before=before), name_width(token), NAME_HIGH)


def _badges(scene: Scene, canvas: Canvas, taken: list[_Box]) -> Iterator[tuple[str, Spot]]:
    """The first spot at or beside its place where a badge covers nothing; where there is none it stays."""
    for token in scene.tokens:
        if token.form != "emblem" or token.on or min(token.size) * canvas.scale >= BADGE_LIMIT:
            continue
        x, y = canvas.spot(token.at)
        box = _Box(x, y, badge_width(token), BADGE_HIGH)
        far, high = box.width / 2 + ASIDE, BADGE_HIGH / 2 + ASIDE
        near = ((0, 0), (0, high), (0, -high), (far / 2, 0), (-far / 2, 0), (far, 0), (-far, 0))
        for right, down in (
            *near,
            (far, high),
            (-far, high),
            (far, -high),
            (-far, -high),
            (0, 2 * high),
            (0, -2 * high),
        ):
            tried = _Box(x + right, y + down, box.width, box.height)
            if not any(map(tried.meets, taken)):
                box = tried
                break
        taken.append(box)
        if (box.x, box.y) != (x, y):
            yield token.id, (box.x, box.y)
