"""Chapter CHG, declaring a charge: its leg, what is in the way, what it costs (STP-CHG-01, -02, -06 to -10)."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import DieRolled, Event
from domain.games.shot_to_pieces.chapters.charge_checks import (
    OWN_PHASES,
    require_below_limit,
    require_eligible,
    require_not_forbidden,
    require_open,
)
from domain.games.shot_to_pieces.chapters.checks import (
    own_unit,
    require_here,
    require_in_order,
    require_unmoved,
    target_of,
)
from domain.games.shot_to_pieces.chapters.contacts import aspect_struck, friends_passed, place_on
from domain.games.shot_to_pieces.chapters.control import (
    require_no_flank_shown,
    require_not_immobilised,
    require_not_interdicted,
)
from domain.games.shot_to_pieces.chapters.course import StepOrder
from domain.games.shot_to_pieces.chapters.dice import die, throw
from domain.games.shot_to_pieces.chapters.duties import THREAT, duty_to, is_driven, is_impetuous_now
from domain.games.shot_to_pieces.chapters.fortunes import NO_QUARTER, EventApplied, in_force, rule_of
from domain.games.shot_to_pieces.chapters.moves import CRAB_HDEG, drifted, heading_of, may_slip
from domain.games.shot_to_pieces.chapters.moving import require_whole_battalions
from domain.games.shot_to_pieces.chapters.paces import ground_cost, is_barred, is_on_road, reach
from domain.games.shot_to_pieces.chapters.pinned import require_not_pinned
from domain.games.shot_to_pieces.chapters.points import FREE, NEAR, Payment, pay, price, require_payable
from domain.games.shot_to_pieces.plane.angles import bearing
from domain.games.shot_to_pieces.plane.base import Base, ahead, faced, moved
from domain.games.shot_to_pieces.plane.gaps import distance
from domain.games.shot_to_pieces.plane.paths import passes_through
from domain.games.shot_to_pieces.plane.strikes import contact_distance
from domain.games.shot_to_pieces.state.commands import Charge
from domain.games.shot_to_pieces.state.melees import fights_square, out_of_melee
from domain.games.shot_to_pieces.state.state import Aspect, DeclaredCharge, Mode, Point, State, Unit, changed, with_unit
from domain.games.shot_to_pieces.state.vocabulary import CHARGES

MODES: dict[str, str] = {"normal": "STP-CHG-01", "all-out": "STP-CHG-07", "rash": "STP-CHG-09"}
CM = 100


class ChargeDeclared(Event, frozen=True, gc=False):
    """A unit will charge: it turns to its facing, goes along the bearing, and touches its target after the distance,
    as all stands now. `reach_hcm` is how far it may go, without the die of a rash charge."""

    RULE = "STP-CHG-01"
    TOLD_BY = "mode"

    unit: str
    target: str
    facing_hdeg: int
    bearing_hdeg: int
    distance_hcm: int
    aspect: Aspect
    mode: Mode
    reach_hcm: int


class Onset(Struct, frozen=True, gc=False):
    """A charge that may be declared, and what it costs."""

    declared: ChargeDeclared
    payment: Payment


class ChargeLeg(Struct, frozen=True, gc=False):
    """The leg of a charge: its base at the start, turned, and in contact; `reach` is the most that it may cost."""

    start: Base
    heading: int
    distance: int
    end: Base
    reach: int


# --- plans


def plan_charge(state: State, side: str, command: Charge) -> Onset:
    """A charge of one unit.

    Raises: Refusal, the first of shot-to-pieces.md 3 that applies to charges
    """
    onset = plan_unpaid(state, side, command)
    require_payable(state, onset.payment)
    return onset


def would_be_accepted(state: State, unit: Unit, target: Unit) -> bool:
    """Whether the plain order to charge would be accepted now, whoever else is nearer (STP-ACT-11)."""
    try:
        plan_unpaid(state, unit.side, Charge(unit.id, target.id), is_any=True)
    except Refusal:
        return False
    return True


def plan_unpaid(state: State, side: str, command: Charge, *, is_any: bool = False, is_alone: bool = True) -> Onset:
    """A charge, whether or not the points suffice; with `is_any` also where an impetuous unit has to charge nearer,
    without `is_alone` as a member of a group.

    Raises: Refusal, as `plan_charge` does
    """
    unit, target = _charger_and_target(state, side, command)
    duty = duty_to(state, unit, target)
    is_square_fought = fights_square(state, unit)
    require_in_order(state, unit, is_engaged_allowed=is_square_fought)
    require_not_pinned(state, unit, is_charge=True)
    require_unmoved(state, unit)
    if not duty:
        require_not_immobilised(state, unit)
    if is_alone:
        require_whole_battalions(state, (unit,))
    start = faced(unit.base, _facing(state, unit, target, command))
    aspect = aspect_struck(start, target)
    require_not_forbidden(state, unit, target, aspect)
    is_forced = is_driven(state, unit)
    require_eligible(state, unit, command, is_driven=is_forced)
    require_below_limit(state, unit)
    require_open(state, unit, target)
    mode: Mode = "all-out" if is_forced else command.mode
    line = _line(state, unit, target, start, command)
    if mode != "rash":
        _require_in_reach(state, unit, target, line)
    then = foreseen(state)
    passed = friends_passed(then, unit, line.start, line.end)
    _require_free_way(then, unit, target, line, passed)
    _require_not_crossing(state, unit, line)
    require_not_interdicted(state, unit, line.start, line.end)
    if not is_square_fought and duty != THREAT:  # in any direction; even if threatened itself (STP-MEL-10, STP-ZOC-05)
        require_no_flank_shown(state, unit, line.start)
    if not is_any and is_impetuous_now(state, unit):
        _require_nearest(state, unit, target)
    payment = _payment(state, unit, passed, is_free=bool(duty))
    declared = ChargeDeclared(
        unit.id, target.id, line.start.facing, line.heading, line.distance, aspect, mode, line.reach
    )
    return Onset(declared, payment)


def _charger_and_target(state: State, side: str, command: Charge) -> tuple[Unit, Unit]:
    unit = own_unit(state, side, command.unit)
    if command.target in state.units:
        require_here(unit)
    return unit, target_of(state, unit, command.target)


def _facing(state: State, unit: Unit, target: Unit, command: Charge) -> int:
    """Without a heading a charger turns to the centre of its target (STP-ORD-03)."""
    if command.face is not None:
        return heading_of(state, unit, command.face)
    return unit.facing if target.at == unit.at else bearing(unit.at, target.at)


def _line(state: State, unit: Unit, target: Unit, start: Base, command: Charge) -> ChargeLeg:
    """The leg of a charge.

    Raises: Refusal stp.bad-direction, stp.path-blocked where it does not meet its target
    """
    is_wide = command.angle > CRAB_HDEG
    if is_wide and not may_slip(state, unit):
        raise Refusal("stp.bad-direction", "STP-MOV-02", unit=unit.id, angle=command.angle, allowed=CRAB_HDEG)
    heading = drifted(start.facing, command.side, command.angle)
    far = contact_distance(start, heading, target.base)
    if far is None:
        raise Refusal("stp.path-blocked", "STP-CHG-01", unit=unit.id, target=target.id)
    end = moved(start, heading, far)
    allowed = reach(state, unit, is_on_road=is_on_road(state, start.at, end.at), is_tactical=True)
    return ChargeLeg(start, heading, far, end, allowed // 2 if is_wide else allowed)


def _require_in_reach(state: State, unit: Unit, target: Unit, line: ChargeLeg) -> None:
    """Refuse what is too far, the ground of the leg included (STP-CHG-06, STP-GEO-21).

    Raises: Refusal stp.out-of-reach
    """
    far = line.distance
    if far <= line.reach:
        far += ground_cost(state, line.start, line.end)
    if far > line.reach:
        params = {"distance": far, "allowed": line.reach}
        raise Refusal("stp.out-of-reach", "STP-CHG-06", unit=unit.id, target=target.id, **params)


def foreseen(state: State) -> State:
    """The state as it will be if every charge declared so far comes home."""
    for charge in state.charges:
        unit, target = state.units[charge.unit], state.units[charge.target]
        place = place_on(state, unit, faced(unit.base, charge.facing), target) if target.here else None
        if place:
            state = with_unit(state, replace(unit, base=place))
    return state


def _require_free_way(state: State, unit: Unit, target: Unit, line: ChargeLeg, passed: Sequence[Unit]) -> None:
    """Refuse a leg on which another enemy, impassable ground or an extended line lies, or that ends on somebody.

    Raises: Refusal stp.path-blocked
    """
    if is_barred(state, line.start.at, line.end.at):
        raise Refusal("stp.path-blocked", "STP-GEO-21", unit=unit.id, target=target.id)
    for enemy in state.enemies(unit):
        if enemy.id != target.id and passes_through(line.start, line.end, enemy.base):
            raise Refusal("stp.path-blocked", "STP-CHG-01", unit=unit.id, target=target.id, by=enemy.id)
    for friend in passed:
        if "extended" in (unit.formation, friend.formation):
            raise Refusal("stp.path-blocked", "STP-ACW-05", unit=unit.id, target=target.id, by=friend.id)
    if place_on(state, unit, line.start, target) is None:
        raise Refusal("stp.path-blocked", "STP-CHG-10", unit=unit.id, target=target.id)


def _require_not_crossing(state: State, unit: Unit, line: ChargeLeg) -> None:
    """Refuse a leg that crosses the line of a charge declared before (STP-MOV-01, STP-ZOC-08).

    Raises: Refusal stp.crossing-charge
    """
    for other in state.charges:
        if _cross(line.start.at, line.end.at, other.start, ahead(other.start, other.bearing, other.distance)):
            raise Refusal("stp.crossing-charge", "STP-MOV-01", unit=unit.id, by=other.unit)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0


def _turn(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _require_nearest(state: State, unit: Unit, target: Unit) -> None:
    """Refuse an impetuous unit an enemy while it can charge a nearer one (STP-GSC-04, STP-ACT-11).

    Raises: Refusal stp.not-nearest
    """
    far = distance(unit.base, target.base)
    for enemy in state.enemies(unit):
        if distance(unit.base, enemy.base) < far and would_be_accepted(state, unit, enemy):
            raise Refusal("stp.not-nearest", "STP-GSC-04", unit=unit.id, target=target.id, nearest=enemy.id)


def _payment(state: State, unit: Unit, passed: Sequence[Unit], *, is_free: bool) -> Payment:
    """One order, and a point for each friend passed through; nothing for a charge that is compelled (STP-ACT-11)."""
    cost = 0
    if not is_free and not state.corps[unit.corps].strategic:
        cost = price(state, (unit,)) + len(passed)
    return Payment(unit.corps, unit.id, "charge", cost, FREE if is_free else NEAR)


# --- declaring


def declare(judge: Judge[State], side: str, onset: Onset) -> None:
    """The charge is paid for and declared; a rash one throws for how much farther it goes (STP-SEQ-10)."""
    pay(judge, side, onset.payment)
    announce(judge, side, onset.declared)


def announce(judge: Judge[State], side: str, declared: ChargeDeclared) -> None:
    """The declaration, and what it sets going: the next charge gives no quarter (STP-EVT-04, STP-INT-27)."""
    judge.emit(declared, side, MODES[declared.mode])
    if judge.state.events and in_force(judge.state, NO_QUARTER):
        judge.emit(EventApplied(NO_QUARTER, (declared.unit,)), side, rule_of(NO_QUARTER))
    if declared.mode == "rash":
        throw(judge, side, die(6), "rash", declared.unit, MODES["rash"])


# --- evolutions


def on_charge_declared(state: State, event: ChargeDeclared) -> State:
    """The unit has had its order; cavalry that leaves a square is released (STP-MEL-10)."""
    unit, target = state.units[event.unit], state.units[event.target]
    is_next = unit.charge_k == state.k - OWN_PHASES
    charge = DeclaredCharge(
        event.unit,
        event.target,
        event.facing_hdeg,
        event.bearing_hdeg,
        event.distance_hcm,
        event.aspect,
        event.mode,
        event.reach_hcm,
        unit.at,
        target.at,
    )
    released = state.k if unit.engaged else unit.released_k
    state = out_of_melee(state, unit.id)
    state = replace(state, charges=(*state.charges, charge))
    charges = unit.charges + 1 if is_next else 1
    return changed(state, unit.id, order_k=state.k, charge_k=state.k, charges=charges, released_k=released)


def on_die_rolled(state: State, event: DieRolled) -> State:
    """The die of a rash charge adds to its reach (STP-CHG-09)."""
    if event.purpose != "rash":
        return state
    charges = tuple(
        replace(charge, reach=charge.reach + CM * event.value) if charge.unit == event.unit else charge
        for charge in state.charges
    )
    return replace(state, charges=charges)


STEP_ORDERS = {Charge: StepOrder((CHARGES,), plan_charge, declare)}
EVOLUTIONS = {ChargeDeclared: on_charge_declared, DieRolled: on_die_rolled}
