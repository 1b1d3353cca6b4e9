"""The page of a player: what everybody may know of them, and what they alone."""

import pytest

from server.people import players
from server.store.tables import closings
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.serving import Caller, RunningServer


async def fought(server: RunningServer, winner: Caller, loser: Caller, **more: str) -> str:
    """A battle that somebody (south) has won, and its id."""
    battle = await server.battle(winner, loser, **more)
    assert (await loser.order(battle, "resign")).status == 200
    return battle


@pytest.mark.slow
async def test_others_see_public_battles_and_their_results_alone(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    won = await fought(server, anna, bob, readers="public")
    lost = await fought(server, bob, anna, readers="public")
    hidden = [await fought(server, anna, bob, readers=who) for who in ("link", "players")]
    running = await server.battle(anna, bob, readers="public")
    for visitor in (Visitor(server), await visitor_of(server, bob)):
        page = await visitor.get(f"/players/{anna.player}")
        assert "<h1>Anna</h1>" in page.text and "Plays here since 20" in page.words
        assert "Won 1, lost 1, drawn 0." in page.words
        assert all(f"/battles/{battle}" in page.text for battle in (won, lost, running))
        assert not any(battle in page.text for battle in hidden)
        assert "example.org" not in page.text
    own = await (await visitor_of(server, anna)).get(f"/players/{anna.player}")
    assert "Won 3, lost 1, drawn 0." in own.words
    assert all(f"/battles/{battle}" in own.text for battle in (won, lost, running, *hidden))


async def test_a_seat_leads_to_the_page_of_its_player(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    page = await Visitor(server).get(f"/battles/{battle}")
    for caller in (anna, bob):
        assert f'<a href="/players/{caller.player}">' in page.text
    alone = await anna.open()
    await anna.sit(alone, "north", bot="easy")
    assert "/players/" not in (await Visitor(server).get(f"/battles/{alone}")).text
    visitor = await visitor_of(server, anna)
    for path in ("/", "/settings"):
        assert f'href="/players/{anna.player}"' in (await visitor.get(path)).text


async def test_a_battle_against_oneself_and_a_closed_one_count_nowhere(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    both = await server.battle(anna, anna)
    assert (await anna.order(both, "resign", side="south")).status == 200
    closed = await fought(server, anna, bob)
    await server.running.store.write(closings.close(closed, server.running.clock.now(), "stopped"))
    page = await (await visitor_of(server, anna)).get(f"/players/{anna.player}")
    assert "Won 0, lost 0, drawn 0." in page.words
    assert both in page.text and closed not in page.text


@pytest.mark.parametrize("name", ["nobody", "p", "%27", "x" * 500])
async def test_who_is_not_here_has_no_page(server: RunningServer, name: str) -> None:
    assert (await Visitor(server).get(f"/players/{name}")).status == 404


async def test_who_was_taken_off_the_server_has_no_page_and_no_link(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    await server.running.store.write(*players.erased(anna.player))
    assert (await Visitor(server).get(f"/players/{anna.player}")).status == 404
    page = await Visitor(server).get(f"/battles/{battle}")
    assert anna.player not in page.text and f"/players/{bob.player}" in page.text


async def test_the_page_is_french_for_a_french_reader(server: RunningServer) -> None:
    anna = await server.player("Anna")
    page = await Visitor(server).get(f"/players/{anna.player}?lang=fr")
    assert "Gagnées : 0, perdues : 0, nulles : 0." in page.words and "Aucune bataille" in page.words
