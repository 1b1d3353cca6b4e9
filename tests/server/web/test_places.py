"""Who gives way to a newcomer, and who is never asked to."""

import pytest

from server.limits import Limits
from server.web.networks import HOUSEHOLD_TIMES
from server.web.places import SOON_S, ConnectionPlaces, Doing, NoPlace


class Seconds:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


def test_who_never_asked_gives_way_before_who_has_and_the_oldest_first() -> None:
    clock = Seconds()
    places = ConnectionPlaces(Limits(connections=4), clock)
    for number, doing in enumerate((Doing.IDLE, Doing.NEW, Doing.NEW, Doing.BUSY)):
        places.take(number, f"192.0.2.{number}")
        places.does(number, doing)
    clock.at += SOON_S
    gave_way = [places.take(f"newcomer {number}", "198.51.100.1") for number in range(5)]
    assert gave_way == [1, 2, 0, "newcomer 0", "newcomer 1"]
    assert places.gave_way == {Doing.NEW: 4, Doing.IDLE: 1}
    assert len(places) == 4 and places.count(Doing.BUSY) == 1


def test_a_newcomer_has_time_to_ask_before_who_is_idle_goes_before_them() -> None:
    clock = Seconds()
    places = ConnectionPlaces(Limits(connections=3), clock)
    for number, doing in enumerate((Doing.IDLE, Doing.NEW, Doing.IDLE)):
        places.take(number, "192.0.2.1")
        places.does(number, doing)
    assert places.take("first", "192.0.2.1") == 0
    clock.at += SOON_S / 2
    assert places.take("second", "192.0.2.1") == 2
    clock.at += SOON_S / 2
    assert [places.take(name, "192.0.2.1") for name in ("third", "fourth")] == [1, "first"]


def test_the_streams_of_one_address_give_way_to_another_and_not_to_itself() -> None:
    places = ConnectionPlaces(Limits(connections=6))
    for number in range(4):
        places.take(number, "192.0.2.1")
        places.does(number, Doing.STREAM)
    for number in range(4, 6):
        places.take(number, "198.51.100.1")
        places.does(number, Doing.BUSY)
    with pytest.raises(NoPlace):
        places.take("more", "192.0.2.1")
    assert places.take("other", "203.0.113.1") == 0
    places.does("other", Doing.STREAM)
    with pytest.raises(NoPlace) as refused:
        places.take("another", "198.51.100.1")  # holds nearly as many
    assert (refused.value.who, places.refused) == ("server", {"server": 2})


def test_an_address_at_its_limit_takes_from_itself_alone() -> None:
    places = ConnectionPlaces(Limits(connections_per_address=2))
    places.take("elsewhere", "198.51.100.1")
    for number in range(4):
        places.take(number, "192.0.2.1")
    assert len(places) == 3 and places.most_of_one() == 2
    for number in (2, 3):
        places.does(number, Doing.STREAM)
    with pytest.raises(NoPlace) as refused:
        places.take(4, "192.0.2.1")
    assert refused.value.who == "address"


def test_a_household_is_not_256_people() -> None:
    places = ConnectionPlaces(Limits(connections_per_address=2))
    for number in range(256):
        places.take(number, f"2001:db8:1:{number:x}::1")
        places.does(number, Doing.STREAM) if number < 2 * HOUSEHOLD_TIMES else None
        if number == 2 * HOUSEHOLD_TIMES - 1:
            break
    with pytest.raises(NoPlace):
        places.take("more", "2001:db8:1:ff::1")
    assert places.take("their neighbour", "2001:db8:1:100::1") is None


def test_what_has_ended_is_counted_nowhere() -> None:
    places = ConnectionPlaces(Limits(connections=1))
    for number in range(100):
        places.take(number, f"2001:db8::{number}")
    places.leave(99)
    places.leave(99)
    places.does(99, Doing.BUSY)
    assert len(places) == 0 and not places._of
    assert all(places.count(doing) == 0 for doing in Doing)
