"""Chapter SEQ: the course of a battle as a state machine (STP-SEQ-01 to -09), all in one place.

`close` ends the open step and opens the next: what the rules do by themselves when a step closes are steps of the
agenda of the chapter that it belongs to:

    charges     `resolve-charges`   chapters.charging, if any are declared
    moves       (opening) retreats  chapters.morale
    fire        `resolve-fire`      chapters.exchanges, if any are declared
    melee       `fight`             chapters.melee, if there are any
    S3          `draw-event`        chapters.drawn_events, with the option
"""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.engine.state import OTHER, standing_order
from domain.events.battle import PhaseBegan
from domain.games.shot_to_pieces.chapters.activation import activate
from domain.games.shot_to_pieces.chapters.buildings import occupy_taken
from domain.games.shot_to_pieces.chapters.closing import age_markers, end_if_broken, end_if_over, judge_corps
from domain.games.shot_to_pieces.chapters.compulsory import require_no_charge_due
from domain.games.shot_to_pieces.chapters.course import (
    SEQUENCE,
    RoundBegan,
    RoundEnded,
    StandingApplied,
    StepBegan,
    StepOrder,
    TurnBegan,
    TurnEnded,
    step_for,
)
from domain.games.shot_to_pieces.chapters.decisions import in_force
from domain.games.shot_to_pieces.chapters.deployment import begin_deployment, is_deployed, require_deployed
from domain.games.shot_to_pieces.chapters.drawn_events import expire_events
from domain.games.shot_to_pieces.chapters.impetuous import test_impetuous
from domain.games.shot_to_pieces.chapters.morale import retreat_all
from domain.games.shot_to_pieces.chapters.salvoes import has_fire_to_order, open_fire
from domain.games.shot_to_pieces.chapters.strategic import strategic_corps
from domain.games.shot_to_pieces.chapters.targets import can_declare
from domain.games.shot_to_pieces.state.commands import CloseStep, CloseTurn
from domain.games.shot_to_pieces.state.state import State
from domain.games.shot_to_pieces.state.vocabulary import (
    ACTIVATION,
    ASK,
    CHARGES,
    DEPLOYMENT,
    FIRE,
    FORMING,
    GENERALS,
    MELEE,
    MOVES,
    ORDERS,
    TURNS,
)

SKIPPING = "STP-SEQ-07"
FOLLOWS = {FORMING: MOVES, MOVES: GENERALS, GENERALS: FIRE}
"""The steps that follow another by `done` alone."""


# --- the start


def begin(judge: Judge[State]) -> None:
    """The first stage: deployment, a turn, or the step that the scenario names (STP-SEQ-01, STP-SCN-03)."""
    state = judge.state
    if not is_deployed(state):
        judge.emit(PhaseBegan(DEPLOYMENT), rule=SEQUENCE)
        begin_deployment(judge, OTHER[state.first])
        return
    judge.emit(PhaseBegan(TURNS), rule=SEQUENCE)
    if not state.start:
        judge.push("round", turn=1)
    elif state.start != ACTIVATION:
        _open(judge, state.start, state.side, 0 if state.start == ORDERS else state.k)


def proceed(judge: Judge[State]) -> None:
    """What a scenario that begins in the middle of a phase has to roll at once (STP-SCN-03)."""
    state = judge.state
    if state.waiting or state.t or not state.phase:
        return
    if state.start == ACTIVATION:
        judge.push("activate")
    elif state.step == MELEE:
        judge.push("phase-end")
        judge.push("fight")


# --- decisions


def decided(order: StepOrder) -> Callable[[Judge[State], str, Any], None]:
    """The decide function of an order that belongs to a step: an order of a later step of the same phase closes the
    steps before it (STP-SEQ-07)."""

    def decide(judge: Judge[State], side: str, command: Any) -> None:
        step = step_for(judge.state, order, command)
        if step != judge.state.step:
            _require_none_pending(judge.state)
        plan = order.plan(judge.state, side, command)
        if step != judge.state.step:
            require_no_charge_due(judge.state)
            while judge.state.step != step:
                _close(judge)
            plan = order.plan(judge.state, side, command)
        order.carry_out(judge, side, plan)

    return decide


def _require_none_pending(state: State) -> None:
    """Refuse to pass over charges that are to be resolved (STP-SEQ-07)."""
    if state.charges:
        raise Refusal("stp.charges-pending", SKIPPING, charges=[charge.unit for charge in state.charges])


def decide_done(judge: Judge[State], side: str, command: CloseStep) -> None:
    """The side closes the step.

    Raises: Refusal stp.charge-due, stp.deployment-incomplete
    """
    if judge.state.phase == DEPLOYMENT:
        require_deployed(judge.state, side)
    require_no_charge_due(judge.state)
    judge.push("close")


def decide_end_turn(judge: Judge[State], side: str, command: CloseTurn) -> None:
    """The side closes every step that is left to it, fire included.

    Raises: Refusal stp.charge-due, stp.deployment-incomplete
    """
    if judge.state.step in FOLLOWS or judge.state.step == CHARGES:
        judge.push("end-turn")
    decide_done(judge, side, CloseStep())


# --- closing and opening steps


def step_close(judge: Judge[State]) -> None:
    """The step that is open ends, and the next begins (STP-SEQ-03)."""
    _close(judge)


def step_end_turn(judge: Judge[State]) -> None:
    """The steps that are left to the side whose phase it is are closed one after the other (STP-SEQ-07)."""
    if judge.state.step in FOLLOWS:
        judge.push("end-turn")
    judge.push("close")


