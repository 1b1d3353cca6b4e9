"""A campaign is the same after a restart: state, chain, and the streams that its lots go on from."""

import asyncio
from pathlib import Path

import msgspec

from domain.log import fairness, record
from domain.log.fairness import Stream
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaign import LiveCampaign
from server.people.players import Player
from server.web.api.campaigns import file_of
from tests.support.serving import PHRASE, RunningServer, serving

CUP = """
campaign = "cup"
title = "Cup"
ruleset = "tts"
[cup]
system = "swiss"
rounds = 2
[battle]
scenario = "skirmish"
"""


async def a_cup(server: RunningServer) -> LiveCampaign:
    """A cup of four that has begun, one of them a bot."""
    steward = server.running.steward
    people = [Player((await server.player(name)).player, name) for name in ("Anna", "Bob", "Cid")]
    live = await open_campaign(steward, people[0], CUP)
    for person in people:
        await enter_campaign(steward, person, live, CampaignEntry(phrase=f"{PHRASE} {person.name}"))
    await enter_campaign(steward, people[0], live, CampaignEntry(bot="random"))
    await give_lines(steward, people[0], live, "begin", "k")
    return live


async def test_a_campaign_is_the_same_after_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        live = await a_cup(server)
        before = live.recording
        assert set(before.dealer.streams) == {(0, "lots")}
    async with serving(tmp_path / "data") as server:
        again = (await server.running.steward.campaigns.get(live.id)).recording
        assert again.state == before.state
        assert (again.n, again.head) == (before.n, before.head)
        streams = [{key: stream.position for key, stream in one.dealer.streams.items()} for one in (before, again)]
        assert streams[0] == streams[1]


async def test_lots_are_those_of_the_disclosed_key_and_of_what_everybody_gave(server: RunningServer) -> None:
    live = await a_cup(server)
    lines = file_of(live).splitlines()
    events = [msgspec.json.decode(line) for line in lines[1:-1]]
    key = next(event["data"]["key"] for event in events if event["type"] == "KeyDisclosed")
    drawn = next(event["data"]["order"] for event in events if event["type"] == "LotsDrawn")
    given = {event["data"]["side"]: event["data"]["value"] for event in events if event["type"] == "ContributionGiven"}
    seats = [event["data"]["entrant"] for event in events if event["type"] == "EntrantJoined"]
    parts = [bytes.fromhex(given.get(seat, "")) for seat in seats]
    assert len(given) == 3
    stream = Stream(fairness.seed(bytes.fromhex(key), live.id, 0, "lots", parts))
    left = list(seats)
    assert [left.pop(stream.below(len(left))) for _ in seats] == drawn
    anchor = events[0]["data"]["keys"]["anchors"]["public"]
    assert fairness.key_before(live.id, fairness.PUBLIC, 0, bytes.fromhex(key)).hex() == anchor


async def test_the_lines_of_its_file_are_chained_and_canonical(server: RunningServer) -> None:
    live = await a_cup(server)
    header, *events, checkpoint = file_of(live).splitlines()
    head = record.first_hash(header)
    above = live.recording.header.created
    for n, line in enumerate(events, 1):
        above = record.require_event_line(line, n, above).at
        bare, spliced = record.split_hash(line, n + 1)
        head = record.next_hash(head, bare)
        assert head.hex() in spliced.decode()
    assert head == live.recording.head
    assert record.checkpoint_note(checkpoint, 0) == live.note()


async def test_two_who_write_at_once_write_one_after_the_other(server: RunningServer) -> None:
    steward = server.running.steward
    anna = Player((await server.player("Anna")).player, "Anna")
    live = await open_campaign(steward, anna, CUP)
    people = [Player((await server.player(f"Eve {n}")).player, f"Eve {n}") for n in range(5)]
    entered = await asyncio.gather(
        *(enter_campaign(steward, one, live, CampaignEntry(f"e{n}")) for n, one in enumerate(people))
    )
    assert sorted(entered) == sorted(live.state.entrants) == [f"e{n}" for n in range(5)]
