"""Export a battle from the store as a file, and import it again.

Byte for byte: an export copies the stored lines, an import stores those of the file. A battle that
another host has signed keeps that host's checkpoint, which nobody here could sign again; it is stored
in the vault's row of event 0, next to the master.
"""

from collections.abc import Iterator, Sequence

import msgspec

from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.events.battle import BattleOpened, MasterRevealed, Unsealed
from domain.log import record
from domain.log.record import Recorded, seat_of
from domain.run.timeline import catalogue_of
from replay.battle_file import decode_events
from replay.proof import chain, notes, verdict
from replay.proof.chain import Log
from replay.proof.notes import Head
from replay.proof.verify import OTHER_RULES, verify
from server.people.keys import Keyring
from server.play.access import unknown_battle
from server.play.branching import readers_at_most
from server.play.live_battle import SEALED
from server.play.live_battles import READERS
from server.store import Append, EventStore, Opening, Statement
from server.store.tables import vault


class NotImported(Exception):
    """The file is refused; the text is a sentence."""


def export_battle(store: EventStore, keys: Keyring, battle: str) -> bytes:
    """The battle file of a battle in its current state, its head signed with the key of its opening.

    Raises:  Refusal `core.unknown-battle`
    """
    header_line = store.header(battle)
    if header_line is None:
        raise unknown_battle(battle)
    lines = store.lines(battle)
    kept = [secret for secret in vault.of_event(store, battle, 0) if secret.kind == vault.CHECKPOINT]
    note = kept[0].content.decode() if kept else _signed(keys, header_line, lines)
    return chain.file_bytes(header_line, lines, note)


def _signed(keys: Keyring, header_line: bytes, lines: list[bytes]) -> str:
    header = record.decode_header(header_line)
    head = record.first_hash(header_line)
    for line in lines:
        head = record.next_hash(head, line)
    return notes.sign_head(keys.of(header.key), Head(notes.origin(header.host, header.battle), len(lines), head))


def import_battle(store: EventStore, content: bytes, key: str | None = None) -> str:
    """Import a finished battle from its file, verified first; returns its id.

    Raises:  NotImported; StoreError
    """
    report = verify(content, key)
    if report.fault is not None:
        raise NotImported(f"The file does not hold. {next(iter(verdict.lines(report)))}")
    if report.exit == OTHER_RULES:
        raise NotImported(f"The file cannot be judged here. {report.install[0]}")
    if not report.ended:
        raise NotImported(f"Battle {report.battle} is not finished: only its own host can go on with it.")
    log = chain.open_file(content, trusted_key=key)
    ruleset = RULESETS[log.header.ruleset]
    events = decode_events(log, ruleset)
    if store.battle(log.header.battle) is not None:
        raise NotImported(f"Battle {log.header.battle} is here already.")
    opened = next(recorded.event for recorded in events if isinstance(recorded.event, BattleOpened))
    readers = opened.readers if isinstance(opened.readers, str) else READERS[0]
    most = readers_at_most(store, opened.branch or None)
    if readers in READERS and READERS.index(readers) < READERS.index(most):
        raise NotImported(f"Battle {log.header.battle} is a branch with more readers than the battle here it is of.")
    store.append_now(_append(log, ruleset, events, readers))
    return log.header.battle


def _append(log: Log, ruleset: Ruleset, events: list[Recorded], readers: str) -> Append:
    rows = [
        (recorded.type, line, hash_) for recorded, line, hash_ in zip(events, log.lines, log.hashes[1:], strict=True)
    ]
    return Append(
        log.header.battle,
        0,
        rows,
        also=tuple(_vault_rows(log, events)),
        opens=Opening(log.header_line, log.header.created, readers),
    )


def _vault_rows(log: Log, events: list[Recorded]) -> Iterator[Statement]:
    """What the file has opened, as the vault of its own host had it."""
    battle = log.header.battle
    yield vault.put(vault.VaultSecret(battle, 0, vault.CHECKPOINT, "", b"", str(log.checkpoint).encode()))
    under: dict[int, str] = {}
    for recorded in events:
        event = recorded.event
        under[recorded.n] = seat_of(event, recorded.by)
        if isinstance(event, MasterRevealed):
            yield vault.put_master(battle, bytes.fromhex(event.master))
        elif isinstance(event, Unsealed):
            content = record.canonical(event.content)
            salt = bytes.fromhex(event.salt)
            yield vault.put(vault.VaultSecret(battle, event.n, SEALED, under[event.n], salt, content))


def fault_in(header_line: bytes, rows: Sequence[tuple[int, bytes, bytes]]) -> str:
    """What is wrong with the rows of a battle, (n, hash_n, line) from event 1 on, as a code; "" if nothing is."""
    try:
        header = record.decode_header(header_line)
        ruleset = RULESETS.get(header.ruleset)
        head = record.first_hash(header_line)
        for number, (n, hash_, line) in enumerate(rows, 1):
            head = record.next_hash(head, line)
            if n != number or head != hash_:
                return f"wrong-hash at event {number}"
            if ruleset is not None and header.rules == ruleset.version:
                record.decode(line, catalogue_of(ruleset))
    except (record.FileFault, msgspec.MsgspecError) as fault:
        return getattr(fault, "what", "wrong-data")
    return ""
