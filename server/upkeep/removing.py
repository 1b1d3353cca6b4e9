"""Wipe battles from a data folder, logs included, while no server runs on it."""

import logging
from contextlib import closing
from pathlib import Path

from server.settings import Settings
from server.store import schema
from server.store.cache_file import remove
from server.store.removal import remove_battle
from server.store.tables.closings import REMOVED

log = logging.getLogger(__name__)


def wipe(settings: Settings, battle: str) -> bool:
    """Remove a battle with everything of it; False if there is none with this id. The caller is the sole server.

    Raises: schema.WrongDatabase, schema.Outdated; sqlite3.Error
    """
    if not remove_battle(Path(settings.store().dbname), battle):
        return False
    _forget(settings.read_models, battle)
    return True


def finish_removals(settings: Settings) -> list[str]:
    """Wipe the battles that were taken away while a server ran; gives their ids. A store of another format is left to
    whoever opens it.

    Raises: sqlite3.Error
    """
    store = settings.store()
    path = Path(store.dbname)
    if not store.is_file or not path.is_file():
        return []
    try:
        with closing(schema.connect(str(path))) as db:
            if schema.format_of(db) != schema.VERSION:
                return []
            due = [battle for (battle,) in db.execute("SELECT battle FROM closings WHERE how=?", (REMOVED,))]
    except schema.WrongDatabase:
        return []
    for battle in due:
        wipe(settings, battle)
        log.info("a battle was wiped", extra={"about": battle})
    return due


def _forget(folder: Path, battle: str) -> None:
    """Take a battle out of the caches and the read models, if there are some."""
    from projections.catalogue import MODELS
    from projections.database import Database
    from server.play.lobby import FILE
    from server.play.snapshots import FILE as SNAPSHOTS
    from server.time.timekeeper import FILE as TIMES

    for cache in (SNAPSHOTS, TIMES):  # whole: each is made again
        remove(folder / cache)
    if not (folder / FILE).is_file():
        return
    database = Database(folder / FILE, MODELS)
    try:
        with database.transaction():
            database.forget([battle])
    finally:
        database.close()
