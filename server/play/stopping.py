"""How a battle stands in the store, and how it is ended or taken away by the host or an administrator.

A log ends by the rules or not at all, and is append-only while a server runs: a battle is closed beside it. One that is
taken away is closed for every reader, and what stands beside its log goes at once; the log is wiped at the next start
(`server.upkeep.removing`).
"""

from domain.engine.errors import Refusal
from server.play.access import unknown_battle
from server.store import EventStore, Statement
from server.store.removal import BESIDE
from server.store.tables import closings, holdings
from server.store.tables.closings import REMOVED, STOPPED

OPEN, ENDED = "open", "ended"


def status_of(store: EventStore, battle: str) -> str:
    """How a battle stands: open, ended by its rules, or how it was closed (`server.store.tables.closings`).

    Raises: Refusal core.unknown-battle
    """
    head = store.head(battle)
    if head is None:
        raise unknown_battle(battle)
    closing = closings.find(store, battle)
    if closing is not None:
        return closing.how
    last = store.lines(battle, head.n - 1, 1) if head.n else []
    return ENDED if last and last[0].endswith(b'"type":"MasterRevealed"}') else OPEN


def stopped(store: EventStore, battle: str, at: str) -> tuple[Statement, ...]:
    """The statements that end a battle without a winner.

    Raises: Refusal core.unknown-battle, core.battle-ended, core.battle-closed
    """
    status = status_of(store, battle)
    if status == REMOVED:
        raise unknown_battle(battle)
    if status == ENDED:
        raise Refusal("core.battle-ended", "CORE-END")
    if status != OPEN:
        raise Refusal("core.battle-closed", "CORE-END", how=status)
    return closings.close(battle, at, STOPPED), holdings.over(battle)


def taken_away(store: EventStore, battle: str, at: str) -> tuple[Statement, ...]:
    """The statements that take a battle away from everybody, with letters, messages and notes.

    Raises: Refusal core.unknown-battle
    """
    if status_of(store, battle) == REMOVED:
        raise unknown_battle(battle)
    return closings.remove(battle, at), *(Statement(sql, (battle,)) for sql in BESIDE)
