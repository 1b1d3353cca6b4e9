"""Entropy for tests: it follows from the name of the test, so that every run draws the same cards."""

import os
from collections import Counter

from replay.writing.entropy import SeededEntropy

_asked: Counter[str] = Counter()


def entropy_of_test() -> SeededEntropy:
    """Seeded by the name of the running test and by how often that test has asked: a restarted server gets new bytes.

    Fixtures that several tests share must name a seed of their own: which test asks first depends on the selection.
    """
    name = os.environ["PYTEST_CURRENT_TEST"].partition("::")[2].rpartition(" ")[0]  # "file::test (phase)"
    _asked[name] += 1
    return SeededEntropy(f"{name} {_asked[name]}")
