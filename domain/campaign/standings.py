"""The table: points, then the tie-breaks in their order, each with the boards that it comes from.

All is integers, so that a stranger who has the log finds the same (CAM-STD-01 … -05).
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from domain.campaign.boards import Contest
from domain.campaign.tie_breaks import DIRECT, Part, Scores, direct, scores_of

SWISS_TIE_BREAKS = ("buchholz-1", "margin", "lots")
TABLE_TIE_BREAKS = ("direct", "sonneborn", "margin", "lots")
"""Those of a round robin (CAM-STD-04)."""


class Figure(Struct, frozen=True, gc=False):
    """A column of the table. `parts` are the boards and rounds that it adds up; lots have none."""

    name: str
    value: int
    parts: tuple[Part, ...] = ()


class TableRow(Struct, frozen=True, gc=False):
    """An entrant in the table. `adjusted` are the points with each round without a battle as a draw (CAM-STD-03)."""

    entrant: str
    points: int
    adjusted: int
    figures: tuple[Figure, ...]


def standings(contest: Contest, tie_breaks: Sequence[str] = SWISS_TIE_BREAKS) -> tuple[TableRow, ...]:
    """The table, the first on top. Who has left stands below all others, who was struck not at all (CAM-PPL-04).

    Lots decide at the end, also where the list does not name them; they are shown as minus the rank number.
    """
    scores = scores_of(contest)
    order = _ordered(contest, tie_breaks, scores)
    return tuple(
        TableRow(entrant, scores.points[entrant], scores.adjusted[entrant], tuple(figures))
        for entrant, figures in order
    )


def winners(rows: Sequence[TableRow], contest: Contest) -> tuple[str, ...]:
    """The winners: the first of the table, unless all have left (CAM-RND-06)."""
    return tuple(row.entrant for row in rows[:1] if row.entrant not in contest.left)


def _ordered(contest: Contest, tie_breaks: Sequence[str], scores: Scores) -> list[tuple[str, list[Figure]]]:
    """The entrants, each with its columns. One tie-break after the other orders those equal so far."""
    figures: dict[str, list[Figure]] = {entrant: [] for entrant in contest.entrants if entrant not in contest.struck}
    keys: dict[str, tuple[int, ...]] = {
        entrant: (entrant in contest.left, -scores.points[entrant]) for entrant in figures
    }
    for name in tie_breaks:
        column = _direct_column(keys, scores) if name == DIRECT else _column(name, figures, scores)
        for entrant, figure in column.items():
            figures[entrant].append(figure)
            keys[entrant] = (*keys[entrant], -figure.value)
    order = sorted(figures, key=lambda entrant: (keys[entrant], scores.rank[entrant]))
    return [(entrant, figures[entrant]) for entrant in order]


def _column(name: str, entrants: Mapping[str, object], scores: Scores) -> dict[str, Figure]:
    return {entrant: Figure(name, *scores.tie_break(name, entrant)) for entrant in entrants}


def _direct_column(keys: Mapping[str, tuple[int, ...]], scores: Scores) -> dict[str, Figure]:
    """Decided within each group of those equal so far (CAM-STD-05)."""
    column: dict[str, Figure] = {}
    for _, group in groupby(sorted(keys, key=keys.__getitem__), key=keys.__getitem__):
        for entrant, (value, parts) in direct(tuple(group), scores).items():
            column[entrant] = Figure(DIRECT, value, parts)
    return column
