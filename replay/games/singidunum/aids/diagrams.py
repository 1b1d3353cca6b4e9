"""Diagrams of hexes: where archers shoot, the zone of control, and where a loser retreats, as the engine answers."""

from collections.abc import Iterable
from itertools import product
from math import sqrt

from domain.mechanics import hex as hexes
from domain.mechanics.hex import name_at
from replay.aids.sheet import Diagram, Ink, Label, Shape
from replay.games.singidunum.aids.asking import BETWEEN, CENTRE, controlled, in_reach, ways_out

COLUMNS, ROWS = range(1, 8), range(2, 9)
"""What is shown of a board, around its middle."""
HALF = 0.5
SIDE = 1 / sqrt(3)
CORNERS = ((0, -SIDE), (HALF, -SIDE / 2), (HALF, SIDE / 2), (0, SIDE), (-HALF, SIDE / 2), (-HALF, -SIDE / 2))


def reach_picture(told: str) -> Diagram:
    """The zone of control of a unit, and at which hexes archers shoot."""
    return _picture("reach", told, {"middle": in_reach(), "near": controlled()}, {})


def retreat_picture(told: str) -> Diagram:
    """The hexes to which a loser may retreat from one attacker."""
    return _picture("retreat", told, {"near": ways_out(BETWEEN)}, {BETWEEN: "foe"})


def _picture(key: str, told: str, inked: dict[Ink, Iterable[str]], stood: dict[str, Ink]) -> Diagram:
    shades = {hex_: ink for ink, names in inked.items() for hex_ in names}
    shapes = []
    for column, row in product(COLUMNS, ROWS):
        name = name_at(column, row)
        around = tuple((x + dx, y + dy) for (x, y) in (_middle(name),) for dx, dy in CORNERS)
        if name in shades:
            shapes.append(Shape(around, shades[name]))
        shapes.append(Shape((*around, around[0]), "mark", is_line=True))
    for name, ink in {CENTRE: "base", **stood}.items():
        x, y = _middle(name)
        shapes.append(Shape(tuple((x + 0.6 * dx, y + 0.6 * dy) for dx, dy in CORNERS), ink))
    wide, high = len(COLUMNS) + 2 * HALF, (len(ROWS) - 1) * 1.5 * SIDE + 2 * SIDE
    return Diagram(key, told, wide, high + 1.2, tuple(shapes), (Label(wide / 2, high + 0.9, told),))


def _middle(name: str) -> tuple[float, float]:
    """The middle of a hex: odd rows are pushed half a hex to the right (PRG-BRD-02)."""
    column, row = hexes.XY[name]
    return column - COLUMNS[0] + HALF + HALF * (row % 2), (row - ROWS[0]) * 1.5 * SIDE + SIDE
