"""The units that may still shoot in this phase, where to, and at whom: fields of fire and measured distances."""

from collections.abc import Iterator

from domain.basics.message import Message
from domain.contract.scene import Arc, Point, Ruler
from domain.games.warmaster_shooting.chapters.sight import EDGES, Edge
from domain.games.warmaster_shooting.chapters.targets import can_shoot, eligible, main_targets
from domain.games.warmaster_shooting.shown.wording import centimetres
from domain.games.warmaster_shooting.state.measure import distance_of, distance_to, nearest_stand, outline
from domain.games.warmaster_shooting.state.profiles import TWO_SIDED
from domain.games.warmaster_shooting.state.state import StandBase, State, Unit, stand_in
from domain.mechanics.outline import gap
from domain.mechanics.plane import FINE, ExactPoint, bearing

PHASE = "shooting"


def fields_of_fire(state: State) -> Iterator[Arc]:
    """The arc of every stand that may still shoot, those side by side as one (WMS-ARC-01, -02, -04)."""
    for unit in _ready(state):
        yield from arcs_of(state, unit)


def arcs_of(state: State, unit: Unit) -> Iterator[Arc]:
    """The arcs of a unit that shoots."""
    for base in _side_by_side(unit):
        for edge in EDGES if TWO_SIDED in unit.kind.flags else EDGES[:1]:
            yield _arc(state, unit, base, edge)


def shots(state: State) -> Iterator[Ruler]:
    """From every unit that may still shoot a measure to each unit it may have to choose (WMS-TGT-03, -05)."""
    for unit in _ready(state):
        for name in main_targets(state, unit):
            target = state.units[name]
            able = [stand_in(unit, stand) for stand, enemies in eligible(state, unit).items() if name in enemies]
            shooter = min(able, key=lambda stand: distance_to(stand, target))
            nearest = nearest_stand(shooter, target.standing)
            ends = gap(outline(shooter.base), outline(nearest.base)).ends
            apart = centimetres(distance_of(unit, target))
            yield Ruler(
                (_spot(state, ends[0]), _spot(state, ends[1])),
                f"{apart} cm",
                side=unit.side,
                told=Message("wms.shot", {"unit": unit.id, "target": name, "distance_cm": apart}),
            )


def _ready(state: State) -> list[Unit]:
    if state.phase != PHASE or state.winner is not None:
        return []
    return [unit for unit in state.of(state.active) if can_shoot(state, unit)]


def _side_by_side(unit: Unit) -> Iterator[StandBase]:
    """The bases of a unit; those in one line as one wide base."""
    bases = [stand.base for stand in unit.standing]
    first, last = bases[0], bases[-1]
    width = sum(base.width for base in bases)
    same = {(base.facing, base.at[1] if base.facing % 1800 == 0 else base.at[0]) for base in bases}
    across = abs(last.at[0] - first.at[0]) + abs(last.at[1] - first.at[1])
    if len(bases) > 1 and len(same) == 1 and first.facing % 900 == 0 and across == width - first.width:
        middle = (first.at[0] + last.at[0]) // 2, (first.at[1] + last.at[1]) // 2
        yield StandBase(middle, first.facing, width, first.depth)
    else:
        yield from bases


def _arc(state: State, unit: Unit, base: StandBase, edge: Edge) -> Arc:
    front_left, front_right, rear_right, rear_left = outline(base)
    one, other = (front_left, front_right) if edge == "front" else (rear_right, rear_left)
    is_wedge = unit.kind.arc == "wedge"
    return Arc(
        kind="fire",
        at=_spot(state, ((one[0] + other[0]) // 2, (one[1] + other[1]) // 2)),
        heading=(base.facing + (1800 if edge == "rear" else 0)) % 3600,
        reach=unit.kind.range,
        width=base.width,
        spread=bearing((0, 0), (state.options.arc_slope, 100)) if is_wedge else 0,
        side=unit.side,
    )


def _spot(state: State, point: ExactPoint) -> Point:
    """A point in thousandths of a millimetre, seen from the south-west corner of the table."""
    return round(point[0] / FINE) - state.board.origin[0], round(point[1] / FINE) - state.board.origin[1]
