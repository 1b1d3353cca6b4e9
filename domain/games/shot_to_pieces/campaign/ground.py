"""The battlefield of a campaign, of the kind of its ground, by chance (CAM-INT).

Chance knows squares of 15 cm; a piece fills the middle of its square, a stream runs along the border of two rows.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from string import ascii_uppercase
from typing import Any

from domain.basics.data import read_beside
from domain.basics.errors import Refusal
from domain.contract.campaign_book import Below, Ground

PACKAGE, FILE = "domain.games.shot_to_pieces", "ground.toml"
BOARD = (12, 8)
"""Squares across and up the usual table."""
SQUARE_HCM = 1500
BORDER = 2
"""Rows along either edge, where armies deploy, that have no piece."""
RIVER, STREAM, DRY = "river", "stream", 2
"""A ground with a stream, its lines, and the columns that it leaves open."""
COVERS = {"wood": "light", "building": "hard"}
HALF_HCM = {"hill": (750, 700), "wood": (600, 500), "rough": (650, 500), "building": (300, 300)}
"""Half the width and half the depth of a piece."""


@cache
def pieces() -> Mapping[str, tuple[str, ...]]:
    """The pieces of each kind of ground, in the order in which they are placed."""
    return {kind: tuple(named) for kind, named in read_beside(PACKAGE, "data", FILE).items()}


def ground(kind: str, board: tuple[int, int], below: Below) -> Ground:
    """A battlefield: each piece in a square of its own between the armies, and a stream with two fords if it is one.

    Rule:    CAM-INT
    Shape:   `board` is columns and rows of squares; `kind` is one of `pieces`
    Raises:  Refusal campaign.no-such-ground
    """
    if kind not in pieces():
        raise Refusal("campaign.no-such-ground", "CAM-INT", ground=kind, known=sorted(pieces()))
    columns, rows = board
    letters = ascii_uppercase[:columns]
    free = [f"{column}{row}" for row in range(BORDER + 1, rows - BORDER + 1) for column in letters]
    terrain = tuple((free.pop(below(len(free))), piece) for piece in pieces()[kind])
    return Ground(terrain, _stream(letters, rows // 2, below) if kind == RIVER else ())


def _stream(letters: str, row: int, below: Below) -> tuple[tuple[str, str, str], ...]:
    """A stream along a row, without the columns where it may be forded."""
    wet = list(letters)
    for _ in range(DRY):
        wet.pop(below(len(wet)))
    return tuple((f"{column}{row}", f"{column}{row + 1}", STREAM) for column in wet)


def terrain_of(ground: Ground) -> Iterator[dict[str, Any]]:
    """The pieces of a battlefield as a scenario has them."""
    for at, (square, kind) in enumerate(ground.terrain, 1):
        x, y = _corner(square)
        half = SQUARE_HCM // 2
        wide, deep = HALF_HCM[kind]
        west, east, near, far = x + half - wide, x + half + wide, y + half - deep, y + half + deep
        outline = [[west, near], [east, near], [east, far], [west, far]]
        yield {"id": f"{kind}-{at}".upper(), "kind": kind, "outline": outline, "cover": COVERS.get(kind, "")}
    for at, (_, square, kind) in enumerate(ground.edges, 1):
        x, y = _corner(square)
        yield {"id": f"{kind}-{at}".upper(), "kind": kind, "line": [[x, y], [x + SQUARE_HCM, y]]}


def _corner(square: str) -> tuple[int, int]:
    """The south-west corner of a square."""
    return ascii_uppercase.index(square[0]) * SQUARE_HCM, (int(square[1:]) - 1) * SQUARE_HCM
