"""Feed new events to the read models, on a thread of their own.

The thread looks for new events periodically: gathered over a quarter of a second they cost a fraction of what each
commit would alone. Nothing else wakes it but a caller who waits until the rows show what is written.
"""

import logging
import threading
from typing import Self

from projections.runner import ProjectionRunner

POLL_S = 0.25
AFTER_FAILURE_S = 5.0

_logger = logging.getLogger(__name__)


class Follower:
    """Keeps a runner at the end of the feed."""

    def __init__(self, runner: ProjectionRunner, poll_s: float = POLL_S) -> None:
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

    @property
    def position(self) -> int:
        """The position that the rows show, as of the last round."""
        return self._position

    def start(self) -> None:
        """Start the thread. The first round may be a rebuild."""
        self._thread.start()

    def wait_for(self, position: int, timeout_s: float | None = None) -> bool:
        """Wait until the rows show everything up to a position of the feed; False after a timeout."""
        if self._position >= position:
            return True
        self._woken.set()
        with self._moved:
            self._moved.wait_for(lambda: self._position >= position or self._stopping, timeout_s)
            return self._position >= position

    def stop(self) -> None:
        """Stop after the current batch; returns once the thread has ended."""
        self._stopping = True
        self._woken.set()
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
