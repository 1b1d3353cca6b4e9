"""All battle files that the tests of the proof have judged, with what was found: one table for any other verifier.

`python -m tests.support.forged_files FOLDER` runs those tests with `replay.proof.verify` watched, and writes each file
that it was given once, as `HASH.battle`; `MANIFEST.json` lists hash, kind and event of the fault (moves apart).
"""

import functools
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1] / "replay" / "proof"
MANIFEST = "MANIFEST.json"
LARGEST = 1 << 20
"""Bytes of a file of the table: some tests make huge ones, of the same kinds."""


class Collector:
    """A plugin of pytest: keeps the files that the tests give to `verify` with the games of this release."""

    def __init__(self) -> None:
        from replay.proof import verify as module

        self.files: dict[str, bytes] = {}
        original = module.verify

        @functools.wraps(original)
        def watched(content: bytes, *args: Any, **named: Any) -> Any:
            if not args and not named and len(content) <= LARGEST:
                self.files[hashlib.sha256(content).hexdigest()[:16]] = content
            return original(content, *args, **named)

        module.verify = watched


def collect(folder: Path, tests: Path = TESTS) -> int:
    """Run the tests and write what they judged; how many files there are."""
    collector = Collector()
    code = pytest.main(["-q", "-n0", "-p", "no:cacheprovider", str(tests)], plugins=[collector])
    assert code == 0, code
    from replay.proof.verify import verify

    rows = []
    for name, content in sorted(collector.files.items()):
        (folder / f"{name}.battle").write_bytes(content)
        fault = verify(content, judges_moves=False).fault
        rows.append([name, fault.what if fault else "", fault.n if fault else 0])
    (folder / MANIFEST).write_text(json.dumps(rows))
    return len(rows)


if __name__ == "__main__":
    print(collect(Path(sys.argv[1])))
