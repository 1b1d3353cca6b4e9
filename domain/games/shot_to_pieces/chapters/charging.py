"""Chapter CHG, charges resolved in the order of declaration: evaders, then contact, a pursuit, or falling short.

Steps of the agenda for one charge, `unit` the charger:
    resolve-charges   the next charge that is declared
    charge-evaders    those who may evade, one after the other
    charge-home       the target is there or gone
    pursuing          how far the charger goes after a target that is gone
    pursued           what it runs into in a full pursuit
"""

from domain.engine.judge import Judge
from domain.games.shot_to_pieces.chapters.charge_checks import forbidden_by, is_open_to
from domain.games.shot_to_pieces.chapters.contacts import (
    ChargeFailed,
    aspect_struck,
    charge_of,
    make_contact,
    move_charger,
    place_on,
    trample_all,
)
from domain.games.shot_to_pieces.chapters.control import interdicting
from domain.games.shot_to_pieces.chapters.decisions import DecisionAsked, put
from domain.games.shot_to_pieces.chapters.evading import ask_to_evade, may_evade
from domain.games.shot_to_pieces.chapters.legs import first_met, longest, stopping_short
from domain.games.shot_to_pieces.chapters.paces import ground_cost
from domain.games.shot_to_pieces.chapters.visibility import reveal_near
from domain.games.shot_to_pieces.plane.angles import SCALE
from domain.games.shot_to_pieces.plane.base import FINE_BITS, Base, faced, fine, fine_front_centre, frame, local, moved
from domain.games.shot_to_pieces.plane.paths import passes_closer
from domain.games.shot_to_pieces.plane.strikes import contact_distance
from domain.games.shot_to_pieces.state.state import DeclaredCharge, State, Unit
from domain.mechanics.plane import nearest

GRAZE_HCM = 500
PLACE, FULL = "place", "full"


# --- one charge after the other


def step_resolve_charges(judge: Judge[State]) -> None:
    """The next charge: first whoever may evade it, the target before those grazed, by id (STP-EVD-01)."""
    state = judge.state
    if not state.charges:
        return
    charge = state.charges[0]
    judge.push("resolve-charges")
    judge.push("charge-home", unit=charge.unit)
    waiting = [name for name in sorted(_grazed(state, charge)) if name != charge.target]
    if _is_there(state, charge):
        waiting.insert(0, charge.target)
    if waiting:
        judge.push("charge-evaders", unit=charge.unit, waiting=waiting)


def _grazed(state: State, charge: DeclaredCharge) -> list[str]:
    """The enemies that the leg of a charge passes at less than 5 cm."""
    unit = state.units[charge.unit]
    start = _start(unit, charge)
    end = moved(start, charge.bearing, min(charge.distance, charge.reach))
    return [
        enemy.id
        for enemy in state.enemies(unit)
        if passes_closer(start, end, enemy.base, GRAZE_HCM) and may_evade(state, enemy, is_target=False)
    ]


def _is_there(state: State, charge: DeclaredCharge) -> bool:
    """Whether the target stands where it stood when it was charged (STP-CHG-11)."""
    target = state.units[charge.target]
    return target.here and target.at == charge.target_at


def _start(unit: Unit, charge: DeclaredCharge) -> Base:
    return faced(unit.base, charge.facing)


def _charge(state: State, unit: str) -> DeclaredCharge:
    charge = charge_of(state, unit)
    assert charge is not None, "a charge is resolved once"
    return charge


def step_charge_evaders(judge: Judge[State], *, unit: str, waiting: list[str]) -> None:
    """Ask the first who waits whether it evades."""
    state = judge.state
    name, *left = waiting
    charge = _charge(state, unit)
    if left:
        judge.push("charge-evaders", unit=unit, waiting=left)
    ask_to_evade(judge, state.units[name], state.units[unit], charge.bearing, is_target=name == charge.target)


def step_charge_home(judge: Judge[State], *, unit: str) -> None:
    """The charger strikes its target, falls short of it, or may pursue who is gone (STP-CHG-04 to -06, -11)."""
    state = judge.state
    charge = _charge(state, unit)
    charger = state.units[unit]
    if not _is_there(state, charge):
        put(judge, DecisionAsked(charger.side, "pursue", unit, (PLACE, FULL)), "pursuing", unit=unit)
        return
    start, target = _start(charger, charge), state.units[charge.target]
    far = contact_distance(start, charge.bearing, target.base)
    far = charge.distance if far is None else far
    met = first_met(state, charger, start, charge.bearing, far)
    if met and met[1].id != target.id and met[0] < far:
        far, target = met
    _strike(judge, charge, target, far)


# --- contact


def _strike(judge: Judge[State], charge: DeclaredCharge, target: Unit, far: int) -> None:
    """The charger reaches a target at a distance along its leg, or falls short.

    Rule: STP-GEO-21 the ground of the leg counts; STP-CHG-10 where it ends; without a place there it falls short
    """
    state = judge.state
    charger = state.units[charge.unit]
    start = _start(charger, charge)
    end = moved(start, charge.bearing, far)
    place = place_on(state, charger, start, target)
    is_reached = far + ground_cost(state, start, end) <= charge.reach
    if not is_reached or place is None or not _may_strike(state, charger, start, target):
        _fall_short(judge, charge, far)
        return
    aspect = aspect_struck(start, target)
    trample_all(judge, charger, start, end)
    move_charger(judge, charger, place, far, "contact")
    make_contact(judge, charger.id, target.id, aspect)
    reveal_near(judge, charger.id)


