"""The page over all battles tells of public battles that are over, to everybody the same, in English and French."""

import threading

import pytest
from playwright.async_api import Browser

from projections import overview
from server.store.tables import closings
from tests.server.web.pages.test_barriers import barriers, contexts
from tests.server.web.pages.visiting import Visitor
from tests.support.serving import Caller, RunningServer

FRENCH = {"Accept": "text/html", "Accept-Language": "fr"}


async def resigned(server: RunningServer, anna: Caller, bob: Caller, **more: str) -> str:
    """A battle that south has given up."""
    battle = await server.battle(anna, bob, **more)
    assert (await anna.order(battle, "resign")).status == 200
    return battle


async def counted(server: RunningServer) -> dict[str, int]:
    """The battles of each game, as the API tells them."""
    found = await Caller(server.client).get("/api/v1/figures")
    return {game["ruleset"]: game["battles"] for game in found.json["games"]}


async def test_before_the_first_battle_is_over_the_page_says_so(server: RunningServer) -> None:
    visitor = Visitor(server)
    assert "No public battle has been fought out here yet." in (await visitor.get("/figures")).words
    french = (await visitor.ask("GET", "/figures", FRENCH)).words
    assert "Aucune bataille publique n’a encore été menée à son terme ici." in french
    assert await counted(server) == {}


async def test_public_battles_that_are_over_are_told_and_no_others(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    await resigned(server, anna, bob)
    await resigned(server, bob, anna)
    await resigned(server, anna, bob, readers="players")
    await resigned(server, anna, bob, readers="link")
    await server.battle(anna, bob)
    assert await counted(server) == {"tts": 2}
    page = await Visitor(server).get("/figures")
    row = page.text.partition("Skirmish at the two woods</th>")[2].partition("</tr>")[0]
    assert row.replace("</td>", " ").replace("<td>", "").split()[:4] == ["2", "0", "2", "0"]
    assert "Rome</th><td>2</td><td>0</td><td>2</td><td>0</td>" in page.text
    french = await Visitor(server).ask("GET", "/figures", FRENCH)
    assert "Batailles terminées" in french.words and "The valley" not in french.words


async def test_a_battle_that_was_taken_away_is_not_told_any_more(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await resigned(server, anna, bob)
    await resigned(server, anna, bob)
    assert await counted(server) == {"tts": 2}
    await server.running.store.write(closings.remove(battle, server.running.clock.now()))
    assert await counted(server) == {"tts": 1}


async def test_the_figures_are_summed_beside_the_loop_and_only_when_a_battle_has_ended(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    await resigned(server, anna, bob)
    sums: list[threading.Thread] = []
    summed = overview.figures

    def noted(*asked):
        sums.append(threading.current_thread())
        return summed(*asked)

    monkeypatch.setattr(overview, "figures", noted)
    for _ in range(3):
        assert await counted(server) == {"tts": 1}
    going_on = await server.battle(anna, bob)
    await anna.order(going_on, "R1 ahead")
    assert await counted(server) == {"tts": 1}
    assert len(sums) == 1 and sums[0] is not threading.main_thread()
    await anna.order(going_on, "resign")
    assert await counted(server) == {"tts": 2}
    assert len(sums) == 2


async def test_the_list_of_public_battles_leads_to_it(server: RunningServer) -> None:
    assert 'href="/figures"' in (await Visitor(server).get("/watch")).text


@pytest.mark.slow
async def test_its_tables_bar_nobodys_way(browser: Browser, server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    for scenario in ("skirmish", "cannae", "singidunum/quick"):
        await resigned(server, anna, bob, scenario=scenario)
    assert await barriers(server, await contexts(browser, server), "/figures") == []
