"""What may be banned, and for how long."""

import pytest

from domain.basics.errors import Refusal
from server.people.bans import ends, found, network_of, planned
from server.store.tables import bans
from server.store.tables.bans import Ban
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test

NOW = ManualClock().now()
PROXY = "10.0.0.2"


def plan(network: str, days: float = 0, own: str = "") -> Ban:
    return planned(network, days, " a  spammer\n", NOW, entropy_of_test(), trusted=(PROXY,), own=own)


def code_of(network: str, days: float = 0, own: str = "") -> str:
    with pytest.raises(Refusal) as refused:
        plan(network, days, own)
    return refused.value.code


@pytest.mark.parametrize(
    ("written", "network"),
    [
        ("203.0.113.7", "203.0.113.7/32"),
        (" 203.0.113.7/24 ", "203.0.113.0/24"),
        ("2001:DB8::1", "2001:db8::1/128"),
        ("2001:db8:0:1::7/64", "2001:db8:0:1::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7/32"),
    ],
)
def test_a_network_has_one_spelling(written: str, network: str) -> None:
    assert str(network_of(written)) == network
    assert plan(written).network == network


def test_a_ban_ends_in_its_time_or_never() -> None:
    week, ever = plan("203.0.113.7", 7), plan("203.0.113.7")
    clock = ManualClock()
    assert (week.until, ever.until, week.reason) == ("2026-11-30T00:00:00.000Z", "", "a spammer")
    clock.wait(days=7, milliseconds=-1)
    assert not ends(week, clock.now())
    clock.wait(1)
    assert ends(week, clock.now())
    clock.wait(days=4000)
    assert not ends(ever, clock.now())


@pytest.mark.parametrize("written", ["", "somewhere", "203.0.113", "203.0.113.0/33", "anna@example.org", "0/0/0"])
def test_what_is_no_network_is_refused(written: str) -> None:
    assert code_of(written) == "core.no-network"


@pytest.mark.parametrize("written", ["0.0.0.0/0", "::/0", "128.0.0.0/7", "2000::/15"])
def test_half_the_world_is_not_banned(written: str) -> None:
    assert code_of(written) == "core.ban-too-wide"


@pytest.mark.parametrize(
    "written", ["127.0.0.1", "127.0.0.0/8", "::1", "::ffff:127.0.0.1", "10.0.0.0/8", PROXY, "203.0.113.0/24"]
)
def test_nobody_bans_the_machine_a_proxy_or_themselves(written: str) -> None:
    assert code_of(written, own="203.0.113.9") == "core.ban-of-own"


@pytest.mark.parametrize("days", [-1, 3651])
def test_a_length_out_of_bounds_is_refused(days: int) -> None:
    assert code_of("203.0.113.7", days) == "core.bad-request"


def test_a_network_is_banned_once_and_found_again(store) -> None:
    first, again = plan("203.0.113.0/24"), plan("203.0.113.9/24", 1)
    store.write_now(bans.add(first))
    store.write_now(bans.add(again))
    (kept,) = bans.all_of(store)
    assert (kept.id, kept.until) == (first.id, again.until)
    assert found(store, "203.0.113.0/24") == kept
    store.write_now(bans.forget_ended(kept.until))
    with pytest.raises(Refusal, match=r"core\.no-ban"):
        found(store, "203.0.113.0/24")
