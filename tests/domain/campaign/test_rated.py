"""Which battles count for a ladder."""

import pytest
from msgspec.structs import replace

from domain.campaign.rated import EndedBattle, is_rated, period, period_name, rated

BATTLE = EndedBattle(
    "2027-01-10T08:00:00.000Z",
    ("ann", "bob"),
    ("person", "person"),
    frozenset({"ann", "bob", "cid"}),
    held=True,
    turns=2,
    how="medals",
    winner="ann",
)


@pytest.mark.rule("CAM-RAT-01")
@pytest.mark.parametrize(
    "changes",
    [
        {"kinds": ("person", "bot")},
        {"kinds": ("bot", "person")},
        {"held": False},
        {"turns": 1},
        {"members": frozenset({"ann", "cid"})},
        {"is_void": True},
    ],
)
def test_what_makes_a_battle_unrated(changes):
    assert is_rated(BATTLE, frozenset())
    assert not is_rated(replace(BATTLE, **changes), frozenset())


@pytest.mark.rule("CAM-RAT-01")
def test_one_loss_on_time_counts_in_a_period_and_other_ends_go_on_counting():
    late = replace(BATTLE, how="time")
    spring = replace(late, ended="2027-04-01")
    assert rated([late, late, BATTLE, spring, spring]) == [True, False, True, True, False]
    assert rated([late, replace(late, ended="2027-02-01")], "month") == [True, True]
    assert rated([late, replace(late, winner="bob")]) == [True, True]  # the other one lost


@pytest.mark.rule("CAM-RAT-01")
def test_a_loss_on_time_that_was_not_rated_takes_nothing_away():
    late = replace(BATTLE, how="time")
    assert rated([replace(late, turns=1), late]) == [False, True]


@pytest.mark.rule("CAM-RAT-03")
@pytest.mark.parametrize(
    ("at", "quarter", "month"),
    [
        ("2027-01-01T00:00:00.000Z", "2027-Q1", "2027-01"),
        ("2027-03-31T23:59:59.999Z", "2027-Q1", "2027-03"),
        ("2027-04-01T00:00:00.000Z", "2027-Q2", "2027-04"),
        ("2027-12-31", "2027-Q4", "2027-12"),
    ],
)
def test_a_period_is_a_quarter_or_a_month_of_the_calendar(at, quarter, month):
    assert (period_name(period(at)), period_name(period(at, "month"), "month")) == (quarter, month)


@pytest.mark.rule("CAM-RAT-03")
def test_periods_follow_each_other_across_years():
    assert period("2028-01-01") - period("2027-12-31") == 1
    assert period("2028-01-01", "month") - period("2027-12-31", "month") == 1
