"""Chapter DEP: where corps may deploy, and in which order.

Corps by corps, alternating, the loser of scouting first. What is placed is told by the events in `placing`.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge, not_yours, off_board, unknown_id
from domain.games.to_the_strongest.chapters.ambushes import UnitDeployed, ambush_of
from domain.games.to_the_strongest.chapters.command import radius
from domain.games.to_the_strongest.chapters.decisions import own_general
from domain.games.to_the_strongest.chapters.geometry import is_held_by_enemy, is_impassable
from domain.games.to_the_strongest.chapters.phases import (
    enter_next,
    is_to_deploy,
    missing_of,
    next_to_deploy,
    push_steps,
    standing_box,
    to_deploy,
)
from domain.games.to_the_strongest.chapters.placing import CampPlaced, CorpsDeployed, GeneralDeployed
from domain.games.to_the_strongest.chapters.stacking import require_no_enemy, require_room, require_same_facing
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.ground import EASY, OPEN
from domain.games.to_the_strongest.state.setup import camp_parts
from domain.games.to_the_strongest.state.state import (
    HOME_ROW_FACING,
    Corps,
    General,
    State,
    Unit,
    camps_of,
    enemy,
    is_on_board,
    units_in,
    with_army,
)
from domain.mechanics.square import VECTOR, XY, Board, are_linked, box_by, king_distance

STEP = "TTS-DEP-01"
UNITS = "TTS-DEP-02"
CAMPS = "TTS-DEP-03"
GENERALS = "TTS-DEP-04"
CLOSED = "TTS-DEP-05"
JOINED = "TTS-CMP-04"


# --- commands


class Deploy(Command, frozen=True, gc=False, tag="deploy"):
    """Put a unit or a detached general into a box (TTS-DEP-02, -04)."""

    PHASES = phases_of("deploy")

    id: str
    box: str
    facing: str = ""


class DeployWith(Command, frozen=True, gc=False, tag="deploy-with"):
    """Attach a general to a unit (TTS-DEP-04)."""

    PHASES = phases_of("deploy-with")

    general: str
    unit: str


class DeployCamp(Command, frozen=True, gc=False, tag="deploy-camp"):
    """Put the camp of the corps into a box, or joined camps into `box` and `more` (TTS-DEP-03, TTS-CMP-04)."""

    PHASES = phases_of("deploy-camp")

    box: str
    fortified: tuple[str, ...] = ()
    more: tuple[str, ...] | UnsetType = UNSET

    @property
    def boxes(self) -> tuple[str, ...]:
        """All boxes of the camp."""
        return self.box, *(self.more or ())

    @classmethod
    def at(cls, boxes: Sequence[str], fortified: tuple[str, ...] = ()) -> "DeployCamp":
        """The order that puts a camp into these boxes."""
        return cls(boxes[0], fortified, tuple(boxes[1:]) or UNSET)


# --- rules


def in_zone(state: State, side: str, box: str) -> bool:
    """Whether a box lies in the back rows of a side (TTS-DEP-02)."""
    return own_row(state, side, box) < state.options.deploy_rows


def own_row(state: State, side: str, box: str) -> int:
    """The row of a box, counted from the own edge, from 0."""
    return row_from(state.board, side, box)


def row_from(board: Board, side: str, box: str) -> int:
    """The row of a box, counted from the edge of a side, from 0."""
    row = XY[box][1]
    return row if side == "south" else board[1] - 1 - row


def require_corps(state: State, side: str, corps: str) -> None:
    """Refuse a piece of another corps than the one being deployed, or of one already deployed (TTS-DEP-01)."""
    army = state.armies[side]
    if army.opened not in ("", corps) or not is_to_deploy(state, side, army.corps[corps]):
        raise Refusal("tts.not-current-corps", STEP, corps=corps, open=army.opened)


def require_unit_step(state: State, unit: Unit) -> None:
    """Refuse a unit whose step it is not, or that lies in ambush (TTS-DEP-01, TTS-STR-04)."""
    require_corps(state, unit.side, unit.corps)
    if ambush_of(state, unit.id):
        raise Refusal("tts.not-current-corps", STEP, corps=unit.corps, open=state.armies[unit.side].opened)


def require_unit_place(state: State, unit: Unit, box: str, facing: str) -> None:
    """Refuse a box where a unit cannot be deployed (TTS-DEP-02)."""
    if not in_zone(state, unit.side, box):
        raise Refusal("tts.outside-deployment-zone", UNITS, unit=unit.id, box=box, rows=state.options.deploy_rows)
    if is_impassable(state, box):
        raise Refusal("tts.impassable", "TTS-MOV-03", unit=unit.id, box=box)
    require_no_enemy(state, unit, box)
    require_room(state, unit, box)
    require_same_facing(state, unit, box, facing)


def require_general(state: State, side: str, name: str) -> General:
    """A general of the side whose corps has its step, and who is not bound to a unit by the scenario."""
    general = own_general(state, side, name)
    require_corps(state, side, general.corps)
    if general.attached and not general.placing:
        raise Refusal("tts.general-attached", "TTS-GEN-04", general=name, unit=general.attached)
    return general


def _placed(state: State, corps: str, side: str) -> list[str]:
    """The boxes of the units of a corps that have a place."""
    units = (state.units[name] for name in state.armies[side].corps[corps].units)
    return [box for unit in units if (box := standing_box(state, unit))]


def is_in_radius(state: State, general: General, box: str) -> bool:
    """Whether a box lies within a detached general's radius of a unit of their corps (TTS-DEP-04)."""
    reach = radius(state, replace(general, attached=""))
    return any(king_distance(box, other) <= reach for other in _placed(state, general.corps, general.side))


