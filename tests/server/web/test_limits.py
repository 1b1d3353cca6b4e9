"""How often a stranger, an account, and everybody together may do what costs the server something."""

import logging
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.basics.errors import Refusal
from server.limits import USUAL, Limits, Rate, Reads
from server.web.address import FORWARDED
from server.web.keys import RATES
from server.web.networks import HOUSEHOLD_TIMES
from server.web.rates import RateLimits
from server.web.reading_rate import ReadingRate
from tests.support.clock import ManualClock
from tests.support.serving import BATTLES, RunningServer, serving

OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}
GUESTS = 3
NARROW = Limits(rates={**USUAL, "guest": Rate(address=f"{GUESTS} per hour")})


class Seconds:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


def limits_of(clock: Seconds, **rates: Rate) -> RateLimits:
    return RateLimits(clock, rates)


def done(limits: RateLimits, address: str, account: str = "", times: int = 1) -> int:
    """How many of some attempts are let through."""
    passed = 0
    for _ in range(times):
        try:
            limits.spend("thing", address, account)
        except Refusal as refusal:
            assert refusal.code == "core.too-many"
        else:
            passed += 1
    return passed


# --- windows


def test_a_window_slides() -> None:
    clock = Seconds()
    limits = limits_of(clock, thing=Rate(address="3 per minute"))
    assert done(limits, "192.0.2.1", times=2) == 2
    clock.at += 30
    assert done(limits, "192.0.2.1", times=5) == 1
    clock.at += 31
    assert done(limits, "192.0.2.1", times=5) == 2


def test_a_refusal_says_when_it_is_over_and_counts_nothing() -> None:
    clock = Seconds()
    limits = limits_of(clock, thing=Rate(address="1 per minute"))
    limits.spend("thing", "192.0.2.1")
    for _ in range(10):
        with pytest.raises(Refusal) as refused:
            limits.spend("thing", "192.0.2.1")
        assert refused.value.params == {"wait": 60, "what": "thing", "who": "address"}
    clock.at += 60
    assert done(limits, "192.0.2.1") == 1


def test_an_address_that_is_refused_takes_nothing_from_the_others() -> None:
    limits = limits_of(Seconds(), thing=Rate(address="2 per hour", server="3 per hour"))
    assert done(limits, "192.0.2.1", times=50) == 2
    assert done(limits, "192.0.2.2", times=50) == 1
    assert done(limits, "192.0.2.3") == 0


def test_what_everybody_has_used_up_leaves_each_their_own() -> None:
    limits = limits_of(Seconds(), thing=Rate(address="9 per hour", server="10 per hour", always="2 per hour"))
    assert [done(limits, f"192.0.2.{n}", times=50) for n in range(4)] == [9, 2, 2, 2]
    assert done(limits, "198.51.100.1", "anna", times=50) == 2
    assert done(limits, "192.0.2.1", "bob", times=50) == 2  # an account has its own, whatever its address has done
    with pytest.raises(Refusal) as refused:
        limits.require("thing", "192.0.2.1", "bob")
    assert refused.value.params["who"] == "server"
    limits.require("thing", "192.0.2.77", "carol")


def test_limits_tell_what_is_counted_and_what_was_refused() -> None:
    limits = limits_of(Seconds(), thing=Rate(address="2 per hour", server="3 per hour"))
    done(limits, "192.0.2.1", times=5)
    done(limits, "192.0.2.2", times=5)
    assert sorted(limits.figures()) == [("thing", "address", 1), ("thing", "server", 3)]
    assert limits.hits == {("thing", "address"): 3, ("thing", "server"): 4}


def test_a_subnet_is_one_address_and_an_account_is_counted_wherever_it_is() -> None:
    limits = limits_of(Seconds(), thing=Rate(address="2 per hour", account="1 per hour"))
    assert [done(limits, f"2001:db8::{n}") for n in range(3)] == [1, 1, 0]
    assert done(limits, "192.0.2.1", "anna") == 1
    assert done(limits, "192.0.2.2", "anna") == 0


def test_a_household_of_many_subnets_is_not_as_many_people() -> None:
    limits = limits_of(Seconds(), thing=Rate(address="2 per hour"))
    passed = [done(limits, f"2001:db8:1:{n:x}::1", times=9) for n in range(8)]
    assert passed == [2] * HOUSEHOLD_TIMES + [0] * (8 - HOUSEHOLD_TIMES)
    assert done(limits, "2001:db8:1:100::1", times=9) == 2  # their neighbours
    rate = ReadingRate(Reads(1.0, 5), Seconds())
    assert [read(rate, f"2001:db8:1:{n:x}::1", 9) for n in range(6)] == [5] * HOUSEHOLD_TIMES + [0, 0]


