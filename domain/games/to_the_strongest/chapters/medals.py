"""Chapters MED and WIN: paying medals, and the end of the battle."""

from typing import Any

from msgspec import UNSET, UnsetType, field
from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import SIDES
from domain.events.battle import BattleEnded, Event
from domain.games.to_the_strongest.state.roster import CAMP_VP, general_victory_points
from domain.games.to_the_strongest.state.state import (
    Army,
    General,
    State,
    Unit,
    enemy,
    kind,
    with_army,
    with_general,
    with_unit,
)

SHARE_MARGIN = 5
"""Percentage points within which shares of medals count as equal (TTS-WIN-05)."""


class MedalsTransferred(Event, frozen=True, gc=False):
    """`from_` pays `count` medals to `to`; `left` are the payer's own after it (TTS-MED-02)."""

    RULE = "TTS-MED-02"
    TOLD_BY = "reason"

    from_: str = field(name="from")
    to: str
    count: int
    reason: str  # unit general camp left return rally
    subject: str
    left: int
    total: int | UnsetType = UNSET  # with reason `return`: the receiver's own medals after it


def on_medals_transferred(state: State, event: MedalsTransferred) -> State:
    if event.total is not UNSET:
        state = with_army(state, replace(state.armies[event.to], medals=event.total))
        return _with_paid(state, event.subject, 0)
    state = with_army(state, replace(state.armies[event.from_], medals=event.left))
    return _with_paid(state, event.subject, event.count) if event.reason == "left" else state


def _with_paid(state: State, subject: str, count: int) -> State:
    """Record what a unit or general paid on leaving the field."""
    if subject in state.units:
        return with_unit(state, replace(state.units[subject], paid=count))
    return with_general(state, replace(state.generals[subject], paid=count))


def pay(judge: Judge[State], side: str, count: int, reason: str, subject: str) -> None:
    """A side pays medals, never more than it has; paying the last one is defeat at once.

    Rule: TTS-MED-02, -03, -05, TTS-WIN-01, -02, TTS-TRN-09
    """
    army = judge.state.armies[side]
    count = min(count, army.medals)
    if count <= 0:
        return
    left = army.medals - count
    judge.emit(MedalsTransferred(side, enemy(side), count, reason, subject, left), side)
    if left == 0:
        both = judge.state.armies[enemy(side)].medals == 0
        judge.emit(BattleEnded(judge.state.active if both else enemy(side), "medals"), rule="TTS-WIN-01")


def give_back(judge: Judge[State], side: str, count: int, subject: str) -> None:
    """A returning unit or general gets back what it paid on leaving (TTS-MED-06)."""
    if count <= 0:
        return
    other = judge.state.armies[enemy(side)]
    own = judge.state.armies[side]
    event = MedalsTransferred(other.side, side, count, "return", subject, other.medals, total=own.medals + count)
    judge.emit(event, other.side)


def unit_medals(unit: Unit) -> int:
    """The medals that the loss of a unit costs: its `av`, and 1 for a standard (TTS-MED-02, -07)."""
    return kind(unit).av + ("standard" in unit.extras)


def general_medals(general: General) -> int:
    """The medals that the loss of a general costs (TTS-MED-02)."""
    return general_victory_points(general.traits)


def pay_for_unit(judge: Judge[State], unit: Unit) -> None:
    """A unit is lost; what it paid on leaving the field is not paid twice (TTS-MOV-12)."""
    pay(judge, unit.side, unit_medals(unit) - unit.paid, "unit", unit.id)


def pay_for_general(judge: Judge[State], general: General) -> None:
    """A general is lost."""
    pay(judge, general.side, general_medals(general) - general.paid, "general", general.id)


def pay_for_camp(judge: Judge[State], side: str, corps: str) -> None:
    """A camp is lost (TTS-CMP-06)."""
    pay(judge, side, CAMP_VP, "camp", corps)


def require_turns_left(judge: Judge[State]) -> None:
    """End the battle when both sides have had their turns (TTS-WIN-05).

    The higher share of medals kept wins; shares within five percentage points are a draw.
    """
    state = judge.state
    limit = state.options.turn_limit
    if limit and all(army.turns >= limit for army in state.armies.values()):
        south, north = (state.armies[side] for side in SIDES)
        shares = {army.side: (army.medals, army.medals_full) for army in (south, north)}
        judge.emit(BattleEnded(_leader(south, north), "turn-limit", shares), rule="TTS-WIN-05")


def _leader(south: Army, north: Army) -> str:
    lead = south.medals * north.medals_full - north.medals * south.medals_full
    if abs(lead) * 100 <= SHARE_MARGIN * south.medals_full * north.medals_full:
        return ""
    return "south" if lead > 0 else "north"


EVOLUTIONS: dict[Any, Any] = {MedalsTransferred: on_medals_transferred}
