"""The API makes, checks and pairs armies, and tells what is wrong with one."""

from typing import Any

import pytest

from tests.support.serving import BATTLES, RunningServer

ARMIES = "/api/v1/armies"


async def made(server: RunningServer, **wanted: Any) -> Any:
    reply = await server.stranger.post(f"{ARMIES}/new", wanted)
    assert reply.status == 200, reply
    return reply.json


async def test_the_lists_can_be_read_by_anybody(server: RunningServer) -> None:
    listed = (await server.stranger.get(ARMIES)).json["armies"]
    assert len(listed) >= 26
    rome = next(one for one in listed if one["key"] == "republican_roman")
    assert rome == {
        "ruleset": "tts",
        "key": "republican_roman",
        "name": "Republican Roman",
        "name_fr": "République romaine",
        "first": -300,
        "last": -107,
        "region": "italy",
    }
    shown = (await server.stranger.get(f"{ARMIES}/republican_roman")).json
    assert shown["list"]["troops"]["triarii"]["type"] == "hoplites_small"
    assert (await server.stranger.get(f"{ARMIES}/zulu")).code == "core.no-such-page"


async def test_a_new_army_is_legal(server: RunningServer) -> None:
    army = await made(server, list="gallic", size=160, seed=9)
    assert army["points"] == 160
    assert army["army"]["list"] == "gallic"
    checked = (await server.stranger.post(f"{ARMIES}/check", {"army": army["army"]})).json
    assert (checked["legal"], checked["points"], checked["bill"]) == (True, 160, army["bill"])
    assert sum(item["points"] for corps in checked["bill"]["corps"] for item in corps["items"]) == 160
    assert (await made(server, list="gallic", size=160, seed=9)) == army


async def test_what_speaks_against_an_army_comes_in_sentences(server: RunningServer) -> None:
    army = (await made(server, list="gallic"))["army"]
    army["size"] = 100
    del army["corps"][0]["general"]
    reply = await server.stranger.post(f"{ARMIES}/check", {"army": army})
    assert reply.status == 200
    assert reply.json["legal"] is False
    assert [one["code"] for one in reply.json["findings"]] == ["tts.army-over", "tts.army-no-general"]
    assert reply.json["findings"][1]["sentence"] == "Corps I has no general. [TTS-CAT-04]"


@pytest.mark.parametrize(
    ("address", "body", "status", "code"),
    [
        ("check", {}, 422, "core.bad-request"),
        ("check", {"army": {"corps": 3}}, 422, "tts.bad-army"),
        ("check", {"army": {"size": 10**30}}, 422, "tts.bad-army"),
        ("check", {"army": {"list": "zulu"}}, 422, "tts.no-such-army-list"),
        ("check", {"army": {"ruleset": "chess"}}, 422, "core.no-armies"),
        ("new", {"list": "zulu"}, 422, "tts.no-such-army-list"),
        ("new", {"list": "gallic", "size": 5}, 422, "tts.army-size"),
        ("new", {"list": "gallic", "ruleset": "chess"}, 422, "core.no-armies"),
        ("new", {"list": "gallic", "colour": "red"}, 422, "core.bad-request"),
        ("battle", {"south": "gallic"}, 422, "core.bad-request"),
        ("battle", {"south": "gallic", "north": {"corps": []}}, 422, "tts.army-not-legal"),
        ("battle", {"south": "gallic", "north": "swiss", "options": {"turn_limit": None}}, 422, "core.bad-request"),
        ("battle", {"south": "gallic", "north": "swiss", "options": {"turn_limit": 0.5}}, 422, "core.bad-request"),
        ("battle", {"south": 3, "north": "gallic"}, 422, "core.bad-request"),
    ],
)
async def test_what_cannot_be_done_is_refused(server: RunningServer, address, body, status, code) -> None:
    reply = await server.stranger.post(f"{ARMIES}/{address}", body)
    assert (reply.status, reply.code) == (status, code)
    assert not reply.json["detail"].startswith(("tts.", "core."))


async def test_a_battle_of_two_armies_can_be_opened(server: RunningServer) -> None:
    own = (await made(server, list="carthaginian", seed=4))["army"]
    reply = await server.stranger.post(f"{ARMIES}/battle", {"south": own, "north": "republican_roman", "seed": 4})
    assert reply.status == 200
    assert reply.json["scenario"]["sides"]["south"]["name"] == "Carthaginian"
    anna = await server.player("Anna")
    opened = await anna.post(BATTLES, {"scenario_toml": reply.json["scenario_toml"]})
    assert opened.status == 201, opened
