"""Whole campaigns by chance: people come and vanish, clocks run, umpires rule; what always holds holds."""

from collections import Counter
from contextlib import suppress
from random import Random

import pytest
from msgspec.json import encode
from msgspec.structs import replace

from domain.basics.decoding import decode
from domain.basics.errors import Refusal
from domain.campaign.deadlines import agenda
from domain.campaign.decide import decide
from domain.campaign.events import (
    CAMPAIGN_EVENTS,
    CONSEQUENCES,
    BattleCutOff,
    BattleSet,
    CampaignEnded,
    DefaultGiven,
    LateNoted,
    ResultCounted,
    TableResult,
)
from domain.campaign.evolve import START, folded
from domain.campaign.force_events import ForceJoined
from domain.campaign.ladder_events import ChallengeEnded, ChallengeMade
from domain.campaign.standings import standings
from domain.campaign.state import contest_of
from domain.campaign.theatre.events import THEATRE_EVENTS
from domain.campaign.theatre.order_events import ORDER_EVENTS
from domain.events.battle import DieRolled
from domain.log.chance import RecordedChance
from tests.support.cups import ORGANISER, PlayedCampaign
from tests.support.looping import some

SYSTEMS = ("swiss", "round-robin", "knock-out")
SEEDS = range(48)
DAYS = 4000


def played(seed: int) -> PlayedCampaign:
    """A campaign by a seed, until it ends."""
    random = Random(seed)
    system, legs = SYSTEMS[seed % 3], random.choice([1, 1, 2])
    players = [f"p{number}" for number in range(1, random.randint(6, 13))]
    haste = random.choice([0.05, 0.2, 1])
    rounds = {"rounds": random.randint(2, 4)} if system == "swiss" else {}
    time = {"show": "14d", "round": "60d", "grace": "7d", "late": random.choice(["adjudicate", "adjudicate", "wait"])}
    cup = PlayedCampaign(
        cup={"system": system, "legs": legs, "concurrent": random.random() < 0.5, **rounds},
        time=time,
        entry={"late": 1} if system == "swiss" else {},
    )
    cup.lots.random = random
    cup.enter(*players)
    cup.reserve("r1", "r2")
    cup.say(ORGANISER, "begin")
    for day in range(1, DAYS):
        if cup.state.is_over:
            return cup
        cup.wait(day)
        for name in [name for name in cup.running() if cup.state.boards[name].is_cut]:
            cup.end(name, "", (400, 400), "adjudicated")
        if random.random() < haste:
            _step(cup, random, players)
    raise AssertionError(f"seed {seed} never ends")


def _step(cup: PlayedCampaign, random: Random, players: list[str]) -> None:
    """Something that people, battles or the umpire do; what is refused is left."""
    running = cup.running()
    board = random.choice(running) if running else "1.1"
    if random.random() < 0.6:
        found = cup.state.boards.get(board)
        if found is not None:
            came = cup.shown.get(board, frozenset())
            cup.shown[board] = came | {random.choice(found.place.pair)}
    kept = (random.randint(0, 1000), random.randint(0, 1000))
    acts = [
        lambda: cup.end(board, random.choice(["south", "north", ""]), random.choice([kept, (500, 500)])),
        lambda: cup.say(random.choice(players), "withdraw") if random.random() < 0.3 else None,
        lambda: cup.say(ORGANISER, f"expel {random.choice(players)}") if random.random() < 0.1 else None,
        lambda: cup.say(ORGANISER, f"replace {random.choice(players)} by S{cup.day}"),
        lambda: cup.say(random.choice(["r1", "r2"]), f"take {random.choice(players)}"),
        lambda: cup.say(ORGANISER, f"result {_any_board(cup, random)} {random.choice([*players, 'draw'])}"),
        lambda: cup.say(ORGANISER, f"default {_any_board(cup, random)} {random.choice([*players, 'both'])}"),
        lambda: cup.say(ORGANISER, f"void {_any_board(cup, random)}") if random.random() < 0.3 else None,
        lambda: cup.say(ORGANISER, f"pair {board} {random.choice(players)} {random.choice(players)}"),
        lambda: cup.say(ORGANISER, f"extend {cup.state.round} 3d") if random.random() < 0.2 else None,
        lambda: cup.say(random.choice(players), f"absent {random.randint(1, 4)}"),
        lambda: [cup.say(one, f"table {board} draw kept 500 500") for one in cup.state.boards[board].place.pair],
        lambda: cup.say(ORGANISER, f"penalty {random.choice(players)} 1"),
        lambda: cup.enter(f"late{cup.day}") if random.random() < 0.05 else None,
    ]
    with suppress(Refusal):
        (acts[0] if random.random() < 0.4 else random.choice(acts))()


