"""Where a unit may end that somebody drags: told to its players alone, as the game measures it."""

import json
from typing import Any

import pytest

from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.serving import BATTLES, Caller, RunningServer

SCENARIO = "crossroads"
UNIT = "A1"


async def at_moves(server: RunningServer) -> tuple[Caller, Caller, str]:
    """A battle of free measure, south about to charge and move; its players, south first."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, ruleset="stp", scenario=SCENARIO)
    for caller in (anna, bob):
        reply = await caller.order(battle, "done")
        assert reply.status == 200, reply.json
    return anna, bob, battle


async def told(caller: Caller, battle: str, **asked: Any) -> dict[str, Any]:
    reply = await caller.get(f"{BATTLES}/{battle}/ends?{query(asked)}")
    assert reply.status == 200, reply.json
    return dict(reply.json)


def query(asked: dict[str, Any]) -> str:
    return "&".join(f"{name}={value}" for name, value in asked.items())


async def place(caller: Caller, battle: str, unit: str = UNIT) -> tuple[int, int]:
    tokens = (await caller.view(battle))["board"]["tokens"]
    x, y = next(one["at"] for one in tokens if one["id"] == unit)
    return x, y


async def test_the_order_of_an_end_leads_to_it(server: RunningServer) -> None:
    anna, _, battle = await at_moves(server)
    x, y = await place(anna, battle)
    found = await told(anna, battle, unit=UNIT, x=x - 120, y=y + 500)
    first = found["choices"][0]
    assert (found["battle"], found["side"], found["unit"], found["reach"]) == (battle, "south", UNIT, [])
    assert first["at"] == [x - 120, y + 500]
    assert len(first["outline"]) == 4 and len(first["nearest"]) == 3
    assert first["said"].startswith("5.14 cm") and first["nearest"][0]["unit"] in first["said"]
    assert (await anna.order(battle, first["order"])).status == 200
    assert await place(anna, battle) == (x - 120, y + 500)


async def test_without_a_place_the_reach_and_a_list_are_told(server: RunningServer) -> None:
    anna, _, battle = await at_moves(server)
    found = await told(anna, battle, unit=UNIT)
    assert len(found["reach"]) == 36 and len(found["choices"]) > 12
    only = await told(anna, battle, unit=UNIT, act="move")
    assert {one["act"] for one in only["choices"]} == {"move"}


async def test_who_may_go_nowhere_hears_why(server: RunningServer) -> None:
    anna, bob, battle = await at_moves(server)
    x, y = await place(anna, battle)
    await anna.order(battle, f"{UNIT} move 3")
    found = await told(anna, battle, unit=UNIT, x=x, y=y + 900)
    assert found["choices"] == [] and "[STP-" in found["said"]
    assert (await told(bob, battle, unit="K1"))["said"] == "K1 may go nowhere now."


async def test_strangers_and_other_sides_are_refused(server: RunningServer) -> None:
    _, bob, battle = await at_moves(server)
    ends = f"{BATTLES}/{battle}/ends?unit={UNIT}"
    assert (await server.stranger.get(ends)).status == 401
    refused = await (await server.player("Carl")).get(ends)
    assert (refused.status, refused.json["code"]) == (403, "core.not-seated")
    refused = await bob.get(f"{ends}&side=south")
    assert (refused.status, refused.json["code"]) == (403, "core.not-your-side")
    refused = await bob.get(ends)
    assert (refused.status, refused.json["code"]) == (422, "core.not-yours")


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("unit=Z9", "core.unknown-id"),
        ("unit=", "core.unknown-id"),
        (f"unit={'A' * 5000}", "core.unknown-id"),
        ("unit=A1&x=-1&y=4", "core.bad-query"),
        ("unit=A1&x=100&y=1000000", "core.bad-query"),
        ("unit=A1&x=100", "core.bad-query"),
        ("unit=A1&x=1.5&y=4", "core.bad-query"),
        ("unit=A1&x=5&y=4&facing=3600", "core.bad-query"),
        ("unit=A1&act=fly", "core.bad-query"),
    ],
)
async def test_what_is_no_wish_is_refused(server: RunningServer, asked: str, code: str) -> None:
    anna, _, battle = await at_moves(server)
    refused = await anna.get(f"{BATTLES}/{battle}/ends?{asked}")
    assert refused.status in (400, 422) and refused.json["code"] == code


@pytest.mark.parametrize("game", ["tts", "warmaster-shooting"])
async def test_a_game_without_it_says_so(server: RunningServer, game: str) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    scenario = {"tts": "skirmish", "warmaster-shooting": "engines"}[game]
    battle = await server.battle(anna, bob, ruleset=game, scenario=scenario)
    refused = await anna.get(f"{BATTLES}/{battle}/ends?unit=R1")
    assert (refused.status, refused.json["code"]) == (404, "core.no-free-ends")


async def test_a_page_tells_the_same_in_its_language(server: RunningServer) -> None:
    anna, _, battle = await at_moves(server)
    x, y = await place(anna, battle)
    visitor = await visitor_of(server, anna)
    asked = query({"unit": UNIT, "x": x, "y": y + 500, "lang": "fr"})
    page = await visitor.get(f"/battles/{battle}/ends?{asked}", accept="application/json")
    said, english = json.loads(page.text), await told(anna, battle, unit=UNIT, x=x, y=y + 500)
    assert said["choices"][0]["at"] == english["choices"][0]["at"]
    assert "avance 5" in said["choices"][0]["order"] and "ennemis les plus proches" in said["choices"][0]["said"]
    part = await visitor.get(f"/battles/{battle}/ends?unit={UNIT}")
    assert 'data-island="ends"' in part.text and part.text.count('role="option"') > 12
    assert (await Visitor(server).get(f"/battles/{battle}/ends?unit={UNIT}")).status == 401


async def test_a_refusal_is_a_sentence_in_french(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    refused = await anna.get(f"{BATTLES}/{battle}/ends?unit=R1&lang=fr")
    assert "mesure libre" in refused.json["detail"]
