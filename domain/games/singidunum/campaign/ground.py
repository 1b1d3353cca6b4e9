"""The battlefield of a campaign: markers between the two bases, by chance (CAM-INT)."""

from collections.abc import Mapping
from functools import cache

from domain.basics.data import read_beside
from domain.basics.errors import Refusal
from domain.contract.campaign_book import Below, Ground
from domain.games.singidunum.state.board import in_order, layout
from domain.mechanics.hex import Board, name_at

PACKAGE, FILE = "domain.games.singidunum", "ground.toml"
STANDARD = "standard"
BORDER = 3
"""Rows along either edge, a base and the row before it, that have no marker."""


@cache
def pieces() -> Mapping[str, tuple[str, ...]]:
    """The markers of each kind of ground, in the order in which they are laid."""
    return {kind: tuple(named) for kind, named in read_beside(PACKAGE, "data", FILE).items()}


def ground(kind: str, board: Board, below: Below) -> Ground:
    """A battlefield: each marker on a plain hex of its own between the bases, the hexes in reading order.

    Rule:    CAM-INT
    Shape:   `board` is columns and rows; `kind` is one of `pieces`
    Raises:  Refusal campaign.no-such-ground
    """
    if kind not in pieces():
        raise Refusal("campaign.no-such-ground", "CAM-INT", ground=kind, known=sorted(pieces()))
    columns, rows = board
    printed = layout(STANDARD, board)
    middle = {name_at(column, row) for row in range(BORDER, rows - BORDER) for column in range(columns)}
    free = in_order(middle - printed.keys())
    return Ground(tuple((free.pop(below(len(free))), marker) for marker in pieces()[kind]))
