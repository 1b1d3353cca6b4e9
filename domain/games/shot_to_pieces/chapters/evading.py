"""Chapter EVD: who may run from a charge, whether they live, where they run; cavalry that breaks off a melee."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.charge_checks import must_run
from domain.games.shot_to_pieces.chapters.checks import own_unit, require_here, require_in_order, require_unmoved
from domain.games.shot_to_pieces.chapters.control import require_not_immobilised, touches_zone_of
from domain.games.shot_to_pieces.chapters.course import StepOrder
from domain.games.shot_to_pieces.chapters.decisions import NO, YES, DecisionAsked, put
from domain.games.shot_to_pieces.chapters.dice import die, throw
from domain.games.shot_to_pieces.chapters.legs import stopping_short
from domain.games.shot_to_pieces.chapters.moves import drifted
from domain.games.shot_to_pieces.chapters.paces import allowance, is_barred
from domain.games.shot_to_pieces.chapters.points import ELSE, Payment, pay, price, require_payable
from domain.games.shot_to_pieces.chapters.results import destroy, limit, mark
from domain.games.shot_to_pieces.chapters.shifts import UnitLeftTable
from domain.games.shot_to_pieces.plane.angles import bearing
from domain.games.shot_to_pieces.plane.base import faced, is_on_table, moved
from domain.games.shot_to_pieces.plane.strikes import struck_edge
from domain.games.shot_to_pieces.state.commands import BreakOff
from domain.games.shot_to_pieces.state.figures import figures, has
from domain.games.shot_to_pieces.state.melees import fights_square, opponent_of, out_of_melee
from domain.games.shot_to_pieces.state.profiles import MOUNTED, SKIRMISHERS
from domain.games.shot_to_pieces.state.state import Point, State, Unit, changed, melee_of
from domain.games.shot_to_pieces.state.vocabulary import CHARGES

FORCED, COMPELLED, PINNED, FROM_MELEE, SURVIVAL, MOVE, AFTER = (
    "STP-EVD-02",
    "STP-EVD-03",
    "STP-EVD-04",
    "STP-EVD-05",
    "STP-EVD-06",
    "STP-EVD-07",
    "STP-EVD-08",
)
RUNS_ANYWAY = 3
"""Up to this face skirmishers who chose to stand evade (STP-EVD-02)."""
USUAL_LOSS, SLIGHT_LOSS = 3, 2
"""Up to this face of a D6 an evader is destroyed (STP-GEN-04)."""
HOLDERS = ("inf", "art")
"""The classes that pin a flank, and from whom cavalry may break off (STP-EVD-04, -05)."""


class EvadeForced(Event, frozen=True, gc=False):
    """A unit runs without being asked, or although it chose to stand; `face` is 0 where nothing was thrown."""

    RULE = FORCED

    unit: str
    face: int


class UnitEvaded(Event, frozen=True, gc=False, rename={"from_": "from"}):
    """A unit has run away from a charger, or from the enemy that it fought."""

    RULE = MOVE

    unit: str
    charger: str
    from_: Point
    to: Point
    facing_hdeg: int
    distance_hcm: int


class Flight(Struct, frozen=True, gc=False):
    """A unit that runs: from whom, in which direction, and up to which face of a D6 it is lost by which rule."""

    unit: str
    charger: str
    heading: int
    loss: int
    rule: str


# --- who may


def is_pinned_in_flank(state: State, unit: Unit) -> bool:
    """Whether infantry or artillery of the other side has the flank or rear of a unit in its zone (STP-EVD-04, -11)."""
    return any(
        figures(state, enemy).arm in HOLDERS
        and touches_zone_of(state, enemy, unit.base)
        and struck_edge(enemy.base, unit.base) not in (None, "front")
        for enemy in state.enemies(unit)
    )


def may_evade(state: State, unit: Unit, *, is_target: bool) -> bool:
    """Whether a unit that is charged, or grazed by a charge, may evade.

    Rule: STP-EVD-01 skirmishers, also where they are only grazed; STP-EVD-04 types marked so, and cavalry that is
          pinned in flank; STP-EVD-09 nobody who is shaken; STP-GAP-15 in retreat only types that evade
    """
    if not unit.here or unit.shaken or unit.engaged:
        return False
    own = figures(state, unit)
    if own.arm in SKIRMISHERS:
        return True
    if not is_target:
        return False
    if "evade" in own.flags:
        return True
    return own.arm in MOUNTED and not state.corps[unit.corps].broken and is_pinned_in_flank(state, unit)


def loss_of(state: State, unit: Unit) -> tuple[int, str]:
    """Up to which face of a D6 an evader is destroyed, and by which rule (STP-GEN-04, STP-EVD-04, -06)."""
    if is_pinned_in_flank(state, unit):
        return USUAL_LOSS, PINNED
    is_lucky = unit.status == "elite" or has(state, unit, "evade")
    return SLIGHT_LOSS if is_lucky else USUAL_LOSS, SURVIVAL


# --- running


def ask_to_evade(judge: Judge[State], unit: Unit, charger: Unit, heading: int, *, is_target: bool) -> None:
    """A unit is charged or grazed: it must run, may choose, or stands."""
    if is_target and must_run(judge.state, unit, charger):
        judge.emit(EvadeForced(unit.id, 0), unit.side, COMPELLED)
        run(judge, Flight(unit.id, charger.id, heading, *loss_of(judge.state, unit)))
    elif may_evade(judge.state, unit, is_target=is_target):
        is_close = figures(judge.state, charger).arm not in SKIRMISHERS
        question = DecisionAsked(unit.side, "evade", unit.id, (YES, NO))
        put(judge, question, "evading", is_close=is_close, unit=unit.id, charger=charger.id, heading=heading)


def step_evading(
    judge: Judge[State], *, unit: str, charger: str, heading: int, answer: str, side: Any, angle: int
) -> None:
    """The answer is there: skirmishers who choose to stand may run all the same (STP-EVD-02).

    Rule: STP-GEO-19, STP-INT-38: the bearing of the charge, turned as asked by 22.5 degrees at most
    """
    state = judge.state
    one = state.units[unit]
    flight = Flight(unit, charger, drifted(heading, side, angle), *loss_of(state, one))
    if answer == YES:
        run(judge, flight)
    elif figures(state, one).arm in SKIRMISHERS:
        face = throw(judge, one.side, die(6), "stand", unit, FORCED)
        if face <= RUNS_ANYWAY:
            judge.emit(EvadeForced(unit, face), one.side)
            run(judge, replace(flight, heading=heading))


def run(judge: Judge[State], flight: Flight) -> None:
    """Whether the unit lives is thrown first; then it goes straight, its whole allowance (STP-EVD-07, -09).

    Rule: STP-EVD-07 impassable ground destroys it, beyond the edge it has left the table; STP-EVD-08 its marker
    """
    state = judge.state
    unit = state.units[flight.unit]
    face = throw(judge, unit.side, die(6), "survive", unit.id, flight.rule)
    if face <= flight.loss:
        destroy(judge, unit.id, "evade", flight.rule)
        return
    start = faced(unit.base, flight.heading)
    length = allowance(state, unit)
    end = moved(start, flight.heading, length)
    if is_barred(state, start.at, end.at):
        destroy(judge, unit.id, "obstacle", MOVE)
        return
    if not is_on_table(end, state.board.width, state.board.height):
        judge.emit(UnitLeftTable(unit.id, "evade"), unit.side, MOVE)
        return
    length, end = stopping_short(state, unit, start, flight.heading, length)
    gone = UnitEvaded(unit.id, flight.charger, unit.at, end.at, end.facing, length)
    judge.emit(gone, unit.side, FROM_MELEE if flight.rule == FROM_MELEE else MOVE)
    mark(judge, unit.id, "shaken", "evade", AFTER)
    limit(judge, unit.id)


# --- breaking off


class Breaking(Struct, frozen=True, gc=False):
    """Cavalry that may leave its melee."""

    flight: Flight
    payment: Payment


def plan_break(state: State, side: str, command: BreakOff) -> Breaking:
    """Cavalry leaves a melee with infantry or artillery, away from the enemy (STP-EVD-10, STP-INT-36, STP-ORD-07).

    Raises: Refusal stp.not-eligible, stp.bad-direction, and those of every order
    """
    unit = own_unit(state, side, command.unit)
    require_here(unit)
    require_in_order(state, unit, is_engaged_allowed=True)
    require_unmoved(state, unit)
    require_not_immobilised(state, unit)
    melee = melee_of(state, unit)
    enemy = opponent_of(melee, state, unit) if melee else None
    if enemy is None or figures(state, unit).arm not in MOUNTED or figures(state, enemy).arm not in HOLDERS:
        raise Refusal("stp.not-eligible", "STP-EVD-10", unit=unit.id)
    allowed = state.options.evade_cone_hdeg
    if command.angle > allowed:
        raise Refusal("stp.bad-direction", MOVE, unit=unit.id, angle=command.angle, allowed=allowed)
    loss = SLIGHT_LOSS if has(state, unit, "lightcav") else USUAL_LOSS
    heading = drifted(bearing(enemy.at, unit.at), command.side, command.angle)
    payment = Payment(unit.corps, unit.id, "break", price(state, (unit,)), ELSE)
    require_payable(state, payment)
    return Breaking(Flight(unit.id, enemy.id, heading, loss, FROM_MELEE), payment)


def break_off(judge: Judge[State], side: str, breaking: Breaking) -> None:
    """It is paid for as one order; then the unit lives and runs, or not."""
    pay(judge, side, breaking.payment)
    run(judge, breaking.flight)


# --- evolutions


def on_unit_evaded(state: State, event: UnitEvaded) -> State:
    """The unit is out of its melee; in its own phase that was its order, and from a square it is released
    (STP-MEL-10)."""
    unit = state.units[event.unit]
    is_own = unit.side == state.side
    released = state.k if is_own and fights_square(state, unit) else unit.released_k
    return changed(
        out_of_melee(state, unit.id),
        unit.id,
        base=replace(unit.base, at=event.to, facing=event.facing_hdeg),
        order_k=state.k if is_own else unit.order_k,
        released_k=released,
        cover="",
    )


STEP_ORDERS = {BreakOff: StepOrder((CHARGES,), plan_break, break_off)}
STEPS = {"evading": step_evading}
EVOLUTIONS = {EvadeForced: unchanged, UnitEvaded: on_unit_evaded}
