"""Table of the battles that are closed here: no event is added to them any more.

Whoever cancels a battle before its start, and a host who stops one, end it without a winner. Its log says so
(`BattleStopped`); those of earlier releases did not. What stands there stays to be read, exported and verified.
"""

from collections.abc import Sequence
from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows

CANCELLED, STOPPED, REMOVED, OUTDATED = "cancelled", "stopped", "removed", "outdated"
"""By the player who had opened it, before it began; by the host; taken away, so that nobody may read it any more; by an
upgrade, because it was opened under a protocol that no release plays any more (decision 33)."""


class Closing(NamedTuple):
    """A closed battle: since when, and how."""

    battle: str
    at: str
    how: str


def close(battle: str, at: str, how: str) -> Statement:
    """Close a battle; one that is closed already stays as it is."""
    return Statement("INSERT INTO closings (battle, at, how) VALUES (?,?,?) ON CONFLICT DO NOTHING", (battle, at, how))


def remove(battle: str, at: str) -> Statement:
    """Close a battle for its readers, too, however it stood."""
    return Statement(
        "INSERT INTO closings (battle, at, how) VALUES (?,?,?) "
        "ON CONFLICT (battle) DO UPDATE SET at=excluded.at, how=excluded.how",
        (battle, at, REMOVED),
        1,
    )


def find(store: TableRows, battle: str) -> Closing | None:
    """The closing of a battle; None while it is open."""
    found = store.rows("SELECT battle, at, how FROM closings WHERE battle=?", (battle,))
    return Closing(*found[0]) if found else None


def all_of(store: TableRows) -> dict[str, Closing]:
    """All closings, by battle."""
    return {row[0]: Closing(*row) for row in store.rows("SELECT battle, at, how FROM closings")}


def among(store: TableRows, battles: Sequence[str]) -> set[str]:
    """Which of these battles are closed: costs the same however many others are."""
    marks = ",".join("?" * len(battles))
    return {battle for (battle,) in store.rows(f"SELECT battle FROM closings WHERE battle IN ({marks})", battles)}


def freshness(store: TableRows) -> tuple[int, int, str]:
    """What changes when a battle is closed or taken away: how many are, how many of them are taken away, the last."""
    query = "SELECT COUNT(*), COUNT(*) FILTER (WHERE how=?), COALESCE(MAX(at), '') FROM closings"
    found: tuple[int, int, str] = store.rows(query, (REMOVED,))[0]
    return found


def count(store: TableRows) -> int:
    """How many battles are closed."""
    return int(store.rows("SELECT COUNT(*) FROM closings")[0][0])
