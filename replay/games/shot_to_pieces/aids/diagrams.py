"""Diagrams of fire zone, control zone, flank and the edges of a charge, drawn from the engine's own geometry.

Borders are found by asking the engine where a small base is still inside. Lengths are 1/100 cm, north up.
"""

from collections.abc import Callable, Iterable

from domain.games.shot_to_pieces.chapters.control import FLANK_HDEG, GRAZE_HCM, shows_flank
from domain.games.shot_to_pieces.plane.angles import FULL, HALF, QUARTER
from domain.games.shot_to_pieces.plane.base import FINE, Base, ahead, corners, front_centre, moved
from domain.games.shot_to_pieces.plane.contacts import EDGES, Edge
from domain.games.shot_to_pieces.plane.gaps import is_closer
from domain.games.shot_to_pieces.plane.strikes import TURNS, aligned, struck_edge
from domain.games.shot_to_pieces.plane.zones import CONTROL, firing_range, in_fire_zone, touches_control_zone
from domain.games.shot_to_pieces.state.footprints import base_size
from domain.games.shot_to_pieces.state.profiles import Period, WeaponProfile
from domain.mechanics.plane import Point
from replay.aids.sheet import Diagram, Ink, Label, Shape
from replay.games.shot_to_pieces.aids.wording import centimetres, word

AHEAD, AROUND = range(-QUARTER, QUARTER + 1, 250), range(0, FULL + 1, 500)
"""The directions in which a border is looked for, in 1/100 degree."""
PROBE = 2
GAP = 300
"""Room between a charger and its target, in 1/100 cm."""
INKS: tuple[Ink, ...] = ("near", "middle", "far")
BANDS = ("short", "medium", "long")


def border(start: Point, headings: Iterable[int], farthest: int, is_in: Callable[[Base], bool]) -> tuple[Point, ...]:
    """How far from a point an area reaches in each direction, to 1/100 cm; `is_in` is asked of a small base."""
    found = []
    for heading in headings:
        inside, outside = 0, farthest + 1
        while outside - inside > 1:
            middle = (inside + outside) // 2
            if is_in(Base(ahead(start, heading, middle), 0, PROBE, PROBE)):
                inside = middle
            else:
                outside = middle
        found.append(ahead(start, heading, inside))
    return tuple(found)


def fire_zone(base: Base, reach: int) -> tuple[Point, ...]:
    """The border of where a base may fire up to a range (STP-GEO-05, -06)."""

    def is_in(probe: Base) -> bool:
        return in_fire_zone(base, probe) and firing_range(base, probe) <= reach

    return border(front_centre(base), AHEAD, reach + PROBE, is_in)


def control_zone(base: Base, *, all_round: int = 0) -> tuple[Point, ...]:
    """The border of a control zone (STP-ZOC-01, STP-EMP-06)."""
    start, headings = (base.at, AROUND) if all_round else (front_centre(base), AHEAD)
    return border(start, headings, 2 * CONTROL, lambda probe: touches_control_zone(base, probe, all_round=all_round))


def graze(base: Base) -> tuple[Point, ...]:
    """The border within which nobody passes (STP-ZOC-02)."""
    return border(base.at, AROUND, 2 * CONTROL, lambda probe: is_closer(base, probe, GRAZE_HCM))


def widest_front() -> int:
    """The largest angle off its facing at which a unit does not show its flank, in 1/100 degree (STP-ZOC-09)."""
    base = Base((0, 0), 0, *base_size("inf", "battle", {}))
    apart = 100 * CONTROL
    at = FLANK_HDEG - 500
    while not shows_flank(base, Base(ahead(base.at, at + 1, apart), at + 1 + HALF, PROBE, 0)):
        at += 1
    return at


# --- pictures


class Paper:
    """A picture of a part of the table: its left and upper border, and its size."""

    def __init__(self, left: int, top: int, width: int, height: int) -> None:
        self.left, self.top, self.width, self.height = left, top, width, height
        self.shapes: list[Shape] = []
        self.labels: list[Label] = []

    def area(self, points: Iterable[tuple[float, float]], ink: Ink) -> None:
        """A filled area."""
        self.shapes.append(Shape(tuple(map(self._place, points)), ink))

    def line(self, points: Iterable[Point], ink: Ink = "edge", *, dashed: bool = False) -> None:
        """An open line."""
        self.shapes.append(Shape(tuple(map(self._place, points)), ink, is_line=True, dashed=dashed))

    def base(self, base: Base, ink: Ink = "base") -> None:
        """A base, with a notch ahead where it faces."""
        around = [(x / FINE, y / FINE) for x, y in corners(base)]
        self.area(around, ink)
        nose = ahead(front_centre(base), base.facing, 90)
        left, right = (ahead(front_centre(base), base.facing + turn, 90) for turn in (-QUARTER, QUARTER))
        self.area((left, nose, right), ink)

    def label(self, at: Point, text: str, *, is_left: bool = False) -> None:
        """Words at a place of the table."""
        x, y = self._place(at)
        self.labels.append(Label(x, y, text, "left" if is_left else "centre"))

    def done(self, key: str, told: str) -> Diagram:
        """The picture."""
        return Diagram(key, told, self.width, self.height, tuple(self.shapes), tuple(self.labels))

    def _place(self, at: tuple[float, float]) -> tuple[float, float]:
        return at[0] - self.left, self.top - at[1]


