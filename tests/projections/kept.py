"""Read the content of a file of read models."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from projections.catalogue import MODELS
from projections.model import Rows
from projections.runner import ProjectionRunner
from tests.projections.played import MemoryLog

TABLES = [table.name for model in MODELS for table in model.tables]


def all_rows(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, in the order of the values."""
    with closing(sqlite3.connect(path)) as connection:
        found = {live: connection.execute(f"SELECT * FROM {live}").fetchall() for live in TABLES}
    return {live: sorted(rows, key=repr) for live, rows in found.items()}


def caught_up(path: Path, log: MemoryLog) -> ProjectionRunner:
    """A runner at the end of a log; the caller closes it."""
    runner = ProjectionRunner(path, log)
    runner.catch_up()
    return runner


def refolded(path: Path, log: MemoryLog) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of a file built from nothing."""
    with closing(caught_up(path, log)):
        return all_rows(path)


class TallyPoint(NamedTuple):
    """A side has `tally` after event `n`; `voided`: a rewind took it back."""

    n: int
    side: str
    tally: int
    voided: bool


def tallies(rows: Rows, battle: str) -> list[TallyPoint]:
    """Every change of a battle's tally, in order."""
    query = "SELECT n, side, tally, voided FROM tally WHERE battle = ? ORDER BY n, side DESC"
    return [TallyPoint(n, side, left, bool(voided)) for n, side, left, voided in rows.rows(query, (battle,))]
