"""What a side keeps, and who wins a battle that is cut off."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.campaign.kept import adjudicated, kept, share

TALLIES = st.tuples(st.integers(0, 200), st.integers(0, 200))


@pytest.mark.rule("CAM-STD-02")
@given(st.integers(1, 500), st.integers(0, 500))
def test_a_share_is_rounded_down(start, now):
    assert share(now, start) * start <= 1000 * now < (share(now, start) + 1) * start


@pytest.mark.rule("CAM-STD-02")
def test_a_tally_below_nothing_is_nothing():
    assert share(-3, 12) == 0


@pytest.mark.rule("CAM-STD-02")
@pytest.mark.parametrize("how", ["resignation", "time"])
def test_only_the_loser_has_given_up(how):
    assert kept(how, "north", (10, 10), (9, 8)) == (0, 800)
    assert kept(how, "", (10, 10), (9, 8)) == (900, 800)
    assert kept("medals", "north", (10, 10), (9, 8)) == (900, 800)


@pytest.mark.rule("CAM-TIM-06")
@given(TALLIES, TALLIES)
def test_who_is_more_than_fifty_ahead_wins_and_sides_are_alike(start, now):
    winner, (south, north) = adjudicated(start, now)
    assert winner == ("south" if south - north > 50 else "north" if north - south > 50 else "")
    swapped, shares = adjudicated(start[::-1], now[::-1])
    assert shares == (north, south)
    assert swapped == {"south": "north", "north": "south", "": ""}[winner]
