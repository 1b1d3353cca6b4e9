"""Chapter ARM: armies are deployed in secret.

Nothing that one side does here is known to the other until both are done, when everything is revealed at once
(PRG-ARM-06, -10). All units start available (PRG-ARM-07).
"""

from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.engine.state import SIDES
from domain.events import battle as events
from domain.events.battle import Event, Text
from domain.games.singidunum.chapters.decisions import own_unit, require_on_board
from domain.games.singidunum.chapters.movement import is_closed
from domain.games.singidunum.chapters.muster import ArmyConfirmed, require_open
from domain.games.singidunum.chapters.turns import DEPLOYMENT, MUSTER, TURNS, begin_first_turn
from domain.games.singidunum.state.board import FOREST, SCRUB, in_order
from domain.games.singidunum.state.setup import AmbushPlaced
from domain.games.singidunum.state.state import Laid, State, ambush_of, ground, is_taken_by, own, with_unit
from domain.mechanics import hex as hexes

MOST_DECOYS = 2
DECOY = "decoy"


# --- commands


class DeployCounter(Command, frozen=True, gc=False, tag="deploy"):
    """Place a unit, or move it to another hex of the zone."""

    PHASES: ClassVar[frozenset[str]] = frozenset({DEPLOYMENT})
    PRIVATE: ClassVar[bool] = True

    unit: str
    hex: str


class LayAmbush(Command, frozen=True, gc=False, tag="ambush"):
    """Lay a marker on a forest hex, over a unit or ("decoy") over nothing."""

    PHASES: ClassVar[frozenset[str]] = frozenset({DEPLOYMENT})
    PRIVATE: ClassVar[bool] = True

    unit: str
    hex: str


class DoneDeploying(Command, frozen=True, gc=False, tag="done"):
    """Close one's part of the phase."""

    PHASES: ClassVar[frozenset[str]] = frozenset({MUSTER, DEPLOYMENT})


# --- events


class UnitDeployed(Event, frozen=True, gc=False, kw_only=True):
    """A unit is placed, in secret; `lifted` is the hex of the ambush marker that is taken back for it."""

    RULE: ClassVar[str] = "PRG-ARM-06"

    unit: Text = UNSET
    hex: Text = UNSET
    lifted: Text = UNSET
    sealed: Text = UNSET


class DeploymentConfirmed(Event, frozen=True, gc=False):
    """A side's deployment is closed."""

    RULE: ClassVar[str] = "PRG-ARM-06"

    side: str


class UnitInHex(Struct, frozen=True, gc=False):
    """A unit and its hex."""

    unit: str
    hex: str


class DeploymentRevealed(Event, frozen=True, gc=False, kw_only=True):
    """Both sides see all units that do not lie in ambush; `opens` are the lists and what was placed openly."""

    RULE: ClassVar[str] = "PRG-ARM-06"

    units: tuple[UnitInHex, ...]
    ambushes: tuple[str, ...]
    opens: tuple[int, ...] | UnsetType = UNSET


# --- placing


def in_zone(state: State, side: str, hex_: str) -> bool:
    """Whether a side deploys on a hex: its nearest rows, no scrub, no foreign base (PRG-ARM-06, -10)."""
    row = hexes.XY[hex_][1]
    from_edge = row if side == "north" else state.board[1] - 1 - row
    here = ground(state, hex_)
    return from_edge < state.options.deploy_rows and here.kind != SCRUB and here.side in ("", side)


def decide_deploy(judge: Judge[State], side: str, command: DeployCounter) -> None:
    """Place a unit of one's own, or move it, until `done` (PRG-ARM-10)."""
    state = judge.state
    unit = own_unit(state, side, command.unit)
    _require_deploying(state, side, command.hex)
    _require_zone(state, side, command.hex)
    if is_closed(state, unit.type, command.hex):
        raise Refusal("singidunum.terrain-closed", "PRG-EXT-TER-01", unit=unit.id, hex=command.hex)
    _require_free(state, side, unit.id, command.hex)
    judge.emit(UnitDeployed(unit=unit.id, hex=command.hex, lifted=lifted(state, unit.id)), side)


def lifted(state: State, unit: str) -> Text:
    """The hex of the marker under which a unit lies now, and which is taken back."""
    ambush = ambush_of(state, unit) if unit else None
    return ambush.hex if ambush else UNSET


