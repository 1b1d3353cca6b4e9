"""When does a player get a letter?

The rows are posted in the transaction of the events that cause them (design.md 8); whether the
player has an address is looked at when the letter is written.
"""

from collections.abc import Sequence

from domain.battle import evolve_battle
from domain.events import BattleEnded, DecisionAsked, DecisionMade, SideJoined, TurnBegan
from domain.ruleset import to_act
from server.recording import Batch
from server.store import Statement, outbox
from server.table import Table

TURN, DECISION, END = "turn", "decision", "end"


def letters(table: Table, batch: Batch, at: str) -> Sequence[Statement]:
    """The outbox rows of an append: to the side that must act when it is done, to both at the end."""
    asked = _asked(batch) or _called(table, batch)
    if asked is None:
        return ()
    sides, kind = asked
    seats = dict(table.recording.battle.seats)
    people = {side: seat.player for side, seat in seats.items() if seat.kind == "person"}
    for recorded in batch.recorded:
        event = recorded.event
        if isinstance(event, SideJoined) and event.kind == "person":
            people[event.side] = event.player or ""
    n = batch.recorded[-1].n
    return [outbox.post(table.id, n, people[side], kind, at) for side in sides if people.get(side)]


def _asked(batch: Batch) -> tuple[tuple[str, ...], str] | None:
    """Who is to be told, and of what; None if an append leaves the move where it was."""
    for recorded in reversed(batch.recorded):
        event = recorded.event
        if isinstance(event, BattleEnded):
            return ("south", "north"), END
        if isinstance(event, DecisionAsked):
            return (event.side,), DECISION
        if isinstance(event, TurnBegan):
            return (event.side,), TURN
        if isinstance(event, DecisionMade):
            return None
    return None


def _called(table: Table, batch: Batch) -> tuple[tuple[str, ...], str] | None:
    """Before the first turn: who must act after an append and did not have to before it."""
    before = table.recording.battle
    if before.game.t or not batch.entered:
        return None
    after = before
    for item in batch.entered:
        after = evolve_battle(table.ruleset, after, item.whole.event, after.n + 1, item.secret is not None)
    due = to_act(table.ruleset, after.game) or after.owing
    called = tuple(side for side in due if side not in table.to_act())
    return (called, TURN) if called else None
