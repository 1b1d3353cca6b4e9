"""A clock for tests: time stands until the test moves it."""

from datetime import timedelta

from domain.time.pace import moment_of, text_of

START = "2026-11-23T00:00:00.000Z"
"""A Monday."""


class ManualClock:
    """Time that stands until somebody moves it; `moment` in milliseconds, as `domain.time.pace` counts. `stepped_ms` is
    how far the clock of the machine has been set forward."""

    def __init__(self, at: str = START) -> None:
        self.moment = moment_of(at)
        self.stepped_ms = 0

    def now(self) -> str:
        """The time as the log writes it."""
        return text_of(self.moment)

    def wait(self, milliseconds: float = 0, **stretch: float) -> str:
        """Let time pass, `stretch` as `timedelta` has it (`hours=2`); returns the time then."""
        self.moment += timedelta(milliseconds=milliseconds, **stretch) // timedelta(milliseconds=1)
        return self.now()

    def monotonic_ms(self) -> int:
        """The milliseconds that have passed, however the clock was set."""
        return self.moment - self.stepped_ms

    def step(self, milliseconds: float = 0, **stretch: float) -> str:
        """Set the clock forward, or back, while no time passes; returns the time that it shows then."""
        before = self.moment
        shown = self.wait(milliseconds, **stretch)
        self.stepped_ms += self.moment - before
        return shown
