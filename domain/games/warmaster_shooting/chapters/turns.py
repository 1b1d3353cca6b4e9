"""Chapters SEQ and WIN: phases and player turns, the end of the shooting, and who wins."""

from msgspec.structs import replace

from domain.basics.commands import Command
from domain.engine.judge import Judge
from domain.engine.state import OTHER, SIDES, unchanged
from domain.events.battle import BattleEnded, Event, PhaseBegan, TurnBegan, TurnEnded
from domain.games.warmaster_shooting.chapters.targets import can_shoot
from domain.games.warmaster_shooting.state.state import State, Unit, with_unit

PHASE, TURN = "WMS-SEQ-08", "WMS-SEQ-09"


class EndShooting(Command, frozen=True, gc=False, tag="end-shooting"):
    """No more shots in this phase."""

    PHASES = frozenset({"shooting"})


class EndCommand(Command, frozen=True, gc=False, tag="end-command"):
    """No more charges in this phase."""

    PHASES = frozenset({"command"})


class ShootingEnded(Event, frozen=True, gc=False):
    """A side has shot; now those hit are driven back."""

    RULE = "WMS-SEQ-05"

    side: str


class UnitRecovered(Event, frozen=True, gc=False):
    """A unit is no longer confused."""

    RULE = "WMS-CNF-07"

    unit: str


class WoundsDiscarded(Event, frozen=True, gc=False):
    """Wounds that removed no stand are dropped."""

    RULE = "WMS-CAS-05"

    unit: str
    count: int


def begin(judge: Judge[State]) -> None:
    """The first player turn (WMS-SEQ-09)."""
    first = judge.state.first
    judge.emit(TurnBegan(first, 1), first, TURN)
    _first_phase(judge)


def _first_phase(judge: Judge[State]) -> None:
    if judge.state.options.command_phase:
        judge.emit(PhaseBegan("command"), rule=PHASE)
        return
    if judge.state.t > 1:
        _recover(judge)
    judge.emit(PhaseBegan("shooting"), rule=PHASE)


def _recover(judge: Judge[State]) -> None:
    """The confused units of the active side recover (WMS-CNF-06, -07)."""
    for unit in judge.state.of(judge.state.active):
        if unit.confused:
            judge.emit(UnitRecovered(unit.id), unit.side)


def decide_end_command(judge: Judge[State], side: str, command: EndCommand) -> None:
    """The command phase ends by order alone (WMS-SEQ-10)."""
    _recover(judge)
    judge.emit(PhaseBegan("shooting"), rule=PHASE)


def decide_end_shooting(judge: Judge[State], side: str, command: EndShooting) -> None:
    """The shooting may end while units could still shoot (WMS-SEQ-10)."""
    _end_shooting(judge)


def step_shooting_check(judge: Judge[State]) -> None:
    """The shooting ends by itself when nobody can shoot any more (WMS-SEQ-10)."""
    state = judge.state
    if state.options.auto_end_shooting and not any(can_shoot(state, unit) for unit in state.of(state.active)):
        _end_shooting(judge)


def _end_shooting(judge: Judge[State]) -> None:
    judge.emit(ShootingEnded(judge.state.active), judge.state.active)
    judge.emit(PhaseBegan("drive-back"), rule=PHASE)
    judge.push("drive-next")


def step_clean_up(judge: Judge[State]) -> None:
    """Wounds left over are dropped, and the player turn ends (WMS-CAS-05, WMS-SEQ-09)."""
    for unit in judge.state.units.values():
        if unit.alive and unit.open:
            judge.emit(WoundsDiscarded(unit.id, unit.open), unit.side)
    side, turn = judge.state.active, judge.state.turn
    judge.emit(TurnEnded(side, turn), side, TURN)
    _end_of_battle(judge)
    follows = OTHER[side]
    judge.emit(TurnBegan(follows, turn + (follows == judge.state.first)), follows, TURN)
    _first_phase(judge)


# --- winning


def _end_of_battle(judge: Judge[State]) -> None:
    """A side without units has lost; after the last turn the points decide (WMS-WIN-01, -02)."""
    state = judge.state
    left = [side for side in SIDES if state.of(side)]
    if len(left) < len(SIDES):
        judge.emit(BattleEnded(left[0] if left else "", "destroyed"), rule="WMS-WIN-02")
    if state.t < state.options.turns:
        return
    south, north = (points(state, side) for side in SIDES)
    winner = "" if south == north else "south" if south > north else "north"
    judge.emit(BattleEnded(winner, "turns-over"), rule="WMS-WIN-01")


def points(state: State, side: str) -> int:
    """What a side has scored: the points of enemy units lost, and of others the share of their stands lost, rounded
    down (WMS-WIN-01)."""
    return sum(_lost(unit) for unit in state.units.values() if unit.side != side)


def _lost(unit: Unit) -> int:
    return unit.kind.points * (len(unit.stands) - len(unit.standing)) // len(unit.stands)


# --- evolutions


def on_turn_ended(state: State, event: TurnEnded) -> State:
    """What lasts for one player turn is over: shots, charges, and who has shot at whom."""
    units = {
        name: replace(
            unit,
            shot=False,
            charging=False,
            total=0,
            charge_open=0,
            charge_total=0,
            shot_by=(),
            driven=False,
        )
        for name, unit in state.units.items()
    }
    return replace(state, units=units)


def on_unit_recovered(state: State, event: UnitRecovered) -> State:
    return with_unit(state, replace(state.units[event.unit], confused=False))


def on_wounds_discarded(state: State, event: WoundsDiscarded) -> State:
    return with_unit(state, replace(state.units[event.unit], open=0))


DECISIONS = {EndShooting: decide_end_shooting, EndCommand: decide_end_command}
STEPS = {"shooting-check": step_shooting_check, "clean-up": step_clean_up}
EVOLUTIONS = {
    TurnEnded: on_turn_ended,
    ShootingEnded: unchanged,
    UnitRecovered: on_unit_recovered,
    WoundsDiscarded: on_wounds_discarded,
}
