"""Look at the rows of a store: whether they fit each other, the keys, and the rules that are installed."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from domain.basics.pace import HOUR_MS, moment_of
from domain.catalogue import RULESETS
from domain.log import record
from replay.proof import chain
from replay.proof.verify import verify
from server.people.keys import Keyring
from server.play.archive import fault_in
from server.play.rules_version import is_played_on, rules_in_force
from server.store import StoreError
from server.store.contract import UnopenedStore
from server.store.tables import accounts, closings, correspondents, deliveries, vault
from server.upkeep.finding import DataFinding

RESTORE = "Restore the folder from a backup: phalera restore BACKUP FOLDER."
REPORT = "Nothing is lost, and play goes on. Keep its file (phalera export BATTLE) and report it: no log is mended."
NAMED = 5
"""As many of many are named."""
OLD_MS = HOUR_MS
UNREADABLE = (sqlite3.Error, StoreError, UnicodeDecodeError)

Progress = Callable[[int, int], None]
"""Called with the number of battles that are done, and of all."""


def contents(
    store: UnopenedStore, keys: Keyring | None, now: str, progress: Progress | None = None
) -> Iterator[DataFinding]:
    """Check the authoritative tables, then each battle. A table that cannot be read is a finding, too."""
    for what, check in CHECKS:
        try:
            yield check(store)
        except UNREADABLE as fault:
            yield DataFinding(what, False, f"the table cannot be read: {fault}", RESTORE)
    try:
        yield _outbox(store, now)
        yield _mailboxes(store)
        yield from _battles(store, keys, progress)
    except UNREADABLE as fault:
        yield DataFinding("store", False, f"the store cannot be read: {fault}", RESTORE)


def _accounts(store: UnopenedStore) -> DataFinding:
    rows = store.rows("SELECT name, name_key, email, email_key FROM accounts")
    odd = [
        name
        for name, key, email, email_key in rows
        if (accounts.name_key(name), accounts.name_key(email)) != (key, email_key)
    ]
    if odd:
        return DataFinding("accounts", False, f"{some(odd)}: not found by name or address", RESTORE)
    return DataFinding("accounts", True, f"{len(rows):,} accounts")


def _names(store: UnopenedStore) -> DataFinding:
    """Names that look alike are from before format 12: they stay, and only whoever has one can change it."""
    found = accounts.alike(store)
    said = f"{some(found)}: looks like the name of an older account" if found else "no two names look alike"
    return DataFinding(
        "names", True, said, "Ask for another name, or ban who deceives: phalera player." if found else ""
    )


def _tokens(store: UnopenedStore) -> DataFinding:
    rows = store.rows(
        "SELECT kind, COUNT(*), COUNT(*) FILTER (WHERE player NOT IN (SELECT player FROM accounts)) "
        "FROM tokens GROUP BY 1 ORDER BY 1"
    )
    if lost := sum(strays for _, _, strays in rows):
        return DataFinding("tokens", False, f"{lost:,} tokens are of players who have no account", RESTORE)
    counted = ", ".join(f"{count:,} {kind}" for kind, count, _ in rows) or "none"
    return DataFinding("tokens", True, f"tokens: {counted}")


def _vault(store: UnopenedStore) -> DataFinding:
    without = store.rows(
        "SELECT battle FROM battles b WHERE NOT EXISTS "
        "(SELECT 1 FROM vault v WHERE v.battle=b.battle AND v.n=0 AND v.kind=?)",
        (vault.MASTER,),
    )
    if without:
        said = f"{some([battle for (battle,) in without])}: the secret from which its chance comes is missing"
        return DataFinding("vault", False, said, RESTORE)
    ((count,),) = store.rows("SELECT COUNT(*) FROM vault")
    return DataFinding("vault", True, f"{count:,} secrets, one for the chance of each battle among them")


def _requests(store: UnopenedStore) -> DataFinding:
    ((cut,),) = store.rows("SELECT COUNT(*) FROM requests WHERE done=0")
    parked = store.rows(
        "SELECT p.battle FROM parked p WHERE NOT EXISTS "
        "(SELECT 1 FROM requests r WHERE r.account=p.account AND r.key=p.key)"
    )
    if parked:
        said = f"{some([battle for (battle,) in parked])}: a waiting script has lost its request"
        return DataFinding("requests", False, said, "Its player gives the orders again; the next ones replace it.")
    said = f"{cut:,} requests are not finished: the server goes on with them when it starts" if cut else "none is cut"
    return DataFinding("requests", True, f"requests: {said}" if not cut else said)


def _outbox(store: UnopenedStore, now: str) -> DataFinding:
    letters = deliveries.backlog(store)
    late = letters.oldest is not None and moment_of(now) - moment_of(letters.oldest) > OLD_MS
    ((given_up,),) = store.rows(
        "SELECT COUNT(*) FROM deliveries d JOIN outbox o ON o.id=d.id WHERE o.sent_at IS NOT NULL"
    )
    said = f"{letters.waiting:,} letters wait, {given_up:,} were given up"
    if late:
        said += f"; one could have left at {letters.oldest}"
        return DataFinding("outbox", False, said, "phalera mail queue says why; phalera mail send tries at once.")
    return DataFinding("outbox", True, said)


def _mailboxes(store: UnopenedStore) -> DataFinding:
    """A mailbox that is gone is its player's affair: it is told, and no fault of this host."""
    struck = [known.player for known in correspondents.struck(store) if known.bounces]
    if not struck:
        return DataFinding("mailboxes", True, "no letter to a player has come back")
    names = {account.player: account.name for account in accounts.listed(store)}
    said = f"letters came back from {some([names.get(player, player) for player in struck])}"
    return DataFinding("mailboxes", True, f"{said}: phalera mail status says why")


