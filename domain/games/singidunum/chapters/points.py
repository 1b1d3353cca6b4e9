"""Chapter VP: victory points, burning, and the end of a battle. Points are counted in halves (PRG-VP-10)."""

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import OTHER, SIDES, unchanged
from domain.events.battle import BattleEnded, Event
from domain.games.singidunum.state.board import in_order
from domain.games.singidunum.state.state import (
    State,
    Unit,
    goal,
    is_flight_hex,
    is_in_base,
    is_open,
    neighbours,
    own,
    touching,
    with_unit,
)

BURN_HALVES = 4
GOAL, TURN_LIMIT, EXHAUSTED = "goal", "turn-limit", "exhausted"


class UnitEliminated(Event, frozen=True, gc=False):
    """A unit is destroyed on a hex."""

    RULE: ClassVar[str] = "PRG-CBT-05"
    TOLD_BY: ClassVar[str] = "cause"

    unit: str
    hex: str
    cause: str  # combat | shot | fall


class VictoryPointsScored(Event, frozen=True, gc=False):
    """A side has more victory points; `total` are all of them, in halves."""

    RULE: ClassVar[str] = "PRG-VP-01"
    TOLD_BY: ClassVar[str] = "reason"

    side: str
    half_points: int
    total: int
    reason: str  # elimination | burn
    subject: str


class BaseHexBurned(Event, frozen=True, gc=False):
    """A unit burns a hex of the enemy base; each hex burns once."""

    RULE: ClassVar[str] = "PRG-VP-04"

    side: str
    unit: str
    hex: str


class BurnBlocked(Event, frozen=True, gc=False):
    """A unit on a hex of the enemy base may not burn it."""

    RULE: ClassVar[str] = "PRG-VP-05"
    TOLD_BY: ClassVar[str] = "reason"

    unit: str
    hex: str
    reason: str  # burned | retreated | hit | zoc


# --- eliminations


def eliminate(judge: Judge[State], unit: Unit, cause: str, rule: str) -> None:
    """Destroy a unit; the other side scores (PRG-VP-01, -03), unless a refuge spares the point (PRG-VP-06)."""
    half_points = unit.profile.half_points
    spared = judge.state.options.refuge_kill and has_refuge(judge.state, unit)
    judge.emit(UnitEliminated(unit.id, unit.hex, cause), unit.side, rule)
    if not spared:
        score(judge, OTHER[unit.side], half_points, "elimination", unit.id, "PRG-VP-03" if half_points == 1 else "")


def has_refuge(state: State, unit: Unit) -> bool:
    """Whether a unit stands on plain beside a free own base or scrub hex that no enemy touches (PRG-VP-06)."""
    if not is_open(state, unit.hex):
        return False
    return any(
        hex_ not in state.places
        and (is_in_base(state, hex_, unit.side) or is_flight_hex(state, hex_))
        and not touching(state, hex_, OTHER[unit.side])
        for hex_ in neighbours(state, unit.hex)
    )


def score(judge: Judge[State], side: str, half_points: int, reason: str, subject: str, rule: str = "") -> None:
    """Give a side points."""
    total = judge.state.half_vp[side] + half_points
    judge.emit(VictoryPointsScored(side, half_points, total, reason, subject), side, rule)


# --- burning


def burn_bases(judge: Judge[State]) -> None:
    """Each unit on a hex of the enemy base burns it, in reading order, or a reason bars it (PRG-VP-04, -05)."""
    state = judge.state
    for hex_ in in_order(state.places):
        unit = state.units[state.places[hex_]]
        if not is_in_base(state, hex_, OTHER[unit.side]):
            continue
        reason = burn_barred_by(judge.state, unit)
        if reason:
            judge.emit(BurnBlocked(unit.id, hex_, reason), unit.side)
        else:
            judge.emit(BaseHexBurned(unit.side, unit.id, hex_), unit.side)
            score(judge, unit.side, BURN_HALVES, "burn", hex_, "PRG-VP-04")


def burn_barred_by(state: State, unit: Unit) -> str:
    """Why a unit may not burn the hex it stands on, "" if it may: the first that applies (PRG-SEQ-10, PRG-INT-03)."""
    if unit.hex in state.burned:
        return "burned"
    if unit.no_burn:
        return unit.no_burn
    return "zoc" if touching(state, unit.hex, OTHER[unit.side]) else ""


# --- the end


def end_if_won(judge: Judge[State]) -> None:
    """End the battle after a turn: the goal is reached, the last turn is over, or nobody is left (PRG-VP-07 … -09)."""
    state = judge.state
    if max(state.half_vp.values()) >= 2 * goal(state.options):
        judge.emit(BattleEnded(leader(state), GOAL), rule="PRG-VP-08")
    if state.turn >= state.options.turn_limit:
        judge.emit(BattleEnded(leader(state), TURN_LIMIT), rule="PRG-VP-08")
    if not any(_left(state)):
        judge.emit(BattleEnded(leader(state), EXHAUSTED), rule="PRG-VP-08")


def _left(state: State) -> Sequence[Unit]:
    return [unit for side in SIDES for unit in own(state, side)]


def leader(state: State) -> str:
    """The side with more points; of two equal ones the only one that has held a hex of the enemy base, "" for neither
    (PRG-VP-08)."""
    south, north = (state.half_vp[side] for side in SIDES)
    if south != north:
        return "south" if south > north else "north"
    return next(iter(state.held)) if len(state.held) == 1 else ""


# --- evolutions


def on_unit_eliminated(state: State, event: UnitEliminated) -> State:
    return with_unit(state, replace(state.units[event.unit], hex="", alive=False))


def on_points_scored(state: State, event: VictoryPointsScored) -> State:
    return replace(state, half_vp={**state.half_vp, event.side: event.total})


def on_base_hex_burned(state: State, event: BaseHexBurned) -> State:
    return replace(state, burned=state.burned | {event.hex})


EVOLUTIONS: dict[Any, Any] = {
    UnitEliminated: on_unit_eliminated,
    VictoryPointsScored: on_points_scored,
    BaseHexBurned: on_base_hex_burned,
    BurnBlocked: unchanged,
}
