"""A ladder whose steward is killed at any commit: each challenge comes to one battle, and each end is counted once."""

import asyncio
from pathlib import Path

import pytest

from domain.campaign.events import ResultCounted
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaign import LiveCampaign
from server.people.players import Player
from server.play.request import OrderRequest
from server.play.service import OrderService
from server.store import EventStore
from tests.server.campaigns.test_killed import Dying, Host
from tests.support.ladders import LADDER
from tests.support.serving import PHRASE


async def challenged(host: Host, people: list[Player], number: int) -> LiveCampaign:
    """A ladder in which a challenge was accepted, and another one waits."""
    live = await open_campaign(host.steward, people[0], LADDER, f"ladder {number}")
    for person in people[:3]:
        await enter_campaign(host.steward, person, live, CampaignEntry())
    lines = ((people[0], "challenge p2"), (people[1], "accept p1"), (people[0], "challenge p3"))
    for at, (player, line) in enumerate(lines):
        (answer,) = await give_lines(host.steward, player, live, line, f"{number} {at}")
        assert answer.refusal is None, answer
    return live


async def resigned(host: Host, battle: str) -> None:
    """South gives up."""
    live = await host.steward.battles.get(battle)
    south = live.recording.battle.seats["south"].player
    request = OrderRequest(battle, "south", south, "page", "resign", PHRASE, seen=live.recording.newest_head())
    await OrderService(host.steward.battles).orders(request)


@pytest.mark.slow
@pytest.mark.parametrize("behind", [False, True])
async def test_the_steward_of_a_ladder_may_be_killed_at_any_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behind: bool
) -> None:
    with EventStore.open(tmp_path / "log.db", asyncio.get_running_loop()) as store:
        host = Host(tmp_path, store)
        people = await host.people()
        dying, at, was_killed = Dying(store, monkeypatch), 0, True
        while was_killed:
            at += 1
            ladder = (await challenged(host, people, at)).id
            was_killed = await host.served(dying, at, behind)
            state = (await host.steward.campaigns.get(ladder)).state
            (duel,) = state.duels.values()
            named = [row.battle for row in store.battles() if ladder in store.lines(row.battle, 0, 1)[0].decode()]
            assert named == [duel.battle]
            battle = await host.steward.battles.get(duel.battle)
            assert {side: seat.player for side, seat in battle.recording.battle.seats.items()} == dict(duel.players)
            await resigned(host, duel.battle)
            was_killed |= await host.served(dying, at, behind)
            host.clock.wait(days=14)
            was_killed |= await host.served(dying, at, behind)
            live = await host.steward.campaigns.get(ladder)
            results = live.book().results
            assert [(result.battle, result.how) for result in results] == [(duel.battle, "resignation")]
            assert sum(b'"type":"' + ResultCounted.__name__.encode() in line for _, line in live.recording.lines) == 1
            assert not live.state.challenges
            assert not live.state.between
        assert at > 4
