"""Chapter CCF, the charge: the order that brings a unit into contact (WMS-CCF-10)."""

from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge, unknown_id
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.warmaster_shooting.chapters.paths import STOPPING, leg_length, poses
from domain.games.warmaster_shooting.chapters.questions import own_unit
from domain.games.warmaster_shooting.state.measure import in_contact, is_on_table, overlap, stands_on
from domain.games.warmaster_shooting.state.state import Stand, State, Unit, units_on_table, with_unit

KEPT_FACING = -1
"""The facing of a leg at whose end the unit does not turn."""
RULE = "WMS-CCF-10"


class Pose(Struct, frozen=True, gc=False):
    """Where the first standing stand of a charging unit is at the end of a leg, and the facing it takes there."""

    x: int
    y: int
    facing: int = KEPT_FACING


class ChargeAlong(Command, frozen=True, gc=False, tag="charge"):
    """A unit charges another along a path; its last pose brings it into contact."""

    PHASES = frozenset({"command"})

    unit: str
    target: str
    path: tuple[Pose, ...]


class StandEnd(Struct, frozen=True, gc=False):
    """Where a stand ends."""

    stand: str
    x: int
    y: int
    facing: int


class ChargeDeclared(Event, frozen=True, gc=False):
    """A charge along a path of `length` mm."""

    RULE = RULE

    unit: str
    target: str
    path: tuple[Pose, ...]
    length: int


class ChargeContacted(Event, frozen=True, gc=False):
    """The charger is in contact with all `engaged` units; its stands are where they fight."""

    RULE = "WMS-CCF-01"

    unit: str
    target: str
    engaged: tuple[str, ...]
    stands: tuple[StandEnd, ...]


class ChargePlan(Struct, frozen=True, gc=False):
    """A charge that may be made: the charger at every tested pose, its way in mm, and the units it touches."""

    poses: tuple[Unit, ...]
    length: int
    touched: tuple[str, ...]


def plan_of(state: State, side: str, command: ChargeAlong) -> ChargePlan:
    """Check a charge.

    Raises: Refusal with the first code that applies (warmaster-shooting.md 3)
    """
    if command.target not in state.units:
        raise unknown_id(command.target)
    unit, target = own_unit(state, side, command.unit), state.units[command.target]
    if not unit.alive:
        raise Refusal("wms.unit-gone", "WMS-CAS-03", unit=unit.id)
    if target.side == side or not target.alive:
        raise Refusal("wms.not-a-target", RULE, unit=unit.id, target=target.id)
    if unit.engaged:
        raise Refusal("wms.engaged", RULE, unit=unit.id)
    if unit.kind.type == "artillery":
        raise Refusal("wms.cannot-charge", RULE, unit=unit.id)
    if unit.confused:
        raise Refusal("wms.confused", "WMS-CNF-07", unit=unit.id)
    length, pace = path_length(unit, command.path), unit.kind.pace
    if length > pace:
        raise Refusal("wms.too-far", RULE, unit=unit.id, length=length, pace=pace)
    tested = tuple(poses(unit, unit.lead.id, [(pose.x, pose.y, pose.facing) for pose in command.path]))
    if not all(is_on_table(stand.base, state.board) for there in tested for stand in there.standing):
        raise Refusal("wms.off-table", RULE, unit=unit.id)
    blocked = next((name for there in tested for name in [_blocked_by(state, there)] if name), "")
    if blocked:
        raise Refusal("wms.path-blocked", RULE, unit=unit.id, by=blocked)
    end = tested[-1]
    if not in_contact(end, target):
        raise Refusal("wms.no-contact", RULE, unit=unit.id, target=target.id)
    return ChargePlan(tested, length, tuple(enemy.id for enemy in state.enemies(unit) if in_contact(end, enemy)))


def path_length(unit: Unit, path: tuple[Pose, ...]) -> int:
    """The sum of the straight legs of a path in mm, each as measured (WMS-CCF-10, WMS-GEO-05)."""
    places = [unit.lead.base.at, *((pose.x, pose.y) for pose in path)]
    return sum(leg_length(one, other) for one, other in pairwise(places))


def _blocked_by(state: State, unit: Unit) -> str:
    """What a pose overlaps: the id of a unit, or a kind of ground; "" for nothing."""
    for other in units_on_table(state):
        if other.id != unit.id and any(overlap(a.base, b.base) for a in unit.standing for b in other.standing):
            return other.id
    for area in state.areas:
        if area.kind in STOPPING and any(stands_on(stand.base, area) for stand in unit.standing):
            return area.kind
    return ""


def decide_charge(judge: Judge[State], side: str, command: ChargeAlong) -> None:
    """The charger is placed, then those it touches may fire, one after the other (WMS-CCF-01, -11)."""
    plan = plan_of(judge.state, side, command)
    start = judge.state.units[command.unit]
    judge.emit(ChargeDeclared(command.unit, command.target, command.path, plan.length), side)
    stands = tuple(
        StandEnd(stand.id, *stand.base.at, stand.base.facing) for stand in plan.poses[-1].stands if stand.alive
    )
    judge.emit(ChargeContacted(command.unit, command.target, plan.touched, stands), side)
    judge.push(
        "counter-fire",
        charger=command.unit,
        start=[[stand.id, *stand.base.at, stand.base.facing] for stand in start.standing],
        path=[[pose.x, pose.y, pose.facing] for pose in command.path],
        waiting=list(plan.touched),
    )


# --- evolutions


def on_charge_contacted(state: State, event: ChargeContacted) -> State:
    """The charger and all it touches are engaged; until the turn ends its stands are charging (WMS-HIT-04)."""
    unit = state.units[event.unit]
    places = {placed.stand: placed for placed in event.stands}
    stands = tuple(
        replace(stand, cover="", base=replace(stand.base, at=(to.x, to.y), facing=to.facing))
        if (to := places.get(stand.id))
        else stand
        for stand in unit.stands
    )
    state = with_unit(state, replace(unit, stands=stands, engaged=True, charging=True))
    for name in event.engaged:
        state = with_unit(state, replace(state.units[name], engaged=True))
    return replace(state, contacts={**state.contacts, event.unit: event.engaged})


DECISIONS = {ChargeAlong: decide_charge}
EVOLUTIONS = {ChargeDeclared: unchanged, ChargeContacted: on_charge_contacted}


def charger_at(unit: Unit, start: list[list[Any]]) -> Unit:
    """A charger as it stood before its charge, with the stands that it still has.

    Shape: `start` are the stands that it had then, each with its place and facing, the one that led first
    """
    placed = {str(name): (x, y, facing) for name, x, y, facing in start}
    return replace(unit, stands=tuple(_at(stand, *placed[stand.id]) if stand.alive else stand for stand in unit.stands))


def _at(stand: Stand, x: int, y: int, facing: int) -> Stand:
    return replace(stand, base=replace(stand.base, at=(x, y), facing=facing))
