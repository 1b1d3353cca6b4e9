"""Chapter SEQ, the course of a turn: its events, and how an order belongs to a step (STP-SEQ-03, -07).

What a chapter lets a side order stands in its table `STEP_ORDERS`: a `StepOrder` for each command. `turns` makes a
decide function of it: it refuses an order of an earlier step, plans the order, closes the steps before its own, plans
it again on what has come of that, and carries it out. `options` puts candidates to the same plans.
"""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events import battle as core
from domain.events.battle import Event
from domain.games.shot_to_pieces.state.state import State, phase_of
from domain.games.shot_to_pieces.state.vocabulary import ALL_STEPS, DEPLOYMENT, ORDERS

SEQUENCE = "STP-SEQ-01"
ORDER_OF_STEPS = {step: at for at, step in enumerate((DEPLOYMENT, *ALL_STEPS))}


class StepOrder(Struct, frozen=True):
    """How a kind of order is decided.

    `steps` are those in which it may be given, the earliest first, or a function that says which of a command.
    `plan(state, side, command)` refuses it, or returns what `carry_out(judge, side, plan)` needs to emit its events.
    """

    steps: tuple[str, ...] | Callable[[Any], tuple[str, ...]]
    plan: Callable[[State, str, Any], Any]
    carry_out: Callable[[Judge[State], str, Any], None]


# --- events


class TurnBegan(core.TurnBegan, frozen=True, gc=False, kw_only=True):
    """A side's phase opens, or with `step` its general orders."""

    step: str | UnsetType = UNSET


class TurnEnded(core.TurnEnded, frozen=True, gc=False, kw_only=True):
    """A side's phase closes, or with `step` its general orders."""

    step: str | UnsetType = UNSET


class RoundBegan(Event, frozen=True, gc=False):
    """A turn of both sides opens; `strategic` are the corps that may move strategically in it (STP-MOV-12)."""

    RULE = SEQUENCE

    turn: int
    strategic: tuple[str, ...]


class RoundEnded(Event, frozen=True, gc=False):
    """A turn of both sides closes."""

    RULE = SEQUENCE

    turn: int


class StepBegan(Event, frozen=True, gc=False):
    """A side is to act in a step; `phase` is k, 0 outside of the phases. `opens` are the standing orders `ask` because
    of which it is, where older ones would have acted (STP-ORD-12)."""

    RULE = "STP-SEQ-03"
    TOLD_BY = "step"

    turn: int
    phase: int
    side: str
    step: str
    opens: tuple[int, ...] | UnsetType = UNSET


class StandingApplied(Event, frozen=True, gc=False):
    """A standing order acted where nothing was asked (STP-ORD-12); `set_by` is the event that set it."""

    RULE = "STP-ORD-12"
    TOLD_BY = "topic"

    side: str
    topic: str
    set_by: int


# --- rules


def step_for(state: State, order: StepOrder, command: Any) -> str:
    """The step in which an order would be given now: the open one, or the next of its own.

    Raises: Refusal stp.wrong-step for an order of an earlier step, or of another stage of the battle
    """
    now = ORDER_OF_STEPS.get(state.step, -1)
    steps = order.steps(command) if callable(order.steps) else order.steps
    for step in steps:
        is_same_stage = step == state.step or not {step, state.step} & {ORDERS, DEPLOYMENT}
        if is_same_stage and ORDER_OF_STEPS[step] >= now and not (state.active != state.side and step != state.step):
            return step
    raise Refusal("stp.wrong-step", "STP-SEQ-07", step=state.step, steps=list(steps))


# --- evolutions


def on_turn_began(state: State, event: TurnBegan) -> State:
    """A new player-turn: before its first step nobody may order anything."""
    k = phase_of(state, event.side, event.turn) if event.step is UNSET else 0
    return replace(state, side=event.side, step="", k=k, start="")


def on_turn_ended(state: State, event: TurnEnded) -> State:
    """What lasts for one phase is over."""
    return replace(state, charges=(), salvoes=(), salvoes_made=0, events=())


def on_round_began(state: State, event: RoundBegan) -> State:
    corps = {name: replace(one, strategic=name in event.strategic) for name, one in state.corps.items()}
    return replace(state, turn=event.turn, corps=corps)


def on_round_ended(state: State, event: RoundEnded) -> State:
    return replace(state, step="", active="")


def on_step_began(state: State, event: StepBegan) -> State:
    side = event.side if event.step in (ORDERS, DEPLOYMENT) else state.side
    return replace(state, step=event.step, active=event.side, side=side, k=event.phase, start="")


EVOLUTIONS = {
    TurnBegan: on_turn_began,
    TurnEnded: on_turn_ended,
    RoundBegan: on_round_began,
    RoundEnded: on_round_ended,
    StepBegan: on_step_began,
    StandingApplied: unchanged,
}
