"""Seeds of the simulator, and faults planted into the server that it must find."""

import pytest

from tests.simulation.planted import FAULTS, planted
from tests.simulation.run import live
from tests.simulation.shrinking import shrunk
from tests.simulation.world import Setting

FOUND = {
    "an answer before the commit": 1,
    "the key of a request is forgotten": 1,
    "what was expected is not looked at": 1,
    "flags fall an hour late": 1,
    "one letter in four about a move is forgotten": 1,
}
"""Faults that are planted, and seeds by which they are found soon. `python -m tests.simulation --planted` tries all."""


def setting(seed: int, days: float = 6, battles: int = 3, *, is_whole: bool = False) -> Setting:
    """A small run; `is_whole`: with mail and cups."""
    return Setting(seed, days=days, battles=battles, players=4, mail=is_whole, campaigns=is_whole)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "is_whole"), [(1, False), (3, False), (1, True), (3, True)])
def test_whatever_goes_wrong_the_invariants_hold(seed: int, is_whole: bool):
    outcome = live(setting(seed, 4, 2, is_whole=is_whole))
    assert (outcome.broken, outcome.said) == ("", ""), outcome.recent
    assert outcome.steps > 20
    assert bool(outcome.count.get("letters")) is is_whole


@pytest.mark.slow
def test_the_same_seed_is_the_same_run():
    first, second = (live(setting(5, 3, 2, is_whole=True)) for _ in range(2))
    assert first.steps > 10
    assert (first.trace, first.count, first.steps) == (second.trace, second.count, second.steps)
    assert live(setting(6, 1, 1)).trace != first.trace


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_a_planted_fault_is_found(name: str):
    with planted(name) as fault:
        outcome = live(setting(FOUND[name], is_whole="SIM-LETTER" in fault.by))
    assert outcome.broken in fault.by, outcome
    assert outcome.recent


@pytest.mark.slow
def test_a_run_that_fails_is_shrunk():
    name = "what was expected is not looked at"
    with planted(name):
        whole = live(setting(FOUND[name], 3, 2))
        small = shrunk(whole)
    assert small.broken == whole.broken
    assert small.steps <= whole.steps
    assert len(small.setting.without) > len(whole.setting.without)


def test_all_planted_faults_name_what_finds_them():
    assert all(fault.by and fault.replaced for fault in FAULTS.values())
    assert FOUND.keys() <= FAULTS.keys()
