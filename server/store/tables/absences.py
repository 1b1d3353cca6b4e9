"""Table of vacations: when a player is away.

A vacation is planned by its player; while it lasts their clocks stand still. Its effect on a battle is in that
battle's log (`ClockFired`); this table is the plan that the clock follows.
"""

from collections.abc import Iterable
from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows


class Absence(NamedTuple):
    """From `begins` to `ends`; `state` is planned, begun or over."""

    id: int
    player: str
    begins: str
    ends: str
    state: str


def plan(player: str, begins: str, ends: str) -> Statement:
    """Insert a planned vacation."""
    return Statement(
        "INSERT INTO absences (player, begins, ends, state) VALUES (?,?,?,'planned')", (player, begins, ends), 1
    )


def set_state(id_: int, state: str) -> Statement:
    """Record that it has begun, or is over."""
    return Statement("UPDATE absences SET state=? WHERE id=?", (state, id_), 1)


def cut_short(id_: int, ends: str) -> Statement:
    """Change its end."""
    return Statement("UPDATE absences SET ends=? WHERE id=?", (ends, id_), 1)


def forget(player: str) -> Statement:
    """Delete the vacations of a player."""
    return Statement("DELETE FROM absences WHERE player=?", (player,))


SELECT = "SELECT id, player, begins, ends, state FROM absences"


def open_of(store: TableRows, player: str) -> list[Absence]:
    """The vacations of a player that are not over, earliest first."""
    query = f"{SELECT} WHERE player=? AND state<>'over' ORDER BY begins, id"
    return [Absence(*row) for row in store.rows(query, (player,))]


def all_open(store: TableRows) -> list[Absence]:
    """Every vacation that is not over."""
    return [Absence(*row) for row in store.rows(f"{SELECT} WHERE state<>'over' ORDER BY begins, id")]


def all_of(store: TableRows, player: str) -> list[Absence]:
    """Every vacation of a player, past ones included: how much of a year has been used."""
    return [Absence(*row) for row in store.rows(f"{SELECT} WHERE player=? ORDER BY begins, id", (player,))]


# --- who is away


def away_at(planned: Iterable[Absence], now: str) -> dict[str, Absence]:
    """The players who are away at a moment, each with their vacation."""
    return {each.player: each for each in planned if each.begins <= now < each.ends}


def slept_through(planned: Iterable[Absence], now: str) -> dict[str, Absence]:
    """The players whose vacation began and ended while no server was up to stop their clocks."""
    return {each.player: each for each in planned if each.state == "planned" and each.begins < each.ends <= now}
