"""Whoever asks why a unit cannot do something hears the sentence with which its order would be refused."""

import json

import pytest

from domain.basics.data import parse_toml, scenario_names, scenario_text
from domain.catalogue import RULESETS
from server.people.players import Player
from server.play.reasons import reason
from server.play.seating import take_side
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support import messages
from tests.support.serving import PHRASE, RunningServer


async def said(visitor: Visitor, battle: str, **asked: str) -> str:
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    page = await visitor.get(f"/battles/{battle}/reason?{query}", accept="application/json")
    assert page.status == 200, page.text
    return str(json.loads(page.text)["said"])


async def test_a_box_out_of_reach_and_a_corps_that_waits_say_why(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    visitor = await visitor_of(server, anna)
    assert "[TTS-MOV-02]" in await said(visitor, battle, unit="R1", box="H6")
    assert "[TTS-GEO-14]" in await said(visitor, battle, unit="R1", box="C5")
    assert await said(visitor, battle, unit="R1", box="C3") == ""
    assert await said(visitor, battle, unit="X9", box="C3") == ""
    assert await said(visitor, battle, unit="R1", box="Z99") == ""
    await anna.order(battle, "R1 ahead")
    live = await server.running.battles.get(battle)
    idle = [
        unit
        for unit in live.game.units
        if unit.startswith("R") and not any(o.unit == unit for o in live.options("south"))
    ]
    assert idle
    for unit in idle:
        assert "[TTS-" in await said(visitor, battle, unit=unit)


async def test_a_stranger_asks_in_vain(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    page = await Visitor(server).get(f"/battles/{battle}/reason?unit=R1", accept="application/json")
    assert page.status == 401


@pytest.mark.parametrize("code", RULESETS)
async def test_every_game_can_be_asked_and_draws_nothing(server: RunningServer, code: str) -> None:
    name = scenario_names(code)[0]
    live = await server.running.battles.open(code, parse_toml(scenario_text(code, name), name), "public")
    for side in ("south", "north"):
        caller = await server.player(side)
        await take_side(live, side, Player(caller.player, side), phrase=messages.phrase(live.recording, PHRASE))
    n, scene = live.n, live.ruleset.shown.view(live.known("south"), "south")
    names = {token.id for token in (*scene.tokens, *scene.aside)} | {group.label for group in scene.groups}
    for unit in sorted(names):
        for box in ("", *[cell.id for cell in scene.cells][::7]):
            refusal = reason(live, "south", unit, box)
            assert refusal is None or refusal.rule, (unit, box)
    assert live.n == n
