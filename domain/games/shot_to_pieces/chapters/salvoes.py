"""Chapter FIR, declaring fire: salvoes, batteries, and fire by standing order or because of a graze."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.engine.state import standing_order
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.able import is_able, require_able
from domain.games.shot_to_pieces.chapters.checks import own_unit, require_here, target_of
from domain.games.shot_to_pieces.chapters.course import StandingApplied, StepOrder
from domain.games.shot_to_pieces.chapters.targets import (
    GRAND,
    GRAND_BATTERY,
    Aim,
    battery_of,
    can_declare,
    direct_targets,
    require_aim,
)
from domain.games.shot_to_pieces.plane.contacts import abuts
from domain.games.shot_to_pieces.state.commands import Fire
from domain.games.shot_to_pieces.state.figures import figures
from domain.games.shot_to_pieces.state.state import Salvo, State, Unit
from domain.games.shot_to_pieces.state.vocabulary import ASK, FIRE

SALVO = "STP-FIR-04"
HOLD = "hold"


class FireDeclared(Event, frozen=True, gc=False, kw_only=True):
    """A unit will fire at a target, in a salvo; `range_hcm` from its front centre. With `standing` nobody was asked,
    and `set_by` is the event of the standing order, absent for fire that a graze demands (STP-ORD-04, -12)."""

    RULE = "STP-FIR-02"
    TOLD_BY = "mode"

    salvo: str
    unit: str
    target: str
    range_hcm: int
    band: str
    mode: str
    standing: bool = False
    set_by: int | UnsetType = UNSET


class Declaration(Struct, frozen=True, gc=False):
    """A salvo that may be declared: its id, and the aim of each unit, the reference unit first."""

    salvo: str
    aims: tuple[tuple[str, Aim], ...]


# --- what may be declared


def plan_fire(state: State, side: str, command: Fire) -> Declaration:
    """Check an order to fire.

    Raises: Refusal, the first code of shot-to-pieces.md 3 that applies
    """
    units = [own_unit(state, side, name) for name in command.units]
    for unit in units:
        require_here(unit)
    target = target_of(state, units[0], command.target)
    _require_mates(state, units)
    for unit in units:
        require_able(state, unit)
    aims = tuple(_aims(state, units, target, is_indirect=command.indirect))
    salvo = [state.units[name] for name, _ in aims]
    if len({is_artillery(state, unit) for unit in salvo}) > 1:
        raise Refusal("stp.mixed-salvo", SALVO, units=[unit.id for unit in salvo])
    _require_abutting(salvo)
    _require_whole_battery(state, salvo, target.id)
    return Declaration(_salvo_of(state, salvo, aims[0][1]), aims)


def is_artillery(state: State, unit: Unit) -> bool:
    """Whether a unit fires as artillery, and not as small arms, machine guns included (STP-FIR-04, STP-ART-05)."""
    return figures(state, unit).arm == "art"


def large_mate(state: State, unit: Unit) -> Unit | None:
    """The other half of a large battalion, or None (STP-EMP-08, -10)."""
    if "large" not in unit.traits:
        return None
    others = (one for one in state.of(unit.side) if one.id != unit.id and "large" in one.traits)
    return next((one for one in others if abuts(unit.base, one.base)), None)


def _require_mates(state: State, units: Sequence[Unit]) -> None:
    """Refuse to order one half of a large battalion alone, or one unit twice."""
    names = [unit.id for unit in units]
    if len(set(names)) < len(names):
        raise Refusal("stp.already-fired", "STP-SEQ-02", unit=names[0])
    for unit in units:
        mate = large_mate(state, unit)
        if mate and mate.id not in names and is_able(state, mate):
            raise Refusal("stp.not-a-group", "STP-EMP-10", unit=unit.id, mate=mate.id)


def _aims(state: State, units: Sequence[Unit], target: Unit, *, is_indirect: bool) -> Iterator[tuple[str, Aim]]:
    """The aim of each unit; half a large battalion that lacks the arc adds nothing to the other half (STP-EMP-08)."""
    for at, unit in enumerate(units):
        try:
            yield unit.id, require_aim(state, unit, target, is_indirect=is_indirect)
        except Refusal:
            mate = large_mate(state, unit)
            if at == 0 or mate is None or mate.id not in [one.id for one in units[:at]]:
                raise


def _require_abutting(units: Sequence[Unit]) -> None:
    """Refuse a salvo whose units do not stand side by side, each next to one before or after it."""
    left, reached = list(units[1:]), [units[0]]
    while reached:
        base = reached.pop().base
        found = [one for one in left if abuts(base, one.base)]
        left = [one for one in left if one not in found]
        reached += found
    if left:
        raise Refusal("stp.not-abutting", SALVO, unit=left[0].id, reference=units[0].id)


def _require_whole_battery(state: State, units: Sequence[Unit], target: str) -> None:
    """Refuse to split two batteries whose nearest target is the same, or most guns of a grand battery.

    Rule: STP-ART-03, -04
    """
    if not is_artillery(state, units[0]):
        return
    battery = battery_of(state, units[0])
    aimed = {name: salvo.target for salvo in state.salvoes for name in salvo.units if name in battery}
    aimed.update({unit.id: target for unit in units})
    if len(battery) >= GRAND_BATTERY:
        free = sum(1 for name in battery if name not in aimed and is_able(state, state.units[name]))
        targets = list(aimed.values())
        most = max(targets.count(one) for one in targets)
        if 2 * (most + free) <= len(aimed) + free:
            raise Refusal("stp.battery-split", GRAND, unit=units[0].id, target=target, battery=list(battery))
        return
    for name in battery:
        if aimed.get(name, target) != target and _shares_nearest(state, units[0], state.units[name]):
            raise Refusal(
                "stp.battery-split", "STP-ART-04", unit=units[0].id, target=aimed[name], battery=list(battery)
            )


def _shares_nearest(state: State, one: Unit, other: Unit) -> bool:
    """Whether two batteries have a nearest target in common."""
    return not _nearest(state, one).isdisjoint(_nearest(state, other))


def _nearest(state: State, unit: Unit) -> set[str]:
    aims = list(direct_targets(state, unit))
    return {aim.target for aim in aims if aim.distance == aims[0].distance}


def _salvo_of(state: State, units: Sequence[Unit], aim: Aim) -> str:
    """The salvo that these units join, or a new one (STP-FIR-04, STP-ORD-06)."""
    for salvo in state.salvoes:
        members = [state.units[name] for name in salvo.units]
        if (
            salvo.target == aim.target
            and salvo.mode == aim.mode
            and salvo.side == units[0].side
            and is_artillery(state, members[0]) == is_artillery(state, units[0])
            and not {unit.id for unit in units} & set(salvo.units)
            and any(abuts(one.base, other.base) for one in members for other in units)
        ):
            return salvo.id
    return f"F{state.salvoes_made + 1}"


def declare(judge: Judge[State], side: str, plan: Declaration) -> None:
    """The salvo is declared, unit by unit."""
    _declare(judge, side, plan)


def _declare(
    judge: Judge[State], side: str, plan: Declaration, *, standing: bool = False, set_by: int | UnsetType = UNSET
) -> None:
    for name, aim in plan.aims:
        judge.emit(
            FireDeclared(
                salvo=plan.salvo,
                unit=name,
                target=aim.target,
                range_hcm=aim.distance,
                band=aim.band,
                mode=aim.mode,
                standing=standing,
                set_by=set_by,
            ),
            side,
        )


# --- what declares itself when the step opens (STP-ORD-04, STP-DEC-02)


def open_fire(judge: Judge[State], side: str) -> None:
    """What a side is bound to fire at because it grazed it, then what its standing orders say, in scenario order.

    Rule: STP-ORD-04, STP-ORD-12: a standing order to hold that kept somebody from firing is told once
    """
    for unit in judge.state.of(side):
        if unit.engages and unit.moved_k == judge.state.k:
            plan = _planned(judge.state, unit, unit.engages)
            if plan:
                _declare(judge, side, plan, standing=True)
    held = set[int]()
    for unit in judge.state.of(side):
        order = standing_order(judge.state, side, FIRE, unit.id)
        if order is None or order.value == ASK:
            continue
        if order.value == HOLD:
            if order.n not in held and can_declare(judge.state, unit):
                held.add(order.n)
                judge.emit(StandingApplied(side, FIRE, order.n), side)
            continue
        plan = _nearest_plan(judge.state, unit)
        if plan:
            _declare(judge, side, plan, standing=True, set_by=order.n)


def _nearest_plan(state: State, unit: Unit) -> Declaration | None:
    """Fire at the nearest legal target."""
    if not is_able(state, unit):
        return None
    plans = (_planned(state, unit, aim.target) for aim in direct_targets(state, unit))
    return next((plan for plan in plans if plan), None)


def _planned(state: State, unit: Unit, target: str) -> Declaration | None:
    """The declaration of a unit, with the other half of its battalion, or None if it is refused."""
    mate = large_mate(state, unit)
    names = (unit.id, mate.id) if mate and is_able(state, mate) else (unit.id,)
    try:
        return plan_fire(state, unit.side, Fire(names, target))
    except Refusal:
        return None


def has_fire_to_order(state: State, side: str) -> bool:
    """Whether a side has a unit without standing order that could declare fire (STP-SEQ-08)."""
    for unit in state.of(side):
        order = standing_order(state, side, FIRE, unit.id)
        if (order is None or order.value == ASK) and can_declare(state, unit):
            return True
    return False


# --- evolutions


def on_fire_declared(state: State, event: FireDeclared) -> State:
    """The unit is in the salvo, which is made by its first unit."""
    salvo = next((one for one in state.salvoes if one.id == event.salvo), None)
    if salvo is None:
        side = state.units[event.unit].side
        made = Salvo(
            event.salvo, side, (event.unit,), event.target, "indirect" if event.mode == "indirect" else "direct"
        )
        return replace(state, salvoes=(*state.salvoes, made), salvoes_made=state.salvoes_made + 1)
    grown = replace(salvo, units=(*salvo.units, event.unit))
    return replace(state, salvoes=tuple(grown if one.id == salvo.id else one for one in state.salvoes))


STEP_ORDERS = {Fire: StepOrder((FIRE,), plan_fire, declare)}
EVOLUTIONS = {FireDeclared: on_fire_declared}
