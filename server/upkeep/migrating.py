"""Bring a data folder to the format of this release: say what would happen, copy everything, take the steps.

The copy is a whole backup, with the key, as `phalera restore` takes it. It has its name once it is complete. The steps
are one transaction. So a run that is cut at any moment leaves the store as it was, or done, and can be repeated.
"""

import shutil
import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from server.release import release
from server.settings import Settings
from server.store import Newer, WrongDatabase, schema
from server.store.migrations import UP, Reached, copy_whole, migrate
from server.store.reader import StoreReader
from server.store.tables import closings, holdings, parked, requests
from server.store.tables.closings import OUTDATED
from server.upkeep.backup import TAR, copy_with_keys, remains_of
from server.upkeep.doctor import LEAST_FREE_BYTES
from server.upkeep.folder import close_to_others
from server.upkeep.standing import StoreStanding, standing

COPIES = 2
"""Times the size of the store that a backup takes while it is made: a copy, and the archive made of it."""
BYTES_A_SECOND = 30_000_000
"""About as much is copied on a slow disk."""
LEAST_S = 2

Follow = Callable[[int, int], None]
"""Told how many pages are copied, and of how many."""


class MigrationStep(Struct, frozen=True):
    """A step: the format that it makes, and what is in it."""

    format: int
    what: str


class MigrationPlan(Struct, frozen=True, kw_only=True):
    """What a migration would do. `faults` are sentences that say why it cannot be done, empty if it can.

    `before` is the format of the store (0 if it has none) and `after` that of this release, `made_by` the release that
    has made the store, "" where it does not say. `backup` is the copy made first, `bytes` the size of the store,
    `needed_bytes` what has to be free for backup and steps, `free_bytes` what is; `seconds` is a guess, by the size.
    """

    store: str
    release: str
    before: int = 0
    after: int = schema.VERSION
    made_by: str = ""
    faults: tuple[str, ...] = ()
    steps: tuple[MigrationStep, ...] = ()
    backup: str = ""
    bytes: int = 0
    needed_bytes: int = 0
    free_bytes: int = 0
    seconds: int = 0
    battles: StoreStanding = StoreStanding()

    @property
    def is_possible(self) -> bool:
        """Whether it can be done, or is done already."""
        return not self.faults


def plan(settings: Settings) -> MigrationPlan:
    """What would happen to a data folder. Nothing is changed.

    Raises: sqlite3.Error, OSError
    """
    path = Path(settings.store().dbname)
    try:
        with StoreReader(path) as store:
            before = store.format()
            if not before:
                return _impossible(path, f"{path} is empty: there is nothing to migrate.")
            made_by = _made_by(store)
            battles = standing(store, before)
            damaged = [said for (said,) in store.rows("PRAGMA quick_check(1)")] != ["ok"]
    except Newer as fault:
        return _impossible(path, f"{str(fault)[:1].upper()}{str(fault)[1:]}.")
    except WrongDatabase as fault:
        return _impossible(path, f"{path}: {fault}.")
    except sqlite3.DatabaseError as fault:
        return _impossible(path, f"{path} is damaged ({fault}): restore a backup first.")
    size = sum(file.stat().st_size for file in (path, path.with_name(f"{path.name}-wal")) if file.exists())
    is_done = before == schema.VERSION
    needed = 0 if is_done else COPIES * size + size // 2 + LEAST_FREE_BYTES
    free = shutil.disk_usage(path.parent).free
    faults = [f"{path} is damaged: restore a backup first (`phalera doctor` looks closer)."] if damaged else []
    if free < needed:
        faults.append(f"There is no room: {_mib(needed)} MiB have to be free beside {path}, {_mib(free)} are.")
    return MigrationPlan(
        store=str(path),
        release=release(),
        before=before,
        made_by=made_by,
        faults=tuple(faults),
        steps=tuple(MigrationStep(number, _what(number)) for number in range(before + 1, schema.VERSION + 1)),
        backup="" if is_done else str(backup_of(path, before)),
        bytes=size,
        needed_bytes=needed,
        free_bytes=free,
        seconds=0 if is_done else LEAST_S + COPIES * size // BYTES_A_SECOND,
        battles=battles,
    )


def _impossible(path: Path, why: str) -> MigrationPlan:
    return MigrationPlan(store=str(path), release=release(), faults=(why,))


def backup_of(path: Path, before: int) -> Path:
    """Where the backup of a store of some format is put: beside its file."""
    return path.with_name(f"{path.name}.format-{before}{TAR}")


class MigrationDone(Struct, frozen=True):
    """What a migration has done: the formats before and after, the backup (None where nothing had to be done), and the
    battles that it has closed."""

    before: int
    after: int
    backup: Path | None
    outdated: Sequence[str] = ()


def carry_out(
    settings: Settings, at: str, follow: Follow | None = None, reached: Reached = lambda stage: None
) -> MigrationDone:
    """Migrate the store of a data folder on which no server runs; `at` is the moment of it. Files that the releases of
    before left open to others are closed to them.

    Raises: WrongDatabase; OSError, sqlite3.Error
    """
    path = Path(settings.store().dbname)
    with StoreReader(path) as store:
        before = store.format()
        outdated = standing(store, before).outdated if 0 < before < schema.VERSION else ()
    for remains in remains_of(backup_of(path, before)):
        shutil.rmtree(remains) if remains.is_dir() else remains.unlink()

    def back_up(db: sqlite3.Connection, target: Path) -> Path:
        return copy_with_keys(settings, target.with_name(target.name + TAR), lambda to: copy_whole(db, to, follow))

    def close(db: sqlite3.Connection) -> None:
        for battle in outdated:
            scripts = db.execute(parked.SELECT + " WHERE battle=?", (battle,)).fetchall()
            ends = [requests.close(account, key, battle) for _, _, account, key, _, _ in scripts]
            drops = [parked.drop(battle, side) for _, side, *_ in scripts]
            for statement in (closings.close(battle, at, OUTDATED), holdings.over(battle), *ends, *drops):
                db.execute(statement.sql, statement.params)

    done = migrate(path, back_up, close, reached)
    close_to_others(settings)
    return MigrationDone(done.before, done.after, done.copy, outdated if done.copy else ())


def _what(number: int) -> str:
    """What a step does, from the first line of its module: "Format 5: players who want long letters."."""
    first = (sys.modules[UP[number].__module__].__doc__ or "").partition("\n")[0]
    return first.partition(": ")[2].rstrip(".")


def _made_by(store: StoreReader) -> str:
    try:
        rows = store.rows("SELECT release FROM written_by ORDER BY format DESC LIMIT 1")
    except sqlite3.Error:
        return ""
    return str(rows[0][0]) if rows else ""


def _mib(count: int) -> str:
    return f"{count // 1024 // 1024:,}"