def fire_picture(base: Base, weapon: WeaponProfile, name: str, lang: str) -> Diagram:
    """The fire zone of a base with a weapon, by its bands; their limits are written on the right."""
    unit, reach = weapon.range // 10, weapon.range
    half = max(abs(x) for x, _ in fire_zone(base, reach))
    high = reach + base.depth + 3 * unit
    paper = Paper(-half - unit // 2, base.depth // 2 + reach + unit // 2, 2 * half + 6 * unit, high)
    for limit, ink in reversed([(limit, ink) for limit, ink in zip(weapon.bands, INKS, strict=True) if limit]):
        zone = fire_zone(base, limit)
        paper.area(zone, ink)
        paper.line((*zone, zone[0]))
    paper.base(base)
    muzzle = front_centre(base)
    for band, limit in zip(BANDS, weapon.bands, strict=True):
        if limit:
            widest = max(fire_zone(base, limit))
            said = word("band", lang, band=word(f"band-{band}", lang), reach=centimetres(limit, lang))
            paper.label((widest[0] + unit // 2, min(widest[1], muzzle[1] + limit - unit)), said, is_left=True)
    paper.label((0, -base.depth // 2 - 2 * unit), name)
    return paper.done("fire-zone", word("told-fire", lang, name=name, reach=centimetres(reach, lang)))


def control_picture(base: Base, name: str, lang: str, *, all_round: int = 0) -> Diagram:
    """The control zone of a base, and how near nobody passes it."""
    depth = all_round or CONTROL
    paper = _near(name)
    zone = control_zone(base, all_round=all_round)
    paper.area(zone, "middle")
    paper.line((*zone, zone[0]))
    if not all_round:
        paper.line(graze(base), "mark", dashed=True)
        paper.label((0, -GRAZE_HCM), word("length", lang, cm=centimetres(GRAZE_HCM, lang)))
    paper.base(base)
    paper.label((0, base.depth // 2 + depth - 260), word("length", lang, cm=centimetres(depth, lang)))
    return paper.done("control-zone", word("told-control", lang, name=name, reach=centimetres(depth, lang)))


def flank_picture(base: Base, name: str, lang: str) -> Diagram:
    """The directions in which an enemy in whose zone a unit stands sees its flank."""
    paper = _near(name)
    most, far = widest_front(), CONTROL + base.depth // 2
    wedge = [ahead(base.at, heading, far) for heading in (*range(-most, most, 300), most)]
    paper.area((base.at, *wedge), "middle")
    for side in (-most, most):
        paper.line((base.at, ahead(base.at, side, far)))
    paper.base(base)
    paper.label((0, far - 260), word("front", lang))
    for side in (-1, 1):
        paper.label((side * 700, -80), word("flank", lang))
        paper.label((side * 820, far * 45 // 100), word("degrees", lang, degrees=centimetres(most, lang)))
    paper.label((0, -GRAZE_HCM), word("flank", lang))
    return paper.done("flank", word("told-flank", lang, degrees=centimetres(most, lang)))


def _near(name: str) -> Paper:
    """A picture of 10 cm around a base at (0, 0), with words below."""
    paper = Paper(-1050, CONTROL + 250, 2100, CONTROL + 250 + GRAZE_HCM + 550)
    paper.label((0, -GRAZE_HCM - 480), name)
    return paper


def edges_picture(held: Period, name: str, lang: str) -> Diagram:
    """Which edge of a unit a charger strikes, and what that adds to the unit taken so."""
    size = base_size("inf", "battle", {})
    target = Base((0, 0), 0, *size)
    paper = Paper(-1250, 1150, 2500, 2500)
    paper.base(target)
    for edge in EDGES:
        charger = _charger(target, edge)
        muzzle = front_centre(charger)
        struck = struck_edge(charger, target)
        assert struck == edge, "who is ahead of an edge strikes it"
        paper.base(charger, "foe")
        paper.line((muzzle, ahead(muzzle, charger.facing, GAP)), "edge", dashed=True)
        aspect = "flank" if edge in ("left", "right") else edge
        plus = held.factors.get(aspect, 0)
        said = word("struck", lang, edge=word(aspect, lang), plus=_plus(plus))
        x, y = charger.at
        paper.label({"front": (x, y + 250), "rear": (x, y - 400)}.get(edge, (x, y + 300)), said)
    paper.label((0, -1290), name)
    return paper.done("edges", word("told-edges", lang))


def _charger(target: Base, edge: Edge) -> Base:
    """A charger on its way to an edge."""
    start = Base(target.at, target.facing + TURNS[edge], *base_size("inf", "battle", {}))
    flush = aligned(start, target, edge)
    return moved(flush, flush.facing + HALF, GAP)


def _plus(number: int) -> str:
    return f" {'+' if number > 0 else '−'}{abs(number)}" if number else ""
