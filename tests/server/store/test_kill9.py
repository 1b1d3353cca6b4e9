"""Nothing is lost, halved or doubled when the process is killed.

`PHALERA_KILLS` says how often it is killed here; `python -m benchmarks.kill9 --kills 50` does it by hand.
"""

import os
from pathlib import Path

import pytest

from benchmarks import kill9


@pytest.mark.slow
def test_no_acknowledged_append_is_lost_by_kill_9(tmp_path: Path) -> None:
    kills = int(os.environ.get("PHALERA_KILLS", "4"))
    seen = kill9.run(tmp_path, kills, seed=1, longest_s=0.3)
    assert seen["kills"] == kills
    assert seen["acknowledged"] > 0
