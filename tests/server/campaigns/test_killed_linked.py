"""A war whose steward is killed at any commit of a round: each battle of a node is opened once, from the forces as they
are, and its losses are counted once."""

import asyncio
from pathlib import Path

import pytest

from domain.campaign.events import ResultCounted
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaign import LiveCampaign
from server.people.players import Player
from server.store import EventStore
from tests.server.campaigns.test_killed import Dying, Host
from tests.server.campaigns.test_killed_ladder import resigned
from tests.support.linked import served_file

LEAST = 4
"""Commits until the battle of a node is open: itself, its two seats, that it is open."""


async def both_ready(host: Host, people: list[Player], number: int) -> LiveCampaign:
    """A war whose first battle is set, and not opened yet."""
    live = await open_campaign(host.steward, people[0], served_file(), f"war {number}")
    for person in people[:2]:
        await enter_campaign(host.steward, person, live, CampaignEntry())
    for at, (player, lines) in enumerate(((people[0], "begin\nready"), (people[1], "rest F2 N1\nready"))):
        answers = await give_lines(host.steward, player, live, lines, f"{number} {at}")
        assert [answer.refusal for answer in answers] == [None, None]
    return live


@pytest.mark.slow
@pytest.mark.rule("CAM-LOG-05", "CAM-LNK-01")
@pytest.mark.parametrize("behind", [False, True])
async def test_the_steward_of_a_war_may_be_killed_at_any_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behind: bool
) -> None:
    with EventStore.open(tmp_path / "log.db", asyncio.get_running_loop()) as store:
        host = Host(tmp_path, store)
        people = await host.people()
        dying, at, was_killed = Dying(store, monkeypatch), 0, True
        while was_killed:
            at += 1
            war = (await both_ready(host, people, at)).id
            was_killed = await host.served(dying, at, behind)
            await host.require_whole(war, "open")
            (board,) = (await host.steward.campaigns.get(war)).state.boards.values()
            await resigned(host, board.battle)
            was_killed |= await host.served(dying, at, behind)
            live = await host.steward.campaigns.get(war)
            assert (live.state.round, live.state.rounds[1].node) == (2, "cannae")
            counted = [event for event in live.recording.events() if isinstance(event, ResultCounted)]
            assert [event.battle for event in counted] == [board.battle]
            state = live.state
            await live.reread()
            assert live.state == state
        assert at > LEAST
