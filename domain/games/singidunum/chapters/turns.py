"""Chapter SEQ: the order of the phases, the turn, and what begins and ends an action.

The sides act in alternation, one action at a time (PRG-SEQ-01), until two passes come in a row (PRG-SEQ-15). Events
stand in the order in which things happen (PRG-SEQ-09, -14).
"""

from typing import Any, ClassVar

from msgspec.structs import replace

from domain.basics.commands import Command
from domain.engine.judge import Judge
from domain.engine.state import OTHER, SIDES
from domain.events import battle as events
from domain.events.battle import Event, TurnEnded
from domain.games.singidunum.chapters.decisions import is_unseen
from domain.games.singidunum.chapters.dice import roll
from domain.games.singidunum.chapters.points import burn_bases, end_if_won
from domain.games.singidunum.state.state import State, ambush_of, available

MUSTER, DEPLOYMENT, TURNS = "muster", "deployment", "turns"
TWO_PASSES = 2


# --- commands and events


class PassTurn(Command, frozen=True, gc=False, tag="pass"):
    """Let the other side act."""

    PHASES: ClassVar[frozenset[str]] = frozenset({TURNS})


class ActionBegan(Event, frozen=True, gc=False):
    """A side begins action number `action` of the turn; `units` act, a general first."""

    RULE: ClassVar[str] = "PRG-SEQ-02"
    TOLD_BY: ClassVar[str] = "kind"

    side: str
    action: int
    kind: str  # move | attack | shoot | stay | stakes | double | general
    units: tuple[str, ...]


class ActionEnded(Event, frozen=True, gc=False):
    """The action is over; `next` is the other side."""

    RULE: ClassVar[str] = "PRG-SEQ-02"

    side: str
    action: int
    next: str


class PlayerPassed(Event, frozen=True, gc=False):
    """A side passes, because it wants to or because none of its units is available."""

    RULE: ClassVar[str] = "PRG-SEQ-07"

    side: str
    forced: bool
    next: str


class UnitActivated(Event, frozen=True, gc=False):
    """A unit is turned to its activated face."""

    RULE: ClassVar[str] = "PRG-SEQ-02"
    TOLD_BY: ClassVar[str] = "cause"

    unit: str
    cause: str  # action | combat | hit | order | refusal


# --- whose turn it is


def active(state: State) -> tuple[str, ...]:
    """The sides that may order now: both before the turns, in any order (PRG-SEQ-11)."""
    if state.phase in (MUSTER, DEPLOYMENT):
        return SIDES
    return (state.active,) if state.active else ()


def awaited(state: State) -> tuple[str, ...]:
    """The sides for whom the battle waits: before the turns those that are not done."""
    return tuple(side for side in active(state) if side not in state.done)


# --- phases


def begin(judge: Judge[State]) -> None:
    """Both sides are there: the first phase that the scenario leaves open (PRG-SEQ-11)."""
    units = judge.state.units.values()
    if not units:
        judge.emit(events.PhaseBegan(MUSTER))
    elif any(is_unseen(unit) and ambush_of(judge.state, unit.id) is None for unit in units):
        judge.emit(events.PhaseBegan(DEPLOYMENT))
    else:
        judge.emit(events.PhaseBegan(TURNS))
        if judge.state.first:
            begin_turn(judge, judge.state.first)


def proceed(judge: Judge[State]) -> None:
    """Both sides have contributed: where the scenario names no side, the dice say who starts (PRG-SEQ-06)."""
    if judge.state.phase == TURNS and not judge.state.turn:
        begin_first_turn(judge)


def begin_first_turn(judge: Judge[State]) -> None:
    """The side that the scenario names starts, or the one that throws more, ties again (PRG-SEQ-06, PRG-SCN-02)."""
    first = judge.state.first
    while not first:
        south, north = (roll(judge, side, "first") for side in SIDES)
        first = "" if south == north else "south" if south > north else "north"
    begin_turn(judge, first)


