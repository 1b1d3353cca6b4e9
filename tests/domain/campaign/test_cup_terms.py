"""What a campaign file says of a cup."""

import pytest

from domain.basics.errors import Refusal
from domain.campaign.config import read_config
from domain.campaign.standings import SWISS_TIE_BREAKS, TABLE_TIE_BREAKS

HEAD = 'campaign = "cup"\ntitle = "Autumn Cup"\nruleset = "tts"\n[cup]\n'


def cup_of(terms):
    cup = read_config(HEAD + terms).cup
    assert cup is not None
    return cup


@pytest.mark.rule("CAM-CUP-01")
@pytest.mark.parametrize(
    ("terms", "system", "legs", "concurrent", "apart"),
    [
        ('system = "round-robin"', "round-robin", 1, True, ()),
        ('system = "round-robin"\nlegs = 2\nconcurrent = false', "round-robin", 2, False, ()),
        ('system = "swiss"\nrounds = 5\napart = [["p3", "p8"]]', "swiss", 1, True, (("p3", "p8"),)),
        ('system = "knock-out"\nlegs = 2', "knock-out", 2, True, ()),
    ],
)
def test_a_cup_has_a_system_legs_and_pairs_that_are_kept_apart(terms, system, legs, concurrent, apart):
    cup = cup_of(terms)
    assert (cup.system, cup.legs, cup.concurrent, cup.apart) == (system, legs, concurrent, apart)


@pytest.mark.rule("CAM-CUP-01")
@pytest.mark.parametrize(
    ("terms", "key"),
    [
        ('system = "ladder"', "cup.system"),
        ('system = "knock-out"\nlegs = 3', "cup.legs"),
        ('system = "swiss"\nrounds = 5\napart = [["p3"]]', "cup.apart"),
        ('system = "swiss"\nrounds = 5\napart = [["p3", "p3"]]', "cup.apart"),
    ],
)
def test_what_no_cup_has_is_refused_with_its_key(terms, key):
    with pytest.raises(Refusal) as refused:
        read_config(HEAD + terms)
    assert refused.value.params["key"].startswith(key)


@pytest.mark.rule("CAM-STD-04")
@pytest.mark.parametrize(
    ("terms", "wanted"),
    [
        ('system = "round-robin"', TABLE_TIE_BREAKS),
        ('system = "swiss"\nrounds = 5', SWISS_TIE_BREAKS),
        ('system = "swiss"\nrounds = 5\ntiebreaks = ["wins", "direct"]', ("wins", "direct")),
    ],
)
def test_each_system_has_tie_breaks_of_its_own_unless_the_cup_names_others(terms, wanted):
    assert cup_of(terms).tiebreaks == wanted
