"""Run a command of Phalera with a clock that is ahead, or behind: `python -m tests.support.ahead SECONDS serve …`."""

import sys
import time

from server.cli.main import main


def put_ahead(seconds: int) -> None:
    """Shift the clock of this process."""
    now_s, now_ns = time.time, time.time_ns
    time.time = lambda: now_s() + seconds
    time.time_ns = lambda: now_ns() + seconds * 1_000_000_000


if __name__ == "__main__":
    put_ahead(int(sys.argv.pop(1)))
    main()