def _close(judge: Judge[State]) -> None:
    state = judge.state
    step, side = state.step, state.active
    if step in FOLLOWS:
        _open(judge, FOLLOWS[step], side, state.k)
    elif step == CHARGES:
        if not state.charges:
            step_formations(judge)
            return
        judge.push("formations")
        judge.push("resolve-charges")
    elif step == FIRE:
        _close_fire(judge)
    elif step == ORDERS:
        judge.emit(TurnEnded(side, state.turn, step=ORDERS), side, SEQUENCE)
        judge.push(
            "orders" if side == state.first else "phase", side=OTHER[side] if side == state.first else state.first
        )
    elif step == DEPLOYMENT:
        _close_deployment(judge)


def _open(judge: Judge[State], step: str, side: str, k: int) -> None:
    """A side is to act in a step; what the rules do at once when it opens is done."""
    asks = asking(judge.state, side, step)
    judge.emit(StepBegan(judge.state.turn, k, side, step, opens=asks or UNSET), side)
    if step == MOVES:
        retreat_all(judge, side)
    elif step == FIRE:
        open_fire(judge, side)


def asking(state: State, side: str, step: str) -> tuple[int, ...]:
    """The standing orders by which a side wants to be asked in a step, although it might have given others before."""
    if step == ORDERS:
        order = standing_order(state, side, ORDERS)
        return (order.n,) if order and order.value == ASK else ()
    if step != FIRE:
        return ()
    said = {unit: standing_order(state, side, FIRE, unit.id) for unit in state.of(side)}
    asks = {order.n for unit, order in said.items() if order and order.value == ASK and can_declare(state, unit)}
    return tuple(sorted(asks))


def step_formations(judge: Judge[State]) -> None:
    """The charges are settled."""
    _open(judge, FORMING, judge.state.side, judge.state.k)


def _close_fire(judge: Judge[State]) -> None:
    """The other side declares, if any of its units still has to be ordered; then all salvoes are fired (STP-SEQ-08).
    Who has declared nothing does not fire, unless in reply (STP-FIR-03)."""
    state = judge.state
    other = OTHER[state.side]
    if state.active != other:
        if has_fire_to_order(state, other):
            _open(judge, FIRE, other, state.k)
            return
        open_fire(judge, other)
    judge.push("melee")
    if judge.state.salvoes:
        judge.push("resolve-fire")


def step_melee(judge: Judge[State]) -> None:
    """Melees are fought, if there are any (STP-SEQ-08)."""
    judge.push("phase-end")
    if judge.state.melees:
        _open(judge, MELEE, judge.state.side, judge.state.k)
        judge.push("fight")


def _close_deployment(judge: Judge[State]) -> None:
    """The side that moves second deploys first, the whole army; then the turns begin (STP-GAP-23)."""
    state = judge.state
    if state.active != state.first:
        begin_deployment(judge, state.first)
        return
    judge.emit(PhaseBegan(TURNS), rule=SEQUENCE)
    judge.push("round", turn=1)


# --- turns and phases


def step_round(judge: Judge[State], turn: int) -> None:
    """S1: a turn begins (STP-SEQ-01)."""
    judge.emit(RoundBegan(turn, strategic_corps(judge.state)))
    judge.push("orders", side=judge.state.first)


def step_orders(judge: Judge[State], side: str) -> None:
    """S2: a side may give general orders, unless its standing order keeps them all (STP-ORD-12)."""
    state = judge.state
    keeps = in_force(state, side, "orders")
    if keeps is None:
        judge.emit(TurnBegan(side, state.turn, step=ORDERS), side, SEQUENCE)
        _open(judge, ORDERS, side, 0)
        return
    judge.emit(StandingApplied(side, "orders", keeps.n), side)
    if side == state.first:
        judge.push("orders", side=OTHER[side])
    else:
        judge.push("phase", side=state.first)


def step_phase(judge: Judge[State], side: str) -> None:
    """S3: a side's phase begins."""
    judge.emit(TurnBegan(side, judge.state.turn), side, SEQUENCE)
    judge.push("activate")
    if judge.state.options.d20_events:
        judge.push("draw-event")


def step_activate(judge: Judge[State]) -> None:
    """S4: every corps rolls for its points; then its side may charge."""
    side = judge.state.side
    activate(judge, side)
    _open(judge, CHARGES, side, judge.state.k)


def step_phase_end(judge: Judge[State]) -> None:
    """S13: markers change, corps break, and the other side's phase begins or the turn is over."""
    state, side = judge.state, judge.state.side
    age_markers(judge)
    expire_events(judge)
    judge_corps(judge)
    judge.emit(TurnEnded(side, state.turn), side, SEQUENCE)
    end_if_broken(judge, side)
    if side == state.first:
        judge.push("phase", side=OTHER[side])
    else:
        judge.push("round-end")


def step_round_end(judge: Judge[State]) -> None:
    """S14: the turn is over, and perhaps the battle (STP-WIN-02)."""
    turn = judge.state.turn
    test_impetuous(judge)
    occupy_taken(judge)
    judge.emit(RoundEnded(turn))
    end_if_over(judge)
    judge.push("round", turn=turn + 1)


DECISIONS = {CloseStep: decide_done, CloseTurn: decide_end_turn}
STEPS = {
    "close": step_close,
    "end-turn": step_end_turn,
    "formations": step_formations,
    "melee": step_melee,
    "round": step_round,
    "orders": step_orders,
    "phase": step_phase,
    "activate": step_activate,
    "phase-end": step_phase_end,
    "round-end": step_round_end,
}
