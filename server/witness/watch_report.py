"""Say of watched logs what is well, what is wrong and since when; and what a program makes of it (an exit code)."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from server.witness.watch_file import UNLOGGED, VANISHED, WatchFault
from server.witness.watching import BROKEN, SILENT, UNSIGNED, WatchRound

WELL, SHOWN, AWAY = 0, 1, 3
"""Exit codes: all is well; a host has done what it must not; it is away, or its witnesses are."""
_PATIENT = {VANISHED: 1, UNLOGGED: 1, SILENT: 1, BROKEN: 1, UNSIGNED: 24}
"""What may be an accident, and how many times as long as the reader's patience it may last."""
_AWAY = (SILENT, BROKEN, UNSIGNED)


class WatchAlarm(Struct, frozen=True):
    """Something that is wrong, since a time in UTC; not `is_due` as long as it may still be an accident."""

    what: str
    since: str
    said: str
    battle: str
    is_due: bool


class WatchedHost(Struct, frozen=True):
    """A host as a look at its log has found it: the entries of its log (0 if it was not read to the end), how many of
    them are new, how many battles were asked after, which it has stopped since the look before, what is wrong."""

    host: str
    size: int
    read: int
    asked: int
    stopped: tuple[str, ...]
    alarms: tuple[WatchAlarm, ...]

    @property
    def exit(self) -> int:
        """The exit code for this host."""
        due = [one.what for one in self.alarms if one.is_due]
        return WELL if not due else AWAY if set(due) <= set(_AWAY) else SHOWN

    def lines(self, is_quiet: bool) -> Iterator[str]:
        """The same for people; `is_quiet` leaves out what nobody has to do anything about."""
        for one in self.alarms:
            if one.is_due:
                yield f"{self.host}: {one.what.upper()} since {one.since} UTC: {one.said}."
            elif not is_quiet:
                yield f"{self.host}: {one.what} since {one.since} UTC, not for long yet: {one.said}."
        if is_quiet:
            return
        for name in self.stopped:
            yield f"{self.host}: has stopped battle {name}."
        if self.size:
            yield f"{self.host}: {self.size:,} entries, {self.read:,} of them new; {self.asked:,} battles asked after."
        elif self.read:
            yield f"{self.host}: {self.read:,} entries read, and more to come."


def watched_host(found: WatchRound, faults: Sequence[WatchFault], now_s: int, patience_s: int) -> WatchedHost:
    """What is to be told of a host."""
    alarms = tuple(
        WatchAlarm(one.what, _written(one.since_s), one.said, one.battle, _is_due(one, now_s, patience_s))
        for one in faults
    )
    stopped = tuple(one.battle for one in found.stopped)
    return WatchedHost(found.host, found.size, found.read, found.asked, stopped, alarms)


def exit_of(hosts: Sequence[WatchedHost]) -> int:
    """The exit code for all of them: the worst."""
    codes = {one.exit for one in hosts}
    return next((code for code in (SHOWN, AWAY) if code in codes), WELL)


def _is_due(fault: WatchFault, now_s: int, patience_s: int) -> bool:
    return now_s - fault.since_s >= patience_s * _PATIENT.get(fault.what, 0)


def _written(time_s: int) -> str:
    return datetime.fromtimestamp(time_s, UTC).strftime("%Y-%m-%d %H:%M")
