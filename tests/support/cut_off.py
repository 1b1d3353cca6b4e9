"""A program that is killed before one of its steps on the disk: a statement, a flush, a renaming, a removal."""

import os
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import server.store.schema
import server.witness.log_file
import server.witness.state


def killed_before(step: int, work: Callable[[], None]) -> bool:
    """Do some work in a process of its own that is killed before a step, the first being 1; whether it was killed."""
    child = os.fork()
    if child == 0:
        try:
            _count_steps(step)
            work()
        except BaseException:
            os._exit(3)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) in (0, -signal.SIGKILL), "the work failed by itself"
    return os.WIFSIGNALED(status)


def _count_steps(last: int) -> None:
    """Kill this process before a step. Only a process that ends here is altered."""
    done = 0

    def step(*_: object) -> None:
        nonlocal done
        done += 1
        if done == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def counted(work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            step()
            return work(*arguments, **options)

        return run

    def connect(path: str, *options: Any) -> sqlite3.Connection:
        db = real(path, *options)
        db.set_trace_callback(step)
        return db

    real = server.store.schema.connect
    for module in (server.witness.log_file, server.witness.state):
        vars(module)["connect"] = connect
    os.fsync = counted(os.fsync)
    for name in ("replace", "unlink", "rmdir", "mkdir"):
        setattr(Path, name, counted(getattr(Path, name)))
