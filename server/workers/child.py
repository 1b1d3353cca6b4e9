"""`python -m server.workers.child`: the process that computes one job after the other, until its parent has gone.

Jobs come in on the standard input, results go out on the standard output; whatever a job prints goes to the error
output. The process yields the processor to the one that serves, and has a bound on its memory.
"""

import os
import signal
import sys
from contextlib import suppress
from typing import Any, BinaryIO

from server.workers.wire import PREFIX, length_of, packed, unpacked

NICE = 10
MOST_MEMORY = 2 << 30
"""Bytes of address space."""


def main() -> None:
    """Answer jobs until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C in the terminal is for the parent, which closes the pipe
    be_modest()
    jobs, results = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with suppress(BrokenPipeError):
        while len(prefix := jobs.read(PREFIX)) == PREFIX:
            results.write(_answer(jobs, length_of(prefix)))
            results.flush()


def _answer(jobs: BinaryIO, length: int) -> bytes:
    """The frame of a result: (True, value), or (False, what was raised)."""
    try:
        job, given = unpacked(jobs.read(length))
        return packed((True, job(*given)))
    except Exception as error:
        return _failed(error)


def _failed(error: Exception) -> bytes:
    try:
        frame = packed((False, error))
        unpacked(frame[PREFIX:])
    except Exception:
        return packed((False, RuntimeError(f"{type(error).__name__}: {error}")))
    return frame


def be_modest() -> None:
    """Yield the processor to others, and bound the memory of this process."""
    with suppress(AttributeError, OSError):
        os.nice(NICE)
    try:
        import resource
    except ImportError:  # Windows
        return
    limit: Any = resource.RLIMIT_AS
    with suppress(ValueError, OSError):
        resource.setrlimit(limit, (MOST_MEMORY, MOST_MEMORY))


if __name__ == "__main__":
    main()
