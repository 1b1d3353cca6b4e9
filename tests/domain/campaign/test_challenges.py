"""Members of a ladder challenge each other, and what comes of it."""

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.decide import decide
from domain.campaign.events import BattleSet, EntrantJoined, ResultCounted
from domain.campaign.evolve import START, folded
from domain.campaign.ladder_events import ChallengeEnded, ChallengeMade
from domain.events.battle import Fact
from tests.support.cups import PlayedCampaign, names, swiss


def ladder(*members: str, scenario: str = "field", **tables: Any) -> PlayedCampaign:
    """A ladder with some members."""
    played = PlayedCampaign("ladder", battle={"scenario": scenario}, **tables)
    played.enter(*members or ("ann", "bob", "cid"))
    return played


def code_of(played: PlayedCampaign, fact: Fact) -> str:
    """The code with which an input is refused."""
    with pytest.raises(Refusal) as refused:
        played.take(fact)
    return refused.value.code


def counted(battle: str, south: str, north: str, **members: Any) -> Fact:
    """The end of a battle of a ladder."""
    event = ResultCounted(
        board="",
        battle=battle,
        n=9,
        hash="00",
        winner="south",
        how="medals",
        kept={"south": 400, "north": 0},
        rated=True,
        players={"south": south, "north": north},
    )
    return Fact("server", event.RULE, event)


@pytest.mark.rule("CAM-RAT-05")
def test_a_challenge_that_is_accepted_comes_to_a_battle():
    played = ladder()
    (made,) = played.say("ann", "challenge bob")
    assert made == ChallengeMade("ann", "bob", "2000-01-15T00:00:00.000Z")
    (battle,) = played.say("bob", "accept Ann")
    assert isinstance(battle, BattleSet)
    assert (battle.board, battle.round, battle.south, battle.north) == ("", 0, "bob", "ann")
    assert battle.players == {"south": "bob", "north": "ann"}
    assert not played.state.challenges
    played.take(counted(battle.battle, "bob", "ann"))
    assert played.state.duels[battle.battle].victor == "bob"
    assert not played.state.between
    played.say("bob", "challenge ann")
    (again,) = played.say("ann", "accept bob")
    assert (again.south, again.north) == ("ann", "bob")


@pytest.mark.rule("CAM-RAT-05")
def test_who_challenges_their_challenger_has_accepted_and_a_bot_accepts_at_once():
    played = ladder()
    played.say("ann", "challenge bob other-field")
    (battle,) = played.say("bob", "challenge ann")
    assert (battle.scenario, played.state.duels[battle.battle].named) == ("other-field", "other-field")
    played.enter("rob", kind="bot")
    assert names(played.say("ann", "challenge rob")) == ["ChallengeMade", "BattleSet"]


@pytest.mark.rule("CAM-RAT-05")
def test_a_challenge_is_declined_withdrawn_lapses_or_ends_with_its_member():
    played = ladder()
    for player, line, reason in (("bob", "decline ann", "declined"), ("ann", "decline bob", "withdrawn")):
        played.say("ann", "challenge bob")
        assert played.say(player, line) == [ChallengeEnded("ann", "bob", reason)]
    played.say("ann", "challenge bob")
    assert names(played.wait(13)) == []
    _, ended = played.wait(14)
    assert ended == ChallengeEnded("ann", "bob", "lapsed")
    played.say("cid", "challenge ann")
    assert played.say("ann", "withdraw") == [ChallengeEnded("cid", "ann", "left")]
    assert not played.state.challenges


@pytest.mark.rule("CAM-RAT-05")
def test_a_challenge_lasts_as_long_as_the_ladder_says():
    played = ladder(time={"show": "3d"})
    (made,) = played.say("ann", "challenge bob")
    assert made.until == "2000-01-04T00:00:00.000Z"


