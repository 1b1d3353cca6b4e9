"""A clock for tests: time stands until the test moves it."""

from datetime import timedelta

from domain.time.pace import moment_of, text_of

START = "2026-11-23T00:00:00.000Z"
"""A Monday."""


class ManualClock:
    """Time that stands until somebody moves it; `moment` in milliseconds, as `domain.time.pace` counts."""

    def __init__(self, at: str = START) -> None:
        self.moment = moment_of(at)

    def now(self) -> str:
        """The time as the log writes it."""
        return text_of(self.moment)

    def wait(self, milliseconds: float = 0, **stretch: float) -> str:
        """Let time pass, `stretch` as `timedelta` has it (`hours=2`); returns the time then."""
        self.moment += timedelta(milliseconds=milliseconds, **stretch) // timedelta(milliseconds=1)
        return self.now()