class _Seen(Struct):
    """What is seen of all battles: how many there are of each kind, and the names of some."""

    faults: int = 0
    unproven: int = 0
    events: int = 0
    earlier: int = 0
    foreign: list[str] = []
    waiting: list[str] = []


def _battles(store: UnopenedStore, keys: Keyring | None, progress: Progress | None) -> Iterator[DataFinding]:
    rows = store.rows(
        "SELECT battle, header, EXISTS (SELECT 1 FROM vault v WHERE v.battle=b.battle AND v.n=0 AND v.kind=?) "
        "FROM battles b ORDER BY rowid",
        (vault.CHECKPOINT,),
    )
    closed, seen = closings.all_of(store), _Seen()
    for done, (battle, header_line, is_imported) in enumerate(rows, 1):
        stored = store.read(battle)
        if fault := fault_in(header_line, stored):
            seen.faults += 1
            yield DataFinding("battles", False, f"battle {battle}: {fault}", RESTORE)
        else:
            lines = [line for _, _, line in stored]
            yield from _battle(battle, header_line, lines, seen)
            header = record.decode_header(header_line)
            if keys is not None and not is_imported and header.key not in keys:
                seen.foreign.append(battle)
            if battle not in closed and (version := _rules_missing(header, lines)):
                seen.waiting.append(f"{battle} ({header.ruleset} {version})")
        if progress is not None:
            progress(done, len(rows))
    yield from _of_all(len(rows), seen)


def _battle(battle: str, header_line: bytes, lines: Sequence[bytes], seen: _Seen) -> Iterator[DataFinding]:
    """Verify the log of a battle."""
    seen.events += len(lines)
    seen.earlier += not is_played_on(record.decode_header(header_line))
    wrong = verify(chain.file_bytes(header_line, lines, None), is_closed=False).fault if lines else None
    if wrong is not None:
        seen.unproven += 1
        said = f"battle {battle}, event {wrong.n}: {wrong.sentence} [{wrong.what}]"
        yield DataFinding("proofs", False, said, REPORT)


def _rules_missing(header: record.Header, lines: Sequence[bytes]) -> str:
    """The version of the rules that a battle in progress is played by, if it is not installed; "" if it is."""
    ruleset, version = RULESETS.get(header.ruleset), rules_in_force(header, lines)
    is_missing = is_played_on(header) and (ruleset is None or ruleset.version != version)
    return version if is_missing else ""


def _of_all(battles: int, seen: _Seen) -> Iterator[DataFinding]:
    if not seen.faults:
        read_only = f"; {seen.earlier:,} of an earlier protocol are only read" if seen.earlier else ""
        said = f"{battles:,} battles, {seen.events:,} events: every chain holds{read_only}"
        yield DataFinding("battles", True, said)
    if not seen.unproven:
        yield DataFinding("proofs", True, "verify finds no fault in any battle")
    if seen.foreign:
        said = f"{some(seen.foreign)}: opened with a key that is not here"
        yield DataFinding("key", False, said, "Put `key` and the folder `keys` back from the backup of that time.")
    if seen.waiting:
        advice = "Install the release that has it; or phalera battle rules, phalera battle end. Nobody can order now."
        yield DataFinding("rules", False, f"{some(seen.waiting)}: its version of the rules is not installed", advice)
    else:
        yield DataFinding("rules", True, "every battle in progress has its version of the rules")


def some(names: Sequence[str]) -> str:
    """The first of many names, and how many more there are."""
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


CHECKS: tuple[tuple[str, Callable[[UnopenedStore], DataFinding]], ...] = (
    ("accounts", _accounts),
    ("names", _names),
    ("tokens", _tokens),
    ("vault", _vault),
    ("requests", _requests),
)
"""The tables that are looked at, and how."""
