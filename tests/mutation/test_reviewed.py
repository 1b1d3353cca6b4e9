"""The faults that a review found alive die by the tests nearest to them."""

import re
import subprocess
import sys
import tomllib

import pytest

from tests.mutation.program import OPEN, PAGE, SURVIVORS
from tests.mutation.reviewed import REVIEWED
from tests.mutation.trial import ROOT


@pytest.mark.parametrize("what", REVIEWED)
def test_a_fault_that_was_found_alive_can_still_be_planted(what: str) -> None:
    fault = REVIEWED[what]
    path, _, name = fault.nearest.partition("::")
    compile(fault.mutant().tree(), "<planted>", "exec")
    assert f"def {name}" in (ROOT / path).read_text()


@pytest.mark.slow
def test_each_fault_that_was_found_alive_is_noticed_by_the_nearest_test() -> None:
    command = [sys.executable, "-m", "tests.mutation.program", "reviewed"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_page_says_of_each_fault_that_lived_what_is_known_of_it() -> None:
    known = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))
    rows = re.findall(r"^- `([\w.]+)`: `` (.*) ``: (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) > 20
    for package, fault, why in rows:
        assert why == known.get(package, {}).get(fault, OPEN)
    assert {(package, fault) for package in known for fault in known[package]} <= {row[:2] for row in rows}
