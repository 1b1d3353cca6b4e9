"""A grid of hexes: names, neighbours, distances, rings, lines of sight and outlines.

The hexes stand on a corner, so rows are straight; every second row (1, 3, 5 …) is pushed half a hex
to the east. A hex is named by column letter and row number, columns from A in the west, rows from 0
in the north: A0 is the north-west hex. A facing is the direction of a neighbour, NE E SE SW W NW. A
board may have fewer hexes than its rectangle; its game leaves the others out. The empty string stands
for "off the board".

Distances and lines are computed in cube coordinates: three numbers whose sum is 0, each changing along
one of the three straight directions of a hex grid.
"""

from functools import cache, lru_cache

MAX_COLUMNS = 26
MAX_ROWS = 30

FACINGS = ("NE", "E", "SE", "SW", "W", "NW")
"""The six directions, clockwise."""
HEADING = {facing: 300 + 600 * at for at, facing in enumerate(FACINGS)}
"""Facings in tenths of a degree clockwise from north."""

XY: dict[str, tuple[int, int]] = {
    f"{chr(ord('A') + column)}{row}": (column, row) for column in range(MAX_COLUMNS) for row in range(MAX_ROWS)
}
"""Column and row, both from 0, of every hex that a board may have."""

_NAME = {xy: name for name, xy in XY.items()}

Cube = tuple[int, int, int]
_STEP: dict[str, Cube] = {
    "NE": (1, 0, -1),
    "E": (1, -1, 0),
    "SE": (0, -1, 1),
    "SW": (-1, 0, 1),
    "W": (-1, 1, 0),
    "NW": (0, 1, -1),
}

Board = tuple[int, int]
"""Columns and rows."""
Point = tuple[int, int]

WIDE, HALF_WIDE = 100, 50
CORNER, SHOULDER = 58, 29
"""The width of a hex in scene units, and how far above its middle its upper corners lie."""


def name_at(column: int, row: int) -> str:
    """The name of a hex, "" beyond the largest board."""
    return _NAME.get((column, row), "")


def on_board(board: Board, name: str) -> bool:
    """Whether a board has this hex."""
    xy = XY.get(name)
    return xy is not None and xy[0] < board[0] and xy[1] < board[1]


@lru_cache(maxsize=1 << 16)
def hex_by(board: Board, name: str, facing: str, steps: int = 1) -> str:
    """The hex `steps` hexes away in the direction of a facing, or ""."""
    x, y, z = _cube(name)
    dx, dy, dz = _STEP[facing]
    return _named(board, (x + steps * dx, y + steps * dy, z + steps * dz))


@lru_cache(maxsize=1 << 16)
def neighbours(board: Board, name: str) -> tuple[str, ...]:
    """The hexes adjacent to a hex, clockwise from the north-east; those off the board are left out."""
    beside = (hex_by(board, name, facing) for facing in FACINGS)
    return tuple(hex_ for hex_ in beside if hex_)


@lru_cache(maxsize=1 << 16)
def distance(one: str, other: str) -> int:
    """Hexes from one to another: 0 for the same, 1 for neighbours."""
    return max(abs(a - b) for a, b in zip(_cube(one), _cube(other), strict=True))


@lru_cache(maxsize=1 << 13)
def ring(board: Board, name: str, radius: int) -> tuple[str, ...]:
    """The hexes at exactly this distance, in reading order."""
    return tuple(hex_ for hex_ in _around(board, name, radius) if distance(name, hex_) == radius)


@lru_cache(maxsize=1 << 13)
def hexes_within(board: Board, name: str, radius: int) -> tuple[str, ...]:
    """The hexes at distance 1 … `radius`, in reading order."""
    return tuple(hex_ for hex_ in _around(board, name, radius) if 0 < distance(name, hex_) <= radius)


def reading_order(name: str) -> tuple[int, int]:
    """The key that sorts hexes by row from the north, then by column from the west."""
    column, row = XY[name]
    return row, column


@lru_cache(maxsize=1 << 16)
def hexes_between(board: Board, one: str, other: str) -> tuple[tuple[str, ...], ...]:
    """What lies on the straight line between the middles of two hexes, one step for each unit of distance.

    A step has one hex, or two where the line runs along their common edge; a hex off the board is left out.
    Up to distance 3 these are all the hexes that the line crosses; a longer line may cut the corner of a hex that
    is not among them.
    """
    ends = tuple(zip(_cube(one), _cube(other), strict=True))
    steps = distance(one, other)
    return tuple(_at(board, tuple((steps - at) * a + at * b for a, b in ends), steps) for at in range(1, steps))


def turned(facing: str, sixths: int) -> str:
    """A facing after a turn to the right by `sixths` of a circle; negative: to the left."""
    return FACINGS[(FACINGS.index(facing) + sixths) % len(FACINGS)]


# --- in a picture


def middle(board: Board, name: str) -> Point:
    """The middle of a hex in scene units: x east, y north, the board's south-west corner at (0, 0)."""
    column, row = XY[name]
    return HALF_WIDE * (2 * column + row % 2 + 1), (board[1] - 1 - row) * (CORNER + SHOULDER) + CORNER


def outline(board: Board, name: str) -> tuple[Point, ...]:
    """The corners of a hex in scene units, clockwise from the northern one; neighbours share theirs."""
    x, y = middle(board, name)
    right, left = x + HALF_WIDE, x - HALF_WIDE
    up, down = y + SHOULDER, y - SHOULDER
    return (x, y + CORNER), (right, up), (right, down), (x, y - CORNER), (left, down), (left, up)


def size(board: Board) -> Point:
    """Width and height of a board in scene units."""
    columns, rows = board
    return WIDE * columns + HALF_WIDE * (rows > 1), rows * (CORNER + SHOULDER) + SHOULDER


# --- cube coordinates


@cache
def _cube(name: str) -> Cube:
    column, row = XY[name]
    x = column - row // 2
    return x, -x - row, row


def _named(board: Board, cube: Cube) -> str:
    column, row = cube[0] + cube[2] // 2, cube[2]
    return _NAME[column, row] if 0 <= column < board[0] and 0 <= row < board[1] else ""


def _around(board: Board, name: str, radius: int) -> tuple[str, ...]:
    """The hexes of a rectangle that holds all those within a distance, in reading order."""
    column, row = XY[name]
    columns = range(max(0, column - radius), min(board[0], column + radius + 1))
    rows = range(max(0, row - radius), min(board[1], row + radius + 1))
    return tuple(_NAME[x, y] for y in rows for x in columns)


def _at(board: Board, point: tuple[int, ...], share: int) -> tuple[str, ...]:
    """The hex that holds the point `point / share`, or both where it lies on an edge.

    Rounding each coordinate may break the sum of 0: then the one that was rounded most is
    corrected. Where two were rounded by one half each, either may be corrected: the point is on the edge.
    """
    rounded = [(2 * part + share) // (2 * share) for part in point]
    errors = [abs(part - whole * share) for part, whole in zip(point, rounded, strict=True)]
    worst = max(errors)
    found = []
    for at, error in enumerate(errors):
        if error == worst:
            fitted = [*rounded]
            fitted[at] -= sum(rounded)
            found.append(_named(board, (fitted[0], fitted[1], fitted[2])))
    return tuple(sorted({name for name in found if name}, key=reading_order))
