"""A test of chance as one value: what passes, and how often."""

import pytest
from msgspec.structs import replace

from domain.mechanics.dice import D6, special
from domain.mechanics.trial import Trial, die_passes

TEST = Trial(side="south", purpose="shot", draws=(2, 5, 4), needed=4, base=4)


@pytest.mark.parametrize(("how", "passing"), [("at-least", [4, 5, 6]), ("at-most", [1, 2, 3, 4]), ("opposed", [5, 6])])
def test_what_passes(how, passing):
    trial = replace(TEST, how=how)
    assert [value for value in range(1, 7) if trial.does(value)] == passing
    assert die_passes(D6, trial) == (len(passing), 6)


@pytest.mark.parametrize(("stands", "results"), [("last", (True,)), ("each", (False, True, True)), ("sum", (True,))])
def test_which_draws_count(stands, results):
    assert replace(TEST, stands=stands).results() == results


def test_a_sum_is_measured_as_a_whole():
    rolled_under = replace(TEST, draws=(3, 4), needed=7, how="at-most", stands="sum")
    assert rolled_under.results() == (True,)
    assert replace(rolled_under, needed=6).results() == (False,)


@pytest.mark.parametrize("without", [{"needed": None}, {"draws": ()}])
def test_a_table_and_a_draw_to_come_have_no_result(without):
    assert replace(TEST, **without).results() == ()


def test_a_special_die_passes_by_its_values():
    assert die_passes(special(1, 2, 3, 3, 4, 5), replace(TEST, needed=3)) == (4, 6)
