"""What is dear to make is made once in a run, whichever of its processes asks first."""

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that `make` has filled; processes that ask meanwhile wait. What failed is tried again by the next."""
    base = factory.getbasetemp()
    run = base.parent if base.name.startswith("popen-") else base  # a process of several has a folder below the run's
    folder, done = run / name, run / f"{name}.done"
    with (run / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            make(folder)
            done.touch()
    return folder
