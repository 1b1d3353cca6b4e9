"""Chapter MEL, charges: who may charge whom, and the cost of the approach."""

from typing import Any

from msgspec import field
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.activation import ActivationPlan, difficulties
from domain.games.to_the_strongest.chapters.course import Course
from domain.games.to_the_strongest.chapters.geometry import (
    FRONT_ZONE,
    is_diagonal_blocked,
    is_held_by_enemy,
    is_impassable,
)
from domain.games.to_the_strongest.chapters.movement import arrive, move_unit, path_costs
from domain.games.to_the_strongest.chapters.stacking import first_hit_by_charge, require_room, require_same_facing
from domain.games.to_the_strongest.chapters.targets import require_target, target_box
from domain.games.to_the_strongest.chapters.zones import HELD, holders, require_free_path
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.state import CLOSED_FORMATIONS, State, Unit, kind, units_in, with_unit
from domain.mechanics.square import box_at, frame

# --- commands


class ChargeBox(Command, frozen=True, gc=False, tag="charge"):
    """Charge a box, or the unit in it that is hit first; `halt` forgoes the pursuit of an evader."""

    PHASES = phases_of("charge")

    unit: str
    target: str
    halt: bool = False


# --- rules


def require_may_charge(state: State, unit: Unit, command: ChargeBox) -> tuple[Unit, str, tuple[str, ...]]:
    """Refuse a charge that the rules forbid; otherwise return target, aspect, and the boxes before.

    Rule: the codes of to-the-strongest.md 3 in their order; TTS-ZOC-03, -06, TTS-MEL-01, -02, -03
    """
    box = target_box(state, command.target)
    through = _approach(state, unit, box)
    origin = through[-1] if through else unit.box
    _require_holder(state, unit, box, through)
    _require_approach(state, unit, box, through, origin)
    profile = kind(unit)
    if profile.artillery or "wagon" in profile.flags or unit.formation in CLOSED_FORMATIONS:
        raise Refusal("tts.cannot-charge", "TTS-MEL-03", unit=unit.id, formation=unit.formation)
    if box and not _in_front_zone(unit, box):
        raise Refusal("tts.not-in-front-zone", "TTS-GEO-14", unit=unit.id, box=box, start=unit.box, speed=profile.speed)
    target, aspect = require_target(
        command.target, box, first_hit_by_charge(state, unit.side, box, origin, unit.box) if box else None
    )
    if profile.light and not kind(target).light and aspect == "front" and not _is_easy_prey(target):
        raise Refusal("tts.light-frontal", "TTS-MEL-03", unit=unit.id, target=target.id)
    return target, aspect, through


def _is_easy_prey(target: Unit) -> bool:
    """A disordered shooter or disordered artillery (TTS-MEL-03)."""
    return target.losses > 0 and (kind(target).shooter or kind(target).artillery)


def _in_front_zone(unit: Unit, box: str) -> bool:
    ahead, right = frame(unit.box, unit.facing, box)
    if right and "straight_only" in kind(unit).flags:
        return False
    return (ahead, right) in FRONT_ZONE[kind(unit).speed]


def _approach(state: State, unit: Unit, box: str) -> tuple[str, ...]:
    """The box that a charge over two boxes goes through; empty for a near one."""
    if not box or not _in_front_zone(unit, box):
        return ()
    offsets = FRONT_ZONE[kind(unit).speed][frame(unit.box, unit.facing, box)]
    return tuple(box_at(state.board, unit.box, unit.facing, a, r) for a, r in offsets)


def _require_holder(state: State, unit: Unit, box: str, through: tuple[str, ...]) -> None:
    """A held unit charges a holder's box; a rider may leave a zone only so (TTS-ZOC-03, -06)."""
    held_by = [other for near in through for other in holders(state, unit, near)]
    if held_by and all(other.box != box for other in held_by):
        require_free_path(state, unit, through)
    held_by = list(holders(state, unit))
    if held_by and all(other.box != box for other in held_by):
        raise Refusal("tts.must-charge-holder", HELD, unit=unit.id, box=box, holders=[other.id for other in held_by])


def _require_approach(state: State, unit: Unit, box: str, through: tuple[str, ...], origin: str) -> None:
    """Refuse a blocked path to a box of the front zone; other boxes have no path."""
    if not box or not _in_front_zone(unit, box):
        return
    for near in (*through, box):
        if is_impassable(state, near):
            raise Refusal("tts.impassable", "TTS-MOV-03", unit=unit.id, box=near)
    for near in through:
        if is_held_by_enemy(state, near, unit.side):
            raise Refusal(
                "tts.box-has-enemy", "TTS-MOV-03", unit=unit.id, box=near, enemies=[u.id for u in units_in(state, near)]
            )
    for start, near in zip((unit.box, *through), (*through, box), strict=True):
        if is_diagonal_blocked(state, unit.side, start, near):
            raise Refusal("tts.diagonal-blocked", "TTS-GEO-12", unit=unit.id, box=near, start=start)
    if through:
        require_room(state, unit, origin)
        require_same_facing(state, unit, origin, unit.facing)


# --- plans


def plan_charge(state: State, unit: Unit, command: ChargeBox) -> ActivationPlan:
    """A charge: one activation (TTS-MEL-01)."""
    target, aspect, through = require_may_charge(state, unit, command)
    diagonal = frame(unit.box, unit.facing, through[0] if through else target.box)[1] != 0
    factors = difficulties(state, unit, diagonal=diagonal, **path_costs(state, unit.box, (*through, target.box)))
    declared = {
        "unit": unit.id,
        "target": target.id,
        "box": target.box,
        "origin": through[-1] if through else unit.box,
        "aspect": aspect,
        "halt": command.halt,
    }
    return ActivationPlan(unit, "charge", factors, (("charge", declared),))


# --- events


class ChargeDeclared(Event, frozen=True, gc=False):
    """A unit charges; `from_` is the last box before the target's, `box`."""

    RULE = "TTS-MEL-01"
    TOLD_BY = "aspect"

    unit: str
    target: str
    from_: str = field(name="from")
    box: str
    aspect: str


# --- steps


def step_charge(judge: Judge[State], *, unit: str, target: str, box: str, origin: str, aspect: str, halt: bool) -> None:
    """Declare the charge, go up to the target, and let it evade (TTS-MEL-02, -04)."""
    charger = judge.state.units[unit]
    began, first = charger.box, not charger.charged
    judge.emit(ChargeDeclared(unit, target, origin, box, aspect), charger.side)
    course = Course(unit=unit, target=target, box=box, aspect=aspect, began=began, first=first, halt=halt)
    if origin != began:
        charger = move_unit(judge, charger, (origin,), charger.facing, "charge")
        arrive(judge, charger)
    judge.push("after", unit=unit)
    if charger.box == origin:  # an ambush on the way ends the charge (TTS-STR-04)
        judge.push("evade", course=course.plain())


# --- evolutions


def on_charge_declared(state: State, event: ChargeDeclared) -> State:
    return with_unit(state, replace(state.units[event.unit], charged=True))


EVOLUTIONS: dict[Any, Any] = {ChargeDeclared: on_charge_declared}
STEPS: dict[str, Any] = {"charge": step_charge}
PLANS: dict[Any, Any] = {ChargeBox: plan_charge}
