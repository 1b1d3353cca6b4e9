"""Chapter TGT: whom a unit shoots at, stand by stand, and the orders to shoot and to hold (WMS-SEQ-01 … -03).

`plan_of` makes all checks of the order; options and previews ask it, too.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge, unknown_id
from domain.events.battle import Event
from domain.games.warmaster_shooting.chapters.questions import DecisionAsked, own_unit, put
from domain.games.warmaster_shooting.chapters.sight import Edge, edge_to, reachable
from domain.games.warmaster_shooting.state.measure import distance, distance_of, distance_to, nearest_stand
from domain.games.warmaster_shooting.state.state import Stand, State, Unit, stand_in, unit_of, with_unit

SHOOTING = frozenset({"shooting"})


class AimedStand(Struct, frozen=True, gc=False):
    """A stand that is told at whom to shoot."""

    stand: str
    target: str


class ShootWithStands(Command, frozen=True, gc=False, tag="shoot"):
    """A unit shoots. `target` is its main target, "" for the nearest; `aims` are of stands with a tie of their own;
    `stands` names exactly those that can shoot, () for whoever they are (WMS-ORD-01)."""

    PHASES = SHOOTING

    unit: str
    target: str = ""
    aims: tuple[AimedStand, ...] = ()
    stands: tuple[str, ...] = ()


class Hold(Command, frozen=True, gc=False, tag="hold"):
    """A unit does not shoot in this phase."""

    PHASES = SHOOTING

    unit: str


class StandShot(Struct, frozen=True, gc=False):
    """Whom a stand shoots at, how far, and over which edge."""

    stand: str
    target: str
    distance: int
    edge: Edge


class TargetsAssigned(Event, frozen=True, gc=False):
    """Whom each stand of a unit shoots at; it is fixed before the first die (WMS-TGT-08)."""

    RULE = "WMS-TGT-04"

    unit: str
    target: str
    shots: tuple[StandShot, ...]


class UnitHeldFire(Event, frozen=True, gc=False):
    """A unit does not shoot."""

    RULE = "WMS-SEQ-03"

    unit: str


# --- who can be shot at


def candidates(state: State, unit: Unit) -> tuple[Unit, ...]:
    """The enemies that may be targets: on the table and not engaged (WMS-TGT-01)."""
    return tuple(enemy for enemy in state.enemies(unit) if not enemy.engaged)


def eligible(state: State, unit: Unit) -> Mapping[str, tuple[str, ...]]:
    """For each stand of a unit the enemies at which it can shoot, in scenario order (WMS-TGT-02)."""
    reach = unit.kind.range
    return {
        stand.id: tuple(
            enemy.id
            for enemy in candidates(state, unit)
            if distance_to(stand, enemy) <= reach and reachable(state, unit, stand, enemy)
        )
        for stand in unit.standing
    }


def can_shoot(state: State, unit: Unit) -> bool:
    """Whether a unit has a shot left in this phase (WMS-SEQ-10)."""
    if not unit.kind.shots or unit.shot or unit.engaged:
        return False
    return any(eligible(state, unit).values())


def main_targets(state: State, unit: Unit) -> tuple[str, ...]:
    """The nearest of the enemies at which any stand can shoot: several if they are equally near (WMS-TGT-03, -05,
    WMS-INT-03, -04)."""
    found = {name for names in eligible(state, unit).values() for name in names}
    return _nearest({name: distance_of(unit, state.units[name]) for name in state.units if name in found})


def targets_of(state: State, unit: Unit, stand: Stand, main: str) -> tuple[str, ...]:
    """Whom a stand shoots at: the main target if it can, else the nearest of its own (WMS-TGT-04, WMS-INT-02)."""
    names = eligible(state, unit)[stand.id]
    if main in names:
        return (main,)
    return _nearest({name: distance_to(stand, state.units[name]) for name in names})


def _nearest(distances: Mapping[str, int]) -> tuple[str, ...]:
    least = min(distances.values(), default=0)
    return tuple(name for name, apart in distances.items() if apart == least)


# --- the order


def plan_of(state: State, side: str, command: ShootWithStands) -> Unit:
    """Check an order to shoot; the unit that gives it.

    Raises: Refusal with the first code that applies (warmaster-shooting.md 3)
    """
    unit = _ready(state, side, command.unit)
    named = (command.target, *(aim.target for aim in command.aims))
    for name in filter(None, named):
        enemy = state.units[name]
        if enemy.side == side or not enemy.alive or enemy.engaged:
            raise Refusal("wms.not-a-target", "WMS-TGT-01", unit=unit.id, target=name)
    own = {stand.id for stand in unit.standing}
    for name in (*(aim.stand for aim in command.aims), *command.stands):
        if name not in own:
            raise Refusal("wms.not-its-stand", "WMS-TGT-07", unit=unit.id, stand=name)
    choices = eligible(state, unit)
    able = {name for name, enemies in choices.items() if enemies}
    if not able or not able.issuperset(aim.stand for aim in command.aims):
        raise Refusal("wms.no-target", "WMS-TGT-02", unit=unit.id, **why_not(state, unit))
    if command.stands and set(command.stands) != able:
        raise Refusal("wms.single-stands", "WMS-SEQ-03", unit=unit.id, stands=sorted(able))
    mains = main_targets(state, unit)
    if command.target and command.target not in mains:
        raise Refusal("wms.not-nearest", "WMS-TGT-03", unit=unit.id, given=command.target, options=list(mains))
    for aim in command.aims:
        allowed = {
            name
            for main in ((command.target,) if command.target else mains)
            for name in targets_of(state, unit, stand_in(unit, aim.stand), main)
        }
        if aim.target not in allowed:
            raise Refusal("wms.not-nearest", "WMS-TGT-04", unit=aim.stand, given=aim.target, options=sorted(allowed))
    return unit


def _ready(state: State, side: str, name: str) -> Unit:
    """A unit that may still shoot or hold; confused ones may (WMS-SEQ-04)."""
    unit = own_unit(state, side, name)
    if not unit.alive:
        raise Refusal("wms.unit-gone", "WMS-CAS-03", unit=name)
    if not unit.kind.shots:
        raise Refusal("wms.no-missiles", "WMS-SEQ-01", unit=name, profile=unit.profile)
    if unit.shot:
        raise Refusal("wms.already-shot", "WMS-SEQ-01", unit=name)
    if unit.engaged:
        raise Refusal("wms.engaged", "WMS-SEQ-02", unit=name)
    return unit


def why_not(state: State, unit: Unit) -> dict[str, Any]:
    """Why a unit cannot shoot at the enemy nearest to it: range, or else arc and view, with the numbers."""
    enemies = candidates(state, unit)
    if not enemies:
        return {"nearest": "", "distance": 0, "range": unit.kind.range}
    nearest = min(enemies, key=lambda enemy: distance_of(unit, enemy))
    return {"nearest": nearest.id, "distance": distance_of(unit, nearest), "range": unit.kind.range}


def require_known(state: State, command: ShootWithStands) -> None:
    """Refuse ids that neither side has."""
    for name in filter(None, (command.unit, command.target, *(aim.target for aim in command.aims))):
        if name not in state.units:
            raise unknown_id(name)
    for name in (*(aim.stand for aim in command.aims), *command.stands):
        if unit_of(state, name) is None:
            raise unknown_id(name)


def decide_shoot(judge: Judge[State], side: str, command: ShootWithStands) -> None:
    """The unit shoots with every stand that can, before any other unit does (WMS-SEQ-03, -06)."""
    require_known(judge.state, command)
    unit = plan_of(judge.state, side, command)
    mains = (command.target,) if command.target else main_targets(judge.state, unit)
    aims = {aim.stand: aim.target for aim in command.aims}
    put(judge, DecisionAsked(side, "target", unit.id, mains), "main-target", unit=unit.id, aims=aims)


def step_main_target(judge: Judge[State], *, unit: str, aims: dict[str, str], answer: str) -> None:
    """The main target is known; stands with a target of their own come next."""
    judge.push("assign", unit=unit, aims=aims, main=answer, chosen={})


def step_assign(judge: Judge[State], *, unit: str, aims: dict[str, str], main: str, chosen: dict[str, str]) -> None:
    """Give each stand its target, and ask for those with a tie (WMS-TGT-04, -05, -07)."""
    state = judge.state
    shooter = state.units[unit]
    for stand in shooter.standing:
        names = targets_of(state, shooter, stand, main)
        if not names or stand.id in chosen:
            continue
        if aims.get(stand.id) in names:
            names = (aims[stand.id],)
        if len(names) > 1:
            asked = DecisionAsked(shooter.side, "target", stand.id, names)
            put(judge, asked, "own-target", unit=unit, aims=aims, main=main, chosen=chosen, stand=stand.id)
            return
        chosen = {**chosen, stand.id: names[0]}
    shots = tuple(shot_of(state, shooter, stand, chosen[stand.id]) for stand in shooter.standing if stand.id in chosen)
    judge.emit(TargetsAssigned(unit, main, shots), shooter.side)
    judge.push("shooting-check")
    targets = dict.fromkeys((main, *(shot.target for shot in shots)))
    batches = [[name, [shot.stand for shot in shots if shot.target == name]] for name in targets]
    judge.push("volley", unit=unit, batches=batches)


def step_own_target(
    judge: Judge[State], *, unit: str, aims: dict[str, str], main: str, chosen: dict[str, str], stand: str, answer: str
) -> None:
    """One stand has chosen."""
    judge.push("assign", unit=unit, aims=aims, main=main, chosen={**chosen, stand: answer})


def shot_of(state: State, unit: Unit, stand: Stand, target: str) -> StandShot:
    """The shot of a stand: at the nearest stand of the target that it can shoot (WMS-TGT-08)."""
    enemy = state.units[target]
    nearest = nearest_stand(stand, reachable(state, unit, stand, enemy))
    edge = edge_to(state, unit, stand, enemy, nearest)
    assert edge is not None, "it is reachable"
    return StandShot(stand.id, target, distance(stand, nearest), edge)


def decide_hold(judge: Judge[State], side: str, command: Hold) -> None:
    """Shooting is voluntary (WMS-SEQ-03)."""
    unit = _ready(judge.state, side, command.unit)
    judge.push("shooting-check")
    judge.emit(UnitHeldFire(unit.id), side)


# --- evolutions


def on_targets_assigned(state: State, event: TargetsAssigned) -> State:
    return with_unit(state, replace(state.units[event.unit], shot=True))


def on_unit_held_fire(state: State, event: UnitHeldFire) -> State:
    """Only in its own shooting phase: counter-charge fire that is held uses up nothing (WMS-CCF-09)."""
    unit = state.units[event.unit]
    return with_unit(state, replace(unit, shot=True)) if unit.side == state.active else state


DECISIONS = {ShootWithStands: decide_shoot, Hold: decide_hold}
STEPS = {"main-target": step_main_target, "assign": step_assign, "own-target": step_own_target}
EVOLUTIONS = {TargetsAssigned: on_targets_assigned, UnitHeldFire: on_unit_held_fire}