@pytest.mark.rule("CAM-RAT-05")
def test_what_is_no_challenge_is_refused():
    played = ladder()
    assert played.refused("ann", "challenge zoe") == ("campaign.no-such-entrant", "CAM-PPL-01")
    assert played.refused("ann", "challenge ann")[0] == "campaign.no-such-entrant"
    assert played.refused("zoe", "challenge ann")[0] == "campaign.not-entered"
    assert played.refused("ann", "accept bob") == ("campaign.no-challenge", "CAM-RAT-05")
    played.say("ann", "challenge bob")
    assert played.refused("ann", "accept bob")[0] == "campaign.no-challenge"
    assert played.refused("cid", "decline bob")[0] == "campaign.no-challenge"
    assert played.refused("ann", "challenge bob")[0] == "campaign.already-challenged"
    played.say("bob", "accept ann")
    assert played.refused("ann", "challenge bob")[0] == "campaign.already-fighting"
    assert swiss("ann", "bob", "cid", "dee").refused("ann", "challenge bob")[0] == "campaign.no-ladder"
    assert ladder(scenario="").refused("ann", "challenge bob")[0] == "campaign.which-scenario"


@pytest.mark.rule("CAM-RAT-05")
def test_a_battle_that_the_host_has_stopped_keeps_nobody_from_another():
    played = ladder()
    played.say("ann", "challenge bob")
    played.say("bob", "accept ann")
    (stopped,) = played.state.duels
    played.stopped.add(stopped)
    played.say("bob", "challenge ann")
    played.say("ann", "accept bob")
    another = next(battle for battle in played.state.duels if battle != stopped)
    assert played.refused("ann", "challenge bob")[0] == "campaign.already-fighting"
    assert [*played.state.between.values()] == [another]


@pytest.mark.rule("CAM-RAT-05")
def test_ten_challenges_of_one_member_wait_at_most():
    others = [f"m{number}" for number in range(11)]
    played = ladder("ann", *others)
    for other in others[:10]:
        played.say("ann", f"challenge {other}")
    assert played.refused("ann", f"challenge {others[10]}")[0] == "campaign.too-many-challenges"
    played.say("m3", "decline ann")
    played.say("ann", f"challenge {others[10]}")


@pytest.mark.rule("CAM-RND-04", "CAM-RAT-01")
def test_a_battle_that_members_had_opened_is_counted_once_with_both_of_them():
    played = ladder()
    played.take(counted("b9", "ann", "bob"))
    assert played.state.duels["b9"].place.pair == ("ann", "bob")
    assert code_of(played, counted("b9", "ann", "bob")) == "campaign.already-counted"
    assert code_of(played, counted("b8", "ann", "zoe")) == "campaign.no-such-entrant"
    (_, battle) = (played.say("ann", "challenge bob"), played.say("bob", "accept ann")[0])
    assert code_of(played, counted(battle.battle, "ann", "cid")) == "campaign.no-such-board"
    played.enter("rob", kind="bot")
    assert code_of(played, counted("b7", "ann", "rob")) == "campaign.not-rated"


@pytest.mark.rule("CAM-PPL-01")
def test_whoever_left_a_ladder_comes_back_under_their_own_id_and_nobody_else_does():
    played = ladder()
    played.say("bob", "withdraw")
    played.enter("bob")
    played.say("cid", "withdraw")
    other = Fact("cid", "", EntrantJoined("cid", "zoe", "Zoe"))
    assert code_of(played, other) == "campaign.already-entered"


@pytest.mark.rule("CAM-LOG-02", "CAM-LOG-06")
@pytest.mark.parametrize("seed", range(6))
def test_a_ladder_folds_from_its_log_and_is_judged_the_same_again(seed):
    """What members do by chance, with an end of each battle now and then."""
    random, members = Random(seed), [f"m{number}" for number in range(5)]
    played = ladder(*members)
    for day in range(120):
        played.wait(day)
        one, other = random.sample(members, 2)
        line = random.choice(["challenge {}", "challenge {}", "accept {}", "decline {}", "withdraw"])
        with suppress(Refusal):
            played.say(one, line.format(other)) if line != "withdraw" or day % 9 == 0 else played.enter(one)
        for duel in [duel for duel in played.state.duels.values() if duel.is_running]:
            if random.random() < 0.2:
                played.take(counted(duel.battle, *duel.place.pair))
    state = folded(START, played.facts)
    assert state == played.state
    assert state.duels
    state = folded(START, played.facts[:1])
    for block in played.blocks:
        battles = iter([fact.event.battle for fact in block.facts if isinstance(fact.event, BattleSet)])
        given = replace(block.given, battle=lambda place, battles=battles: next(battles))
        assert decide(state, block.facts[0], given) == block.facts[1:]
        state = folded(state, block.facts)
