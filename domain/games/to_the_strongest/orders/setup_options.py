"""The legal orders before the turns: terrain, scouting, deployment.

Candidates are made cheaply and put to the decisions themselves (`options_trial`). Not listed are other
facings and fewer fortified sides than granted, nor all boxes of a piece that stands while others wait:
those options say that they are not exhaustive. The last option always lets the battle go on: `done`
where it is legal, else a piece that waits for its place, or one that must stand elsewhere.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from domain.contract.option import Option, OrderTarget
from domain.games.to_the_strongest.chapters.deployment import (
    Deploy,
    DeployCamp,
    DeployWith,
    camp_places,
    goes,
    in_zone,
    is_in_radius,
    require_unit_place,
    require_unit_step,
    touches_camp,
    zone,
)
from domain.games.to_the_strongest.chapters.phases import missing_of, standing_box, to_deploy
from domain.games.to_the_strongest.chapters.terrain import edge_named, is_taken, require_pieces_left, suits
from domain.games.to_the_strongest.chapters.turns import Done
from domain.games.to_the_strongest.orders.aims import placed
from domain.games.to_the_strongest.orders.legality import is_legal
from domain.games.to_the_strongest.state.ground import LINEAR, PIECES
from domain.games.to_the_strongest.state.setup import camp_parts
from domain.games.to_the_strongest.state.state import (
    HOME_ROW_FACING,
    Corps,
    General,
    State,
    Unit,
    camps_of,
    general_unit,
)
from domain.mechanics.square import VECTOR, XY, Board, box_by, boxes_within

FORTIFIED_FIRST = "N E W S", "S E W N"
"""The order in which the granted sides of a camp are fortified, south's and north's: towards the enemy first."""
NUDGE = 1
"""How far a placed unit is offered to go while other pieces wait for their place."""

_DONE = Option("done", "done")


def before_turns(state: State, side: str) -> list[Option]:
    """The orders of a side in the phases before the turns, but for stratagems; the last one goes on."""
    return BEFORE_TURNS[state.phase](state, side)


# --- terrain


def _terrain(state: State, side: str) -> list[Option]:
    """Every kind that may still be placed, in every box or on every edge (TTS-TER-10)."""
    if state.active != side:
        return []
    listed: list[Option] = []
    for kind in PIECES:
        if goes(require_pieces_left, state, side, kind):
            places = _edge_options(state.board, kind) if kind in LINEAR else _box_options(state.board, kind)
            listed += (
                option for place, option in places.items() if not is_taken(state, place) and suits(state, place, kind)
            )
    return [*listed, _DONE]


@lru_cache(maxsize=256)
def _box_options(board: Board, kind: str) -> dict[str, Option]:
    """A kind in every box of a board, from the south-west, by place."""
    return {box: Option(f"place {kind} {box}", "place", target=placed(box)) for box in _boxes(board)}


@lru_cache(maxsize=256)
def _edge_options(board: Board, kind: str) -> dict[str, Option]:
    """A kind on every edge between two boxes of a board, by place."""
    neighbours = ((box, box_by(board, box, *VECTOR[way])) for box in _boxes(board) for way in ("E", "N"))
    return {
        edge_named(box, other): Option(
            f"place {kind} {box} / {other}", "place", target=OrderTarget("place", box, edge=other)
        )
        for box, other in neighbours
        if other
    }


def _boxes(board: Board) -> list[str]:
    return [box_by(board, "A1", column, row) for row in range(board[1]) for column in range(board[0])]


# --- scouting


def _scouting(state: State, side: str) -> list[Option]:
    """Only `done`, which plays nothing; playable cards are listed with the stratagems (TTS-SCT-04)."""
    return [_DONE] if side == state.active else []


# --- deployment


def _deployment(state: State, side: str) -> list[Option]:
    """The pieces of the open corps, or of all that wait, in every box that takes them (TTS-DEP-02 to -05)."""
    if state.active != side:
        return []
    opened = state.armies[side].opened
    waiting = [corps for corps in to_deploy(state, side) if opened in ("", corps.id)]
    missing = {name for corps in waiting for name in missing_of(state, side, corps)}
    listed = [option for corps in waiting for option in _of_corps(state, side, corps, missing)]
    if missing and not any(option.order.split()[1] in missing for option in listed):
        listed = [option for corps in waiting for option in _of_corps(state, side, corps, set())]  # room must be made
    if is_legal(state, side, Done()):
        return [*listed, _DONE]
    if not opened:
        return listed
    onward = _onward(state, side, state.armies[side].corps[opened], missing, listed)
    return [*(option for option in listed if option is not onward), *([onward] if onward else [])]


def _of_corps(state: State, side: str, corps: Corps, missing: set[str]) -> list[Option]:
    listed: list[Option] = []
    for name in corps.units:
        listed += _of_unit(state, state.units[name], bool(missing))
    general = state.generals.get(corps.general)
    if general and general.alive:
        listed += _of_general(state, general)
    if corps.camp_sides >= 0 and state.armies[side].opened:
        listed += _of_camp(state, side, corps)
    return listed


def _of_unit(state: State, unit: Unit, waiting: bool) -> Iterator[Option]:
    """Its boxes, facing the enemy; once placed only those near, as long as other pieces wait."""
    boxes: Iterable[str] = zone(state, unit.side, state.options.deploy_rows)
    here = standing_box(state, unit)
    if here and waiting:
        boxes = (box for box in boxes_within(state.board, here, NUDGE) if in_zone(state, unit.side, box))
    if not goes(require_unit_step, state, unit):
        return
    facing = HOME_ROW_FACING[unit.side]
    for box in boxes:
        if box != unit.box and goes(require_unit_place, state, unit, box, facing):
            yield Option(f"deploy {unit.id} {box}", "deploy", unit.id, exhaustive=False, target=placed(box, facing))


def _of_general(state: State, general: General) -> Iterator[Option]:
    """Boxes within the radius, units to be attached to."""
    corps = state.armies[general.side].corps[general.corps]
    if not general.placing and general.attached:
        return
    near = {
        box
        for name in corps.units
        if (here := standing_box(state, state.units[name]))
        for box in (here, *boxes_within(state.board, here, _widest(state)))
    }
    for box in sorted(near, key=XY.__getitem__):
        if box != general.box and is_legal(state, general.side, Deploy(general.id, box)):
            yield Option(f"deploy {general.id} {box}", "deploy", general.id, target=placed(box))
    for name in corps.units:
        if name != general_unit(general) and is_legal(state, general.side, DeployWith(general.id, name)):
            target = OrderTarget("join", standing_box(state, state.units[name]), unit=name)
            yield Option(f"deploy {general.id} with {name}", "deploy", general.id, target=target)


def _widest(state: State) -> int:
    options = state.options
    return max(options.radius_detached, options.radius_brilliant, options.radius_great)


def _of_camp(state: State, side: str, corps: Corps) -> Iterator[Option]:
    """Every place in the first row that takes it, with all sides fortified that are granted."""
    sides = _fortified(side, corps)
    words = f" fortified {' '.join(sides)}" if sides else ""
    standing = {camp.box: camp.fortified for camp in camps_of(state, side, corps.id)}
    for boxes in camp_places(state, side):
        if standing != camp_parts(boxes, sides) and is_legal(state, side, DeployCamp.at(boxes, sides)):
            order = f"deploy camp {' '.join(boxes)}{words}"
            yield Option(order, "deploy", exhaustive=not corps.camp_sides, target=placed(boxes[0]))


def camp_named(order: str) -> list[str]:
    """The boxes of a camp in the order that places it."""
    return order.partition(" fortified ")[0].split()[2:]


def _fortified(side: str, corps: Corps) -> tuple[str, ...]:
    first = FORTIFIED_FIRST[HOME_ROW_FACING[side] == "S"].split()
    return tuple(facing for facing in first if facing in first[: corps.camp_sides])


# --- what lets the deployment go on


def _onward(state: State, side: str, corps: Corps, missing: set[str], listed: Sequence[Option]) -> Option | None:
    """A placement that brings the corps nearer to `done`; the last one listed if none is known to."""
    by_piece: dict[str, list[Option]] = {}
    for option in listed:
        by_piece.setdefault(option.order.split()[1], []).append(option)
    for name in missing_of(state, side, corps):
        if name in by_piece and name != "camp":
            return by_piece[name][0]
    camp, general = [part.box for part in camps_of(state, side, corps.id)], state.generals.get(corps.general)
    if "camp" in missing or (camp and not touches_camp(state, side, corps, camp)):
        return _towards_camp(state, side, corps, by_piece)
    if general and general.id in by_piece and general.box and not is_in_radius(state, general, general.box):
        return by_piece[general.id][0]
    return listed[-1] if listed else None


def _towards_camp(state: State, side: str, corps: Corps, by_piece: Mapping[str, Sequence[Option]]) -> Option | None:
    """The camp next to a unit; else a unit next to where a camp may stand; else the camp anywhere."""
    camps = by_piece.get("camp", ())
    for option in camps:
        if touches_camp(state, side, corps, camp_named(option.order)):
            return option
    boxes = [box for option in camps for box in camp_named(option.order)]
    boxes += [part.box for part in camps_of(state, side, corps.id)]
    near = {box_by(state.board, box, *vector) for box in boxes for vector in ((0, 0), *VECTOR.values())}
    units = [option for name in corps.units for option in by_piece.get(name, ())]
    return next((option for option in units if option.order.split()[2] in near), next(iter(camps), None))


BEFORE_TURNS: dict[str, Callable[[State, str], list[Option]]] = {
    "terrain": _terrain,
    "scouting": _scouting,
    "deployment": _deployment,
}
