"""Table of order lines that wait for the other side's answer.

At most one script per side of a battle, private to its owner: the rest of a request in which an earlier line made the
rules ask the other side. It continues after the answer, or is dropped by the owner's next order.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows


class ParkedScript(NamedTuple):
    """Lines not yet played. `line` is the number (from 1) of the first in its request (account, key); `lines` JSON."""

    battle: str
    side: str
    account: str
    key: str
    line: int
    lines: bytes


def park(script: ParkedScript) -> Statement:
    """Keep a script, replacing an earlier one of that side."""
    return Statement(
        "INSERT INTO parked (battle, side, account, key, line, lines) VALUES (?,?,?,?,?,?) "
        "ON CONFLICT (battle, side) DO UPDATE SET "
        "account=excluded.account, key=excluded.key, line=excluded.line, lines=excluded.lines",
        tuple(script),
        1,
    )


def drop(battle: str, side: str) -> Statement:
    """Forget the script of a side; there need not be one."""
    return Statement("DELETE FROM parked WHERE battle=? AND side=?", (battle, side))


SELECT = "SELECT battle, side, account, key, line, lines FROM parked"


def find(store: TableRows, battle: str, side: str) -> ParkedScript | None:
    """The script of a side."""
    found = store.rows(f"{SELECT} WHERE battle=? AND side=?", (battle, side))
    return ParkedScript(*found[0]) if found else None


def of_battle(store: TableRows, battle: str) -> list[ParkedScript]:
    """The scripts of all sides."""
    return [ParkedScript(*row) for row in store.rows(f"{SELECT} WHERE battle=? ORDER BY side", (battle,))]


def all_of(store: TableRows) -> list[ParkedScript]:
    """Every script, for a server at start."""
    return [ParkedScript(*row) for row in store.rows(f"{SELECT} ORDER BY battle, side")]
