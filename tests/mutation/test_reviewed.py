"""The faults that a review found alive die by the tests nearest to them."""

import subprocess
import sys

import pytest

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
