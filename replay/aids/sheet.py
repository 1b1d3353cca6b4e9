"""The content of a play-aid sheet, whatever it is printed on.

A sheet has a title and tables; the renderer decides the type size and the line breaks.
The model knows no game.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

Align = Literal["left", "centre"]
Weight = Literal["plain", "bold", "faint", "led"]
"""A `led` cell has bold words at its head, up to a line feed."""
MARGIN = 30.0
"""Points around a page."""
Ink = Literal["base", "foe", "near", "middle", "far", "edge", "mark"]
"""What a figure of a diagram stands for: a base, one of the enemy, a zone at three depths, a border, a measure."""


class Column(Struct, frozen=True):
    """A column. `share` 0 keeps it as wide as its widest line; otherwise it takes that many shares of the
    remaining room, and its cells are wrapped."""

    title: str
    share: int = 0
    align: Align = "left"
    weight: Weight = "plain"


class Row(Struct, frozen=True):
    """A row: one cell for each column; a `heading` has a single cell across the table."""

    cells: tuple[str, ...]
    heading: bool = False


class Shape(Struct, frozen=True):
    """A figure of a diagram: a closed outline that is filled, or an open line, dashed or not. Points are x to the right
    and y down, in the unit of the diagram."""

    points: tuple[tuple[float, float], ...]
    ink: Ink
    is_line: bool = False
    dashed: bool = False


class Label(Struct, frozen=True):
    """Words in a diagram, their baseline at `y`, aligned with `x`."""

    x: float
    y: float
    text: str
    align: Align = "centre"


class Diagram(Struct, frozen=True):
    """A drawing to scale, from (0, 0) to (width, height) in a unit of its own; `told` says what it shows."""

    key: str
    told: str
    width: float
    height: float
    shapes: tuple[Shape, ...]
    labels: tuple[Label, ...] = ()


class Table(Struct, frozen=True):
    """A table under its title. `notes` stand below it; `key` names it for tests and links; on paper
    it may begin a `new_page`, stand `beside` the table before it, or `under` that in the same column. A column takes
    the `share` of its first table of the room; a `tight` table has little space between its rows. `diagrams` stand side
    by side above the rows."""

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    intro: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    new_page: bool = False
    beside: bool = False
    under: bool = False
    share: int = 1
    tight: bool = False
    diagrams: tuple[Diagram, ...] = ()

    def bodies(self) -> Iterator[tuple[str, ...]]:
        """The cells of the rows that are not headings."""
        return (row.cells for row in self.rows if not row.heading)


class Sheet(Struct, frozen=True):
    """A sheet of A4 paper, or as many as its tables need. `lang` is the language of its words, `margin` in points."""

    key: str
    lang: str
    title: str
    subtitle: str
    footer: str
    tables: tuple[Table, ...]
    landscape: bool = False
    margin: float = MARGIN


def bands(tables: Iterable[Table]) -> list[list[list[Table]]]:
    """Group the tables that stand side by side, as columns of tables one under the other."""
    found: list[list[list[Table]]] = []
    for table in tables:
        if table.under and found:
            found[-1][-1].append(table)
        elif table.beside and found:
            found[-1].append([table])
        else:
            found.append([[table]])
    return found


def table_rows(*rows: tuple[str, ...]) -> tuple[Row, ...]:
    """Plain rows."""
    return tuple(Row(cells) for cells in rows)
