"""PRG-EXT-TER-03: stakes help whoever stands on them, are turned by a combat, and may be put up again or taken away."""

from typing import Any, ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event, Text
from domain.games.singidunum.chapters.decisions import own_unit
from domain.games.singidunum.chapters.fight import Fight
from domain.games.singidunum.chapters.turns import TURNS, begin_action
from domain.games.singidunum.chapters.units import require_ready
from domain.games.singidunum.state.board import STAKES
from domain.games.singidunum.state.state import State, Unit, with_marker

RULE = "PRG-EXT-TER-03"
RESTORE, REMOVE = "restore", "remove"


class TendStakes(Command, frozen=True, gc=False, tag="stake"):
    """Stay and restore the stakes of one's hex, or remove them."""

    PHASES: ClassVar[frozenset[str]] = frozenset({TURNS})

    unit: str
    what: str


class StakesTurned(Event, frozen=True, gc=False):
    """Stakes are turned to their other face; `keeper` won on them, and may touch them in the next turn."""

    RULE: ClassVar[str] = RULE

    hex: str
    active: bool
    keeper: Text = UNSET


class StakesRemoved(Event, frozen=True, gc=False):
    """Stakes are taken off the board."""

    RULE: ClassVar[str] = RULE

    hex: str


def turn_stakes(judge: Judge[State], fight: Fight, winner: str) -> None:
    """After a combat the active stakes under those who fought are turned."""
    for name in fight.fought:
        unit = judge.state.units[name]
        marker = judge.state.markers.get(unit.hex)
        if marker and marker.kind == STAKES and marker.active:
            judge.emit(StakesTurned(unit.hex, False, name if unit.side == winner else UNSET))


def may_touch(state: State, unit: Unit) -> bool:
    """Whether a unit may restore or remove the stakes it stands on: it won on them in the turn before, and stayed; to
    come back it would have spent its action."""
    marker = state.markers.get(unit.hex)
    if marker is None or marker.kind != STAKES or marker.active:
        return False
    return marker.keeper == unit.id and state.turn == marker.since + 1


def plan_stake(state: State, side: str, command: TendStakes) -> Unit:
    """The unit that may touch its stakes.

    Raises: Refusal with the first code that applies
    """
    unit = own_unit(state, side, command.unit)
    require_ready(unit)
    if not may_touch(state, unit):
        raise Refusal("singidunum.no-stakes", RULE, unit=unit.id, hex=unit.hex)
    return unit


def decide_stake(judge: Judge[State], side: str, command: TendStakes) -> None:
    """The action of a unit that stays with its stakes."""
    unit = plan_stake(judge.state, side, command)
    begin_action(judge, side, "stakes", (unit.id,))
    judge.push("activate", units=[unit.id], cause="action", rule="PRG-SEQ-02")
    if command.what == RESTORE:
        judge.emit(StakesTurned(unit.hex, True), side)
    else:
        judge.emit(StakesRemoved(unit.hex), side)


def on_stakes_turned(state: State, event: StakesTurned) -> State:
    marker = state.markers[event.hex]
    since = state.turn if event.keeper else 0
    return with_marker(state, event.hex, replace(marker, active=event.active, keeper=event.keeper or "", since=since))


def on_stakes_removed(state: State, event: StakesRemoved) -> State:
    return with_marker(state, event.hex, None)


DECISIONS: dict[Any, Any] = {TendStakes: decide_stake}
EVOLUTIONS: dict[Any, Any] = {StakesTurned: on_stakes_turned, StakesRemoved: on_stakes_removed}
