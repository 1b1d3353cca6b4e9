"""Entrants bring their own armies to a cup: by page, API and mail, checked at the door, and fought with then."""

import threading
from pathlib import Path
from typing import Any

import pytest

from domain.campaign.decide import decide
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import FAULT, NOT_ALL_JUDGED
from server.acts.campaigns.opening import open_campaign
from server.armies import army_toml, new_army, plain
from server.campaigns import steward
from server.campaigns.live_campaign import LiveCampaign
from server.people.players import Player
from server.web.api.campaigns import file_of
from tests.server.mail.office import opened
from tests.server.mail.test_campaigns_by_mail import Cup as CupByMail
from tests.server.web.pages.visiting import visitor_of
from tests.support.serving import PHRASE, Caller, RunningServer

CAMPAIGNS = "/api/v1/campaigns"
CUP = """
campaign = "cup"
title = "Autumn Cup"
ruleset = "tts"
[entry]
armies = { size = 130 }
[cup]
system = "round-robin"
[time]
show = "2d"
round = "9d"
grace = "1d"
"""


def army(key: str, size: int = 130) -> dict[str, Any]:
    """A legal army, as its file has it."""
    found: dict[str, Any] = plain(new_army("tts", key, size, 7))
    return found


async def organised(server: RunningServer, text: str = CUP) -> tuple[Caller, str]:
    """A caller with a cup of theirs, and its path."""
    anna = await server.player("Anna")
    return anna, f"{CAMPAIGNS}/{(await anna.post(CAMPAIGNS, {'toml': text})).json['campaign']}"


async def live_of(server: RunningServer, path: str) -> LiveCampaign:
    return await server.running.steward.campaigns.get(path.rpartition("/")[2])


async def test_the_scenarios_of_a_table_are_made_beside_the_loop(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two hundred entrants meet in 19,900 battles: whoever else plays here waits for none of them."""
    anna, path = await organised(server)
    for kind in ("easy", "easy"):
        assert (await anna.post(f"{path}/entrants", {"bot": kind})).status == 201
    threads = []

    def noted(*arguments: Any) -> Any:
        threads.append(threading.current_thread() is threading.main_thread())
        return decide(*arguments)

    monkeypatch.setattr(steward, "decide", noted)
    (line,) = (await anna.post(f"{path}/orders", {"orders": "begin"})).json["lines"]
    assert (line["status"], threads[0]) == ("accepted", False)


@pytest.mark.rule("CAM-PPL-01")
async def test_each_board_is_fought_with_the_armies_of_its_two(server: RunningServer) -> None:
    anna, path = await organised(server)
    bob = await server.player("Bob")
    for caller, brought in ((anna, {"army": army("carthaginian")}), (bob, {"list": "republican_roman", "seed": 3})):
        assert (await caller.post(f"{path}/entrants", {"phrase": PHRASE, **brought})).status == 201
    assert (await anna.post(f"{path}/entrants", {"bot": "easy"})).status == 201
    await anna.post(f"{path}/orders", {"orders": "begin"})
    await server.running.steward.settle()
    live = await live_of(server, path)
    files = {}
    for board in live.state.boards.values():
        battle = await server.running.battles.get(board.battle)
        armies = [live.state.entrants[name].army or {} for name in board.place.pair]
        sides = battle.recording.timeline.events[0].event.sides  # type: ignore[attr-defined]
        assert [sides[side].name for side in ("south", "north")] == [one["name"] for one in armies]
        files[board.battle] = await anna.export(board.battle)
    assert {board.scenario for board in live.state.boards.values()} != {live.state.boards["1.1"].scenario}
    report = verify_campaign(file_of(live), find=files.get)
    assert (report.exit, report.fault) == (NOT_ALL_JUDGED, None)
    first, second, _ = live.state.boards.values()
    swapped = {first.battle: files[second.battle].replace(second.battle.encode(), first.battle.encode())}
    assert verify_campaign(file_of(live), find=swapped.get).exit == FAULT


@pytest.mark.parametrize(
    ("brought", "fault"),
    [
        ({}, "missing"),
        ({"army": army("carthaginian", 100)}, "other-size"),
        ({"army": {**army("carthaginian"), "size": 100}}, "findings"),
    ],
)
async def test_an_army_that_is_not_legal_is_refused(server: RunningServer, brought: Any, fault: str) -> None:
    anna, path = await organised(server)
    reply = await anna.post(f"{path}/entrants", brought)
    assert (reply.code, reply.json["params"]["fault"]) == ("campaign.army-not-legal", fault), reply
    assert bool(reply.json["params"]["found"]) is (fault == "findings")
    live = await live_of(server, path)
    assert (live.n, dict(live.state.players.items())) == (1, {})


async def test_where_nobody_brings_an_army_one_is_refused(server: RunningServer) -> None:
    anna, path = await organised(server, CUP.replace("armies = { size = 130 }", "") + '[battle]\nscenario = "skirmish"')
    reply = await anna.post(f"{path}/entrants", {"army": army("carthaginian")})
    assert (reply.code, reply.json["params"]["fault"]) == ("campaign.army-not-legal", "not-wanted")


@pytest.mark.parametrize(
    ("was", "wrong", "key"),
    [
        ('"tts"', '"stp"', "entry.armies"),
        ("size = 130", "size = 10", "entry.armies.size"),
        ("size = 130", "size = 130, secret = true", "entry.armies.secret"),
        ("[time]", '[battle]\nscenario = "skirmish"\n[time]', "battle.scenario"),
    ],
)
async def test_a_cup_to_which_nobody_could_bring_one_is_not_opened(
    server: RunningServer, was: str, wrong: str, key: str
) -> None:
    anna = await server.player("Anna")
    reply = await anna.post(CAMPAIGNS, {"toml": CUP.replace(was, wrong)})
    assert (reply.code, reply.json["params"]["key"]) == ("campaign.bad-file", key), reply


async def test_the_page_asks_for_the_army(server: RunningServer) -> None:
    anna, path = await organised(server)
    page, visitor = path.removeprefix("/api/v1"), await visitor_of(server, anna)
    shown = await visitor.get(page)
    assert 'name="list"' in shown.text
    assert 'value="130"' in shown.text
    await visitor.send(page, do="enter", phrase=PHRASE, list="carthaginian", size="130", seed="4")
    assert (await live_of(server, path)).state.entrants["p1"].army == plain(new_army("tts", "carthaginian", 130, 4))


async def test_an_army_comes_by_mail_below_the_line_that_enters(tmp_path: Path) -> None:
    async with opened(tmp_path / "data") as office:
        people = {name: await office.enrol(name) for name in ("Anna", "Bob", "Carol")}
        anna = Player(people["Anna"].player, "Anna")
        live = await open_campaign(office.parts.desk.steward, anna, CUP)
        cup = CupByMail(office, live, people)
        file = army_toml(army("gallic"))
        await cup.writes("Bob", f"enter {live.id}\nphrase nine grey geese by night\narmy\n{file}\nend\ncampaigns")
        assert live.state.entrants["p1"].army == army("gallic")
        await cup.writes("Carol", f"enter {live.id} as rome\narmy republican roman 7")
        assert live.state.entrants["rome"].army == army("republican_roman")
        _, told = await cup.writes("Anna", f"enter {live.id}")
        assert "Entrants bring an army of 130 points." in told
