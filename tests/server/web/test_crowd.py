"""Many read one battle: nobody is refused for that, and its players do not wait for all of them."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from server.limits import Limits, Reads
from server.people import players
from server.web.address import FORWARDED
from server.web.auth import COOKIE
from server.web.crowd import A_ROUND, CROWD, Crowd
from server.web.keys import READING, TURNS
from server.web.pages.battle import showing
from server.web.pages.battle.page import page_of
from tests.support.serving import BATTLES, serving

PAGE = {"Accept": "text/html, image/svg+xml"}
READERS = 60
SHOWN = ("", "/units", "/moment?n=1")
PARTS = ("/events?after=0&limit=1", "/board")


def hops(number: int, addresses: int) -> dict[str, str]:
    return {**PAGE, FORWARDED: f"198.51.{number % addresses // 250}.{number % addresses % 250 + 1}"}


@pytest.mark.parametrize("addresses", [1, 40])
async def test_a_crowd_reads_one_battle_and_each_page_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, addresses: int
) -> None:
    """As browsers do it, through a proxy: the page, its parts, the stream; after each order the page again. With the
    usual limits but for reads: one answer for each reader."""
    made = list[Any]()

    def counted(*given: Any) -> Any:
        made.append(given)
        return page_of(*given)

    monkeypatch.setattr(showing, "page_of", counted)
    limits = Limits(reads=Reads(0.0001, READERS))
    proxies = ("127.0.0.1",)
    async with serving(tmp_path / "data", limits=limits, trusted_proxies=proxies) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob)

        async def look(number: int, *paths: str) -> list[int]:
            return [(await server.stranger.get(path, hops(number, addresses))).status for path in paths]

        pages = [f"/battles/{battle}{part}" for part in SHOWN]
        parts = [f"{BATTLES}/{battle}{part}" for part in PARTS]
        came = await asyncio.gather(*(look(number, *pages, *parts) for number in range(READERS)))
        assert came == [[200] * 5] * READERS
        for order in ("offer draw", "end turn"):
            made.clear()
            await anna.order(battle, order)
            came = await asyncio.gather(*(look(number, pages[0], parts[0]) for number in range(READERS)))
            assert came == [[200] * 2] * READERS
            assert len(made) == 1


async def test_whoever_reads_too_much_takes_nothing_from_the_players_behind_their_address(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", limits=Limits(reads=Reads(0.0001, 20))) as server:
        anna = await server.player("Anna")
        battle = await anna.open()
        statuses = [(await server.stranger.get("/learn", PAGE)).status for _ in range(22)]
        assert statuses == [200] * 20 + [429] * 2
        assert (await anna.get(f"{BATTLES}/{battle}")).status == 200
        refused = await server.stranger.ask("GET", "/learn", {**PAGE, "Authorization": "Bearer forged"})
        assert refused.status == 429
        assert [(await anna.get("/api/v1/battles")).status for _ in range(21)][-1] == 429  # but they may not either
        assert server.app[READING].refused == 5


async def test_who_is_logged_in_goes_past_the_crowd() -> None:
    crowd, order = Crowd(), list[str]()

    async def stranger(number: int) -> None:
        await crowd.wait()
        order.append(f"stranger {number}")

    async def player() -> None:
        order.append("player")

    many = [asyncio.create_task(stranger(number)) for number in range(100)]
    await asyncio.sleep(0)
    assert len(order) == A_ROUND
    await asyncio.gather(asyncio.create_task(player()), *many)
    assert order.index("player") <= 2 * A_ROUND
    order.remove("player")
    assert order == [f"stranger {number}" for number in range(100)]


async def test_who_goes_away_is_not_let_in() -> None:
    crowd = Crowd(a_round=1)
    first, gone, last = (asyncio.create_task(crowd.wait()) for _ in range(3))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.gather(first, last)
    assert len(crowd) == 0


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_session_that_is_none_goes_past_nobody(tmp_path: Path, method: str) -> None:
    async with serving(tmp_path / "data") as server:
        anna = await server.player("Anna")
        session, issued = players.new_token(server.running.clock, server.running.entropy, anna.player, "session")
        await server.running.store.write(issued)
        waited = list[str]()
        crowd, turns = server.app[CROWD], server.app[TURNS]

        async def wait_in_crowd() -> None:
            waited.append("GET")

        async def wait_for_turn(who: str, is_account: bool = False, until: Any = None) -> None:
            waited.append("POST")

        crowd.wait, turns.wait = wait_in_crowd, wait_for_turn  # type: ignore[method-assign]
        crowd._waiting.append(asyncio.get_running_loop().create_future())  # somebody waits
        for cookie in (session, "forged", ""):
            before = len(waited)
            headers = {"Sec-Fetch-Site": "same-origin", **({"Cookie": f"{COOKIE}={cookie}"} if cookie else {})}
            await server.stranger.ask(method, "/rules", headers)  # a change is not offered there
            assert waited[before:] == ([] if cookie == session else [method]), cookie
