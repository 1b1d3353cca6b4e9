"""A cup is seeded by a ladder, and its battles count in one, once, wherever the server is killed."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.campaign.events import CAMPAIGN_EVENTS, EntrantJoined, ResultCounted
from domain.log import record
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import NOT_ALL_JUDGED, OTHER_RULES
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.steward import Steward
from server.store import Closed
from server.web.api.campaigns import file_of
from tests.support.campaign_files import Events
from tests.support.forgeries import of_type
from tests.support.ladders import ServedLadder
from tests.support.rechained import put_together, taken_apart
from tests.support.serving import RunningServer

CAMPAIGNS = "/api/v1/campaigns"
CUP = """
campaign = "cup"
title = "Winter Cup"
ruleset = "tts"
[cup]
system = "round-robin"
seed = "rating {ladder}"
ladder = "{ladder}"
[battle]
scenario = "skirmish"
"""


async def fought_cup(ladder: ServedLadder) -> LiveCampaign:
    """A cup of the members of a ladder and of a newcomer, whose first battle Anna and Bob have fought to its end."""
    server, steward = ladder.server, ladder.server.running.steward
    cid = await server.player("Cid")
    ladder.callers["Cid"] = cid
    people = [*ladder.people.values()]
    live = await open_campaign(steward, people[0], CUP.format(ladder=ladder.live.id))
    for person in people:
        await enter_campaign(steward, person, live, CampaignEntry())
    assert (await cid.post(f"{CAMPAIGNS}/{live.id}/entrants", {})).status == 201
    await give_lines(steward, people[0], live, "begin", "k")
    return live


def joined(live: LiveCampaign) -> dict[str, Any]:
    """By name the number with which each has entered."""
    events = [record.decode(line, CAMPAIGN_EVENTS).event for _, line in live.recording.lines]
    return {event.name: event.rating for event in events if isinstance(event, EntrantJoined)}


def counted_in(live: LiveCampaign, battle: str) -> int:
    """How often a log counts a battle."""
    events = [record.decode(line, CAMPAIGN_EVENTS).event for _, line in live.recording.lines]
    return sum(isinstance(event, ResultCounted) and event.battle == battle for event in events)


@pytest.mark.rule("CAM-RND-02")
@pytest.mark.rule("CAM-RAT-04")
async def test_who_enters_is_seeded_by_their_standing_number(server: RunningServer) -> None:
    ladder = await ServedLadder.opened(server)
    await ladder.rated_battle("Bob", "Anna")
    live = await fought_cup(ladder)
    rows = {ladder.live.state.entrants[row.player].name: row.number for row in ladder.live.ladder_rows()}
    assert joined(live) == {**rows, "Cid": 800}
    names = [live.state.entrants[entrant].name for entrant in live.state.order]
    assert names == sorted(names, key=lambda name: -joined(live)[name])
    assert names[0] == "Bob"


@pytest.mark.rule("CAM-RAT-04")
async def test_the_numbers_of_a_cup_follow_from_the_file_of_its_ladder(server: RunningServer) -> None:
    ladder = await ServedLadder.opened(server)
    await ladder.rated_battle("Bob", "Anna")
    live = await fought_cup(ladder)
    name, key = ladder.live.id, server.running.keys.current
    files = {battle: await ladder.callers["Anna"].export(battle) for battle in ladder.live.state.duels}
    files[name] = file_of(ladder.live)
    held = verify_campaign(file_of(live), find=files.get)
    assert (held.exit, held.fault, held.missing) == (NOT_ALL_JUDGED, None, ())
    alone = verify_campaign(file_of(live), find={}.get)  # type: ignore[arg-type]
    assert (alone.exit, alone.missing) == (OTHER_RULES, (name,))

    def forged(content: bytes, change: Callable[[Events], None]) -> bytes:
        header, events = taken_apart(content)
        change(events)
        return put_together(header, events, key)

    for change in (
        lambda events: of_type(events, "EntrantJoined", 2).update(rating=1999),
        lambda events: of_type(events, "EntrantJoined", 2).pop("rating"),
    ):
        report = verify_campaign(forged(file_of(live), change), find=files.get)
        assert report.fault is not None and report.fault.what == "rating-differs"
    lost = {**files, name: forged(files[name], lambda events: of_type(events, "ResultCounted").update(rated=False))}
    report = verify_campaign(file_of(live), find=lost.get)
    assert report.fault is not None and report.fault.what == "ladder-file"


async def test_its_battles_count_in_the_ladder_once(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = await ServedLadder.opened(server)
    live = await fought_cup(ladder)
    board = next(
        board
        for board in live.state.boards.values()
        if {live.state.entrants[name].name for name in board.place.pair} == {"Anna", "Bob"}
    )
    enter, killed = Steward.enter, list[str]()

    async def dies_once(steward: Steward, of: LiveCampaign, *more: object) -> object:
        if of is live and not killed:
            killed.append(of.id)
            raise Closed
        return await enter(steward, of, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Steward, "enter", dies_once)
    await ladder.fought(board.battle, "south", turns=2)
    assert killed
    assert live.state.boards[board.place.name].is_running
    server.running.steward._later.clear()
    await ladder.settled()
    assert not live.state.boards[board.place.name].is_running
    assert (counted_in(live, board.battle), counted_in(ladder.live, board.battle)) == (1, 1)
    assert ladder.live.book().results[0].rated
    files = {board.battle: await ladder.callers["Anna"].export(board.battle)}
    report = verify_campaign(file_of(ladder.live), find=files.get)
    assert (report.exit, report.fault) == (NOT_ALL_JUDGED, None)
    assert report.compared == (board.battle,)


async def test_who_takes_no_part_in_a_ladder_feeds_it_with_nothing(server: RunningServer) -> None:
    ladder = await ServedLadder.opened(server)
    cid, text = await server.player("Cid"), CUP.format(ladder=ladder.live.id)
    seeded = text.replace(f'ladder = "{ladder.live.id}"\n', "")
    assert (await cid.post(CAMPAIGNS, {"toml": seeded})).status == 201
    for wrong, key in (
        (text, "cup.ladder"),
        (seeded.replace(ladder.live.id, "k3jz81aq"), "cup.seed"),
        (seeded.replace("tts", "singidunum").replace("skirmish", "quick"), "cup.seed"),
    ):
        reply = await cid.post(CAMPAIGNS, {"toml": wrong})
        assert (reply.code, reply.json["params"]["key"]) == ("campaign.bad-file", key), reply
