"""Chapters WW1, saturation and strafing: fire at all that stands in a place, to which nobody replies (STP-INT-42)."""

from typing import Any

from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.course import StepOrder
from domain.games.shot_to_pieces.chapters.dice import die, throw
from domain.games.shot_to_pieces.chapters.exchanges import FireResolved, Volley, kept
from domain.games.shot_to_pieces.chapters.factors import resilience_factors
from domain.games.shot_to_pieces.chapters.leaders import roll_fighting
from domain.games.shot_to_pieces.chapters.replies import fired
from domain.games.shot_to_pieces.chapters.results import Result, settle
from domain.games.shot_to_pieces.plane.angles import bearing, turned
from domain.games.shot_to_pieces.plane.base import Base, ahead, corners, fine
from domain.games.shot_to_pieces.plane.gaps import distance_to
from domain.games.shot_to_pieces.plane.shapes import cross
from domain.games.shot_to_pieces.state.commands import Strafe
from domain.games.shot_to_pieces.state.figures import resilience
from domain.games.shot_to_pieces.state.state import Point, State, TableSize, units_here
from domain.games.shot_to_pieces.state.vocabulary import FIRE
from domain.mechanics.modifiers import total

SATURATION, RUN, AIR_FIRE = "STP-WW1-09", "STP-WW1-11", "STP-WW1-12"
RADIUS, TWO_BATTERIES = 800, 1500
"""How near to the impact a base is hit, by one battery and by several."""
AIRCRAFT, AIR_VALUE, SHIFT, FRIENDS_HIT = "AIR", 2, 1000, 2
QUARTER = 9000


# --- saturation


class SaturationFired(Event, frozen=True, gc=False):
    """Bombardment guns fire at a place: every target near it takes a shot of its own."""

    RULE = SATURATION

    units: tuple[str, ...]
    at: Point
    radius_hcm: int
    targets: tuple[str, ...]


def step_saturate(judge: Judge[State], **shot: Any) -> None:
    """The targets near the impact, which is the centre of the chosen one, by id (STP-WW1-09, STP-GAP-20)."""
    volley = convert(shot, Volley)
    state = judge.state
    at = state.units[volley.target].at
    radius = RADIUS if len(volley.units) == 1 else TWO_BATTERIES
    hit = sorted(unit.id for unit in units_here(state) if not unit.engaged and distance_to(unit.base, at) < radius)
    judge.emit(SaturationFired(volley.units, at, radius, tuple(hit)), state.units[volley.units[0]].side)
    for name in reversed(hit):
        judge.push("saturation-shot", volley=kept(volley), target=name)


def step_saturation_shot(judge: Judge[State], *, volley: dict[str, Any], target: str) -> None:
    """One shot, unless an earlier one has destroyed the gun or this target; it has the effect of the band to the chosen
    target (STP-WW1-10)."""
    state = judge.state
    firing = convert(volley, Volley)
    if state.units[target].here and state.units[firing.units[0]].here:
        arguments = kept(firing) | {"target": target, "saturates": True}
        roll_fighting(judge, firing.units[0], "fire", "shot-aimed", arguments)


# --- strafing


class StrafingRun(Event, frozen=True, gc=False, rename={"from_": "from"}):
    """An aircraft flies along a line, beside the one that was wished."""

    RULE = RUN
    TOLD_BY = "deviation"

    from_: Point
    to: Point
    deviation: str
    shift_hcm: int


class StrafeSpared(Event, frozen=True, gc=False):
    """A friend under the line is not attacked."""

    RULE = AIR_FIRE

    unit: str
    face: int


def plan_strafe(state: State, side: str, command: Strafe) -> Strafe:
    """Check a strafing run: only the side whose phase it is has any.

    Raises: Refusal stp.no-strafe, stp.not-on-edge
    """
    if side != state.side or state.strafes.get(side, 0) < 1:
        raise Refusal("stp.no-strafe", RUN, side=side)
    for point in (command.start, command.end):
        if not _is_on_edge(state.board, point) or command.start == command.end:
            raise Refusal("stp.not-on-edge", RUN, at=point)
    return command


