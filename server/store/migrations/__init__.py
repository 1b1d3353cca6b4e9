"""Bring the file of a store to the format of this release.

A change of `schema.py` raises its VERSION and adds a module here, named `m`, the number in four digits, and what it
does. Its `up(db)` turns the format before into that number. It quotes its statements in full, because `schema.py` goes
on changing; it opens no transaction. The tests hold every format that a release has had
(`tests/server/store/formats/`), and compare what becomes of it with a new store.

Log and other append-only tables can get columns and indexes here, never other content: their triggers stay on.
"""

import os
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from server.store import schema
from server.store.migrations import (
    m0002_mail,
    m0003_limits,
    m0004_invitations,
    m0005_long_letters,
    m0006_drafts,
    m0007_beside_the_board,
    m0008_watched,
    m0009_administrators,
    m0010_passkeys,
    m0011_spectators,
    m0012_names_and_notices,
    m0013_written_by,
    m0014_moderation,
    m0015_bot_accounts,
    m0016_lockers,
    m0017_campaigns,
    m0018_webhooks,
    m0019_clubs,
    m0020_campaign_list,
    m0021_life_of_clubs,
    m0022_seasons,
)

UP: Mapping[int, Callable[[sqlite3.Connection], None]] = {
    2: m0002_mail.up,
    3: m0003_limits.up,
    4: m0004_invitations.up,
    5: m0005_long_letters.up,
    6: m0006_drafts.up,
    7: m0007_beside_the_board.up,
    8: m0008_watched.up,
    9: m0009_administrators.up,
    10: m0010_passkeys.up,
    11: m0011_spectators.up,
    12: m0012_names_and_notices.up,
    13: m0013_written_by.up,
    14: m0014_moderation.up,
    15: m0015_bot_accounts.up,
    16: m0016_lockers.up,
    17: m0017_campaigns.up,
    18: m0018_webhooks.up,
    19: m0019_clubs.up,
    20: m0020_campaign_list.up,
    21: m0021_life_of_clubs.up,
    22: m0022_seasons.up,
}
"""The format that each function makes of the one before it."""


class Migrated(Struct, frozen=True):
    """The formats before and after; `copy` is what was there before, None where nothing had to be done."""

    before: int
    after: int
    copy: Path | None


BackUp = Callable[[sqlite3.Connection, Path], Path]
"""Copies what a store has, with what belongs to it, to a place beside its file whose name it completes."""
Reached = Callable[[str], None]
"""Told of each stage that is reached: `backup`, then the number of each format."""


def migrate(
    path: Path,
    back_up: BackUp | None = None,
    also: Callable[[sqlite3.Connection], None] = lambda db: None,
    reached: Reached = lambda stage: None,
) -> Migrated:
    """Migrate the file of a store that nobody else has open, after a copy of it as `FILE.format-N…` beside it.

    All steps, and what `also` does behind them, are one transaction: after a failure, or a kill, the file is as it was.

    Shape:  `back_up` makes the copy; without it the file alone is copied
    Raises: schema.WrongDatabase for a file that is not a store, or of a later release; OSError, sqlite3.Error
    """
    with closing(schema.connect(str(path))) as db:
        before = schema.format_of(db)
        if before == schema.VERSION:
            return Migrated(before, before, None)
        copy = (back_up or copy_whole)(db, path.with_name(f"{path.name}.format-{before}"))
        reached("backup")
        with schema.transaction(db, "EXCLUSIVE"):
            for version in range(before + 1, schema.VERSION + 1):
                UP[version](db)
                db.execute(f"PRAGMA user_version={version}")
                reached(str(version))
            schema.sign(db)
            also(db)
        return Migrated(before, schema.VERSION, copy)


PAGES = 1024
"""Copied between two reports of how far a copy is."""


def copy_whole(db: sqlite3.Connection, path: Path, follow: Callable[[int, int], None] | None = None) -> Path:
    """Copy what is committed at this moment into one file, without a WAL, for its owner alone; returns its path.

    The copy gets its name once it is complete and on the disk. `follow` is told how many pages are done, and of how
    many; only where nobody writes meanwhile.
    """
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    copy = sqlite3.connect(part, isolation_level=None)
    try:
        if follow is None:
            db.backup(copy, pages=-1)
        else:
            db.backup(copy, pages=PAGES, progress=lambda _, left, total: follow(total - left, total))
        copy.execute("PRAGMA journal_mode=DELETE")
    finally:
        copy.close()
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.replace(path)
    return path