def _any_board(cup: PlayedCampaign, random: Random) -> str:
    return random.choice([name for each in cup.state.rounds for name in each.boards] or ["1.1"])


@pytest.fixture(scope="module", params=[pytest.param(s, marks=pytest.mark.slow if s > 2 else ()) for s in SEEDS])
def cup(request) -> PlayedCampaign:
    return played(request.param)


@pytest.mark.rule("CAM-LOG-02")
def test_the_state_folds_from_the_log_alone(cup):
    again = folded(START, cup.facts)
    assert again == cup.state
    assert standings(contest_of(again), again.cup.tiebreaks) == standings(
        contest_of(cup.state), cup.state.cup.tiebreaks
    )


@pytest.mark.rule("CAM-LOG-05")
def test_each_battle_that_was_set_has_one_result_or_was_set_anew(cup):
    running: dict[str, str] = {}
    settled: Counter[str] = Counter()
    for event in some([fact.event for fact in cup.facts]):
        if isinstance(event, BattleSet):
            running[event.board] = event.battle
        elif isinstance(event, ResultCounted | TableResult):
            settled[running[event.board]] += 1
            assert not isinstance(event, ResultCounted) or event.battle == running[event.board]
        elif isinstance(event, DefaultGiven) and event.reason != "ruling":
            settled[running[event.board]] += 1
    assert set(settled.values()) <= {1}
    assert cup.state.lasting == 0
    assert not cup.running()


@pytest.mark.rule("CAM-TIM-03")
def test_nothing_is_done_about_lateness_without_a_notice_before(cup):
    noted: set[tuple[str, str]] = set()
    for event in some([fact.event for fact in cup.facts]):
        if isinstance(event, LateNoted):
            noted.add((str(event.board), event.what))
        elif isinstance(event, DefaultGiven) and event.reason == "no-show":
            assert (event.board, "show") in noted
        elif isinstance(event, BattleCutOff):
            assert (event.board, "round") in noted
        elif isinstance(event, BattleSet):
            noted -= {(event.board, "show"), (event.board, "round")}


@pytest.mark.rule("CAM-RND-06")
def test_it_ends_once_and_nothing_follows(cup):
    assert isinstance(cup.facts[-1].event, CampaignEnded)
    assert sum(isinstance(fact.event, CampaignEnded) for fact in cup.facts) == 1
    assert agenda(cup.state, {}) == ()
    assert len(cup.state.winners or ()) <= 1
    assert all(not cup.state.entrants[name].left for name in cup.state.winners or ())


@pytest.mark.rule("CAM-RND-05")
def test_every_round_ended_and_no_board_is_missing(cup):
    assert all(each.has_ended and not each.open for each in cup.state.rounds)
    assert [each.number for each in cup.state.rounds] == list(range(1, cup.state.round + 1))


@pytest.mark.rule("CAM-LOG-06")
def test_an_audit_finds_the_same_consequences(cup):
    """Each input, given what was drawn and the battles that were set, has exactly what follows in the log."""
    state = folded(START, cup.facts[:1])
    for block in some(cup.blocks):
        battles = iter([fact.event.battle for fact in block.facts if isinstance(fact.event, BattleSet)])
        chance = RecordedChance(block.faces)
        given = replace(block.given, chance=chance, battle=lambda place, battles=battles: next(battles))
        assert decide(state, block.facts[0], given) == block.facts[1:]
        assert chance.left == []
        state = folded(state, block.facts)


@pytest.mark.rule("CAM-LOG-02")
def test_what_happens_is_of_the_list_and_is_written_and_read_as_itself(cup):
    for fact in some(cup.facts):
        event = fact.event
        assert CAMPAIGN_EVENTS[type(event).__name__] is type(event)
        assert decode(encode(event), type(event)) == event
    assert {type(fact.event) for fact in cup.facts} & CONSEQUENCES


@pytest.mark.slow
def test_by_some_seed_all_that_may_follow_follows():
    """What the courses try is worth trying; challenges are made in ladders alone (`test_challenges`), and armies live
    on in linked campaigns (`forces.test_linked`)."""
    seen = {type(fact.event) for seed in SEEDS for fact in played(seed).facts}
    assert CONSEQUENCES - seen == {
        ChallengeMade,
        ChallengeEnded,
        DieRolled,
        ForceJoined,
        *ORDER_EVENTS,
        *THEATRE_EVENTS,
    }
