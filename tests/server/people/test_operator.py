"""Who runs the server says so: their seat is sealed unless they choose otherwise, and the log names them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.log.fairness import seal_chain, seal_text
from replay.proof.verify import OK, verify
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.serving import PHRASE, Caller, RunningServer, serving


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server that Anna runs."""
    async with serving(tmp_path / "data", operators=("anna@example.org",)) as running:
        yield running


async def battle_of(server: RunningServer) -> tuple[Caller, Caller, str]:
    """Anna, Bob, and a battle in which nobody sits."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    return anna, bob, await anna.open()


async def test_an_operator_takes_a_side_sealed_or_says_that_it_is_plain(server: RunningServer) -> None:
    anna, bob, battle = await battle_of(server)
    refused = await anna.sit(battle, "south", phrase=PHRASE)
    assert (refused.status, refused.code) == (422, "core.operator-sealed")
    assert (await bob.sit(battle, "north", phrase=PHRASE)).status == 201
    assert (await anna.sit(battle, "south", mode="plain", phrase=PHRASE)).status == 201
    seats = (await bob.view(battle))["seats"]
    assert [(seats[side]["mode"], seats[side]["operator"]) for side in ("south", "north")] == [
        ("plain", True),
        ("plain", False),
    ]


async def test_the_verdict_names_the_operator(server: RunningServer) -> None:
    anna, bob, battle = await battle_of(server)
    seals = seal_chain(battle, "south", bytes(32), 9)
    await anna.sit(battle, "south", mode="sealed", anchor=seals[0].hex())
    await bob.sit(battle, "north", phrase=PHRASE)
    await bob.order(battle, "")
    assert (await anna.order(battle, f"seal {seal_text(seals[1])}\nresign", phrase="")).status == 200
    report = verify(await anna.export(battle))
    assert (report.exit, report.fault) == (OK, None)
    assert {seat.side: seat.is_operator for seat in report.seats} == {"south": True, "north": False}


async def test_the_page_says_who_runs_the_server(server: RunningServer) -> None:
    anna, _, battle = await battle_of(server)
    page = await visitor_of(server, anna)
    path, fields = f"/battles/{battle}/sides/south", {"phrase": PHRASE, "seen": await page.seen(battle)}
    assert "Let both sides be sealed." in (await page.get(f"/battles/{battle}")).words
    assert "Let both sides be sealed." not in (await Visitor(server).get(f"/battles/{battle}")).words
    refused = await page.send(path, chance="sealed", **fields)
    assert refused.status == 422 and "You run this server" in refused.words
    assert "Runs this server." in (await page.send(path, chance="plain", **fields)).words


async def test_a_battle_opened_by_an_operator_on_the_page(server: RunningServer) -> None:
    anna = await server.player("Anna")
    page = await visitor_of(server, anna)
    count = len(server.running.store.battles())
    assert (await page.send("/battles", scenario="tts/skirmish", opponent="person", phrase=PHRASE)).status == 422
    assert len(server.running.store.battles()) == count
    assert (
        await page.send("/battles", scenario="tts/skirmish", opponent="person", chance="plain", phrase=PHRASE)
    ).status == 200
