"""New pages are made one part at a time, and who asks for too many at once is told when to ask again."""

import asyncio
from typing import Any

import pytest

from server.web.keys import TURNS
from server.web.pages import rendering
from server.web.pages.battle import page as battle_page
from server.web.pages.battle import showing as pages
from server.web.turns import Turns
from server.workers import Busy
from tests.support.serving import PHRASE, Caller, RunningServer

PAGE = {"Accept": "text/html"}


async def begun(server: RunningServer, orders: int = 8) -> tuple[Caller, Caller, str]:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    for _ in range(orders):
        assert (await anna.order(battle, "offer draw")).status == 200
    return anna, bob, battle


@pytest.fixture
def order_of_turns(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Who had their turns, in order."""
    found: list[str] = []
    wait = Turns.wait

    async def noted(self: Turns, who: str, *more: Any) -> None:
        await wait(self, who, *more)
        found.append(who)

    monkeypatch.setattr(Turns, "wait", noted)
    return found


async def test_a_reader_does_not_wait_for_all_pages_of_another(
    server: RunningServer, order_of_turns: list[str]
) -> None:
    mallory, bob, battle = await begun(server)
    last = (await mallory.head(battle))["n"]
    asked = [mallory.get(f"/battles/{battle}?n={n}", PAGE) for n in range(last - 12, last)]
    replies = await asyncio.gather(*asked, bob.get(f"/battles/{battle}", PAGE))
    assert {reply.status for reply in replies} == {200}
    first = order_of_turns.index(bob.player)
    last_of_his = len(order_of_turns) - order_of_turns[::-1].index(bob.player)
    his = order_of_turns[first:last_of_his]
    assert his.count(mallory.player) <= his.count(bob.player)
    assert order_of_turns[last_of_his:].count(mallory.player) >= 3


async def test_a_crowd_that_waits_for_one_page_does_not_get_one_each(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, battle = await begun(server)
    made: list[Any] = []
    page_of = battle_page.page_of

    def counted(*given: Any, **more: Any) -> Any:
        made.append(given)
        return page_of(*given, **more)

    monkeypatch.setattr(pages, "page_of", counted)
    replies = await asyncio.gather(*(server.stranger.get(f"/battles/{battle}", PAGE) for _ in range(6)))
    assert len({reply.text for reply in replies}) == 1
    assert len(made) == 1


async def test_a_page_that_had_to_wait_shows_what_came_meanwhile(server: RunningServer) -> None:
    anna, bob, battle = await begun(server)
    waits = asyncio.Event()

    class Slow(Turns):
        async def wait(self, who: str, is_account: bool = False, until: Any = None) -> None:
            if not waits.is_set() and who == bob.player:
                waits.set()
                assert (await anna.order(battle, "offer draw")).status == 200

    server.app[TURNS].wait = Slow().wait  # type: ignore[method-assign]
    page = await bob.get(f"/battles/{battle}", PAGE)
    newest = (await bob.head(battle))["n"]
    assert waits.is_set()
    assert f'"{newest} ' in page.text  # the head that its forms name
    assert (await bob.get(f"/battles/{battle}", PAGE)).text.count(f'"{newest} ') == page.text.count(f'"{newest} ')


async def test_too_many_new_pages_at_once_are_refused_for_a_moment(server: RunningServer) -> None:
    mallory, bob, battle = await begun(server, orders=20)
    last = (await mallory.head(battle))["n"]
    server.app[TURNS]._most_waiting = 2  # a crowd of four is a crowd
    asked = [mallory.get(f"/battles/{battle}?n={n}", PAGE) for n in range(1, last)]
    *replies, page = await asyncio.gather(*asked, bob.get(f"/battles/{battle}", PAGE))
    refused = [reply for reply in replies if reply.status == 503]
    assert refused
    assert all(int(reply.headers["Retry-After"]) > 0 for reply in refused)
    assert page.status == 200
    assert (await mallory.get(f"/battles/{battle}?n=1", PAGE)).status == 200


async def test_what_came_of_orders_is_told_however_many_wait(server: RunningServer) -> None:
    anna, _, battle = await begun(server, orders=1)

    async def full(who: str, is_account: bool = False, until: Any = None) -> None:
        raise Busy

    server.app[TURNS].wait = full  # type: ignore[method-assign]
    seen = await anna.head(battle)
    form = {
        "orders": "offer draw\nR1 charge A1",
        "phrase": PHRASE,
        "side": "south",
        "do": "send",
        "key": "0123456789abcdef",
    }
    form["seen"] = f"{seen['n']} {seen['hash']}"
    headers = {**PAGE, "Sec-Fetch-Site": "same-origin"}
    page = await anna.ask("POST", f"/battles/{battle}/orders", headers, data=form)
    assert page.status not in (303, 503)
    assert (await anna.head(battle))["n"] > seen["n"]
    assert (await anna.get(f"/battles/{battle}?n=1", PAGE)).status == 503


async def test_a_page_that_is_kept_waits_for_nobody(server: RunningServer, order_of_turns: list[str]) -> None:
    _, _, battle = await begun(server, orders=1)
    await server.stranger.get(f"/battles/{battle}", PAGE)
    before = len(order_of_turns)
    assert (await server.stranger.get(f"/battles/{battle}", PAGE)).status == 200
    assert len(order_of_turns) == before


async def test_the_first_page_finds_its_templates_compiled(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = rendering._environment()
    monkeypatch.setattr(rendering, "_templates", lambda: environment)
    rendering.load_template("battle/page.html")
    compiled = set(environment.cache)  # type: ignore[arg-type]  # there is one
    _, bob, battle = await begun(server, orders=1)
    assert (await bob.get(f"/battles/{battle}", PAGE)).status == 200
    assert set(environment.cache) == compiled  # type: ignore[arg-type]
