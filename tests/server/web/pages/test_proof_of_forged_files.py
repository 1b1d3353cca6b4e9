"""The check of the proof in a script against `verify`, moves apart, by every kind of fault that tests know.

Those tests run once more, watched (`tests.support.forged_files`); of each kind of fault some of their files are judged
by the script under node, and must come to the same kind and event.
"""

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.forged_files import MANIFEST
from tests.support.looping import some
from tests.support.waiting import LIMIT_S

ROOT = Path(__file__).parents[4]
JUDGE = ROOT / "tests" / "scripts" / "judge_files.js"
OF_A_KIND = 6
"""Files of each kind of fault that the script judges; a whole table is 10,000 files."""
JUDGED = b'"version":2}'
"""The header of the files that the script judges wholly: of version 3 it does not know all duties."""
UNREADABLE = frozenset({"not-json", "not-utf-8", "float"})
"""One kind here: a line that is none may be so in several ways, and each reader meets another of them first."""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_every_kind_of_fault_is_found_at_the_same_event(tmp_path: Path) -> None:
    collecting = [sys.executable, "-m", "tests.support.forged_files", str(tmp_path)]
    subprocess.run(collecting, cwd=ROOT, check=True, capture_output=True, timeout=LIMIT_S)
    rows = json.loads((tmp_path / MANIFEST).read_text())
    by_kind: dict[str, list[tuple[str, int]]] = {}
    for name, what, n in rows:
        if JUDGED not in (tmp_path / f"{name}.battle").read_bytes().partition(b"\n")[0]:
            continue
        by_kind.setdefault(what, []).append((name, n))
    assert len(by_kind) > 100 and len(rows) > 1000
    chosen = [
        (name, what, n)
        for what, files in some(sorted(by_kind.items()))
        for name, n in random.Random(what).sample(sorted(files), min(OF_A_KIND, len(files)))
    ]
    paths = [str(tmp_path / f"{name}.battle") for name, _, _ in chosen]
    judged = subprocess.run(
        ["node", "--no-warnings", str(JUDGE)], input=json.dumps(paths), capture_output=True, text=True, check=True
    )
    differ = [
        (what, n, found)
        for (_, what, n), found in zip(chosen, json.loads(judged.stdout), strict=True)
        if (_kind(what), n) != (_kind(found[0]), found[1])
    ]
    assert differ == []


def _kind(what: str) -> str:
    return "unreadable" if what in UNREADABLE else what
