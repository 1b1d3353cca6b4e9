"""A ladder on a server: opened, entered, challenged in, fought, counted and rated."""

from pathlib import Path

import pytest

from replay.proof.campaign.verify import verify_campaign
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaign import LiveCampaign
from server.people.players import Player
from server.play.stopping import stop
from server.web.api.campaigns import file_of
from tests.support.clock import ManualClock
from tests.support.ladders import LADDER, ServedLadder, given
from tests.support.serving import RunningServer, serving


async def test_a_challenge_that_is_accepted_is_opened_fought_and_rated(server: RunningServer) -> None:
    ladder = await ServedLadder.opened(server)
    await ladder.say("Anna", "challenge Bob")
    (challenge,) = ladder.live.state.challenges.values()
    assert (challenge.challenger, challenge.challenged) == ("p1", "p2")
    await ladder.say("Bob", "accept Anna")
    (battle,) = ladder.live.state.duels
    await ladder.fought(battle, "south", turns=2)
    (result,) = ladder.live.book().results
    assert (result.south, result.north, result.winner) == ("p2", "p1", "p1")
    assert (result.how, result.rated) == ("resignation", True)
    rows = [(row.player, row.number, row.games) for row in ladder.live.book().rows(ladder.live.now())]
    assert [player for player, _, games in rows] == ["p1", "p2"]
    assert rows[0][1] > rows[1][1]
    assert not ladder.live.state.between


async def test_a_battle_with_fewer_than_two_turns_is_counted_and_not_rated(server: RunningServer) -> None:
    ladder = await ServedLadder.opened(server)
    await ladder.say("Anna", "challenge Bob")
    await ladder.say("Bob", "challenge Anna")
    (battle,) = ladder.live.state.duels
    await ladder.fought(battle, "south", turns=0)
    (result,) = ladder.live.book().results
    assert not result.rated
    assert ladder.live.book().rows(ladder.live.now()) == []


@pytest.mark.rule("CAM-RAT-05")
async def test_a_battle_that_the_host_has_stopped_makes_room_for_another(server: RunningServer) -> None:
    ladder = await ServedLadder.opened(server)
    await ladder.say("Anna", "challenge Bob")
    await ladder.say("Bob", "challenge Anna")
    await ladder.settled()
    (stopped,) = ladder.live.state.duels
    await stop(server.running.battles, stopped, "the rules were wrong")
    await ladder.settled()
    await ladder.say("Bob", "challenge Anna")
    await ladder.say("Anna", "accept Bob")
    await ladder.settled()
    (another,) = set(ladder.live.state.duels) - {stopped}
    await ladder.fought(another, "south", turns=2)
    assert [result.battle for result in ladder.live.book().results] == [another]
    report = verify_campaign(file_of(ladder.live), find={another: await ladder.callers["Anna"].export(another)}.get)
    assert report.fault is None


async def test_a_bot_accepts_at_once_and_is_never_rated(server: RunningServer) -> None:
    ladder = await ServedLadder.opened(server)
    await enter_campaign(server.running.steward, ladder.people["Anna"], ladder.live, CampaignEntry(bot="random"))
    await ladder.say("Anna", "challenge p3")
    (battle,) = ladder.live.state.duels
    await ladder.settled()
    live = await server.running.battles.get(battle)
    assert {seat.player for seat in live.recording.battle.seats.values()} == {ladder.people["Anna"].id, "bot-random"}
    reply = await ladder.callers["Anna"].order(battle, "resign")
    assert reply.status == 200, reply
    await ladder.settled()
    assert [result.rated for result in ladder.live.book().results] == [False]


async def test_a_challenge_that_nobody_answers_lapses_by_the_clock(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock) as server:
        ladder = await ServedLadder.opened(server)
        await ladder.say("Anna", "challenge Bob")
        clock.wait(days=13, hours=23)
        await ladder.settled()
        assert len(ladder.live.state.challenges) == 1
        clock.wait(hours=1)
        await ladder.settled()
        assert len(ladder.live.state.challenges) == 0
        assert [line.status for line in await given(ladder, "Bob", "accept Anna")] == ["refused"]


async def test_whoever_comes_back_has_their_former_id(server: RunningServer) -> None:
    ladder = await ServedLadder.opened(server)
    await ladder.say("Bob", "withdraw")
    entered = await enter_campaign(server.running.steward, ladder.people["Bob"], ladder.live, CampaignEntry())
    assert entered == "p2"


async def test_a_ladder_without_a_scenario_takes_the_one_that_is_named(server: RunningServer) -> None:
    steward, anna = server.running.steward, Player((await server.player("Zoe")).player, "Zoe")
    text = LADDER.partition("[battle]")[0]
    bob = Player((await server.player("Bob")).player, "Bob")
    live: LiveCampaign = await open_campaign(steward, anna, text, "z")
    await enter_campaign(steward, anna, live, CampaignEntry())
    await enter_campaign(steward, anna, live, CampaignEntry(bot="easy"))
    rows = {"challenge p2": "refused", "challenge p2 nowhere": "refused", "challenge p2 skirmish": "accepted"}
    for line, status in rows.items():
        (answer,) = await give_lines(steward, anna, live, line, line)
        assert answer.status == status, answer
    await steward.settle()
    (duel,) = live.state.duels.values()
    await enter_campaign(steward, bob, live, CampaignEntry())
    (refused,) = await give_lines(steward, anna, live, "challenge Bob nowhere", "unknown")
    assert refused.refusal is not None
    assert refused.refusal.code == "core.unknown-scenario"
    assert steward.store.header(duel.battle) is not None


@pytest.mark.rule("CAM-RAT-01")
async def test_who_enters_when_the_battle_has_begun_is_not_rated(server: RunningServer) -> None:
    ladder = await ServedLadder.opened(server)
    book = ladder.live.book()
    now = ladder.live.now()
    assert book.may_be_rated(now, now, ("p1", "p2"), "south", "medals", held=True)
    assert not book.may_be_rated(now, "2000-01-01T00:00:00.000Z", ("p1", "p2"), "south", "medals", held=True)
    assert not book.may_be_rated(now, now, ("p1", "p2"), "south", "medals", held=False)
