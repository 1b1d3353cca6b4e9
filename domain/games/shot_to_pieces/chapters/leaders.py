"""Chapter CMD, leaders with a unit: their second throw, and what becomes of them when it is destroyed."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.decisions import NO, YES, DecisionAsked, put
from domain.games.shot_to_pieces.chapters.dice import STEADY, die, throw
from domain.games.shot_to_pieces.chapters.fortunes import dice_to_roll
from domain.games.shot_to_pieces.state.state import General, State, Unit, leader_of, with_corps, with_general
from domain.log.chance import Die

SECOND, LOST, TWO = "STP-CMD-06", "STP-GAP-07", "STP-GEN-02"
FALLS = 1
"""On this face of a D6 the leader is lost."""
UNSTEADY = ("reserve", "militia")
"""Whose D4 is the plain one with the option `erratic` (STP-OPT-03)."""


class DieKept(Event, frozen=True, gc=False):
    """Of two dice the best is kept."""

    RULE = TWO

    unit: str
    values: tuple[int, ...]
    kept: int


class LeaderRerollUsed(Event, frozen=True, gc=False):
    """A side has used its right: `face` stands in place of the natural 1."""

    RULE = SECOND

    unit: str
    old: int
    face: int


class LeaderTested(Event, frozen=True, gc=False):
    """A leader whose unit is destroyed is lost or not."""

    RULE = LOST

    general: str
    face: int
    lost: bool


# --- the dice of fire, resilience and melee


def fighting_die(state: State, unit: Unit) -> Die:
    """The D4 of a unit (STP-GEN-02, STP-OPT-03)."""
    is_plain = not state.options.erratic or unit.status in UNSTEADY
    return die(4) if is_plain else STEADY


def roll_fighting(
    judge: Judge[State], unit: str, purpose: str, then: str, arguments: Mapping[str, Any], *, dice: int = 1
) -> None:
    """Throw the D4 of a unit, two if it is entitled to, and go on at the step `then` with `arguments` and `rolled`.

    Rule: STP-GEN-02 the best of two, STP-CMD-06 a natural 1 of the kept die may be thrown again
    Shape: `purpose` `fire`, `resilience` or `melee`; `dice` 2 where the rules of a charge give two (STP-CHG-07)
    """
    state = judge.state
    roller = state.units[unit]
    d4 = fighting_die(state, roller)
    count = max(dice, dice_to_roll(state, roller, purpose))
    values = tuple(throw(judge, roller.side, d4, purpose, unit, TWO) for _ in range(count))
    kept = max(values)
    if count > 1:
        judge.emit(DieKept(unit, values, kept), roller.side)
    if kept > 1 or roller.side in state.rerolled or leader_of(state, roller) is None:
        judge.push(then, **arguments, rolled=kept)
        return
    question = DecisionAsked(roller.side, "reroll", unit, (YES, NO))
    put(judge, question, "rerolled", unit=unit, then=then, arguments=dict(arguments))


def step_rerolled(judge: Judge[State], *, unit: str, then: str, arguments: dict[str, Any], answer: str) -> None:
    """The second throw stands, if it was wished."""
    rolled = 1
    if answer == YES:
        state = judge.state
        roller = state.units[unit]
        rolled = throw(judge, roller.side, fighting_die(state, roller), "reroll", unit, SECOND)
        judge.emit(LeaderRerollUsed(unit, 1, rolled), roller.side)
    judge.push(then, **arguments, rolled=rolled)


# --- leaders lost


def test_fate(judge: Judge[State], general: General) -> None:
    """The leader of a unit that was destroyed falls on a 1 (STP-GAP-07)."""
    if not judge.state.options.leader_loss:
        return
    face = throw(judge, general.side, die(6), "leader-lost", general.id, LOST)
    judge.emit(LeaderTested(general.id, face, face == FALLS), general.side)


def on_leader_reroll_used(state: State, event: LeaderRerollUsed) -> State:
    return replace(state, rerolled=state.rerolled | {state.units[event.unit].side})


def on_leader_tested(state: State, event: LeaderTested) -> State:
    """A corps whose leader is lost is led badly until the turn ends (STP-GAP-07)."""
    if not event.lost:
        return state
    general = state.generals[event.general]
    state = with_general(state, event.general, alive=False)
    return with_corps(state, general.corps, weak_turn=state.turn) if general.corps in state.corps else state


STEPS = {"rerolled": step_rerolled}
EVOLUTIONS = {DieKept: unchanged, LeaderRerollUsed: on_leader_reroll_used, LeaderTested: on_leader_tested}
