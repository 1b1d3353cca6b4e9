"""Dice are explained like cards: what was needed, what fell, and how likely it was."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.contract.ruleset import NOBODY
from domain.events.battle import DieRolled
from domain.run.timeline import Timeline
from projections.statistics import SCALE, Trials, battle_statistics
from replay import battle_file
from replay.telling.odds import Chances, DeckDraw
from replay.telling.why import explain, to_text
from tests.report_pages import GOLDEN
from tests.toys.played import events_of, recorded
from tests.toys.raid import RAID

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")

ORDERS = ["south: raid", "north: loose", "north: raid", "south: loose"] * 3


@pytest.fixture(scope="module")
def log():
    return list(events_of(RAID, recorded(RAID, ORDERS)[1]))


def folded(log):
    timeline = Timeline(RAID)
    for entry in log:
        timeline.feed(entry)
    return timeline


def why(log, wanted):
    """The explanation of the first event for which `wanted` holds."""
    n = next(entry.n for entry in log if wanted(entry.event))
    return explain(RAID, folded(log).at(n - 1).game, log[:n], log[n:])


def thrown(purpose):
    return lambda event: type(event).__name__ == "Thrown" and event.purpose == purpose


def test_a_volley_shows_each_die_and_its_odds(log):
    told = why(log, thrown("loot"))
    dice = [entry.event for entry in log if isinstance(entry.event, DieRolled)][:2]
    assert [(draw.card, draw.face, draw.sides, draw.index) for draw in told.draws] == [
        (str(die.value), die.face, 6, die.index) for die in dice
    ]
    assert [draw.odds for draw in told.draws] == [Chances(4, 6, 3, dice=True)] * 2
    assert (told.reckoning.needed, told.reckoning.counts) == (3, "roll")
    assert "Odds then: 4 in 6 (a roll of 3 or more)." in to_text(told)


@pytest.mark.parametrize(
    ("face", "lang", "said"),
    [
        (0, "en", "Die: 3 on 6 sides, number 1 of its player-turn."),
        (4, "en", "Die: 3 (face 4) on 6 sides, number 1 of its player-turn."),
        (0, "fr", "Dé\u00a0: 3 sur 6 faces, n°\u00a01 de son tour."),
    ],
)
def test_a_plain_die_has_no_face_but_its_number(log, face, lang, said):
    told = why(log, thrown("loot"))
    plain = DeckDraw(1, "", 0, 1, "3", "loot", 0, True, None, sides=6, face=face)
    assert said in to_text(replace(told, draws=(plain,)), lang)
    assert "First die" not in to_text(replace(told, draws=(plain,)))


def test_a_roll_under_says_so(log):
    told = why(log, thrown("arrow"))
    assert [draw.odds for draw in told.draws] == [Chances(2, 6, 2, "at-most", dice=True)] * 2
    text = to_text(told)
    assert "Needed at most: 2" in text
    assert "Odds then: 2 in 6 (a roll of 2 or less)." in text
    assert "Au plus" in to_text(told, "fr")


def test_a_die_is_explained_by_what_it_was_measured_against(log):
    told = why(log, lambda event: isinstance(event, DieRolled) and event.purpose == "arrow")
    assert [draw.odds for draw in told.draws] == [Chances(2, 6, 2, "at-most", dice=True)]


def test_every_die_of_a_volley_is_counted_and_a_roll_under_passes(log):
    thrown_ = [entry.event for entry in log if type(entry.event).__name__ == "Thrown"]
    arrows = [value for event in thrown_ if (event.side, event.purpose) == ("north", "arrow") for value in event.values]
    hits = sum(value <= 2 for value in arrows)
    north = next(side for side in battle_statistics(RAID, log).counted if side.side == "north")
    expected = len(arrows) * ((SCALE * 2 + 3) // 6)
    assert north.trials[0] == Trials("arrow", hits, len(arrows) - hits, len(arrows), hits, expected)


def test_points_that_grow_are_gained_and_those_shot_away_lost(log):
    found = battle_statistics(RAID, log).counted
    assert {side.side: side.gained - side.lost for side in found} == folded(log).now.game.points
    assert all(side.gained for side in found)


@pytest.mark.parametrize("face", [3, 4])
def test_a_face_is_told_where_it_counts_something_else(log, face):
    told = why(log, thrown("loot"))
    draw = DeckDraw(1, "", 0, 1, "3", "loot", 0, stands=True, sides=6, face=face)
    assert ("(face 4)" in to_text(replace(told, draws=(draw,)))) == (face == 4)


def test_of_two_dice_thrown_against_each_other_that_of_the_attacker_is_explained():
    battle = battle_file.parse((GOLDEN / "singidunum-goal.battle").read_bytes())
    fought = [entry for entry in battle.events if entry.type == "CombatResolved"]
    assert len(fought) > 3
    for entry in fought:
        known = battle.ruleset.secrets.known(battle.timeline.at(entry.n - 1).game, NOBODY)
        event: Any = entry.event
        told = explain(battle.ruleset, known, battle.events[: entry.n], battle.events[entry.n :])
        assert [draw.card for draw in told.draws] == [str(event.attack_die)]
        assert told.draws[0].odds is not None
