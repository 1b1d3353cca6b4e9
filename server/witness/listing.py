"""Say which logs are watched in a data folder, which witnesses are asked, and how fresh their word is."""

from collections.abc import Iterator
from datetime import UTC, datetime

from msgspec import Struct

from domain.basics.pace import moment_of
from domain.log.entries import log_origin
from server.clock import SystemClock
from server.people.key_files import readable_key
from server.settings import Settings, Unusable
from server.witness import log_file
from server.witness.keys import FILE, public_key_in
from server.witness.log_file import LogFile
from server.witness.parts import OLD_S, late_s
from server.witness.state import AskedWitness, WatchedLog, WitnessFile


class AskedNow(Struct, frozen=True):
    """A witness that is asked: the entries that it has signed, and when it did so last; "" if never."""

    key: str
    url: str
    size: int
    at: str
    is_late: bool


class WatchedNow(Struct, frozen=True):
    """A log that is watched here: the entries that were signed, and when they were."""

    origin: str
    key: str
    size: int
    at: str


class WitnessListing(Struct, frozen=True):
    """The own keys ("" as long as there are none), the size of the own log, and both lists. `further` is a witness that
    knows more of the own log than this folder, "" if none does."""

    log_key: str
    witness_key: str
    size: int
    further: str
    watched: tuple[WatchedNow, ...]
    asked: tuple[AskedNow, ...]

    @property
    def is_late(self) -> bool:
        """Whether something is to be looked after."""
        return bool(self.further) or any(one.is_late for one in self.asked)

    def lines(self) -> Iterator[str]:
        """The same for people."""
        yield f"log      {self.log_key or 'no key yet'}, {self.size:,} entries"
        yield f"witness  {self.witness_key or 'no key yet'}"
        for log in self.watched:
            yield f"watches  {log.origin}: {log.size:,} entries signed{_last(log.at)}"
        for one in self.asked:
            late = "  LATE" if one.is_late else ""
            yield f"asks     {one.url} ({one.key.partition('+')[0]}): {one.size:,} entries signed{_last(one.at)}{late}"
        if self.further:
            yield f"The witness {self.further} knows more of this log than this folder: no checkpoint is signed."


def listing(settings: Settings, file: WitnessFile) -> WitnessListing:
    """What a data folder says of logs and witnesses."""
    try:
        host = readable_key(settings.key)
    except (Unusable, OSError):
        host = None
    now_s = moment_of(SystemClock().now()) // 1000
    path = settings.data / log_file.FILE
    log = LogFile(path) if host is not None and path.is_file() else None
    origin = log_origin(host.name) if host is not None else ""
    try:
        asked = tuple(_witness(one, log, origin, now_s) for one in file.asked())
        size, further = (log.size, log.further) if log is not None else (0, "")
    finally:
        if log is not None:
            log.close()
    witness_key = public_key_in(settings.data / FILE)
    watched = tuple(map(_watched, file.watched()))
    return WitnessListing(host.key if host is not None else "", witness_key, size, further, watched, asked)


def _witness(one: AskedWitness, log: LogFile | None, origin: str, now_s: int) -> AskedNow:
    size, time_s = log.cosigned_by(origin, one.key) if log is not None else (0, 0)
    is_late = log is not None and late_s(log.size, size, time_s, one.since_s, now_s) > OLD_S
    return AskedNow(one.key, one.url, size, _written(time_s), is_late)


def _watched(one: WatchedLog) -> WatchedNow:
    return WatchedNow(one.origin, one.key, one.size, _written(one.time_s))


def _last(at: str) -> str:
    return f", last at {at} UTC" if at else ""


def _written(time_s: int) -> str:
    return datetime.fromtimestamp(time_s, UTC).strftime("%Y-%m-%d %H:%M") if time_s else ""
