"""Bring a battle back into memory: from its newest snapshot and what came after it, or from its whole log."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from domain.basics.errors import BrokenInvariant
from domain.contract.ruleset import Ruleset
from domain.log import record
from domain.log.record import Header
from domain.run.block_writer import Secret
from replay.writing.recording import Recording, RecordingPosition
from server.play.live_battle import SEALED
from server.play.rules_version import is_played_on, require_installed
from server.play.snapshots import Snapshots
from server.store import EventStore
from server.store.tables import vault

Rows = Sequence[tuple[int, bytes, bytes]]
"""(n, hash_n, line), in order."""


def recall(
    store: EventStore,
    battle: str,
    rulesets: Callable[[str], Ruleset],
    salt: Callable[[], bytes],
    snapshots: Snapshots | None = None,
) -> Recording | None:
    """A battle as the store has it now; None if there is none with this id.

    Raises: Refusal core.rules-not-installed, core.unknown-ruleset
    """
    line = store.header(battle)
    if line is None:
        return None
    header = record.decode_header(line)
    master = vault.master(store, battle)
    if master is None:
        raise BrokenInvariant(f"{battle} has no master")
    ruleset = rulesets(header.ruleset)
    position, rows = _start(store, header, ruleset, snapshots if is_played_on(header) else None)
    recording = Recording(header, master, ruleset, salt)
    if position is not None:
        n = position.milestone.battle.n
        (_, _, newest), *rows = rows
        past = lambda: [(line, hash_) for _, hash_, line in store.read(battle, 0, n)]  # noqa: E731 - read once, if ever
        recording.resume(position, record.time_of(newest), past)
    kept = {
        secret.n: Secret(secret.seat, secret.salt, secret.content)
        for secret in vault.sealed(store, battle)
        if secret.kind == SEALED
    }
    recording.recall([(line, hash_) for _, hash_, line in rows], kept)
    if snapshots is not None and is_played_on(header):
        snapshots.follow(recording)
    return recording


def _start(
    store: EventStore, header: Header, ruleset: Ruleset, snapshots: Snapshots | None
) -> tuple[RecordingPosition | None, Rows]:
    """The newest position whose event the store has, with its hash, and the rows from that event on; None and all
    rows: from event 1 on."""
    position = snapshots.find(header.battle, ruleset) if snapshots is not None else None
    if position is not None:
        battle = position.milestone.battle
        rows = store.read(header.battle, battle.n - 1)
        if rows and rows[0][1] == position.head:
            _require_rules(replace(header, rules=battle.rules), [line for _, _, line in rows], ruleset)
            return position, rows
    rows = store.read(header.battle)
    _require_rules(header, [line for _, _, line in rows], ruleset)
    return None, rows


def _require_rules(header: Header, lines: Sequence[bytes], ruleset: Ruleset) -> None:
    """Refuse a battle in progress whose rules are not installed. One of an earlier protocol is only read.

    Raises: Refusal core.rules-not-installed
    """
    if is_played_on(header):
        require_installed(header, lines, ruleset)
