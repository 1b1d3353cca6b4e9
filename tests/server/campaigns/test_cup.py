"""A cup runs by itself: its battles are opened, fought and counted, and its log proves what it says."""

import pytest

from domain.basics.data import scenario_names, scenario_table
from domain.campaign.standings import standings
from domain.campaign.state import contest_of
from domain.catalogue import RULESETS
from domain.run.decide import folded, opening
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import ACCEPTED_LINE, give_lines
from server.acts.campaigns.opening import open_campaign
from server.people.players import Player
from tests.support.looping import some
from tests.support.serving import RunningServer
from tests.support.waiting import eventually

CUP = """
campaign = "cup"
title = "Cup of bots"
ruleset = "singidunum"
[cup]
system = "swiss"
rounds = 2
[battle]
scenario = "quick"
"""


@pytest.mark.slow
async def test_a_cup_of_bots_is_fought_to_its_end(server: RunningServer) -> None:
    steward = server.running.steward
    anna = Player((await server.player("Anna")).player, "Anna")
    live = await open_campaign(steward, anna, CUP, "k1")
    assert (await open_campaign(steward, anna, CUP, "k1")).id == live.id
    for _ in range(5):
        await enter_campaign(steward, anna, live, CampaignEntry(bot="random"))
    answers = await give_lines(steward, anna, live, "begin", "k2")
    assert [answer.status for answer in answers] == [ACCEPTED_LINE]
    await eventually("the cup ends", lambda: live.state.is_over)
    state = live.state
    assert state.how == "rounds"
    assert len(state.boards) == 4
    assert {board.status for board in state.boards.values()} == {"counted"}
    assert state.winners == (standings(contest_of(state), state.cup.tiebreaks)[0].entrant,)
    assert all(max(board.kept) > 0 for board in state.boards.values())


@pytest.mark.parametrize("code", sorted(RULESETS))
def test_each_game_says_what_a_side_has_left(code: str) -> None:
    ruleset, begins = RULESETS[code], False
    for name in some(scenario_names(code)):
        opened = folded(ruleset, ruleset.rules.initial, opening(ruleset, scenario_table(code, name)))
        left = ruleset.shown.strength(opened) or ruleset.shown.tally(opened)
        assert set(left) == set(ruleset.seats.names)
        begins |= any(left.values())
    assert begins
