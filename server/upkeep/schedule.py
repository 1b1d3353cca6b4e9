"""Make a backup every so often while a server runs, and keep as many as the host says."""

import asyncio
import logging
import re
from pathlib import Path

from domain.basics.pace import moment_of
from replay.writing.clock import Clock
from server.settings import Settings
from server.store import EventStore
from server.upkeep.backup import PACKED, back_up
from server.upkeep.retention import retention_in

POLL_S = 60.0
RETRY_MS = 600_000
NAMED = re.compile(r"phalera-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar(?:\.gz)?")

log = logging.getLogger(__name__)


class BackupSchedule:
    """Backups of one server into `settings.backup_to`, each `settings.backup_every_s`."""

    def __init__(self, settings: Settings, store: EventStore, clock: Clock) -> None:
        self._settings = settings
        self._store = store
        self._clock = clock
        self._failed_at = 0
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin; the first backup is made at once if none is there, or the newest is old."""
        self._task = asyncio.ensure_future(self._run())

    async def stop(self) -> None:
        """End. A copy that is being written is left incomplete, without a name."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await asyncio.to_thread(self.tick)
            await asyncio.sleep(min(POLL_S, self._settings.backup_every_s))

    def tick(self) -> str:
        """Make a backup if one is due; returns its path, "" if none was made. A failure is logged, and tried again."""
        now = self._clock.now()
        moment, every_ms = moment_of(now), self._settings.backup_every_s * 1000
        last = newest(self._folder)
        if last and 0 <= moment - moment_of(last) < every_ms:
            return ""
        if self._failed_at and moment - self._failed_at < min(RETRY_MS, every_ms):
            return ""
        path = self._folder / f"phalera-{re.sub('[-:]', '', now[:19])}Z{PACKED}"
        try:
            back_up(self._settings, self._store, str(path))
            self._tidy()
        except Exception:
            self._failed_at = moment
            log.exception("a backup into %s failed", self._folder)
            return ""
        self._failed_at = 0
        log.info("a backup was made", extra={"file": str(path)})
        return str(path)

    def _tidy(self) -> None:
        """Remove the backups that need not be kept."""
        made = {path: made_at(path) for path in backups(self._folder)}
        kept = retention_in(self._settings.backup_keep).kept(tuple(made.values()))
        for path, at in made.items():
            if at not in kept:
                path.unlink(missing_ok=True)

    @property
    def _folder(self) -> Path:
        return Path(self._settings.backup_to)


def backups(folder: Path) -> list[Path]:
    """The backups that a schedule has made in a folder, oldest first. Other files are never touched."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if NAMED.fullmatch(path.name))


def newest(folder: Path) -> str:
    """When the newest backup of a schedule was made, "" if there is none."""
    return max((made_at(path) for path in backups(folder)), default="")


def made_at(path: Path) -> str:
    """When a backup was made, by its name, as the log writes time."""
    found = NAMED.fullmatch(path.name)
    assert found is not None
    year, month, day, hour, minute, second = found.groups()
    return f"{year}-{month}-{day}T{hour}:{minute}:{second}.000Z"