def require_camp_place(state: State, side: str, command: DeployCamp) -> Corps:
    """Refuse boxes where the camp of the open corps cannot stand; return the corps (TTS-DEP-03, TTS-CMP-04)."""
    army = state.armies[side]
    if not army.opened:
        raise Refusal("tts.corps-incomplete", CAMPS, corps="", missing=[])
    corps = army.corps[army.opened]
    if corps.camp_sides < 0:
        raise Refusal("core.unknown-id", "CORE-ID", id="camp", corps=corps.id)
    boxes = command.boxes
    for box in boxes:
        if not is_on_board(state, box):
            raise off_board(box)
    for box in boxes:
        if own_row(state, side, box) > 0:
            raise Refusal("tts.camp-row", CAMPS, corps=corps.id, box=box)
    for box in boxes:
        ground = state.terrain.get(box, OPEN)
        if ground not in EASY:
            raise Refusal("tts.camp-terrain", CAMPS, corps=corps.id, box=box, terrain=ground)
    if len(boxes) != corps.camp_boxes or len(set(boxes)) < len(boxes) or not are_linked(boxes):
        size = corps.camp_boxes
        raise Refusal("tts.camp-boxes", JOINED, corps=corps.id, boxes=list(boxes), size=size, joined=size > 1)
    if len(set(command.fortified)) > corps.camp_sides:
        raise Refusal(
            "tts.too-many-fortifications", CAMPS, corps=corps.id, most=corps.camp_sides, given=len(command.fortified)
        )
    for box in boxes:
        camp = state.camps.get(box)
        foreign = camp and (camp.side, camp.corps) != (side, corps.id)
        if foreign or is_held_by_enemy(state, box, side):
            raise Refusal("tts.box-taken", CAMPS, box=box)
    return corps