def _is_on_edge(board: TableSize, point: Point) -> bool:
    x, y = point
    is_within = 0 <= x <= board.width and 0 <= y <= board.height
    return is_within and (x in (0, board.width) or y in (0, board.height))


def fly(judge: Judge[State], side: str, command: Strafe) -> None:
    """The deviation is thrown for, then every unit under the line is attacked, by id (STP-WW1-11, -12, STP-GAP-20)."""
    face = throw(judge, side, die(6), "strafe-side", AIRCRAFT, RUN)
    is_right = face % 2 == 0
    shift = SHIFT * throw(judge, side, die(4), "strafe-shift", AIRCRAFT, RUN)
    aside = turned(bearing(command.start, command.end), QUARTER if is_right else -QUARTER)
    start, end = ahead(command.start, aside, shift), ahead(command.end, aside, shift)
    judge.emit(StrafingRun(start, end, "right" if is_right else "left", shift), side)
    under = sorted(unit.id for unit in units_here(judge.state) if _is_crossed(unit.base, start, end))
    for name in reversed(under):
        judge.push("strafe", unit=name, side=side)


def _is_crossed(base: Base, start: Point, end: Point) -> bool:
    """Whether a straight line passes over a base, or along its edge."""
    sides = [cross(fine(start), fine(end), corner) for corner in corners(base)]
    return min(sides) <= 0 <= max(sides)


def step_strafe(judge: Judge[State], *, unit: str, side: str) -> None:
    """An enemy is attacked, a friend on a 1 or 2."""
    target = judge.state.units[unit]
    if not target.here:
        return
    if target.side == side:
        face = throw(judge, side, die(6), "strafe-friend", unit, AIR_FIRE)
        if face > FRIENDS_HIT:
            judge.emit(StrafeSpared(unit, face), side)
            return
    attack = throw(judge, side, die(4), "fire", AIRCRAFT, AIR_FIRE)
    roll_fighting(judge, unit, "resilience", "strafed", {"unit": unit, "side": side, "attack": attack})


def step_strafed(judge: Judge[State], *, unit: str, side: str, attack: int, rolled: int) -> None:
    """The aircraft wins ties (STP-RES-12)."""
    state = judge.state
    target = state.units[unit]
    base, factors = resilience(state, target), resilience_factors(state, target, None)
    scored, defence = AIR_VALUE + attack, base + rolled + total(factors)
    diff = scored - defence or 1
    judge.emit(
        FireResolved(
            salvo="",
            firer=AIRCRAFT,
            units=(AIRCRAFT,),
            target=unit,
            mode="one-way",
            range_hcm=0,
            band="short",
            attack=scored,
            attack_base=AIR_VALUE,
            attack_die=attack,
            attack_factors=(),
            defence=defence,
            defence_base=base,
            defence_die=rolled,
            defence_factors=factors,
            diff=diff,
            effect="normal",
            reply_effect="none",
        ),
        side,
        AIR_FIRE,
    )
    settle(judge, Result(AIRCRAFT, unit, diff, "normal", "none", "fire"))


# --- evolutions


def on_saturation_fired(state: State, event: SaturationFired) -> State:
    return fired(state, event.units)


def on_strafing_run(state: State, event: StrafingRun) -> State:
    """The side whose phase it is has an aircraft less."""
    left = state.strafes.get(state.side, 0) - 1
    return replace(state, strafes={**state.strafes, state.side: left})


STEP_ORDERS = {Strafe: StepOrder((FIRE,), plan_strafe, fly)}
STEPS = {
    "saturate": step_saturate,
    "saturation-shot": step_saturation_shot,
    "strafe": step_strafe,
    "strafed": step_strafed,
}
EVOLUTIONS = {
    SaturationFired: on_saturation_fired,
    StrafingRun: on_strafing_run,
    StrafeSpared: unchanged,
}
