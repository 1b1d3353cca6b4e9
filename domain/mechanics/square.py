"""Boxes of a square grid, and what lies around them.

Boxes are named by column letter and row number, A1 in the south-west corner; letters grow
eastwards, numbers northwards. A facing is one of N E S W. In the frame of a unit, `ahead` counts
boxes along its facing (negative behind) and `right` boxes to its right (negative left). The empty
string stands for "off the board".
"""

from collections.abc import Collection
from functools import cache, lru_cache

MAX_COLUMNS = 26
MAX_ROWS = 30

FACINGS = ("N", "E", "S", "W")
VECTOR = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
RIGHT_OF = {"N": "E", "E": "S", "S": "W", "W": "N"}
LEFT_OF = {right: facing for facing, right in RIGHT_OF.items()}
REVERSE = {"N": "S", "S": "N", "E": "W", "W": "E"}
TENTHS = {"N": 0, "E": 900, "S": 1800, "W": 2700}
"""Facings, their (columns, rows), what is right, left and behind, and what they are in tenths of a degree."""

XY: dict[str, tuple[int, int]] = {
    f"{chr(ord('A') + column)}{row + 1}": (column, row) for column in range(MAX_COLUMNS) for row in range(MAX_ROWS)
}
"""Column and row, both from 0, of every box that a board may have."""

_NAME = {xy: name for name, xy in XY.items()}

Board = tuple[int, int]
"""Columns and rows."""


def on_board(board: Board, box: str) -> bool:
    """Whether a board has this box."""
    xy = XY.get(box)
    return xy is not None and xy[0] < board[0] and xy[1] < board[1]


@lru_cache(maxsize=1 << 16)
def box_by(board: Board, box: str, columns: int, rows: int) -> str:
    """The box `columns` east and `rows` north of `box`, or "" off the board."""
    x, y = XY[box]
    x, y = x + columns, y + rows
    return _NAME[x, y] if 0 <= x < board[0] and 0 <= y < board[1] else ""


@lru_cache(maxsize=1 << 16)
def box_at(board: Board, box: str, facing: str, ahead: int, right: int) -> str:
    """The box at (ahead, right) in the frame of a unit in `box` facing `facing`, or ""."""
    (fx, fy), (rx, ry) = VECTOR[facing], VECTOR[RIGHT_OF[facing]]
    return box_by(board, box, ahead * fx + right * rx, ahead * fy + right * ry)


@lru_cache(maxsize=1 << 16)
def frame(box: str, facing: str, other: str) -> tuple[int, int]:
    """(ahead, right) of `other` for a unit in `box` facing `facing`."""
    (x, y), (ox, oy) = XY[box], XY[other]
    (fx, fy), (rx, ry) = VECTOR[facing], VECTOR[RIGHT_OF[facing]]
    dx, dy = ox - x, oy - y
    return dx * fx + dy * fy, dx * rx + dy * ry


@lru_cache(maxsize=1 << 16)
def king_distance(box: str, other: str) -> int:
    """The distance between two boxes, a diagonal step counting one."""
    (x, y), (ox, oy) = XY[box], XY[other]
    return max(abs(x - ox), abs(y - oy))


@lru_cache(maxsize=1 << 16)
def step_between(box: str, other: str) -> tuple[int, int]:
    """(columns, rows) of the step from one box to a neighbouring one."""
    (x, y), (ox, oy) = XY[box], XY[other]
    return ox - x, oy - y


@cache
def corner_boxes(box: str, other: str) -> tuple[str, ...]:
    """The two boxes orthogonally between the ends of a diagonal step; none for a straight one."""
    (x, y), (ox, oy) = XY[box], XY[other]
    return () if x == ox or y == oy else (_NAME[x, oy], _NAME[ox, y])


@cache
def crossed_edges(box: str, other: str) -> tuple[tuple[str, str], ...]:
    """The edges of `other` that a step from `box` crosses, each as (outer box, `other`).

    A diagonal step crosses both edges that meet at the corner passed.
    """
    return tuple((outer, other) for outer in corner_boxes(box, other)) or ((box, other),)


@cache
def side_towards(box: str, neighbour: str) -> str:
    """The side (N E S W) of `box` on which an orthogonal neighbour lies."""
    step = step_between(box, neighbour)
    return next(facing for facing, vector in VECTOR.items() if vector == step)


@lru_cache(maxsize=1 << 13)
def boxes_within(board: Board, box: str, distance: int) -> tuple[str, ...]:
    """All boxes at king distance 1 … `distance`, from the south-west, row by row."""
    reach = range(-distance, distance + 1)
    near = (box_by(board, box, dx, dy) for dy in reach for dx in reach if dx or dy)
    return tuple(name for name in near if name)


def are_linked(boxes: Collection[str]) -> bool:
    """Whether boxes are connected: each can be reached from the others across shared edges."""
    linked, waiting = list(boxes)[:1], list(boxes)[1:]
    for box in linked:
        near = [other for other in waiting if step_between(box, other) in VECTOR.values()]
        linked += near
        waiting = [other for other in waiting if other not in near]
    return not waiting


def outer_sides(box: str, boxes: Collection[str]) -> tuple[str, ...]:
    """The sides (N E S W) of a box on which none of `boxes` lies."""
    shared = {step_between(box, other) for other in boxes}
    return tuple(facing for facing in FACINGS if VECTOR[facing] not in shared)