def decide_ambush(judge: Judge[State], side: str, command: LayAmbush) -> None:
    """Lay an ambush on a forest hex of the zone; two decoys a side at most (PRG-EXT-TER-01, -05)."""
    state = judge.state
    unit = None if command.unit == DECOY else own_unit(state, side, command.unit)
    name = unit.id if unit else ""
    _require_deploying(state, side, command.hex)
    decoys = sum(1 for ambush in state.ambushes if ambush.side == side and not ambush.unit)
    if not unit and decoys >= MOST_DECOYS:
        raise Refusal("singidunum.no-such-counter", "PRG-EXT-TER-05", counter=DECOY)
    _require_zone(state, side, command.hex)
    closed = unit is not None and is_closed(state, unit.type, command.hex)
    if not _is_forest(state, command.hex) or closed or "terrain" not in state.options.modules:
        raise Refusal("singidunum.terrain-closed", "PRG-EXT-TER-01", unit=name, hex=command.hex)
    _require_free(state, side, name, command.hex)
    judge.emit(AmbushPlaced(side=side, hex=command.hex, unit=name, lifted=lifted(state, name)), side)


def _require_deploying(state: State, side: str, hex_: str) -> None:
    require_on_board(state, hex_)
    require_open(state, side, "singidunum.deployment-closed", "PRG-ARM-10")


def _require_zone(state: State, side: str, hex_: str) -> None:
    if not in_zone(state, side, hex_):
        raise Refusal("singidunum.outside-zone", "PRG-ARM-10", hex=hex_, rows=state.options.deploy_rows)


def _is_forest(state: State, hex_: str) -> bool:
    marker = state.markers.get(hex_)
    return marker is not None and marker.kind == FOREST


def _require_free(state: State, side: str, unit: str, hex_: str) -> None:
    if is_taken_by(state, side, hex_, unit):
        raise Refusal("singidunum.occupied", "PRG-BRD-05", unit=unit, hex=hex_)


# --- done


def decide_done(judge: Judge[State], side: str, command: DoneDeploying) -> None:
    """Close one's army, or one's deployment; when both have, the next phase begins (PRG-SEQ-11)."""
    state = judge.state
    is_muster = state.phase == MUSTER
    code, rule = ("army-closed", "PRG-ARM-08") if is_muster else ("deployment-closed", "PRG-ARM-10")
    require_open(state, side, f"singidunum.{code}", rule)
    units = list(own(state, side))
    missing = [] if is_muster else [unit.id for unit in units if not unit.hex and not ambush_of(state, unit.id)]
    if not units or missing:
        raise Refusal("singidunum.incomplete", rule, side=side, units=missing)
    judge.emit(ArmyConfirmed(side) if is_muster else DeploymentConfirmed(side), side)
    if len(judge.state.done) < len(SIDES):
        return
    if is_muster:
        judge.emit(events.PhaseBegan(DEPLOYMENT))
        return
    _reveal(judge)
    judge.emit(events.PhaseBegan(TURNS))
    begin_first_turn(judge)


def _reveal(judge: Judge[State]) -> None:
    """Show everything at once but what lies in ambush (PRG-ARM-06, PRG-EXT-TER-05)."""
    state = judge.state
    shown = tuple(UnitInHex(unit.id, unit.hex) for side in SIDES for unit in own(state, side) if unit.hex)
    hidden = {ambush.unit for ambush in state.ambushes}
    opens = sorted({*state.lists.values(), *(laid.n for laid in state.laid if laid.unit not in hidden)})
    ambushes = tuple(in_order(ambush.hex for ambush in state.ambushes))
    judge.emit(DeploymentRevealed(units=shown, ambushes=ambushes, opens=tuple(opens) or UNSET))


# --- evolutions


def on_side_done(state: State, event: ArmyConfirmed | DeploymentConfirmed) -> State:
    return replace(state, done=state.done | {event.side})


def on_unit_deployed(state: State, event: UnitDeployed) -> State:
    """A unit that is placed openly lies in no ambush any more."""
    state = replace(state, ambushes=tuple(ambush for ambush in state.ambushes if ambush.hex != event.lifted))
    if event.unit is UNSET or event.hex is UNSET:
        return replace(state, laid=(*state.laid, Laid("", "", state.n + 1)))
    unit = state.units[event.unit]
    laid = (*state.laid, Laid(unit.side, unit.id, state.n + 1))
    return with_unit(replace(state, laid=laid), replace(unit, hex=event.hex))


def on_deployment_revealed(state: State, event: DeploymentRevealed) -> State:
    for placed in event.units:
        if placed.unit in state.units:  # before its list is opened
            state = with_unit(state, replace(state.units[placed.unit], hex=placed.hex))
    return replace(state, laid=(), lists={})


DECISIONS: dict[Any, Any] = {
    DeployCounter: decide_deploy,
    LayAmbush: decide_ambush,
    DoneDeploying: decide_done,
}
EVOLUTIONS: dict[Any, Any] = {
    ArmyConfirmed: on_side_done,
    UnitDeployed: on_unit_deployed,
    DeploymentConfirmed: on_side_done,
    DeploymentRevealed: on_deployment_revealed,
}
