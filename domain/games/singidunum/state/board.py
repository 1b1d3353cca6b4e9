"""Chapter BRD: the board, its terrain, and what is adjacent to what.

Hexes are named by column letter and row number, A0 in the north-west (PRG-BRD-10); odd rows are pushed half a hex to
the east and distance is hex distance (PRG-BRD-02, -04): `domain.mechanics.hex`. Boards are data (PRG-BRD-09).
"""

from collections.abc import Iterable

from msgspec import Struct

from domain.mechanics import hex as hexes
from domain.mechanics.hex import Board, name_at

PLAIN, SCRUB, BASE, RAMPART = "plain", "scrub", "base", "rampart"
KINDS = (PLAIN, SCRUB, BASE, RAMPART)
FOREST, HILL, BRUSH, STAKES, BURNED = "forest", "hill", "brush", "stakes", "burned"
MARKERS = (FOREST, HILL, BRUSH, STAKES)
"""Markers that change the terrain of a hex (singidunum.md 11)."""
COLUMNS, ROWS = 9, 11
BASE_ROWS, FLANK = 2, 2
"""Rows of a base, and columns of scrub on either side of it (PRG-BRD-03)."""
LAYOUTS = ("standard", "blank")


class Ground(Struct, frozen=True, gc=False, omit_defaults=True):
    """The terrain of a hex; `side` is whose base it belongs to."""

    kind: str
    side: str = ""

    @property
    def is_base(self) -> bool:
        """Whether it is a hex of a base, inside or on the rampart."""
        return self.kind in (BASE, RAMPART)


def layout(name: str, board: Board) -> dict[str, Ground]:
    """The terrain of a layout, by hex; hexes that are not there are plain.

    Rule:  PRG-BRD-01 … -03: two bases, seven hexes apart, with a rampart on the open side and scrub around
    """
    columns, rows = board
    if name != "standard":
        return {}
    ground: dict[str, Ground] = {}
    for row in range(rows):
        from_edge, side = (row, "north") if row < rows - 1 - row else (rows - 1 - row, "south")
        for column in range(columns):
            inside = min(column, columns - 1 - column)
            if from_edge < BASE_ROWS:
                kind = SCRUB if inside < FLANK else RAMPART if from_edge else BASE
                ground[name_at(column, row)] = Ground(kind, "" if kind == SCRUB else side)
            elif not inside:
                ground[name_at(column, row)] = Ground(SCRUB)
    return ground


def in_order(names: Iterable[str]) -> list[str]:
    """Hexes by row from the north, then by column from the west (PRG-BRD-11)."""
    return sorted(names, key=hexes.reading_order)
