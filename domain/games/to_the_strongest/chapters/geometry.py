"""Chapter GEO: how two units stand to each other, and what lies between them.

The board is a grid of square boxes, A1 in the south-west (TTS-GEO-01); a unit faces one of its four ways
(TTS-GEO-03). Relative position (TTS-GEO-04) and distance (TTS-GEO-05) are those of `domain.mechanics.square`.
"""

from functools import lru_cache

from domain.games.to_the_strongest.state.ground import HILLS, LINEAR, OPEN, ROUGH
from domain.games.to_the_strongest.state.state import State, Unit, edge_kind, is_fortified_camp, kind
from domain.mechanics.square import XY, box_at, corner_boxes, crossed_edges, frame, side_towards

FRONT_BOXES = ((1, -1), (1, 0), (1, 1))
_NEAR: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {(1, -1): (), (1, 0): (), (1, 1): ()}
FRONT_ZONE = {1: _NEAR, 2: {**_NEAR, (2, 0): ((1, 0),), (2, -1): ((1, -1),), (2, 1): ((1, 1),)}}
"""Boxes (ahead, right) that a charge may attack, by speed, and the box it goes through (TTS-GEO-14)."""


def is_rough(state: State, box: str) -> bool:
    """Whether the ground of a box is rough (TTS-TER-01, -02); a camp's is not (TTS-CMP-02)."""
    return state.terrain.get(box, OPEN) in ROUGH


def is_rough_to_enter(state: State, box: str) -> bool:
    """Whether entering or leaving a box counts as rough: rough ground and camps (TTS-CMP-02)."""
    return is_rough(state, box) or box in state.camps


def is_impassable(state: State, box: str) -> bool:
    """Whether nobody can enter a box (TTS-TER-01)."""
    return state.terrain.get(box) == "impassable"


def is_hill(state: State, box: str) -> bool:
    """Whether a box is on a gentle or steep hill."""
    return state.terrain.get(box) in HILLS


def edges_crossed(state: State, box: str, other: str) -> tuple[str, ...]:
    """What lies on the edges that a step or attack crosses (TTS-GEO-13); bare ones left out."""
    if not state.edges:
        return ()
    kinds = (edge_kind(state, edge) for edge in crossed_edges(box, other))
    return tuple(kind for kind in kinds if kind)


def crosses_obstacle(state: State, box: str, other: str) -> bool:
    """Whether a step or attack crosses a stream, ford, hedge or wall (TTS-ACT-19, TTS-SAV-17)."""
    return any(kind in LINEAR for kind in edges_crossed(state, box, other))


def crosses_fortified_side(state: State, box: str, other: str) -> bool:
    """Whether an attack from `box` crosses a fortified side of the camp in `other`."""
    camp = state.camps.get(other)
    if camp is None or not camp.fortified:
        return False
    return any(side_towards(other, outer) in camp.fortified for outer, _ in crossed_edges(box, other))


def is_diagonal_blocked(state: State, side: str, box: str, other: str) -> bool:
    """Whether both boxes next to a diagonal step are impassable or hold an enemy (TTS-GEO-12)."""
    corners = corner_boxes(box, other)
    return bool(corners) and all(
        is_impassable(state, corner) or is_held_by_enemy(state, corner, side) for corner in corners
    )


def is_held_by_enemy(state: State, box: str, side: str) -> bool:
    """Whether an enemy unit of `side` stands in a box."""
    ids = state.boxes.get(box)
    return ids is not None and state.units[ids[0]].side != side


# --- aspects


def has_only_front(state: State, unit: Unit) -> bool:
    """Whether a unit has no flank and no rear (TTS-GEO-07 b)."""
    return (
        is_fortified_camp(state, unit.box)
        or state.terrain.get(unit.box) == "building"
        or unit.formation == "tortoise"
        or "wagon" in kind(unit).flags
    )


def charge_aspect(state: State, target: Unit, box: str, began: str) -> str:
    """The side from which a charge strikes (TTS-GEO-07): ahead is front, beside flank, behind rear (TTS-GEO-06).

    `box` is where the charger stands before the last step, `began` where it began its activation.
    """
    if has_only_front(state, target):
        return "front"
    if frame(target.box, target.facing, began) in FRONT_BOXES:
        return "front"
    ahead = frame(target.box, target.facing, box)[0]
    return "front" if ahead > 0 else "rear" if ahead < 0 else "flank"


def shot_aspect(state: State, target: Unit, box: str) -> str:
    """The side from which a shot from `box` strikes (TTS-GEO-08)."""
    if has_only_front(state, target):
        return "front"
    ahead, right = frame(target.box, target.facing, box)
    if abs(right) <= ahead:
        return "front"
    return "rear" if abs(right) <= -ahead else "flank"


# --- arcs and lines of sight


def is_in_arc(arc: str, ahead: int, right: int) -> bool:
    """Whether (ahead, right) lies in a shooting arc, whatever the range (TTS-GEO-10)."""
    if arc == "straight":
        return ahead >= 1 and right == 0
    if arc == "column":
        return (ahead == 1 and right == 0) or (ahead >= 2 and abs(right) <= 1)
    if arc == "both":
        return ahead != 0 and abs(right) <= abs(ahead)
    return ahead >= 1 and abs(right) <= ahead


@lru_cache(maxsize=1 << 14)
def sight_gates(board: tuple[int, int], box: str, facing: str, target: str) -> tuple[tuple[str, ...], ...]:
    """The gates of each row between two boxes, the nearest row first (TTS-GEO-11)."""
    ahead, right = frame(box, facing, target)
    depth, sign = abs(ahead), 1 if ahead > 0 else -1
    rows = []
    for row in range(1, depth):
        whole, rest = divmod(right * row, depth)
        offsets = (whole, whole + 1) if rest else (whole,)
        rows.append(tuple(name for name in (box_at(board, box, facing, sign * row, o) for o in offsets) if name))
    return tuple(rows)


def edges_turned_to(box: str, shooter: str) -> tuple[str, ...]:
    """The side or sides of a box turned to a shooter: the larger offset, both if equal (TTS-SAV-32)."""
    (x, y), (sx, sy) = XY[box], XY[shooter]
    east_west = ("E" if sx > x else "W",)
    north_south = ("N" if sy > y else "S",)
    across, along = abs(sx - x), abs(sy - y)
    if across == along:
        return east_west + north_south
    return east_west if across > along else north_south
