"""Look at everything in a data folder, and say what to do about what is wrong.

Nothing is changed. The folder may be read-only, the store damaged or of another release: that is a finding, too.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from server import stamps
from server.people.keys import Keyring, read_keys
from server.settings import Settings, Unusable
from server.sole import is_served
from server.store import Newer, StoreError, StoreSettings, WrongDatabase, schema
from server.store.reader import StoreReader
from server.store.tables import vault
from server.time.clock_doubts import last_doubt, sentence_of
from server.upkeep.contents import RESTORE, Progress, contents
from server.upkeep.finding import DataFinding
from server.upkeep.folder import is_private, secret_files
from server.upkeep.proxy_note import hidden_behind
from server.upkeep.witness_files import witnesses

if TYPE_CHECKING:
    from server.store.postgresql.reading import PostgresReader

LEAST_FREE_BYTES = 64 * 1024 * 1024
MOST_FAULTS = 10
MODELS = "models.db"
ROOM_FIRST = "Make room first, then run phalera doctor again: on a full disk a store that is whole may not be readable."


def examine(settings: Settings, now: str, progress: Progress | None = None, host: str = "") -> Iterator[DataFinding]:
    """Check folder, disk, files, keys, store, its tables, each battle, read models, and witnesses. `host` is the name
    that a server would be given, "" for that in the key."""
    is_full = shutil.disk_usage(settings.data).free < LEAST_FREE_BYTES
    for finding in _all(settings, now, progress, host):
        yield replace(finding, advice=ROOM_FIRST) if is_full and finding.advice == RESTORE else finding


def _all(settings: Settings, now: str, progress: Progress | None, host: str) -> Iterator[DataFinding]:
    yield from _folder(settings)
    keys, finding = _key(settings)
    yield finding
    if keys is not None and host not in ("", keys.current.name) and _has_own_battles(settings):
        said = f"the settings call this host {host}, but it signs as {keys.current.name}, so no server starts"
        yield DataFinding("key", False, said, f"phalera host rename {host}, or PHALERA_HOST={keys.current.name}.")
    yield from _store(settings, keys, now, progress)
    yield from _read_models(settings)
    yield from _clock(settings)
    yield from witnesses(settings, keys.current.name if keys is not None else "", now)
    yield from _stamps(settings)
    yield from hidden_behind(settings)


def _store(settings: Settings, keys: Keyring | None, now: str, progress: Progress | None) -> Iterator[DataFinding]:
    """The store, in its file or its database, and what is in it."""
    try:
        with _reader(settings.store()) as store:
            finding = _file(store) if isinstance(store, StoreReader) else _database(store)
            yield finding
            if finding.ok or finding.advice == RESTORE:
                yield from contents(store, keys, now, progress)
    except Newer as fault:
        yield DataFinding("store", False, str(fault), "Install that release; a restored backup goes back to this one.")
    except StoreError as fault:
        yield DataFinding("store", False, str(fault), "Look after the database, its address and its password file.")
    except (sqlite3.Error, WrongDatabase) as fault:
        yield DataFinding("store", False, f"{settings.store().where}: {fault}", RESTORE)


def _reader(store: StoreSettings) -> "StoreReader | PostgresReader":
    if store.is_file:
        return StoreReader(Path(store.dbname))
    from server.store.postgresql.reading import PostgresReader  # an extra

    return PostgresReader(store.dbname)


def at_hand(settings: Settings) -> Iterator[DataFinding]:
    """Check what takes no time, also of a server that has much to do: folder, disk, files, key, a proxy."""
    yield from _folder(settings)
    yield _key(settings)[1]
    yield from hidden_behind(settings)


def _folder(settings: Settings) -> Iterator[DataFinding]:
    folder = settings.data
    if not os.access(folder, os.W_OK):
        advice = "Give the folder to the user of the server: chown -R, chmod u+w."
        yield DataFinding("folder", False, f"{folder} cannot be written to, so no server can run on it", advice)
    elif not is_private(folder):
        yield DataFinding("folder", False, f"{folder} is open to others", f"chmod go= {folder}")
    else:
        yield DataFinding("folder", True, f"{folder} is open to its owner alone")
    free = shutil.disk_usage(folder).free
    said = f"{free // 1024 // 1024:,} MiB are free"
    enough = free >= LEAST_FREE_BYTES
    yield DataFinding("disk", enough, said, "" if enough else "Make room: orders fail on a full disk.")
    exposed = [path for path in secret_files(settings) if not is_private(path)]
    for path in exposed:
        yield DataFinding("files", False, f"{path} is open to others", f"chmod go= {path}")
    if not exposed:
        yield DataFinding("files", True, "the files with secrets are open to their owner alone")


def _key(settings: Settings) -> tuple[Keyring | None, DataFinding]:
    if not settings.key.exists():
        return None, DataFinding(
            "key",
            not _has_own_battles(settings),
            f"{settings.key} is not there",
            "The server makes one only where it has opened no battle; otherwise put the file back from a backup.",
        )
    try:
        keys = read_keys(settings)
    except Unusable as reason:
        return None, DataFinding("key", False, str(reason), "Put the file back from a backup.")
    before = f"; {settings.former_keys} as {', '.join(keys.former_names)}" if keys.former else ""
    return keys, DataFinding("key", True, f"{settings.key} signs as {keys.current.name}{before}")


def _has_own_battles(settings: Settings) -> bool:
    try:
        with _reader(settings.store()) as store:
            return vault.newest_own(store) is not None
    except (sqlite3.Error, StoreError):
        return True


def _file(store: StoreReader) -> DataFinding:
    version = store.format()
    if version != schema.VERSION:
        return DataFinding("store", False, f"the store has format {version}", "phalera migrate")
    try:
        faults = [said for (said,) in store.rows(f"PRAGMA integrity_check({MOST_FAULTS})")]
    except sqlite3.DatabaseError as fault:
        faults = [str(fault)]
    if faults != ["ok"]:
        return DataFinding("store", False, f"the file of the store is damaged: {'; '.join(faults)}", RESTORE)
    return DataFinding("store", True, f"the file of the store is whole, format {version}")


def _database(store: "PostgresReader") -> DataFinding:
    version = store.format()
    if version != schema.VERSION:
        advice = "phalera move to a file, by the release that made it; then phalera migrate, and move it back."
        return DataFinding("store", False, f"the store has format {version}", advice)
    served = "a server runs on it" if store.is_served() else "no server runs on it"
    return DataFinding("store", True, f"{store.server} has the store, format {version}; {served}")


def _read_models(settings: Settings) -> Iterator[DataFinding]:
    path = settings.read_models / MODELS
    if not path.is_file():
        return
    try:
        with StoreReader(path) as models:
            faults = [said for (said,) in models.rows("PRAGMA quick_check(1)")]
            ok = faults == ["ok"]
    except sqlite3.Error as fault:
        ok, faults = False, [str(fault)]
    said = "the read models are whole" if ok else f"the read models are damaged: {'; '.join(faults)}"
    yield DataFinding("read-models", ok, said, "" if ok else "Stop the server and run phalera rebuild.")


def _clock(settings: Settings) -> Iterator[DataFinding]:
    """What the server says of its clock, while one runs."""
    doubt = last_doubt(settings) if is_served(settings) else None
    if doubt is not None:
        advice = "Put the clock right; or, if it is right, phalera clock confirm."
        yield DataFinding("clock", False, f"{sentence_of(doubt)} No flag falls.", advice)


def _stamps(settings: Settings) -> Iterator[DataFinding]:
    """Whose stamps on mail are believed, if any were ever proven."""
    try:
        known = [
            f"{name} for {mailbox} ({stamp.proved[:10]})"
            for mailbox, names in stamps.proven(settings).items()
            for name, stamp in names.items()
        ]
    except Unusable as reason:
        yield DataFinding("trust", False, str(reason), f"rm {settings.data / stamps.FILE}")
        return
    if known:
        yield DataFinding("trust", True, f"nobody outside can stamp mail as {', '.join(known)}")