def test_who_has_an_account_is_not_refused_for_others_behind_their_address() -> None:
    limits = limits_of(Seconds(), thing=Rate(address="5 per hour", account="4 per hour", always="2 per hour"))
    assert done(limits, "192.0.2.1", "mallory", times=9) == 4
    assert done(limits, "192.0.2.1", "eve", times=9) == 2
    assert done(limits, "192.0.2.1", "anna", times=9) == 2
    assert done(limits, "192.0.2.1") == 0  # a stranger is one of those behind it


def test_a_clock_that_is_put_back_does_not_lock_anybody_out() -> None:
    clock = Seconds()
    limits = limits_of(clock, thing=Rate(address="1 per minute"))
    assert done(limits, "192.0.2.1") == 1
    clock.at -= 500
    assert done(limits, "192.0.2.1") == 1


def test_many_addresses_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.rates.KEYS_KEPT", 10)
    clock = Seconds()
    limits = limits_of(clock, thing=Rate(address="1 per minute"))
    for number in range(100):
        clock.at += 61
        assert done(limits, f"192.0.2.{number}") == 1
    assert len(limits) <= 10


def test_many_addresses_at_once_do_not_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.rates.KEYS_KEPT", 10)
    limits = limits_of(Seconds(), thing=Rate(address="1 per minute"))
    assert [done(limits, f"192.0.2.{number}") for number in range(100)] == [1] * 100
    assert len(limits) <= 10
    assert done(limits, "192.0.2.99") == 0


# --- over HTTP


async def new_guest(server: RunningServer, **headers: str) -> tuple[int, Any]:
    """A guest who opens a battle, as anybody may; gives the status and the headers of the answer."""
    server.client.session.cookie_jar.clear()
    async with server.client.post(
        "/battles",
        data={"scenario": "tts/skirmish", "opponent": "person"},
        headers={**OWN_PAGE, **headers},
        allow_redirects=False,
    ) as response:
        await response.read()
        return response.status, response.headers


@pytest.mark.slow
async def test_one_address_does_not_make_guests_without_end(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock, limits=NARROW) as server:
        statuses = [(await new_guest(server))[0] for _ in range(GUESTS + 3)]
        assert statuses == [303] * GUESTS + [429] * 3
        status, headers = await new_guest(server)
        assert (status, headers["Retry-After"]) == (429, "3600")
        assert len(server.running.store.battles()) == GUESTS
        clock.wait(hours=1)
        assert (await new_guest(server))[0] == 303


