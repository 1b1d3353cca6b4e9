"""The content of a play-aid sheet, whatever it is printed on.

A sheet has a title and tables; the renderer decides the type size and the line breaks.
The model knows no game.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

Align = Literal["left", "centre"]
Weight = Literal["plain", "bold", "faint"]


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


class Table(Struct, frozen=True):
    """A table under its title. `notes` stand below it; `key` names it for tests and links; on paper
    it may begin a `new_page` or stand `beside` the table before it."""

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    intro: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    new_page: bool = False
    beside: bool = False

    def bodies(self) -> Iterator[tuple[str, ...]]:
        """The cells of the rows that are not headings."""
        return (row.cells for row in self.rows if not row.heading)


class Sheet(Struct, frozen=True):
    """A sheet of A4 paper, or as many as its tables need. `lang` is the language of its words."""

    key: str
    lang: str
    title: str
    subtitle: str
    footer: str
    tables: tuple[Table, ...]
    landscape: bool = False


def bands(tables: Iterable[Table]) -> list[list[Table]]:
    """Group the tables that stand side by side."""
    found: list[list[Table]] = []
    for table in tables:
        if not table.beside or not found:
            found.append([])
        found[-1].append(table)
    return found


def table_rows(*rows: tuple[str, ...]) -> tuple[Row, ...]:
    """Plain rows."""
    return tuple(Row(cells) for cells in rows)
