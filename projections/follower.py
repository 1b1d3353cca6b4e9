"""Feed new events to the read models, on a thread of their own.

The thread catches up whenever it is woken, and periodically by itself, because commits of other processes do not
wake it. A caller that has just written may wait until the rows show it.
"""

import logging
import threading
from typing import Self

from projections.runner import Runner

POLL_S = 1.0
AFTER_FAILURE_S = 5.0

_logger = logging.getLogger(__name__)


class Follower:
    """Keeps a runner at the end of the feed. `wake` fits the store's `on_commit`."""

    def __init__(self, runner: Runner, poll_s: float = POLL_S) -> None:
        self._runner = runner
        self._poll_s = poll_s
        self._position = 0
        self._failure: Exception | None = None
        self._stopping = False
        self._woken = threading.Event()
        self._moved = threading.Condition()
        self._thread = threading.Thread(target=self._follow, name="projections", daemon=True)

    @property
    def failure(self) -> Exception | None:
        """The error of the last attempt; None if it succeeded."""
        return self._failure

    def start(self) -> None:
        """Start the thread. The first round may be a rebuild."""
        self._thread.start()

    def wake(self, position: int = 0) -> None:
        """Announce new events. Any thread may call this; it only sets a flag."""
        self._woken.set()

    def wait_for(self, position: int, timeout_s: float | None = None) -> bool:
        """Wait until the rows show everything up to a position of the feed; False after a timeout."""
        self.wake()
        with self._moved:
            self._moved.wait_for(lambda: self._position >= position or self._stopping, timeout_s)
            return self._position >= position

    def stop(self) -> None:
        """Stop after the current batch; returns once the thread has ended."""
        self._stopping = True
        self.wake()
        if self._thread.is_alive():
            self._thread.join()
        with self._moved:
            self._moved.notify_all()

    def _follow(self) -> None:
        while not self._stopping:
            self._woken.clear()
            try:
                position = self._runner.catch_up(lambda: self._stopping)
                self._failure = None
            except Exception as failure:  # a full disk may have room again: nothing is lost, the position stands
                _logger.exception("the read models cannot follow")
                self._failure = failure
                self._woken.wait(AFTER_FAILURE_S)
                continue
            with self._moved:
                self._position = position
                self._moved.notify_all()
            self._woken.wait(self._poll_s)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
