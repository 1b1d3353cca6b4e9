"""Programs and pages choose a pace, see the clocks, claim, pause, and go on vacation."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.time import timekeeper
from tests.support.clock import ManualClock
from tests.support.serving import BATTLES, Caller, RunningServer, serving
from tests.support.waiting import eventually

VACATIONS = "/api/v1/vacations"
HTML = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def server(tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningServer]:
    """A server whose timekeeper looks often, for the clock of the test does not wake it."""
    monkeypatch.setattr(timekeeper, "POLL_S", 0.05)
    async with serving(tmp_path / "data", clock=clock) as running:
        yield running


async def two(server: RunningServer) -> tuple[Caller, Caller]:
    return await server.player("Anna"), await server.player("Bob")


async def flagged(server: RunningServer, battle: str) -> None:
    """Wait until the running timekeeper has let a flag fall."""
    live = await server.running.battles.get(battle)

    def fallen() -> bool:
        return any(face.flagged for face in live.clock(server.running.clock.now()).values())

    await eventually("a flag has fallen", fallen)


async def test_a_battle_shows_its_clocks(server: RunningServer) -> None:
    anna, bob = await two(server)
    battle = await server.battle(anna, bob, pace="72h+7d")
    view = await anna.view(battle)
    south, north = view["clocks"]["south"], view["clocks"]["north"]
    assert (view["pace"], view["pause_asked"]) == ("3d+7d", "")
    assert south["running"]
    assert not north["running"]
    assert south["left_s"] == north["left_s"] == 10 * 86400
    assert view["deadline"] == south["deadline"]
    assert north["deadline"] is None
    listed = (await anna.get(f"{BATTLES}?mine")).json["battles"]
    assert [(entry["battle"], entry["deadline"]) for entry in listed] == [(battle, view["deadline"])]


async def test_without_a_pace_nothing_is_shown(server: RunningServer) -> None:
    anna, bob = await two(server)
    battle = await server.battle(anna, bob)
    view = await anna.view(battle)
    assert (view["pace"], view["clocks"], view["deadline"]) == ("", {}, None)
    for deed in ("claim", "pause", "resume"):
        reply = await bob.post(f"{BATTLES}/{battle}/clock", {"do": deed})
        assert (reply.status, reply.code) == (409, "core.no-clock")
    page = (await anna.get(f"/battles/{battle}", HTML)).text
    assert 'class="clock"' not in page
    assert "/clock" not in page


async def test_a_bad_pace_opens_nothing(server: RunningServer) -> None:
    anna = await server.player("Anna")
    reply = await anna.post(BATTLES, {"scenario": "skirmish", "pace": "now and then"})
    assert (reply.status, reply.code) == (422, "core.bad-pace")
    assert server.running.store.battles() == []


async def test_the_running_server_lets_the_flag_fall_and_the_other_side_claims(
    server: RunningServer, clock: ManualClock
) -> None:
    anna, bob = await two(server)
    eve = await server.player("Eve")
    battle = await server.battle(anna, bob, pace="1d+1d")
    assert (await bob.post(f"{BATTLES}/{battle}/clock", {"do": "claim"})).code == "core.no-flag"
    clock.wait(days=2)
    await flagged(server, battle)
    assert (await bob.view(battle))["winner"] is None
    assert (await eve.post(f"{BATTLES}/{battle}/clock", {"do": "claim"})).code == "core.not-seated"
    assert (await server.stranger.post(f"{BATTLES}/{battle}/clock", {"do": "claim"})).status == 401
    assert (await bob.post(f"{BATTLES}/{battle}/clock", {"do": "win"})).code == "core.bad-request"
    reply = await bob.post(f"{BATTLES}/{battle}/clock", {"do": "claim"})
    assert (reply.status, reply.json["winner"], reply.json["how"], reply.json["clocks"]) == (200, "north", "time", {})


@pytest.mark.slow
async def test_the_page_of_a_battle_has_clocks_and_buttons(server: RunningServer, clock: ManualClock) -> None:
    anna, bob = await two(server)
    battle = await server.battle(anna, bob, pace="1d+1d")
    live = await server.running.battles.get(battle)
    page = (await anna.get(f"/battles/{battle}", HTML)).text
    deadline = live.clock(clock.now())["south"].deadline
    assert re.search(rf'left, until <time datetime="{re.escape(deadline)}">\d+ \w+, \d\d:\d\d UTC</time>', page)
    assert "2 d 0 h 0 min in hand" in page
    assert 'value="pause"' in page
    assert 'value="claim"' not in page
    french = (await anna.get(f"/battles/{battle}?lang=fr", HTML)).text
    assert "Demander une pause" in french
    assert (
        await bob.ask("POST", f"/battles/{battle}/clock", HTML, data={"do": "pause"}, allow_redirects=False)
    ).status == 303
    assert "The other side would like a pause." in (await anna.get(f"/battles/{battle}", HTML)).text
    await anna.ask("POST", f"/battles/{battle}/clock", HTML, data={"do": "pause"}, allow_redirects=False)
    assert "Paused: all clocks stand still." in (await anna.get(f"/battles/{battle}", HTML)).text
    await anna.ask("POST", f"/battles/{battle}/clock", HTML, data={"do": "resume"}, allow_redirects=False)
    clock.wait(days=4)
    await flagged(server, battle)
    page = (await bob.get(f"/battles/{battle}", HTML)).text
    assert "The time is up." in page
    assert 'value="claim"' in page
    assert 'value="claim"' not in (await anna.get(f"/battles/{battle}", HTML)).text
    assert "/clock" not in (await server.stranger.get(f"/battles/{battle}", HTML)).text
    reply = await bob.ask("POST", f"/battles/{battle}/clock", {"Sec-Fetch-Site": "cross-site"}, data={"do": "claim"})
    assert reply.code == "core.cross-site"
    await bob.ask("POST", f"/battles/{battle}/clock", HTML, data={"do": "claim"}, allow_redirects=False)
    assert "has run out of time" in (await bob.get(f"/battles/{battle}", HTML)).text


async def test_a_battle_is_opened_at_a_pace_from_the_page(server: RunningServer) -> None:
    anna = await server.player("Anna")
    lobby = (await anna.get("/new", HTML)).text
    assert '<select id="pace" name="pace"><option value="">No clock</option>' in lobby
    fields = {"scenario": "tts/skirmish", "opponent": "person", "pace": "workdays"}
    reply = await anna.ask("POST", "/battles", HTML, data=fields, allow_redirects=False)
    battle = reply.headers["Location"].rpartition("/")[2]
    assert (await anna.view(battle))["pace"] == "3d+7d weekdays"


async def test_vacations_are_planned_seen_and_given_up(server: RunningServer, clock: ManualClock) -> None:
    anna, bob = await two(server)
    today = clock.now()[:10]
    planned = await anna.post(VACATIONS, {"ends": today})
    assert planned.status == 201
    (vacation,) = planned.json["vacations"]
    assert vacation["state"] in ("planned", "begun")
    assert (await bob.get(VACATIONS)).json == {"vacations": []}
    assert (await server.stranger.get(VACATIONS)).status == 401
    assert (await bob.ask("DELETE", f"{VACATIONS}?id={vacation['id']}")).code == "core.no-vacation"
    battle = await server.battle(anna, bob, pace="1d+1d")

    async def away() -> bool:
        return bool((await bob.view(battle))["clocks"]["south"]["away"])

    async def back() -> bool:
        return not await away()

    await eventually("the vacation has begun", away)
    assert (await bob.view(battle))["deadline"] is None
    assert "(begun)" in (await anna.get("/", HTML)).text
    ended = await anna.ask("DELETE", VACATIONS)
    assert ended.status == 200
    await eventually("the vacation is over", back)
    assert (await bob.view(battle))["clocks"]["south"]["running"]
    reply = await anna.post(VACATIONS, {"begins": "2020-01-01", "ends": "2020-01-02"})
    assert (reply.status, reply.code) == (422, "core.bad-dates")
    fields = {"begins": "2020-01-01", "ends": "2020-01-02"}
    assert (await anna.ask("POST", "/vacations", HTML, data=fields)).status == 422
    assert (await anna.ask("POST", "/vacations", HTML, data={"end": "x"})).status == 404
