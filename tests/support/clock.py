"""A clock for tests: time stands until the test moves it."""

from datetime import timedelta

from domain.basics.pace import moment_of, text_of

START = "2026-11-23T00:00:00.000Z"
"""A Monday."""


class ManualClock:
    """Time that stands until somebody moves it; `moment` in milliseconds, as `domain.basics.pace` counts."""

    def __init__(self, at: str = START) -> None:
        self._shown_and_stepped = moment_of(at), 0
        """Also how far it has been set forward: both at once, since a server looks at it from several threads."""

    @property
    def moment(self) -> int:
        """What the clock shows."""
        return self._shown_and_stepped[0]

    @moment.setter
    def moment(self, moment: int) -> None:
        self._shown_and_stepped = moment, self._shown_and_stepped[1]

    def now(self) -> str:
        """The time as the log writes it."""
        return text_of(self.moment)

    def wait(self, milliseconds: float = 0, **stretch: float) -> str:
        """Let time pass, `stretch` as `timedelta` has it (`hours=2`); returns the time then."""
        self.moment += _milliseconds(milliseconds, **stretch)
        return self.now()

    def monotonic_ms(self) -> int:
        """The milliseconds that have passed, however the clock was set."""
        shown, stepped = self._shown_and_stepped
        return shown - stepped

    def step(self, milliseconds: float = 0, **stretch: float) -> str:
        """Set the clock forward, or back, while no time passes; returns the time that it shows then."""
        shown, stepped = self._shown_and_stepped
        by = _milliseconds(milliseconds, **stretch)
        self._shown_and_stepped = shown + by, stepped + by
        return self.now()


def _milliseconds(milliseconds: float, **stretch: float) -> int:
    return timedelta(milliseconds=milliseconds, **stretch) // timedelta(milliseconds=1)