def require_complete(state: State, side: str) -> Corps:
    """Refuse to close a step while something of the corps is missing or out of place (TTS-DEP-05).

    Reading: a piece for which no place is left stays off the field, so that no deployment comes to a dead end;
             likewise a camp need not be touched if no unit of the corps can touch it
    """
    army = state.armies[side]
    corps = army.corps[army.opened] if army.opened else _stranded(state, side)
    missing = [name for name in missing_of(state, side, corps) if has_place(state, side, corps, name)]
    if missing:
        raise Refusal("tts.corps-incomplete", CLOSED, corps=corps.id, missing=missing)
    camp = [part.box for part in camps_of(state, side, corps.id)] if corps.camp_sides >= 0 else []
    if camp and not touches_camp(state, side, corps, camp) and _may_touch(state, side, corps):
        raise Refusal("tts.camp-not-touched", JOINED, corps=corps.id, box=camp[0], boxes=camp)
    general = state.generals.get(corps.general)
    astray = general and general.placing and general.box and not is_in_radius(state, general, general.box)
    if general and astray:
        raise Refusal("tts.general-out-of-radius", GENERALS, general=general.id, box=general.box)
    return corps


def _stranded(state: State, side: str) -> Corps:
    """The first corps still open, if nothing of any can be placed; refuse if something can."""
    waiting = to_deploy(state, side)
    if any(has_place(state, side, corps, name) for corps in waiting for name in corps.units):
        raise Refusal("tts.corps-incomplete", CLOSED, corps="", missing=[])
    return waiting[0]


def zone(state: State, side: str, rows: int) -> list[str]:
    """The boxes of the first rows of a side, the base row first, from the west."""
    columns, last = state.board[0], state.board[1] - 1
    ranks = range(rows) if side == "south" else range(last, last - rows, -1)
    return [box_by(state.board, "A1", column, row) for row in ranks for column in range(columns)]


def has_place(state: State, side: str, corps: Corps, name: str) -> bool:
    """Whether a piece of a corps (an id, or `camp`) has a place where it may be put now."""
    if name == "camp":
        return bool(camp_places(state, side))
    if name in state.units:
        unit = state.units[name]
        return not ambush_of(state, name) and any(
            _takes(state, unit, box) for box in zone(state, side, state.options.deploy_rows)
        )
    if "great" in state.generals[name].traits:
        return any(state.units[unit].box for unit in corps.units)
    return bool(_placed(state, corps.id, side))


def camp_places(state: State, side: str) -> list[tuple[str, ...]]:
    """Where the camp of the open corps may stand, each place with all its boxes (TTS-DEP-03, TTS-CMP-04)."""
    army, row = state.armies[side], zone(state, side, 1)
    size = army.corps[army.opened].camp_boxes if army.opened else 1
    places = (tuple(row[at : at + size]) for at in range(len(row) - size + 1))
    return [place for place in places if goes(require_camp_place, state, side, DeployCamp.at(place))]


def _takes(state: State, unit: Unit, box: str) -> bool:
    return goes(require_unit_place, state, unit, box, HOME_ROW_FACING[unit.side])


def goes(require: Callable[..., Any], *arguments: Any) -> bool:
    """Whether a rule accepts."""
    try:
        require(*arguments)
    except Refusal:
        return False
    return True


def _may_touch(state: State, side: str, corps: Corps) -> bool:
    """Whether camp or units can be moved so that they touch."""
    near = {near for place in camp_places(state, side) for box in place for near in _touching(state, box)}
    hidden = any(standing_box(state, state.units[name]) in near for name in corps.units)
    units = [state.units[name] for name in corps.units if not ambush_of(state, name)]
    return hidden or any(_takes(state, unit, box) for unit in units for box in near)


def _touching(state: State, box: str) -> set[str]:
    """A box and those orthogonally next to it (TTS-CMP-04)."""
    near = (box_by(state.board, box, *vector) for vector in VECTOR.values())
    return {box, *filter(None, near)}


