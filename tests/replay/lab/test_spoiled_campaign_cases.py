"""A case of campaigns in which anything may be wrong is answered or refused, and never breaks the lab."""

import random
import tomllib
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest

from replay.bench.bench import UnreadableCase
from replay.lab.campaign.case import run_campaign_case
from tests.support.cases import GAMES, case_files

CASES = case_files(GAMES / "campaign")
VALUES: tuple[Any, ...] = ("", "a", "p1", -1, 0, 1, 10**12, 1.5, -0.0, True, [], ["a"], [[]], [1, 2], {}, {"a": 1})


def places(value, path=()):
    """Every place in a table or list, as the way to it."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, key)
            yield from places(inner, (*path, key))


def spoiled(case, rng):
    """The case with one to three of its values taken out, doubled or replaced."""
    found = deepcopy(case)
    for _ in range(rng.randint(1, 3)):
        *way, last = rng.choice([path for path in places(found) if path[0] != "ask"])
        at = found
        for key in way:
            at = at[key]
        if rng.random() < 0.3:
            del at[last]
        elif isinstance(at, list) and rng.random() < 0.3:
            at.append(deepcopy(at[last]))
        else:
            at[last] = deepcopy(rng.choice(VALUES))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_spoiled_case_is_answered_or_refused(path):
    rng, case = random.Random(path.stem), tomllib.loads(path.read_text())
    answered = 0
    for _ in range(60):
        with suppress(UnreadableCase):
            result = run_campaign_case(spoiled(case, rng), path.parent)
            answered += 1
            assert result.ok is (not result.failures)
    assert 0 < answered < 60
