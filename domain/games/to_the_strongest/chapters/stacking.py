"""Chapter STK: room in a box, who stands in front, and who is hit first."""

from collections.abc import Sequence

from domain.basics.errors import Refusal
from domain.games.to_the_strongest.chapters.ambushes import hidden_units, way_to_ambush
from domain.games.to_the_strongest.chapters.geometry import FRONT_BOXES, charge_aspect, is_held_by_enemy, shot_aspect
from domain.games.to_the_strongest.state.state import State, Unit, enemies_in, kind, units_in
from domain.mechanics.square import frame

UNITS_IN_A_BOX = 2


def has_room(state: State, unit: Unit, occupants: Sequence[Unit]) -> bool:
    """Whether a unit fits into a box with these occupants (TTS-STK-01, -02); generals do not count
    (TTS-GEN-13)."""
    if not occupants:
        return True
    size = kind(unit).stack + sum(kind(other).stack for other in occupants)
    return len(occupants) < UNITS_IN_A_BOX and size <= state.options.stack_capacity


def others_in(state: State, unit: Unit, box: str) -> tuple[Unit, ...]:
    """The units in a box besides this one, those of its own side in ambush too (TTS-STR-04)."""
    others = units_in(state, box)
    if state.ambushes:
        others += hidden_units(state, box, unit.side)
    return tuple(other for other in others if other.id != unit.id)


def require_room(state: State, unit: Unit, box: str) -> None:
    """Refuse a box where the unit does not fit (TTS-STK-01, -02)."""
    occupants = others_in(state, unit, box)
    if not has_room(state, unit, occupants):
        raise Refusal(
            "tts.stack-full",
            "TTS-STK-02" if len(occupants) < UNITS_IN_A_BOX else "TTS-STK-01",
            unit=unit.id,
            box=box,
            size=kind(unit).stack,
            taken=sum(kind(other).stack for other in occupants),
            capacity=state.options.stack_capacity,
            units=[other.id for other in occupants],
        )


def require_no_enemy(state: State, unit: Unit, box: str) -> None:
    """Refuse a box where an enemy stands, as far as is known (TTS-MOV-03)."""
    if is_held_by_enemy(state, box, unit.side):
        enemies = [other.id for other in units_in(state, box)]
        raise Refusal("tts.box-has-enemy", "TTS-MOV-03", unit=unit.id, box=box, enemies=enemies)


def way_left(state: State, unit: Unit, path: tuple[str, ...], facing: str = "") -> tuple[str, ...]:
    """The part of a path that a unit travels: up to the last box with room for it before an ambush, or before
    a comrade stopped by one (TTS-STR-04). Without `facing` it takes that of the units there."""
    way = way_to_ambush(state, unit.side, path)
    while way and not _may_stand(state, unit, way[-1], facing):
        way = way[:-1]
    return way


def _may_stand(state: State, unit: Unit, box: str, facing: str) -> bool:
    occupants = others_in(state, unit, box)
    return has_room(state, unit, occupants) and not (facing and facing_clash(unit, facing, occupants))


def facing_clash(unit: Unit, facing: str, occupants: Sequence[Unit]) -> Unit | None:
    """A formed unit among the occupants that faces another way than a formed unit (TTS-STK-04)."""
    if kind(unit).light:
        return None
    return next((other for other in occupants if not kind(other).light and other.facing != facing), None)


def require_same_facing(state: State, unit: Unit, box: str, facing: str) -> None:
    """Refuse two formed units facing different ways in one box (TTS-STK-04)."""
    clash = facing_clash(unit, facing, others_in(state, unit, box))
    if clash:
        raise Refusal(
            "tts.facing-mismatch",
            "TTS-STK-04",
            unit=unit.id,
            box=box,
            facing=facing,
            other=clash.id,
            other_facing=clash.facing,
        )


def place_on_entering(state: State, box: str, came_from: str) -> str:
    """`front` or `rear`: the place of a unit that moves into a box (TTS-STK-03)."""
    occupants = units_in(state, box)
    if not occupants:
        return "front"
    front = occupants[0]
    return "front" if frame(box, front.facing, came_from) in FRONT_BOXES else "rear"


def first_hit_by_charge(state: State, side: str, box: str, came_from: str, began: str) -> tuple[Unit, str] | None:
    """The unit struck first in a box that `side` charges, and its aspect (TTS-STK-05)."""
    targets = enemies_in(state, box, side)
    if not targets:
        return None
    aspect = charge_aspect(state, targets[0], came_from, began)
    if aspect == "front" or len(targets) == 1:
        return targets[0], aspect
    return targets[-1], charge_aspect(state, targets[-1], came_from, began)


def first_hit_by_shot(state: State, side: str, box: str, shooter: str) -> tuple[Unit, str] | None:
    """The unit hit first in a box that `side` shoots at, and its aspect (TTS-STK-05)."""
    targets = enemies_in(state, box, side)
    if not targets:
        return None
    aspect = shot_aspect(state, targets[0], shooter)
    if aspect == "front" or len(targets) == 1:
        return targets[0], aspect
    return targets[-1], shot_aspect(state, targets[-1], shooter)
