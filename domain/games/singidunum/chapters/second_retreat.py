"""Chapter RET, the second retreat: its owner proposes a hex, the opponent may refuse it (PRG-RET-08 … -10)."""

from typing import Any, ClassVar

from domain.engine.judge import Judge
from domain.engine.state import OTHER, unchanged
from domain.events.battle import Event
from domain.games.singidunum.chapters.decisions import FLEE, NO, STAY, YES, put_question, question
from domain.games.singidunum.chapters.retreats import TWO, Plain, flee, flight_hexes, loss_of, retreat, retreat_hexes
from domain.games.singidunum.state.state import State, Unit, is_in_base, neighbours

# --- events


class SecondRetreatProposed(Event, frozen=True, gc=False):
    """The owner names the hex of a second retreat."""

    RULE: ClassVar[str] = "PRG-RET-08"

    unit: str
    hex: str


class SecondRetreatRefused(Event, frozen=True, gc=False):
    """The opponent does not allow it; no other hex is proposed."""

    RULE: ClassVar[str] = "PRG-RET-08"

    unit: str
    hex: str


class SecondRetreatIgnored(Event, frozen=True, gc=False):
    """A unit makes no second retreat."""

    RULE: ClassVar[str] = "PRG-RET-10"
    TOLD_BY: ClassVar[str] = "reason"

    unit: str
    reason: str  # chosen | rampart | enemy-base | nowhere


# --- steps


def step_second_retreat(judge: Judge[State], *, loss: Plain) -> None:
    """The owner proposes a legal hex (PRG-RET-08); cornered, the owner ignores the retreat or flees (PRG-RET-09), or
    it is ignored by rule (PRG-RET-10, -13)."""
    state = judge.state
    lost = loss_of(loss)
    unit = state.units[lost.unit]
    legal, ways = retreat_hexes(state, unit, lost.causes), flight_hexes(state, unit)
    if len(legal) > 1:
        put_question(judge, question(unit.side, "second", unit.id, legal), "propose", loss=loss)
    elif legal:
        judge.push("propose", loss=loss, answer=legal[0])
    elif ways:
        options = [STAY, *(f"{FLEE} {way}" for way in ways)]
        put_question(judge, question(unit.side, "cornered", unit.id, options), "second-or-flee", loss=loss)
    else:
        judge.emit(SecondRetreatIgnored(unit.id, _reason(state, unit)), unit.side)


def _reason(state: State, unit: Unit) -> str:
    """Why a second retreat is ignored by rule (PRG-RET-13, PRG-INT-06)."""
    if is_in_base(state, unit.hex):
        return "rampart"
    backed = any(is_in_base(state, hex_, OTHER[unit.side]) for hex_ in neighbours(state, unit.hex))
    return "enemy-base" if backed else "nowhere"


def step_propose(judge: Judge[State], *, loss: Plain, answer: str) -> None:
    """The opponent is asked to allow the hex proposed."""
    unit = judge.state.units[loss["unit"]]
    judge.emit(SecondRetreatProposed(unit.id, answer), unit.side)
    put_question(judge, question(OTHER[unit.side], "allow", unit.id, (YES, NO)), "allow", loss=loss, hex=answer)


def step_allow(judge: Judge[State], *, loss: Plain, hex: str, answer: str) -> None:
    """The second retreat is made or refused."""
    unit = judge.state.units[loss["unit"]]
    if answer == YES:
        retreat(judge, unit, hex, TWO, loss["cause"], "PRG-RET-08")
    else:
        judge.emit(SecondRetreatRefused(unit.id, hex), OTHER[unit.side])


def step_second_or_flee(judge: Judge[State], *, loss: Plain, answer: str) -> None:
    """The owner ignores the second retreat or flees (PRG-RET-09)."""
    unit = judge.state.units[loss["unit"]]
    if answer == STAY:
        judge.emit(SecondRetreatIgnored(unit.id, "chosen"), unit.side, "PRG-RET-09")
    else:
        flee(judge, unit, answer.split()[1], "choice", "PRG-RET-09")


STEPS: dict[str, Any] = {
    "second-retreat": step_second_retreat,
    "propose": step_propose,
    "allow": step_allow,
    "second-or-flee": step_second_or_flee,
}
EVOLUTIONS: dict[Any, Any] = {
    SecondRetreatProposed: unchanged,
    SecondRetreatRefused: unchanged,
    SecondRetreatIgnored: unchanged,
}