def touches_camp(state: State, side: str, corps: Corps, boxes: Iterable[str]) -> bool:
    """Whether a unit of the corps stands in one of the boxes of its camp or orthogonally next to it (TTS-CMP-04)."""
    placed = _placed(state, corps.id, side)
    return any(not _touching(state, box).isdisjoint(placed) for box in boxes)


# --- decisions


def decide_deploy(judge: Judge[State], side: str, command: Deploy) -> None:
    state = judge.state
    if command.id not in state.units and command.id not in state.generals:
        raise unknown_id(command.id)
    if command.id in state.generals:
        _deploy_general(judge, side, command)
        return
    unit = state.units[command.id]
    if unit.side != side:
        raise not_yours(command.id, side)
    if not is_on_board(state, command.box):
        raise off_board(command.box)
    facing = command.facing or HOME_ROW_FACING[side]
    require_unit_step(state, unit)
    require_unit_place(state, unit, command.box, facing)
    place = "rear" if any(other.id != unit.id for other in units_in(state, command.box)) else "front"
    judge.emit(UnitDeployed(unit=unit.id, box=command.box, facing=facing, place=place), side, UNITS)


def _deploy_general(judge: Judge[State], side: str, command: Deploy) -> None:
    state = judge.state
    if not is_on_board(state, command.box):
        raise off_board(command.box)
    general = require_general(state, side, command.id)
    if "great" in general.traits:
        raise Refusal("tts.general-attached", "TTS-GEN-01", general=general.id, unit="")
    if is_impassable(state, command.box):
        raise Refusal("tts.impassable", "TTS-MOV-03", unit=general.id, box=command.box)
    if not is_in_radius(state, general, command.box):
        raise Refusal("tts.general-out-of-radius", GENERALS, general=general.id, box=command.box)
    judge.emit(GeneralDeployed(general=general.id, box=command.box, unit=""), side)


def decide_deploy_with(judge: Judge[State], side: str, command: DeployWith) -> None:
    state = judge.state
    if command.general in state.generals and command.unit not in state.units:
        raise unknown_id(command.unit)
    general = require_general(state, side, command.general)
    unit = state.units[command.unit]
    if unit.side != side:
        raise not_yours(unit.id, side)
    if unit.corps != general.corps or not unit.box:
        raise Refusal(
            "tts.general-no-such-company", GENERALS, general=general.id, unit=unit.id, box="", unit_box=unit.box
        )
    if "brilliant" in general.traits:
        raise Refusal(
            "tts.general-no-such-company", "TTS-GEN-01", general=general.id, unit=unit.id, box="", unit_box=""
        )
    judge.emit(GeneralDeployed(general=general.id, box=unit.box, unit=unit.id), side)


def decide_deploy_camp(judge: Judge[State], side: str, command: DeployCamp) -> None:
    corps = require_camp_place(judge.state, side, command)
    joined = command.boxes if command.more else UNSET
    for box, fortified in camp_parts(command.boxes, command.fortified).items():
        judge.emit(CampPlaced(side=side, corps=corps.id, box=box, fortified=fortified, boxes=joined), side)


def decide_done(judge: Judge[State], side: str) -> None:
    """The step is over; after the last corps of both sides the turns begin (TTS-DEP-05)."""
    corps = require_complete(judge.state, side)
    army = judge.state.armies[side]
    after = with_army(judge.state, replace(army, opened="", deployed=(*army.deployed, corps.id)))
    judge.emit(CorpsDeployed(side=side, corps=corps.id, active=next_to_deploy(after, enemy(side), side)), side)
    push_steps(judge)


# --- steps


def step_deployed(judge: Judge[State]) -> None:
    """Nobody has a corps left: the turns begin (TTS-DEP-05)."""
    if not judge.state.active:
        enter_next(judge)


STEPS: dict[str, Any] = {"deployed": step_deployed}
DECISIONS: dict[Any, Any] = {
    Deploy: decide_deploy,
    DeployWith: decide_deploy_with,
    DeployCamp: decide_deploy_camp,
}
