"""Chapter GAP, deployment: each side places its army in its own strip (STP-GAP-02, -23, -25)."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.engine.judge import Judge, not_yours, unknown_id
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.course import StepBegan, StepOrder
from domain.games.shot_to_pieces.plane.base import Base, corners, rounded
from domain.games.shot_to_pieces.plane.gaps import overlap
from domain.games.shot_to_pieces.state.commands import NONE, DeployAt
from domain.games.shot_to_pieces.state.footprints import base_size
from domain.games.shot_to_pieces.state.profiles import UnitType, period
from domain.games.shot_to_pieces.state.setup import HOMEWARD
from domain.games.shot_to_pieces.state.state import General, Point, State, Unit, changed, with_general
from domain.games.shot_to_pieces.state.vocabulary import DEPLOYMENT

RULE = "STP-GAP-25"
IN_LINE_TYPES = ("column", "line", "square", "closed-column", "march")
OTHERS = ("battle", "march")
"""The formations in which a unit may be deployed: where its type has a line figure, and where not."""


class UnitDeployed(Event, frozen=True, gc=False):
    """A unit has its place."""

    RULE = "STP-GAP-02"

    unit: str
    at: Point
    facing_hdeg: int
    formation: str


class GeneralDeployed(Event, frozen=True, gc=False):
    """A general has their place."""

    RULE = "STP-GAP-02"

    general: str
    at: Point
    unit: str


class Placing(Struct, frozen=True, gc=False):
    """A unit or general that may be placed."""

    name: str
    base: Base
    formation: str = ""


def begin_deployment(judge: Judge[State], side: str) -> None:
    """A side deploys (STP-GAP-23)."""
    judge.emit(StepBegan(0, 0, side, DEPLOYMENT), side)


def _unplaced(state: State) -> Iterator[Unit | General]:
    yield from (unit for unit in state.units.values() if not unit.placed)
    yield from (general for general in state.generals.values() if not general.placed)


def is_deployed(state: State) -> bool:
    """Whether everybody has a place."""
    return next(_unplaced(state), None) is None


def require_deployed(state: State, side: str) -> None:
    """Refuse to go on while somebody has no place.

    Raises: Refusal stp.deployment-incomplete
    """
    left = [one.id for one in _unplaced(state) if one.side == side]
    if left:
        raise Refusal("stp.deployment-incomplete", RULE, side=side, left=left)


def formations_to_deploy(kind: UnitType) -> tuple[str, ...]:
    """The formations in which a unit of a type may be deployed (STP-GAP-25)."""
    usual = IN_LINE_TYPES if kind.line else OTHERS
    return tuple(formation for formation in usual if formation in kind.formations)


def plan_deploy(state: State, side: str, command: DeployAt) -> Placing:
    """A whole base inside the own strip, on no other base.

    Raises: Refusal core.unknown-id, core.not-yours, stp.outside-deployment-zone, stp.overlap, stp.bad-formation
    """
    one: Unit | General | None = state.units.get(command.name) or state.generals.get(command.name)
    if one is None:
        raise unknown_id(command.name)
    if one.side != side:
        raise not_yours(command.name, one.side)
    if isinstance(one, General):
        _require_in_strip(state, side, one.id, (command.at,))
        return Placing(one.id, Base(command.at, 0, 0, 0))
    kind = period(state.period).types[one.type]
    formation = command.formation or kind.usual_formation
    facing = HOMEWARD[side] if command.facing == NONE else command.facing
    base = Base(command.at, facing, *base_size(kind.arm, formation, state.options.base_sizes))
    _require_in_strip(state, side, one.id, tuple(rounded(corner) for corner in corners(base)))
    for other in state.of(side):
        if other.id != one.id and overlap(base, other.base):
            raise Refusal("stp.overlap", "STP-GEO-02", unit=one.id, by=other.id)
    allowed = formations_to_deploy(kind)
    if formation not in allowed:
        raise Refusal("stp.bad-formation", RULE, unit=one.id, formation=formation, allowed=list(allowed))
    return Placing(one.id, base, formation)


def _require_in_strip(state: State, side: str, name: str, points: tuple[Point, ...]) -> None:
    depth, board = state.options.deploy_depth_hcm, state.board
    least, most = (0, depth) if side == "south" else (board.height - depth, board.height)
    if not all(0 <= x <= board.width and least <= y <= most for x, y in points):
        raise Refusal("stp.outside-deployment-zone", "STP-GAP-02", unit=name, least=least, most=most)


def deploy(judge: Judge[State], side: str, placing: Placing) -> None:
    """The place is taken; it may be changed until the side is done."""
    base = placing.base
    if placing.formation:
        judge.emit(UnitDeployed(placing.name, base.at, base.facing, placing.formation), side)
    else:
        judge.emit(GeneralDeployed(placing.name, base.at, ""), side)


def on_unit_deployed(state: State, event: UnitDeployed) -> State:
    unit = state.units[event.unit]
    arm = period(state.period).types[unit.type].arm
    size = base_size(arm, event.formation, state.options.base_sizes)
    base = Base(event.at, event.facing_hdeg, *size)
    moved = changed(state, unit.id, base=base, formation=event.formation, placed=True)
    led = {name: replace(one, at=event.at) for name, one in state.generals.items() if one.unit == unit.id}
    return replace(moved, generals={**state.generals, **led}) if led else moved


def on_general_deployed(state: State, event: GeneralDeployed) -> State:
    return with_general(state, event.general, at=event.at, unit=event.unit, placed=True)


STEP_ORDERS = {DeployAt: StepOrder((DEPLOYMENT,), plan_deploy, deploy)}
EVOLUTIONS = {UnitDeployed: on_unit_deployed, GeneralDeployed: on_general_deployed}
