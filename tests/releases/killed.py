"""Migrate a data folder, and be killed at a stage: run as a process by the tests.

python -m tests.releases.killed FOLDER STAGE
"""

import os
import signal
import sys

from server.settings import Settings
from server.upkeep.migrating import carry_out

AT = "2026-11-25T00:00:00.000Z"
COPYING = "copying"
"""The stage in which the copy is not complete."""


def main(folder: str, stage: str) -> None:
    """Kill this process at a stage, as nothing else could."""

    def reached(now: str) -> None:
        if now == stage:
            os.kill(os.getpid(), signal.SIGKILL)

    carry_out(Settings.at(folder, {}), AT, lambda done, total: reached(COPYING), reached)


if __name__ == "__main__":
    main(*sys.argv[1:])
