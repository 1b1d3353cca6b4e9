"""Tell of a clock that cannot be believed, and take the operator's word that it is right.

What is doubted is logged, and kept in a file beside the read models, where `phalera clock` and the doctor find it. The
operator's word comes by the administration page, or by a file in the data folder that `phalera clock confirm` writes.
"""

import logging
from pathlib import Path

import msgspec

from domain.basics.decoding import decode
from domain.log.record import time_of
from server.settings import Settings
from server.store import EventStore
from server.watched_clock import PARTED, PARTED_MS, Doubt, WatchedClock

log = logging.getLogger(__name__)

CONFIRMED, LATE, DOUBTED = "clock-confirmed", "clock-known-late", "clock.json"
"""In the data folder, the last in that of the read models."""


NEWEST = 500
"""As many events at the end of the store are looked at: an import may have brought old ones last."""


def newest_at(store: EventStore) -> str:
    """The time of the newest event of a store, "" if there is none."""
    rows = store.feed(max(0, store.position() - NEWEST), NEWEST)
    return max((time_of(line) for _, _, _, line in rows), default="")


class ClockDoubts:
    """Follows the clock of a server."""

    def __init__(self, clock: WatchedClock, settings: Settings, newest_at: str = "") -> None:
        self._clock, self._newest = clock, newest_at
        self._confirmed = settings.data / CONFIRMED
        self._late = settings.data / LATE
        self._told = settings.read_models / DOUBTED
        self._word = _word(self._confirmed)
        self._known: tuple[str, int] | None = None  # what was told last: the kind of the doubt, and its size in minutes

    def look(self) -> Doubt | None:
        """Take a confirmation that has come, and tell of a doubt that begins or ends; returns the doubt."""
        word = _word(self._confirmed)
        if word != self._word:
            self._word = word
            self.confirm()
        doubt = self._clock.doubt
        known = (doubt.kind, round(doubt.off_ms / PARTED_MS)) if doubt else ("", 0)
        if known != self._known:
            self._tell(doubt)
            self._known = known
        return doubt

    def confirm(self) -> None:
        """The operator says that the clock is right. For a log that is ahead of it this holds at later starts, too."""
        self._clock.confirm()
        if self._newest > self._clock.now():
            try:
                self._late.write_text(f"{self._newest}\n", encoding="ascii")
            except OSError as failure:
                log.warning("%s cannot be written: %s", self._late, failure)
        log.warning("the clock is confirmed: it shows %s", self._clock.now())

    def _tell(self, doubt: Doubt | None) -> None:
        if doubt is not None:
            log.warning("the clock is doubted (%s): %s No flag falls meanwhile.", doubt.kind, sentence_of(doubt))
        elif self._known and self._known[0]:
            log.warning("the clock is no longer doubted: it shows %s", self._clock.now())
        try:
            if doubt is None:
                self._told.unlink(missing_ok=True)
            else:
                self._told.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._told.write_bytes(msgspec.json.encode(doubt))
        except OSError as failure:
            log.warning("%s cannot be written: %s", self._told, failure)


def sentence_of(doubt: Doubt) -> str:
    """A doubt for the operator."""
    off = _span(abs(doubt.off_ms))
    if doubt.kind == PARTED:
        way = "forward" if doubt.off_ms > 0 else "back"
        return f"The clock was set {way} by {off} while the server ran, to {doubt.machine}."
    than = "ahead of" if doubt.off_ms > 0 else "behind"
    return f"At the start the clock was {off} {than} the newest event of the store."


def _span(milliseconds: int) -> str:
    seconds = round(milliseconds / 1000)
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{round(seconds / size)} {unit}"
    return f"{seconds} seconds"


def last_doubt(settings: Settings) -> Doubt | None:
    """The doubt that the server of a data folder has told of last."""
    try:
        return decode((settings.read_models / DOUBTED).read_bytes(), Doubt)
    except (OSError, msgspec.DecodeError):
        return None


def leave_word(settings: Settings, at: str) -> None:
    """Leave the operator's word for the server of a data folder, given at a time.

    Raises: OSError
    """
    (settings.data / CONFIRMED).write_text(f"{at}\n", encoding="ascii")


def known_late(settings: Settings) -> str:
    """The latest time in the logs that is known to be ahead of a clock that is right, "" if none is."""
    return _word(settings.data / LATE)


def _word(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
