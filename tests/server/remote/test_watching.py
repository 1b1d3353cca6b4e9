"""A battle on a server is watched as it goes on: by a stranger or a player, over lost connections, and never another
history."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest
from textual.pilot import Pilot

from replay import battle_file
from replay.player.app import ReplayPlayer
from replay.player.live import LIVE, LOST, STOPPED, News
from server.remote import connection
from server.remote.connection import Refused
from server.remote.errors import NotDone
from server.remote.state import Home
from server.remote.watching import WAITS_S, Watch, token_for
from tests.replay.player.screens import screen, settled
from tests.support.dishonest import LIES, lying
from tests.support.serving import BATTLES, Caller, RunningServer
from tests.support.waiting import eventually


async def two(server: RunningServer, **more: str) -> tuple[Caller, str]:
    """A battle between Anna and Bob, and Anna."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    return anna, await server.battle(anna, bob, **more)


class Waits:
    """Waits no time, and remembers how long it should have."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.waited.append(seconds)
        await asyncio.sleep(0)


def watch(server: RunningServer, battle: str, folder: Path, waits: Waits | None = None) -> Watch:
    """Somebody at a terminal with what is kept in a folder."""
    address = str(server.client.make_url("")).rstrip("/")
    return Watch(Home(folder / "home").place(f"{address}/battles/{battle}"), wait=waits or Waits())


async def lines(news: AsyncIterator[News], count: int) -> list[bytes]:
    """The next lines that come."""
    found: list[bytes] = []
    while len(found) < count:
        found += (await anext(news)).lines
    return found


# --- the connection


async def test_what_is_added_comes_as_the_log_has_it(server: RunningServer, tmp_path: Path) -> None:
    anna, battle = await two(server)
    watching = watch(server, battle, tmp_path)
    log = battle_file.parse(await watching.file()).log
    async with aclosing(watching.follow(len(log.lines), log.hashes[-1])) as news:
        assert await anext(news) == News(state=LIVE)
        assert (await anna.order(battle, "end turn")).status == 200
        now = (await server.stranger.get(f"{BATTLES}/{battle}/events")).text.encode().splitlines()
        assert await lines(news, len(now) - len(log.lines)) == now[len(log.lines) :]
    assert not (tmp_path / "home").exists()  # a stranger leaves nothing behind


async def test_what_is_watched_is_checked_as_it_comes(server: RunningServer, tmp_path: Path) -> None:
    anna, battle = await two(server)
    watching = watch(server, battle, tmp_path)
    log = battle_file.parse(await watching.file()).log
    lie = next(lie for lie in LIES if lie.name == "a disclosed key is not of the chain")
    async with aclosing(watching.follow(len(log.lines), log.hashes[-1])) as news:
        assert await anext(news) == News(state=LIVE)
        with lying(lie) as told:
            assert (await anna.order(battle, "end turn")).status == 200
        found = [one async for one in news]
    assert told.n and [one.state for one in found] == [STOPPED] and not found[0].lines
    assert "FAULT" in found[0].reason and "key-differs" in found[0].reason
    with pytest.raises(NotDone, match="key-differs"):
        await watch(server, battle, tmp_path).file()


async def test_words_between_the_players_are_no_events(server: RunningServer, tmp_path: Path) -> None:
    anna, battle = await two(server)
    address = str(server.client.make_url("")).rstrip("/")
    Home(tmp_path / "home").server(address).keep_login(anna.headers["Authorization"].removeprefix("Bearer "))
    watching = watch(server, battle, tmp_path)
    log = battle_file.parse(await watching.file()).log
    live = await server.running.battles.get(battle)
    async with aclosing(watching.follow(len(log.lines), log.hashes[-1])) as news:
        assert await anext(news) == News(state=LIVE)
        assert live.hearers
        live.heard()
        assert (await anna.order(battle, "end turn")).status == 200
        now = (await server.stranger.get(f"{BATTLES}/{battle}/events")).text.encode().splitlines()
        assert await lines(news, len(now) - len(log.lines)) == now[len(log.lines) :]


async def test_a_lost_connection_is_begun_anew_behind_the_newest_event(
    server: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, battle = await two(server)
    waits = Waits()
    watching = watch(server, battle, tmp_path, waits)
    log = battle_file.parse(await watching.file()).log
    monkeypatch.setattr(connection, "QUIET_S", 0.05)  # the server's signs of life come later
    async with aclosing(watching.follow(len(log.lines), log.hashes[-1])) as news:
        states = [(await anext(news)).state for _ in range(3)]
        assert states == [LIVE, LOST, LIVE]
        assert (await anna.order(battle, "end turn")).status == 200
        now = (await server.stranger.get(f"{BATTLES}/{battle}/events")).text.encode().splitlines()
        assert await lines(news, len(now) - len(log.lines)) == now[len(log.lines) :]
        assert waits.waited == [WAITS_S[0]] * len(waits.waited)  # each try has succeeded


async def test_a_server_that_is_gone_is_tried_ever_more_seldom(tmp_path: Path) -> None:
    waits = Waits()
    watching = Watch(Home(tmp_path).place("http://127.0.0.1:9/battles/abcd1234"), wait=waits)
    async with aclosing(watching.follow(5, b"\0" * 32)) as news:
        assert [(await anext(news)).state for _ in range(9)] == [LOST] * 9
    assert waits.waited == [*WAITS_S, WAITS_S[-1], WAITS_S[-1]]


async def test_another_history_is_not_followed(server: RunningServer, tmp_path: Path) -> None:
    _, battle = await two(server)
    watching = watch(server, battle, tmp_path)
    log = battle_file.parse(await watching.file()).log
    for n, newest in ((len(log.lines), log.hashes[-2]), (len(log.lines) + 1, log.hashes[-1])):
        async with aclosing(watching.follow(n, newest)) as news:
            (told,) = [one async for one in news]
        assert told.state == STOPPED
        assert "ANOTHER HISTORY" in told.reason


async def test_a_private_battle_is_watched_by_its_players_alone(server: RunningServer, tmp_path: Path) -> None:
    anna, battle = await two(server, readers="players")
    stranger = watch(server, battle, tmp_path / "stranger")
    with pytest.raises(Refused, match=r"core\.unknown-battle"):
        await stranger.file()
    async with aclosing(stranger.follow(1, b"\0" * 32)) as news:
        assert [one.state async for one in news] == [STOPPED]
    address = str(server.client.make_url("")).rstrip("/")
    home = Home(tmp_path / "anna")
    home.server(address).keep_login(anna.headers["Authorization"].removeprefix("Bearer "))
    assert (await Watch(home.place(f"{address}/battles/{battle}")).file()).startswith(b'{"battle"')


def test_a_token_goes_to_its_own_address_only(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.server("https://play.example:8443").keep_login("secret")
    for address, token in (
        ("https://play.example:8443", "secret"),
        ("http://play.example:8443", ""),
        ("https://play.example/8443", ""),  # a folder of the same name
        ("https://play.example", ""),
    ):
        assert token_for(home.place(f"{address}/battles/abcd1234")) == token


async def test_a_frame_without_end_is_not_kept(
    server: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, battle = await two(server)
    watching = watch(server, battle, tmp_path)
    log = battle_file.parse(await watching.file()).log
    monkeypatch.setattr(connection, "MOST_FRAME_BYTES", -1)
    async with aclosing(watching.follow(len(log.lines), log.hashes[-1])) as news:
        assert (await anext(news)).state == LOST


async def test_what_is_no_stream_is_not_read(
    server: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, battle = await two(server)
    watching = watch(server, battle, tmp_path)
    log = battle_file.parse(await watching.file()).log
    monkeypatch.setattr(connection, "EVENT_STREAM", "text/plain")
    async with aclosing(watching.follow(len(log.lines), log.hashes[-1])) as news:
        assert (await anext(news)).state == LOST


# --- the player


async def until(pilot: Pilot[None], text: str) -> None:
    """Wait for a text on the screen."""

    def is_there() -> bool:
        return text in screen(pilot.app)

    await eventually(text, is_there)


@pytest.mark.slow
async def test_the_player_goes_on_with_the_battle_and_leaves_who_looks_back_where_they_are(
    server: RunningServer, tmp_path: Path
) -> None:
    anna, battle = await two(server)
    watching = watch(server, battle, tmp_path)
    opened = battle_file.parse(await watching.file())
    app = ReplayPlayer(opened, f"{battle}.battle", follow=watching.follow)
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(app, pilot)
        await until(pilot, "LIVE")
        first = app.playback.last
        assert app.playback.n == first
        assert (await anna.order(battle, "end turn")).status == 200
        await eventually("more events", lambda: app.playback.last > first)
        assert app.playback.n == app.playback.last  # who looks at the end goes on with it
        await pilot.press("home", "right")
        before, last = app.playback.n, app.playback.last
        assert (await anna.order(battle, "resign")).status == 200
        await until(pilot, "more; End goes there.")
        assert (app.playback.n, app.playback.last > last) == (before, True)
        await until(pilot, "ENDED")
        await pilot.press("slash")
        await pilot.press(*"resign", "enter")
        await until(pilot, "Found: ")
        assert app.playback.now.type in ("OrderAccepted", "SideResigned", "BattleEnded")
        await pilot.press("v")
        await until(pilot, "The battle is over, signed by its host.")


@pytest.mark.slow
async def test_lines_that_do_not_go_on_from_ours_are_told_and_not_taken(server: RunningServer, tmp_path: Path) -> None:
    _, battle = await two(server)
    watching = watch(server, battle, tmp_path)
    opened = battle_file.parse(await watching.file())
    lie = (await watching.file()).splitlines()[1].replace(b'"n":1,', b'"n":%d,' % (opened.last + 1))

    async def follow(n: int, newest: bytes) -> AsyncIterator[News]:
        yield News((lie,))

    app = ReplayPlayer(opened, f"{battle}.battle", follow=follow)
    async with app.run_test(size=(140, 30)) as pilot:
        await until(pilot, "ANOTHER HISTORY")
        assert "NOT FOLLOWED ANY MORE" in screen(app)
        assert app.playback.last == opened.last
