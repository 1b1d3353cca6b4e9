"""Chapter SEQ, decisions: what a side is asked, its answer, and its answers given beforehand (WMS-SEQ-11)."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from domain.basics.commands import Command, Standing
from domain.basics.errors import Refusal
from domain.engine.judge import Judge, not_yours, unknown_id
from domain.engine.state import on_decision_asked, standing_order
from domain.events import battle as events
from domain.events.battle import DecisionMade, StandingOrderSet
from domain.games.warmaster_shooting.state.state import State, Unit, unit_of

RULE = "WMS-SEQ-11"
YES, NO = "yes", "no"
ASK = "ask"
"""A standing order that takes an earlier one back."""
ALWAYS, NEVER = "always", "never"
OF_FIRE = {ALWAYS: YES, NEVER: NO}
TOPICS = ("fire", "make-way", "remove", "drive")
"""What may be answered beforehand."""


class DecisionAsked(events.DecisionAsked, frozen=True, gc=False, kw_only=True):
    """fire, make-way: `against`, the charger or the unit driven; fire: `stands`, those able."""

    RULE = RULE

    against: str | UnsetType = UNSET
    stands: tuple[str, ...] | UnsetType = UNSET


class Target(Command, frozen=True, gc=False, tag="target"):
    """Which of several units equally near is shot at."""

    ANSWERS = "target"

    unit: str


class LoseStand(Command, frozen=True, gc=False, tag="remove"):
    """Which stand is lost."""

    ANSWERS = "remove"

    stand: str


class Drive(Command, frozen=True, gc=False, tag="drive"):
    """Which unit is driven back next."""

    ANSWERS = "drive"

    unit: str


class MakeWay(Command, frozen=True, gc=False, tag="make-way"):
    """Whether a unit makes way for a friend."""

    ANSWERS = "make-way"

    answer: str


def own_unit(state: State, side: str, name: str) -> Unit:
    """A unit of a side by its id.

    Raises: Refusal core.unknown-id, core.not-yours
    """
    unit = state.units.get(name)
    if unit is None:
        raise unknown_id(name)
    if unit.side != side:
        raise not_yours(name, unit.side)
    return unit


# --- asking


def put(judge: Judge[State], question: DecisionAsked, step: str, **arguments: Any) -> None:
    """Let a standing order answer a question, or ask it; `step` gets the answer. A question with a single answer is not
    put."""
    if len(question.options) == 1:
        judge.push(step, **arguments, answer=question.options[0])
        return
    made = standing_answer(judge.state, question)
    if made is None:
        judge.ask(question, step, **arguments)
        return
    judge.push(step, **arguments, answer=made.answer)
    judge.emit(made, made.side, RULE)


def standing_answer(state: State, question: DecisionAsked) -> DecisionMade | None:
    """The answer that a standing order gives to a question, or None."""
    order = standing_order(state, question.side, question.kind, question.unit)
    if order is None or question.kind not in TOPICS:
        return None
    wished = [OF_FIRE.get(order.value, "")] if question.kind == "fire" else order.value.split()
    answer = next((name for name in wished if name in question.options), "")
    if not answer:
        return None
    return DecisionMade(question.side, question.kind, question.unit, answer, True, set_by=order.n)


def answered(judge: Judge[State], side: str, answer: str, refusal: str, rule: str) -> None:
    """Take up an answer, which must be among the options of the question."""
    waiting = judge.state.waiting
    assert waiting is not None, "the engine lets nobody answer what is not asked"
    if answer not in waiting.options:
        raise Refusal(refusal, rule, unit=waiting.unit, given=answer, options=list(waiting.options))
    judge.resume(DecisionMade(side, waiting.kind, waiting.unit, answer, False), side, answer=answer)


# --- answering


def decide_target(judge: Judge[State], side: str, command: Target) -> None:
    """Any of those equally near (WMS-TGT-05)."""
    _known(judge.state, command.unit)
    answered(judge, side, command.unit, "wms.not-nearest", "WMS-TGT-05")


def decide_remove(judge: Judge[State], side: str, command: LoseStand) -> None:
    """One of the stands that qualify (WMS-CAS-02)."""
    if unit_of(judge.state, command.stand) is None:
        raise unknown_id(command.stand)
    answered(judge, side, command.stand, "wms.bad-removal", "WMS-CAS-02")


def decide_drive(judge: Judge[State], side: str, command: Drive) -> None:
    """One of the units still to be driven back (WMS-SEQ-05)."""
    _known(judge.state, command.unit)
    answered(judge, side, command.unit, "wms.not-in-queue", "WMS-SEQ-05")


def decide_make_way(judge: Judge[State], side: str, command: MakeWay) -> None:
    """The owner of the friend decides (WMS-DRV-12)."""
    answered(judge, side, command.answer, "core.parse", "CORE-PARSE")


def _known(state: State, unit: str) -> None:
    if unit not in state.units:
        raise unknown_id(unit)


# --- answering beforehand


def decide_standing(judge: Judge[State], side: str, command: Standing) -> None:
    """A standing order takes the place of the one before on the same matter (WMS-ORD-02).

    Raises: Refusal core.unknown-id, core.not-yours, wms.not-its-stand
    """
    state = judge.state
    value = command.value
    if command.topic == "drive":
        *names, last = value.split()
        for name in names if last == ASK else (*names, last):
            own_unit(state, side, name)
        value = ASK if last == ASK else value
    else:
        unit = own_unit(state, side, command.unit)
        if command.topic == "remove" and value != ASK:
            _require_stands(state, unit, value.split())
    judge.emit(StandingOrderSet(side, command.topic, command.unit, value), side, RULE)


def _require_stands(state: State, unit: Unit, names: Sequence[str]) -> None:
    own = {stand.id for stand in unit.stands}
    for name in names:
        if unit_of(state, name) is None:
            raise unknown_id(name)
        if name not in own:
            raise Refusal("wms.not-its-stand", "WMS-TGT-07", unit=unit.id, stand=name)


DECISIONS = {
    Target: decide_target,
    LoseStand: decide_remove,
    Drive: decide_drive,
    MakeWay: decide_make_way,
    Standing: decide_standing,
}
EVOLUTIONS = {DecisionAsked: on_decision_asked}
