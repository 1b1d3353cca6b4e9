"""All battle files that the tests of the proof have judged, with what was found: one table for any other verifier.

`python -m tests.support.forged_files FOLDER [MOST]` runs those tests with `replay.proof.verify` watched, and writes
each file that it was given once, as `HASH.battle`; `MANIFEST.json` lists hash, kind and event of the fault (moves
apart). With MOST it writes so many files of each kind and version at most, chosen by chance with a seed.
"""

import functools
import hashlib
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1] / "replay" / "proof"
HONEST = ("test_audit.py", "test_growing.py", "test_random_corrections.py")
"""Long tests that give it true files, or none: no kind of fault is lost without them."""
MANIFEST = "MANIFEST.json"
LARGEST = 1 << 20
"""Bytes of a file of the table: some tests make huge ones, of the same kinds."""


class Collector:
    """A plugin of pytest: keeps the files that the tests give to `verify` with the games of this release."""

    def __init__(self) -> None:
        from replay.proof import verify as module

        self.files: dict[str, bytes] = {}
        self.kinds: dict[tuple[int, str], list[str]] = {}
        """Names of files by version and kind of fault."""
        original = module.verify

        @functools.wraps(original)
        def watched(content: bytes, *args: Any, **named: Any) -> Any:
            report = original(content, *args, **named)
            name = hashlib.sha256(content).hexdigest()[:16]
            if not args and not named and len(content) <= LARGEST and name not in self.files:
                self.files[name] = content
                kind = report.version, report.fault.what if report.fault else ""
                self.kinds.setdefault(kind, []).append(name)
            return report

        module.verify = watched


def collect(folder: Path, most: int | None = None, tests: Path = TESTS) -> int:
    """Run the tests and write what they judged; how many files there are."""
    collector = Collector()
    left_out = [f"--ignore={tests / name}" for name in HONEST]
    code = pytest.main(["-q", "-n0", "-p", "no:cacheprovider", *left_out, str(tests)], plugins=[collector])
    assert code == 0, code
    from replay.proof.verify import verify

    rows = []
    for name in sorted(collector.files if most is None else chosen(collector.kinds, most)):
        content = collector.files[name]
        (folder / f"{name}.battle").write_bytes(content)
        fault = verify(content, judges_moves=False).fault
        rows.append([name, fault.what if fault else "", fault.n if fault else 0])
    (folder / MANIFEST).write_text(json.dumps(rows))
    return len(rows)


def chosen(kinds: dict[tuple[int, str], list[str]], most: int) -> set[str]:
    """The names of some files of each kind."""
    return {
        name
        for kind, names in kinds.items()
        for name in random.Random(str(kind)).sample(sorted(names), min(most, len(names)))
    }


if __name__ == "__main__":
    print(collect(Path(sys.argv[1]), *map(int, sys.argv[2:])))