def _may_strike(state: State, charger: Unit, start: Base, target: Unit) -> bool:
    """Whether a charger may still fight the enemy that it runs into (STP-CHG-03, STP-MEL-06)."""
    aspect = aspect_struck(start, target)
    return is_open_to(state, charger, target) and not forbidden_by(state, charger, target, aspect)


def _fall_short(judge: Judge[State], charge: DeclaredCharge, far: int) -> None:
    """The charger stops at its limit, short of everybody (STP-CHG-06, -12)."""
    state = judge.state
    charger = state.units[charge.unit]
    start = _start(charger, charge)
    most = min(far, charge.reach)

    def is_in_reach(length: int) -> bool:
        return length + ground_cost(state, start, moved(start, charge.bearing, length)) <= charge.reach

    _stop(judge, charge, longest(most, is_in_reach), "short")
    judge.emit(ChargeFailed(charger.id, charge.target, "short"), charger.side)


def _stop(judge: Judge[State], charge: DeclaredCharge, most: int, reason: str) -> None:
    """The charger goes straight, at most so far, and stops short of whoever is there (STP-CHG-12); foot that pursues
    keeps away from cavalry (STP-CHG-05, STP-ZOC-07)."""
    state = judge.state
    charger = state.units[charge.unit]
    start = _start(charger, charge)
    if reason == "pursuit":
        most = longest(most, lambda length: _keeps_away(state, charger, start, moved(start, charge.bearing, length)))
    length, end = stopping_short(state, charger, start, charge.bearing, most)
    trample_all(judge, charger, start, end)
    move_charger(judge, charger, end, length, reason)
    reveal_near(judge, charger.id)


# --- pursuit


def step_pursuing(judge: Judge[State], *, unit: str, answer: str) -> None:
    """To the old place of the target, or the whole move, which may hit another enemy (STP-CHG-05)."""
    if answer == FULL:
        judge.push("pursued", unit=unit, asked=[])
        return
    state = judge.state
    charge = _charge(state, unit)
    charger = state.units[unit]
    start = _start(charger, charge)
    most = max(0, min(charge.reach, _to_place(start, charge)))
    met = first_met(state, charger, start, charge.bearing, most)
    _stop(judge, charge, met[0] if met else most, "pursuit")


def _to_place(start: Base, charge: DeclaredCharge) -> int:
    """How far along the leg the front centre is level with the old centre of the target (STP-DEC-01)."""
    along = frame(Base(start.at, charge.bearing, 0, 0))
    front, there = local(along, fine_front_centre(start)), local(along, fine(charge.target_at))
    return nearest(there[1] - front[1], SCALE << FINE_BITS)


def step_pursued(judge: Judge[State], *, unit: str, asked: list[str]) -> None:
    """The whole move: the first enemy on it that it may charge is hit, after it had its choice to evade.

    Rule: STP-CHG-05 control zones permitting: foot does not pursue to cavalry that it keeps away from (STP-ZOC-07)
    """
    state = judge.state
    charge = _charge(state, unit)
    charger = state.units[unit]
    start = _start(charger, charge)
    met = first_met(state, charger, start, charge.bearing, charge.reach)
    if met is None:
        _stop(judge, charge, charge.reach, "pursuit")
        return
    far, enemy = met
    end = moved(start, charge.bearing, far)
    if (
        not _keeps_away(state, charger, start, end)
        or not _may_strike(state, charger, start, enemy)
        or place_on(state, charger, start, enemy) is None
    ):
        _stop(judge, charge, far, "pursuit")
    elif enemy.id not in asked and may_evade(state, enemy, is_target=True):
        judge.push("pursued", unit=unit, asked=[*asked, enemy.id])
        ask_to_evade(judge, enemy, charger, charge.bearing, is_target=True)
    else:
        _hit(judge, charge, enemy, far)


def _keeps_away(state: State, charger: Unit, start: Base, end: Base) -> bool:
    """Whether a leg keeps its distance from cavalry, where the charger has to."""
    return next(interdicting(state, charger, start, end), None) is None


def _hit(judge: Judge[State], charge: DeclaredCharge, enemy: Unit, far: int) -> None:
    """A pursuit ends on another enemy; its ground does not count (STP-GEO-21)."""
    state = judge.state
    charger = state.units[charge.unit]
    start = _start(charger, charge)
    place = place_on(state, charger, start, enemy)
    assert place is not None, "the place was looked for"
    trample_all(judge, charger, start, moved(start, charge.bearing, far))
    move_charger(judge, charger, place, far, "contact")
    make_contact(judge, charger.id, enemy.id, aspect_struck(start, enemy))
    reveal_near(judge, charger.id)


STEPS = {
    "resolve-charges": step_resolve_charges,
    "charge-evaders": step_charge_evaders,
    "charge-home": step_charge_home,
    "pursuing": step_pursuing,
    "pursued": step_pursued,
}
