"""The seats of a battle: two orders, and who is against whom."""

import pytest

from domain.basics.seats import MOST, SOUTH_AND_NORTH, Seats
from domain.catalogue import RULESETS
from domain.engine.state import OTHER, SIDES
from tests.support.looping import some

THREE = Seats(("red", "green", "blue"))


def test_two_seats_stand_in_the_orders_that_battles_of_two_have_always_had():
    assert SOUTH_AND_NORTH.names == SIDES == ("south", "north")
    assert SOUTH_AND_NORTH.seeding == ("north", "south")


def test_of_two_seats_each_is_against_the_other():
    for side in SIDES:
        assert SOUTH_AND_NORTH.opponent(side) == OTHER[side]
        assert SOUTH_AND_NORTH.others(side) == (OTHER[side],)


def test_of_three_seats_each_is_against_both_others():
    assert THREE.others("green") == ("red", "blue")
    assert THREE.opponent("green") == ""
    assert THREE.seeding == ("blue", "green", "red")


@pytest.mark.parametrize("seats", [SOUTH_AND_NORTH, THREE])
def test_who_holds_no_seat_has_all_of_them_opposite(seats):
    assert seats.others("umpire") == seats.names
    assert seats.opponent("umpire") == ""


@pytest.mark.parametrize(
    "names",
    [
        ("red",),
        ("red", "red"),
        ("red", "Green"),
        ("red", ""),
        ("red", "green/blue"),
        ("red", "hand:green"),
        ("red", "server"),
        ("red", "umpire"),
        tuple(f"seat{at}" for at in range(MOST + 1)),
    ],
)
def test_what_cannot_be_seats_is_refused(names):
    with pytest.raises(ValueError, match=r"seats?\b"):
        Seats(names)


def test_a_game_has_two_seats_unless_it_says_otherwise():
    for ruleset in some(RULESETS.values()):
        assert ruleset.seats == SOUTH_AND_NORTH
