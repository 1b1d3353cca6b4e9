"""Table of reminders sent.

A reminder is a row of the outbox whose kind is `reminder:RUNG:N`, N being the event since which the question is open.
It is posted at most once, and never after a more urgent one: the row itself is the mark, so a restart changes nothing.
"""

from collections.abc import Sequence

from server.store.append import Statement
from server.store.tables.outbox import LetterKind


def post(battle: str, n: int, recipient: str, since: int, rung: str, later: Sequence[str], created: str) -> Statement:
    """A reminder about event `n`, unless this rung of the question or one of the `later` ones was posted before."""
    kinds = [f"{LetterKind.REMINDER}:{name}:{since}" for name in (rung, *later)]
    marks = ", ".join("?" * len(kinds))
    return Statement(
        "INSERT INTO outbox (battle, n, recipient, kind, created) SELECT ?,?,?,?,? WHERE NOT EXISTS "
        f"(SELECT 1 FROM outbox WHERE battle=? AND recipient=? AND kind IN ({marks}))",
        (battle, n, recipient, kinds[0], created, battle, recipient, *kinds),
    )
