"""The follower of the read models in a process of its own, so that it takes no time from the server's interpreter.

The process reads the log and writes that of the read models; nothing wakes it, it looks for new events by
itself. Over its pipes it is told positions, a line each, and says how far it has come when it has caught up. It ends
when its input does, so it never outlives its server. A server that finds it dead starts another:
rows and position are committed together, nothing is lost (docs/decisions/0017-read-models-apart.md).
"""

import logging
import os
import select
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import IO, TYPE_CHECKING

from server import logs
from server.store import StoreError, StoreSettings
from server.store.apart import environment_for, named_log
from server.store.contract import StoredLog
from server.workers.parent import until_parent_is_gone

if TYPE_CHECKING:
    from projections.runner import ProjectionRunner

HERE = Path(__file__).parents[2]
ANSWER_S = 2.0
"""When the process says how far it is, though it has not caught up."""
PATIENCE_S = 3.0
"""How long a caller waits for an answer: it may be late on a busy machine, and while the process starts."""

_logger = logging.getLogger(__name__)


class FollowerProcess:
    """The server's side. `models` is an SQLite file. The methods may be called from any thread."""

    def __init__(self, store: StoreSettings, models: Path) -> None:
        self._command = [sys.executable, "-m", __name__, str(models.absolute()), logs.form()]
        self._environment = environment_for(store)
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._begun = b""  # of a line that has not arrived whole

    def start(self) -> None:
        """Start the process."""
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=HERE,
            bufsize=0,
            env=self._environment,
        )
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)  # nobody waits behind questions that are not read
        self._begun = b""

    def wait_for(self, position: int) -> bool:
        """Wait until the rows show everything up to a position of the feed; False if that takes long, or if the process
        is dead (then the next caller finds another)."""
        with self._lock:
            if self._process is None:
                return False
            try:
                return self._reached(self._process, position)
            except OSError:
                _logger.warning("the process of the read models has ended; another is started")
                self._end(self._process)
                self.start()
                return False

    def stop(self) -> None:
        """Stop after the current batch; returns once the process has ended."""
        with self._lock:
            if self._process is not None:
                self._end(self._process)
                self._process = None

    def _reached(self, process: subprocess.Popen[bytes], position: int) -> bool:
        """Ask, and read what the process says. Answers to earlier questions, not waited for any more, come first.

        Raises: OSError if nobody is there
        """
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"%d\n" % position)
        until = time.monotonic() + PATIENCE_S
        while select.select([process.stdout], [], [], max(0.0, until - time.monotonic()))[0]:
            said = os.read(process.stdout.fileno(), 4096)
            if not said:
                raise BrokenPipeError
            *whole, self._begun = (self._begun + said).split(b"\n")
            if any(int(line) >= position for line in whole):
                return True
        return False

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.stdout.close()
        process.wait()


def follow(source: StoredLog, models: Path, asked: IO[str], answers: IO[str]) -> None:
    """The process's side: follow until `asked` ends."""
    from projections.follower import Follower
    from projections.runner import ProjectionRunner

    with closing(source):
        runner = _runner(lambda: ProjectionRunner(models, source), asked)
        if runner is None:
            return
        with closing(runner), Follower(runner) as follower:
            for line in asked:
                follower.wait_for(int(line), ANSWER_S)
                answers.write(f"{follower.position}\n")  # in one piece
                answers.flush()


def _runner(make: "Callable[[], ProjectionRunner]", asked: IO[str]) -> "ProjectionRunner | None":
    """A runner; where its file cannot be opened, each question is another try. None if the input ends before."""
    while True:
        try:
            return make()
        except (sqlite3.Error, StoreError, OSError) as failure:  # a full disk may have room again
            _logger.error("the read models cannot be opened: %s", failure)
        if not asked.readline():
            return None


if __name__ == "__main__":
    for told in (signal.SIGINT, signal.SIGTERM):  # meant for the server, whose end is the end of the input
        signal.signal(told, signal.SIG_IGN)
    if sys.argv[2]:
        logs.configure(sys.argv[2], "warning")
    with until_parent_is_gone():
        follow(named_log(), Path(sys.argv[1]), sys.stdin, sys.stdout)
