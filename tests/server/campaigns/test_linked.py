"""A linked campaign on a server: what is sealed stays so for others, the host reads its log back as it was, and another
host takes it in."""

from pathlib import Path

import pytest

from domain.basics.toml_text import to_toml
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.archive import import_campaign
from server.campaigns.live_campaign import LiveCampaign
from server.people.players import Player
from server.settings import Settings, make_folder
from server.store import EventStore
from tests.support.campaign_files import LINKED, ServedCup, served_linked
from tests.support.linked import fight
from tests.support.serving import PHRASE, Caller, RunningServer, serving


async def begun(server: RunningServer) -> tuple[LiveCampaign, list[Player], list[Caller]]:
    """A war of Anna, who is Rome, and Bob that has begun."""
    callers = [await server.player(name) for name in ("Anna", "Bob")]
    people = [Player(caller.player, name) for caller, name in zip(callers, ("Anna", "Bob"), strict=True)]
    steward = server.running.steward
    live = await open_campaign(steward, people[0], to_toml(LINKED), "k")
    for person in people:
        await enter_campaign(steward, person, live, CampaignEntry(phrase=f"{PHRASE} {person.name}"))
    await give_lines(steward, people[0], live, "begin", "b")
    return live, people, callers


@pytest.mark.rule("CAM-LOG-04")
async def test_nobody_else_reads_an_order_before_it_is_opened(server: RunningServer) -> None:
    live, (anna, bob), (_, reader) = await begun(server)
    await give_lines(server.running.steward, anna, live, "rest F1 R3", "o")
    path = f"/api/v1/campaigns/{live.id}"
    for route in (path, f"{path}/export", f"{path}/fixtures"):
        for caller in (reader, server.stranger):
            answer = await caller.get(route)
            assert answer.status == 200 and "rest F1" not in answer.text, route
    for person in (anna, bob):
        await give_lines(server.running.steward, person, live, "ready", "r")
    assert "rest F1 R3" in (await reader.get(f"{path}/export")).text


@pytest.mark.rule("CAM-LOG-02", "CAM-LOG-03")
async def test_the_host_reads_it_back_as_it_was_and_goes_on_with_the_same_dice(server: RunningServer) -> None:
    live, people, callers = await begun(server)
    steward = server.running.steward
    await give_lines(steward, people[0], live, "rest F1 R3", "o")
    before = live.state
    await live.reread()
    assert live.state == before
    for person in people:
        await give_lines(steward, person, live, "ready", "r")
    before, drawn = live.state, dict(live.recording.dealer.streams)
    await live.reread()
    assert live.state == before
    assert {key: stream.below(1000) for key, stream in drawn.items()} == {
        key: stream.below(1000) for key, stream in live.recording.dealer.streams.items()
    }
    await steward.settle()
    (board,) = live.state.boards.values()
    assert (await callers[0].order(board.battle, "resign")).status == 200
    await steward.settle()
    assert (live.state.round, live.state.rounds[1].node) == (2, "cannae")
    tree = (await callers[1].get(f"/api/v1/campaigns/{live.id}/tree")).json
    stands = [(node["id"], node["status"], node["winner"]) for node in tree["nodes"]]
    assert stands == [("trebia", "fought", "carthage"), ("cannae", "now", ""), ("ticinus", "passed", "")]
    sides = [(side["id"], side["vp"], side["treasury"]) for side in tree["sides"]]
    assert sides == [("rome", 0, 15), ("carthage", 2, 10)]


@pytest.mark.rule("CAM-LNK-01", "CAM-LOG-04")
async def test_programs_read_the_tree_and_the_forces_and_no_order_that_is_sealed(server: RunningServer) -> None:
    live, (anna, _), (_, reader) = await begun(server)
    path = f"/api/v1/campaigns/{live.id}"
    before = [(await reader.get(f"{path}/{what}")).json for what in ("tree", "forces")]
    await give_lines(server.running.steward, anna, live, "rest F1 R3\nready", "o")
    tree, forces = [(await reader.get(f"{path}/{what}")).json for what in ("tree", "forces")]
    assert [(node["id"], node["status"]) for node in tree["nodes"]] == [
        ("trebia", "now"),
        ("cannae", "ahead"),
        ("ticinus", "ahead"),
    ]
    assert tree["nodes"][0]["next"][0] == {"winner": "carthage", "node": "cannae", "title": "Cannae"}
    assert [side["ready"] for side in tree["sides"]] == [True, False]
    assert forces["forces"] == before[1]["forces"]
    (first, *_) = forces["forces"]
    assert (first["id"], first["power"]) == ("F1", "rome")
    assert (first["elements"][0]["id"], first["elements"][0]["now"]) == ("R1", "fit")
    cup = await reader.post("/api/v1/campaigns", {"example": "weekend-cup"})
    assert (await reader.get(f"/api/v1/campaigns/{cup.json['campaign']}/tree")).json["nodes"] == []


@pytest.mark.rule("CAM-LNK-01")
async def test_a_war_that_nobody_could_fight_is_refused(server: RunningServer) -> None:
    anna = await server.player("Anna")
    path = "/api/v1/campaigns"
    bad = {"side": [{"id": "rome", "army": {"corps": 3}}, LINKED["side"][1]]}
    ground = {"node": [{**LINKED["node"][1], "id": "trebia", "battles": [fight("x", ground="lunar")]}]}
    for change in ({"ruleset": "warmaster-shooting"}, bad, ground):
        answer = await anna.post(path, {"toml": to_toml({**LINKED, **change})})
        assert answer.status == 422, answer.text


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> ServedCup:
    return served_linked(tmp_path_factory.mktemp("war"))


async def test_another_host_takes_it_in(war: ServedCup, tmp_path: Path) -> None:
    settings = Settings.at(tmp_path / "other")
    make_folder(settings)
    with EventStore.open(settings.store()) as store:
        _, taken = import_campaign(store, war.ended, war.battles.get)
        assert taken == len(war.battles) == 2
    name = war.ended.partition(b'"campaign":"')[2].partition(b'"')[0].decode()
    async with serving(tmp_path / "other") as server:
        live = await server.running.steward.campaigns.get(name)
        assert live.state.is_over and live.state.theatre.forces["F1"].elements["R9"].is_here