@pytest.mark.slow
async def test_an_address_is_that_of_a_trusted_proxy_s_client(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", limits=NARROW, trusted_proxies=("127.0.0.1", "10.0.0.0/8")) as server:
        for _ in range(GUESTS):
            assert (await new_guest(server, **{FORWARDED: "198.51.100.9, 192.0.2.1, 10.1.2.3"}))[0] == 303
        assert (await new_guest(server, **{FORWARDED: "203.0.113.5, 192.0.2.1"}))[0] == 429
        assert (await new_guest(server, **{FORWARDED: "192.0.2.2"}))[0] == 303
        statuses = {(await new_guest(server, **{FORWARDED: f"192.0.3.{n}, unknown"}))[0] for n in range(GUESTS + 1)}
        assert statuses == {303, 429}


@pytest.mark.slow
async def test_nobody_changes_their_address_by_a_header(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", limits=NARROW) as server:
        statuses = {(await new_guest(server, **{FORWARDED: f"192.0.2.{n}"}))[0] for n in range(GUESTS + 1)}
        assert statuses == {303, 429}


async def test_what_an_account_does_too_often_is_a_problem_that_says_when(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", limits=Limits()) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob)
        orders = f"{BATTLES}/{battle}/preview"
        allowed = 60
        for _ in range(allowed):
            assert (await anna.post(orders, {"orders": ""})).status != 429
        reply = await anna.post(orders, {"orders": ""}, {"Accept-Language": "fr"})
        assert (reply.status, reply.code, reply.headers["Retry-After"]) == (429, "core.too-many", "60")
        assert "réessayez dans 60 secondes" in reply.json["detail"]
        assert (await bob.post(orders, {"orders": ""})).status != 429


@pytest.mark.slow
async def test_who_guesses_the_names_of_battles_is_stopped(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", limits=Limits()) as server:
        anna = await server.player("Anna")
        battle = await anna.open(readers="link")
        codes = [(await server.stranger.get(f"{BATTLES}/guess{n}")).code for n in range(101)]
        assert codes == ["core.unknown-battle"] * 100 + ["core.too-many"]
        assert (await server.stranger.get(f"{BATTLES}/{battle}")).code == "core.too-many"
        assert (await anna.get(f"{BATTLES}/{battle}")).status == 200  # for what others behind her address do
        assert (await server.stranger.get("/healthz")).status == 200


async def test_lines_that_are_refused_without_end_fill_no_store(tmp_path: Path) -> None:
    """The store keeps the answer to each refused line; a repetition adds none and counts for none."""
    async with serving(tmp_path / "data", limits=Limits()) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob)
        server.app[RATES].count("refused", 4_990, "127.0.0.1", anna.player)
        script = "\n".join(["try R1 shoot A1"] * 6)
        for key in ("first", "first", "second"):
            assert (await anna.order(battle, script, key)).status == 200
        assert (await anna.order(battle, "end turn", "third")).code == "core.too-many"
        assert (await bob.order(battle, "end turn")).code != "core.too-many"


def test_what_is_counted_at_once_stops_at_the_limit() -> None:
    limits = limits_of(Seconds(), thing=Rate(account="5 per minute"))
    limits.count("thing", 3, "", "anna")
    assert done(limits, "", "anna", times=4) == 2
    limits.count("thing", 3, "", "anna")
    assert done(limits, "", "anna") == 0


# --- reading


def read(rate: ReadingRate, address: str, times: int, cost: int = 1) -> int:
    """How many of some answers are given."""
    given = 0
    for _ in range(times):
        with suppress(Refusal):
            rate.spend(address, cost)
            given += 1
    return given


def test_an_address_may_read_so_much_at_once_and_then_evenly() -> None:
    clock = Seconds()
    rate = ReadingRate(Reads(2.0, 10), clock)
    assert read(rate, "192.0.2.1", 20) == 10
    assert read(rate, "192.0.2.2", 3, cost=4) == 2
    assert read(rate, "2001:db8::1", 6) + read(rate, "2001:db8::2", 6) == 10
    with pytest.raises(Refusal) as refused:
        rate.spend("192.0.2.1", 4)
    assert (refused.value.code, refused.value.params["wait"]) == ("core.too-many", 2)
    clock.at += 2
    assert read(rate, "192.0.2.1", 20) == 4
    assert read(ReadingRate(Reads(0.0, 0), clock), "192.0.2.1", 50) == 50
    assert read(rate, "", 50) == 50


def test_old_readers_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.reading_rate.KEYS_KEPT", 10)
    clock = Seconds()
    rate = ReadingRate(Reads(1.0, 5), clock)
    for host in range(30):
        rate.spend(f"192.0.2.{host}")
    assert len(rate) <= 10
    clock.at += 10
    rate.spend("192.0.2.200")
    assert len(rate) <= 10 and read(rate, "192.0.2.200", 9) == 4


async def test_who_reads_without_end_is_asked_to_wait(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", limits=Limits(reads=Reads(0.001, 5))) as server:
        for path in ("/", "/api/v1/battles", "/api/v1/battles/none", "/notation/tts", "/api/v1/scenarios"):
            assert (await server.stranger.get(path)).status in (200, 404)
        reply = await server.stranger.get("/")
        assert (reply.status, reply.code) == (429, "core.too-many")
        assert int(reply.headers["Retry-After"]) > 0
        for path in ("/healthz", "/metrics"):
            assert (await server.stranger.get(path)).status == 200


async def test_each_limit_is_told_in_the_figures_and_in_the_line_of_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    limits = replace(NARROW, reads=Reads(0.001, 3))
    async with serving(tmp_path / "data", limits=limits) as server:
        with caplog.at_level(logging.INFO):
            for _ in range(GUESTS + 2):
                await new_guest(server)
            server.client.session.cookie_jar.clear()
            for _ in range(5):
                await server.stranger.get("/learn")
        limited = [getattr(record, "limited", "") for record in caplog.records if record.name == "phalera.access"]
        assert limited == [""] * GUESTS + ["guest.address"] * 2 + [""] * 3 + ["read.address"] * 2
        figures = (await server.stranger.get("/metrics")).text.splitlines()
        for line in (
            'phalera_limit{per_s="3600",what="guest",who="address"} 3.0',
            'phalera_limit{per_s="",what="connections",who="server"} 4000.0',
            'phalera_limit_held{what="guest",who="address"} 1.0',
            'phalera_limit_held{what="guests",who="server"} 3.0',
            'phalera_limit_held{what="read",who="address"} 1.0',
            'phalera_limited_total{what="guest",who="address"} 2.0',
            'phalera_limited_total{what="read",who="address"} 2.0',
            'phalera_connections_gave_way_total{doing="new"} 0.0',
            'phalera_puzzles_total{came="asked"} 0.0',
        ):
            assert line in figures, (line, [one for one in figures if "limit" in one])
        assert not {name.partition("{")[0] for name in figures if "192.0.2" in name or "127.0.0" in name}
