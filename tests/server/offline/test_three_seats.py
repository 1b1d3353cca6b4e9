"""A battle of three at the terminal: a person and two bots, or one person at all three."""

import pytest

from replay.proof.verify import verify
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from server.offline.terminal import Terminal, sides_of, take_seats
from tests.support.three_seats import GAMES
from tests.toys.lots import LOTS, SEATS

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")


def played(side, *typed):
    """The battle after some lines, and what was shown."""
    battle = OfflineBattle(LOTS, {"ruleset": "lots"}, SeededClock("three"), SeededEntropy("three"))
    take_seats(battle, side, "random")
    lines = iter(typed)
    shown: list[str] = []

    def ask(prompt):
        shown.append(prompt)
        return next(lines, None)

    Terminal(battle, sides_of(side, SEATS), ask, shown.append).run()
    return battle, "\n".join(shown)


def test_two_bots_play_against_a_person():
    battle, _ = played("green", "hide 4", "throw")
    assert battle.recording.battle.ended
    assert [seat.kind for seat in battle.recording.battle.seats.values()] == ["bot", "person", "bot"]
    assert verify(battle.file(), rulesets=GAMES).fault is None


def test_a_person_plays_all_three_seats():
    battle, _ = played("both", "hide 3", "hide 5", "hide 1", "throw", "throw", "throw")
    assert battle.recording.battle.ended


def test_an_order_is_taken_back_when_both_others_say_yes():
    battle, shown = played("both", "offer draw", "takeback", "yes", "yes")
    assert "Green, may" in shown and "Blue, may" in shown
    game = battle.recording.battle.game
    assert (game.draw_offer, game.rewinds) == ("", 1)


def test_an_order_is_not_taken_back_when_one_says_no():
    battle, shown = played("both", "offer draw", "takeback", "no")
    assert "Blue, may" not in shown
    game = battle.recording.battle.game
    assert (game.draw_offer, game.rewinds) == ("red", 0)
