"""Where tests keep their files: in memory, where the machine has it.

Thousands of tests open stores, and each of these waits for the disk several times. What a store has written before a
`kill -9` is there afterwards in memory, too; none of the tests takes the machine's power away.
"""

import os
import shutil
from collections.abc import MutableMapping
from pathlib import Path

IN_MEMORY = Path("/dev/shm")
ROOT = "PYTEST_DEBUG_TEMPROOT"
"""The variable of pytest that names where it makes its folders."""
LEAST_BYTES = 4_000_000_000
"""What must be free there: more than a whole run keeps at once."""


def prefer_memory(environment: MutableMapping[str, str]) -> None:
    """Have pytest make its folders in memory, unless somebody named a place for them."""
    if is_fit(IN_MEMORY):
        environment.setdefault(ROOT, str(IN_MEMORY))


def is_fit(folder: Path) -> bool:
    """Whether a folder is there, has room, and lets programs run from it, as those of some tests do."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    return not os.statvfs(folder).f_flag & os.ST_NOEXEC and shutil.disk_usage(folder).free >= LEAST_BYTES
