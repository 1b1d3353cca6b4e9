"""Find out when the clock of the machine cannot be believed, and keep the time meanwhile.

The clock of a machine may be set while a server runs, by its host or by NTP; one that counts the milliseconds since its
start cannot. As long as both agree, the time is that of the clock. When they part by more than a minute, the time goes
on from where it was by what has been counted, until they agree again or the operator confirms the clock. In the same
way a start is doubted at which the clock is more than a day ahead of the newest event of the store (for ten minutes),
or behind it. While there is a doubt nobody loses anything by the time: no flag falls (`server.time`).
"""

from msgspec import Struct

from domain.basics.pace import DAY_MS, HOUR_MS, moment_of, text_of
from replay.writing.clock import Clock
from server.clock import MachineClock

PARTED_MS = 60_000
"""Clocks that are farther apart do not agree."""
AHEAD_MS = DAY_MS
HOLD_MS = 600_000
"""How long a clock is doubted that is ahead of the store at the start."""
AGAIN_MS = HOUR_MS
"""When two clocks that agree are compared anew: a second a day adds up to a minute in the end."""
PARTED, AHEAD, BEHIND = "parted", "ahead", "behind"


class Doubt(Struct, frozen=True):
    """Why the clock is not believed: `kind` is `parted`, `ahead` or `behind`; `off_ms` how far it is ahead of where it
    should be, less than 0 if it is behind; `machine` what it shows."""

    kind: str
    off_ms: int
    machine: str


def is_doubted(clock: Clock) -> bool:
    """Whether a clock cannot be believed now: nobody loses anything by the time."""
    return isinstance(clock, WatchedClock) and clock.doubt is not None


class WatchedClock:
    """The time of a server. `newest_at` is the time of the newest event of the store when it starts, "" if there is
    none; `known_late` the latest such time at which the operator has confirmed a clock that was behind it."""

    def __init__(self, machine: MachineClock, newest_at: str = "", known_late: str = "") -> None:
        self._machine = machine
        self._is_known_late = bool(newest_at) and newest_at <= known_late
        self._newest = moment_of(newest_at) if newest_at else 0
        self._started = self._agreed = moment_of(machine.now()), machine.monotonic_ms()
        self._is_confirmed = not newest_at

    def now(self) -> str:
        """The time as the log writes it: that of the machine, unless it has parted from what was counted."""
        shown = self._machine.now()
        expected_ms, off_ms = self._compared(shown)
        return shown if abs(off_ms) <= PARTED_MS else text_of(expected_ms)

    def monotonic_ms(self) -> int:
        """As the clock of the machine."""
        return self._machine.monotonic_ms()

    def _compared(self, shown: str) -> tuple[int, int]:
        """Where the clock should be, and how far ahead of that it is."""
        now_ms, counted_ms = moment_of(shown), self._machine.monotonic_ms()
        then_ms, before_ms = self._agreed
        expected_ms = then_ms + counted_ms - before_ms
        off_ms = now_ms - expected_ms
        is_close = abs(off_ms) <= PARTED_MS
        if (is_close and counted_ms - before_ms >= AGAIN_MS) or (not is_close and self._is_put_right(now_ms)):
            self._agreed = now_ms, counted_ms
            return now_ms, 0
        return expected_ms, off_ms

    def _is_put_right(self, now_ms: int) -> bool:
        """Whether a clock that was behind the store at the start, as before a network tells the time, now fits it."""
        was_behind = not self._is_confirmed and self._started[0] < self._newest - PARTED_MS
        return was_behind and self._newest <= now_ms <= self._newest + AHEAD_MS

    @property
    def off_ms(self) -> int:
        """How far the clock of the machine is ahead of what was counted."""
        return self._compared(self._machine.now())[1]

    @property
    def doubt(self) -> Doubt | None:
        """Why the clock is not believed now, None if it is."""
        shown = self._machine.now()
        off_ms = self._compared(shown)[1]
        if abs(off_ms) > PARTED_MS:
            return Doubt(PARTED, off_ms, shown)
        if self._is_confirmed:
            return None
        started_at, started_ms = self._started
        ahead_ms = started_at - self._newest
        if ahead_ms > AHEAD_MS and self._machine.monotonic_ms() < started_ms + HOLD_MS:
            return Doubt(AHEAD, ahead_ms, shown)
        behind_ms = self._newest - moment_of(shown)
        if behind_ms > PARTED_MS and not self._is_known_late:
            return Doubt(BEHIND, -behind_ms, shown)
        self._is_confirmed = True
        return None

    def confirm(self) -> None:
        """Believe the clock of the machine as it is."""
        self._agreed = moment_of(self._machine.now()), self._machine.monotonic_ms()
        self._is_confirmed = True