# --- the turn


def begin_turn(judge: Judge[State], side: str) -> None:
    """Open a game turn, which a side starts."""
    turn = judge.state.turn + 1 if judge.state.turn else judge.state.start_turn
    judge.emit(events.TurnBegan(side, turn), side)
    judge.push("next")


def step_next(judge: Judge[State]) -> None:
    """After an action or a pass: a side that cannot act passes by force; two passes end the turn (PRG-SEQ-07, -15)."""
    state = judge.state
    side = state.active
    if state.passes >= TWO_PASSES:
        end_turn(judge)
    elif not available(state, side):
        judge.emit(PlayerPassed(side, True, OTHER[side]))
        judge.push("next")


def end_turn(judge: Judge[State]) -> None:
    """Burn, close the turn, see whether the battle is over; the other side starts the next (PRG-SEQ-08, PRG-SCN-02)."""
    starter = judge.state.mover
    burn_bases(judge)
    judge.emit(TurnEnded(starter, judge.state.turn), starter)
    end_if_won(judge)
    begin_turn(judge, OTHER[starter])


def decide_pass(judge: Judge[State], side: str, command: PassTurn) -> None:
    """A side lets the other act; it may act later in the turn (PRG-SEQ-07, -15)."""
    judge.emit(PlayerPassed(side, False, OTHER[side]), side)
    judge.push("next")


# --- actions


def begin_action(judge: Judge[State], side: str, kind: str, units: tuple[str, ...]) -> None:
    """Open an action, which ends when everything above its last step is done."""
    judge.push("next")
    judge.push("end-action", side=side)
    judge.emit(ActionBegan(side, judge.state.action + 1, kind, units), side)


def step_end_action(judge: Judge[State], *, side: str) -> None:
    """The action is over, the other side is active."""
    judge.emit(ActionEnded(side, judge.state.action, OTHER[side]), side)


def step_activate(judge: Judge[State], *, units: list[str], cause: str, rule: str) -> None:
    """Turn units over that are on the board and available (PRG-SEQ-02, -03, PRG-SEQ-14)."""
    for name in units:
        unit = judge.state.units[name]
        if unit.hex and not unit.activated:
            judge.emit(UnitActivated(name, cause), unit.side, rule)


# --- evolutions


def on_phase_began(state: State, event: events.PhaseBegan) -> State:
    return replace(state, done=frozenset())


def on_turn_began(state: State, event: events.TurnBegan) -> State:
    return replace(state, action=0, passes=0)


def on_turn_ended(state: State, event: TurnEnded) -> State:
    """Every unit on the board becomes available again, and what barred burning is over (PRG-SEQ-08)."""
    units = {
        name: replace(unit, activated=False, no_burn="") if unit.in_play else unit for name, unit in state.units.items()
    }
    return replace(state, units=units)


def on_action_began(state: State, event: ActionBegan) -> State:
    return replace(state, action=event.action, passes=0)


def on_action_ended(state: State, event: ActionEnded) -> State:
    return replace(state, active=event.next)


def on_player_passed(state: State, event: PlayerPassed) -> State:
    return replace(state, active=event.next, passes=state.passes + 1)


def on_unit_activated(state: State, event: UnitActivated) -> State:
    unit = replace(state.units[event.unit], activated=True)
    return replace(state, units={**state.units, unit.id: unit})


DECISIONS: dict[Any, Any] = {PassTurn: decide_pass}
STEPS: dict[str, Any] = {"next": step_next, "end-action": step_end_action, "activate": step_activate}
EVOLUTIONS: dict[Any, Any] = {
    events.PhaseBegan: on_phase_began,
    events.TurnBegan: on_turn_began,
    TurnEnded: on_turn_ended,
    ActionBegan: on_action_began,
    ActionEnded: on_action_ended,
    PlayerPassed: on_player_passed,
    UnitActivated: on_unit_activated,
}
