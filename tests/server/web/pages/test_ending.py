"""The result of a battle that is over, as its players and strangers read it."""

from pathlib import Path

import pytest

from server.play.archive import import_battle
from server.web.pages import ending
from server.workers import Busy
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.serving import RunningServer

GOLDEN = Path(__file__).parents[3] / "golden"


def result(text: str) -> str:
    """The result on a page."""
    return text.partition('<div id="end">')[2].partition('<p id="lost"')[0]


async def resigned(server: RunningServer) -> tuple[Visitor, Visitor, str]:
    """Anna (south) has resigned against Bob."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    await anna.order(battle, "resign")
    return await visitor_of(server, anna), await visitor_of(server, bob), f"/battles/{battle}"


async def test_each_reader_gets_their_own_verdict(server: RunningServer) -> None:
    anna, bob, battle = await resigned(server)
    shown = [result((await one.get(battle)).text) for one in (anna, bob, Visitor(server))]
    for told, verdict in zip(shown, ("You have lost.", "You have won.", "North (Bob) has won."), strict=True):
        assert f">{verdict}</h2>" in told
        assert "North wins: the other side has resigned." in told
        assert f"{battle}/report" in told and f'value="{server.running.settings.address}{battle}"' in told
    assert ["#free" in told for told in shown] == [True, True, False]
    french = result((await bob.get(f"{battle}?lang=fr")).text)
    assert "Vous avez gagné." in french and "wins" not in french


@pytest.mark.slow
async def test_losses_and_honours_of_both_armies_are_told(server: RunningServer) -> None:
    battle = import_battle(server.running.store, (GOLDEN / "medals.battle").read_bytes())
    told = result((await Visitor(server).get(f"/battles/{battle}")).text)
    assert told.count("<h3>") == 2
    assert "in turn" in told and " units left." in told
    assert "Honours" in told
    assert "Honneurs" in result((await Visitor(server).get(f"/battles/{battle}?lang=fr")).text)


async def test_a_draw_is_called_one(server: RunningServer) -> None:
    battle = import_battle(server.running.store, (GOLDEN / "agreed-draw.battle").read_bytes())
    assert "The battle is drawn.</h2>" in result((await Visitor(server).get(f"/battles/{battle}")).text)


async def test_a_battle_that_goes_on_and_an_earlier_event_have_no_result(server: RunningServer) -> None:
    anna, _, battle = await resigned(server)
    assert "<section" not in result((await anna.get(f"{battle}?n=5")).text)
    other = await server.battle(await server.player("Cato"), await server.player("Dora"))
    assert "<section" not in result((await anna.get(f"/battles/{other}")).text)


async def test_a_busy_server_tells_the_verdict_now_and_the_rest_later(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(content: bytes, lang: str) -> bytes:
        raise Busy

    anna, _, battle = await resigned(server)
    with monkeypatch.context() as while_busy:
        while_busy.setattr(ending, "aftermath", busy)
        told = result((await anna.get(battle)).text)
        assert "You have lost." in told and "<h3>" not in told
    assert "<h3>" in result((await anna.get(battle)).text)


async def test_the_link_of_a_private_battle_is_not_offered(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, readers="players")
    await anna.order(battle, "resign")
    told = result((await (await visitor_of(server, anna)).get(f"/battles/{battle}")).text)
    assert "You have lost." in told and "share-link" not in told
