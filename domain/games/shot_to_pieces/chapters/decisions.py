"""Chapter DEC: what a side is asked, its answer, and its answers given beforehand (STP-DEC-01, -02)."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, UnsetType

from domain.basics.commands import Standing
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.engine.state import StandingOrder, standing_order, unchanged
from domain.events import battle as core
from domain.events.battle import DecisionMade, StandingOrderSet
from domain.games.shot_to_pieces.chapters.checks import own_unit, require_here
from domain.games.shot_to_pieces.state.commands import (
    Advance,
    ChooseEvent,
    EvadeCharge,
    FollowThrough,
    Reroll,
    Resolve,
    StandUsual,
)
from domain.games.shot_to_pieces.state.state import State
from domain.games.shot_to_pieces.state.vocabulary import ASK, LEFT

RULE, BEFOREHAND = "STP-DEC-01", "STP-DEC-02"
YES, NO = "yes", "no"
ALWAYS, NEVER, CLOSE = "always", "never", "close"
USUAL: tuple[tuple[str, str], ...] = (
    ("evade", CLOSE),
    ("reroll", ASK),
    ("advance", NEVER),
    ("pursue", "place"),
    ("fire", "nearest"),
    ("fire-order", "declared"),
    ("orders", "keep"),
)
"""The usual standing orders, each for all of a side (STP-ORD-11). Only a unit with a general may throw again, so that
side is asked about it."""
ANSWERS: Mapping[str, str] = {ALWAYS: YES, NEVER: NO, "place": "place", "full": "full"}


class DecisionAsked(core.DecisionAsked, frozen=True, gc=False, kw_only=True):
    """A side is asked; with `set_by` because its standing order says so, where it would not be asked otherwise."""

    RULE = RULE

    set_by: int | UnsetType = UNSET


# --- asking


def put(judge: Judge[State], question: DecisionAsked, step: str, *, is_close: bool = False, **arguments: Any) -> None:
    """Let a standing order answer a question, or ask it; the step gets the answer as `answer`, and for an evasion its
    `side` and `angle`.

    Shape: `is_close` whether the charger is in close order, for `standing evade close`
    """
    made = standing_answer(judge.state, question, is_close=is_close)
    if made is None:
        judge.ask(question, step, **arguments)
        return
    direction = {"side": "", "angle": 0} if question.kind == "evade" else {}
    judge.push(step, **arguments, answer=made.answer, **direction)
    judge.emit(made, made.side, BEFOREHAND)


def standing_answer(state: State, question: DecisionAsked, *, is_close: bool) -> DecisionMade | None:
    """The answer that a standing order gives to a question, or None."""
    order = standing_order(state, question.side, question.kind, question.unit)
    if order is None or order.value == ASK:
        return None
    answer = (YES if is_close else NO) if order.value == CLOSE else ANSWERS.get(order.value, "")
    if answer not in question.options:
        return None
    return DecisionMade(question.side, question.kind, question.unit, answer, True, set_by=order.n)


# --- answering


def answered(judge: Judge[State], by: str, answer: str, **more: Any) -> None:
    """Take up an answer, which must be among the options of the question.

    Raises: Refusal stp.not-a-candidate
    """
    waiting = judge.state.waiting
    assert waiting is not None, "the engine lets nobody answer what is not asked"
    if answer not in waiting.options:
        raise Refusal("stp.not-a-candidate", RULE, kind=waiting.kind, given=answer, options=list(waiting.options))
    made = DecisionMade(by, waiting.kind, waiting.unit, answer, False)
    judge.resume(made, by, answer=answer, **more)


def decide_evade(judge: Judge[State], side: str, command: EvadeCharge) -> None:
    """Yes, perhaps turned to a side within the cone, or no (STP-EVD-07).

    Raises: Refusal stp.bad-direction
    """
    allowed = judge.state.options.evade_cone_hdeg
    if command.angle > allowed:
        raise Refusal("stp.bad-direction", "STP-EVD-07", angle=command.angle, allowed=allowed)
    answered(judge, side, command.answer, side=command.side, angle=command.angle)


def decide_answer(
    judge: Judge[State], side: str, command: FollowThrough | Advance | Reroll | Resolve | ChooseEvent
) -> None:
    """Any of what was asked (STP-DEC-01)."""
    answered(judge, side, command.answer)


def turned(bearing: int, side: str, angle: int) -> int:
    """A bearing turned by an angle to a side, or as it is."""
    return (bearing + (-angle if side == LEFT else angle if side else 0)) % 36000


# --- answering beforehand


def decide_standing(judge: Judge[State], side: str, command: Standing) -> None:
    """A standing order takes the place of the one before on the same matter (STP-DEC-02).

    Raises: Refusal core.unknown-id, core.not-yours, stp.unit-gone
    """
    if command.unit:
        unit = own_unit(judge.state, side, command.unit)
        if unit.placed:
            require_here(unit)
    judge.emit(StandingOrderSet(side, command.topic, command.unit, command.value), side, BEFOREHAND)


def decide_usual(judge: Judge[State], side: str, command: StandUsual) -> None:
    """All the usual ones at once (STP-ORD-11)."""
    for topic, value in USUAL:
        judge.emit(StandingOrderSet(side, topic, "", value), side, BEFOREHAND)


def in_force(state: State, side: str, topic: str, unit: str = "") -> StandingOrder | None:
    """The standing order of a side on a matter that says something; None if there is none, or it is `ask`."""
    order = standing_order(state, side, topic, unit)
    return order if order and order.value != ASK else None


DECISIONS = {
    Standing: decide_standing,
    StandUsual: decide_usual,
    EvadeCharge: decide_evade,
    FollowThrough: decide_answer,
    Advance: decide_answer,
    Reroll: decide_answer,
    Resolve: decide_answer,
    ChooseEvent: decide_answer,
}
EVOLUTIONS = {DecisionAsked: unchanged}
