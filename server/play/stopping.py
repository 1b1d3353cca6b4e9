"""How a battle stands in the store, and how it is ended or taken away by the host or an administrator.

A battle that the host stops says so in its log (`BattleStopped`), and is closed beside it, so that lists need not read
the log. One that is taken away is closed for every reader, and what stands beside its log goes at once; the log is
wiped at the next start (`server.upkeep.removing`).
"""

from collections.abc import Mapping

from domain.basics.errors import Refusal
from domain.contract.ruleset import Ruleset
from server.play.access import unknown_battle
from server.play.announcing import announced
from server.play.live_battles import LiveBattles
from server.play.recalling import recall
from server.store import Append, EventStore, Statement
from server.store.removal import BESIDE
from server.store.tables import closings, holdings, outbox
from server.store.tables.closings import REMOVED, STOPPED
from server.store.tables.outbox import LetterKind

OPEN, ENDED = "open", "ended"
NOT_INSTALLED = "core.rules-not-installed"


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


def require_open(store: EventStore, battle: str) -> None:
    """Refuse a battle that is over or closed.

    Raises: Refusal core.unknown-battle, core.battle-ended, core.battle-closed
    """
    status = status_of(store, battle)
    if status == REMOVED:
        raise unknown_battle(battle)
    if status == ENDED:
        raise Refusal("core.battle-ended", "CORE-END")
    if status != OPEN:
        raise Refusal("core.battle-closed", "CORE-END", how=status)


async def stop(battles: LiveBattles, battle: str, reason: str = "") -> bool:
    """End a battle of a running server without a winner; whether its log says so. A log whose rules are not installed
    cannot be gone on with: such a battle is closed beside it.

    Raises: Refusal core.bad-reason, and as `require_open`
    """
    require_open(battles.store, battle)
    try:
        live = await battles.get(battle)
    except Refusal as refusal:
        if refusal.code != NOT_INSTALLED:
            raise
        await battles.store.write(*_beside(battles.store, battle, battles.clock.now()))
        return False
    async with live.lock:
        await live.freshen()
        await live.close(STOPPED, reason)
    return True


def stop_now(store: EventStore, battle: str, at: str, reason: str, rulesets: Mapping[str, Ruleset]) -> bool:
    """The same by a command, beside a server that may be running, which notices; the players get their letters.

    Raises: Refusal core.bad-reason, and as `require_open`
    """
    require_open(store, battle)
    also = _beside(store, battle, at)
    try:
        recording = recall(store, battle, lambda code: _installed(rulesets, code), bytes)
    except Refusal as refusal:
        if refusal.code not in (NOT_INSTALLED, "core.unknown-ruleset"):
            raise
        store.write_now(*also)
        return False
    assert recording is not None
    at = recording.moment(at)
    batch = recording.stop(STOPPED, reason, at)
    people = [seat.player for seat in recording.battle.seats.values() if seat.kind == "person"]
    n = recording.battle.n
    told = [outbox.post_if_reached(battle, n + len(batch.rows), one, LetterKind.END, at) for one in people]
    hooks = announced(recording.ruleset, battle, recording.battle, (), batch, at)
    store.append_now(Append(battle, n, batch.rows, also=(*also, *told, *hooks), prev=recording.head))
    return True


def _beside(store: EventStore, battle: str, at: str) -> tuple[Statement, ...]:
    return closings.close(battle, at, STOPPED), holdings.over(battle)


def _installed(rulesets: Mapping[str, Ruleset], code: str) -> Ruleset:
    if code not in rulesets:
        raise Refusal("core.unknown-ruleset", "CORE-OPEN", ruleset=code, known=sorted(rulesets))
    return rulesets[code]


def taken_away(store: EventStore, battle: str, at: str) -> tuple[Statement, ...]:
    """The statements that take a battle away from everybody, with letters, messages and notes.

    Raises: Refusal core.unknown-battle
    """
    if status_of(store, battle) == REMOVED:
        raise unknown_battle(battle)
    return closings.remove(battle, at), *(Statement(sql, (battle,)) for sql in BESIDE)
