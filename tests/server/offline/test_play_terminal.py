"""Play a battle at a prompt, seeing only what one side knows."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from domain.basics.errors import Refusal
from domain.contract.option import Option
from replay.proof.verify import NOT_ALL_JUDGED, OK, verify
from server.armies import battle_between, scenario_toml
from server.offline.terminal import MOST_LISTED, Terminal, odds_words, sides_of, sit_down
from tests.support.tiny import TTS


def play(
    typed: Iterable[str], side: str = "south", bot: str = "sensible", seed: int | None = 1
) -> tuple[Terminal, str]:
    """A sitting with these lines; what was shown, prompts and all."""
    shown: list[str] = []
    lines = iter(typed)

    def ask(prompt: str) -> str | None:
        line = next(lines, None)
        shown.append(f"{prompt}{line}")
        return line

    terminal = Terminal(sit_down(TTS, "skirmish", side, bot, seed), sides_of(side), ask, shown.append)
    terminal.run()
    return terminal, "\n".join(shown)


def test_an_order_is_played_and_told():
    _, shown = play(["R1 ahead"])
    assert "> South: R1 ahead" in shown
    assert "R1 (legionaries) draws" in shown


def test_a_refusal_is_a_sentence_and_costs_nothing():
    terminal, shown = play(["R1 fly", "N1 ahead", "R99 ahead"])
    assert "cannot be read" in shown
    assert shown.count("[") >= 3
    assert not any(one.type == "OrderAccepted" for one in terminal.battle.events())


def test_the_bot_answers_when_the_turn_is_over():
    _, shown = play(["end turn"])
    assert "> North: " in shown


def test_options_are_numbered_and_a_number_plays_one():
    _, shown = play(["? R1", "1"])
    assert "   1  R1 " in shown
    assert "needs " in shown
    assert "> South: R1 " in shown


def test_a_number_without_a_list_plays_nothing():
    terminal, shown = play(["1", "? R1", "999"])
    assert shown.count("There is no such number") == 2
    assert not any(one.type == "OrderAccepted" for one in terminal.battle.events())


def test_a_long_list_is_cut_and_says_so():
    _, shown = play(["?"])
    assert f"{MOST_LISTED}  " in shown
    assert "more; “? UNIT”" in shown


def test_there_may_be_nothing_to_order_for_a_unit():
    assert "nothing to order for Q7" in play(["? Q7"])[1]


def test_words_to_the_program():
    _, shown = play(["help", "board", "log", "log 2", "R1 ahead", "why", "why 2", "why 999", "why x"])
    assert "save" in shown
    assert shown.count("facing;") >= 2
    assert "The battle begins" in shown or "battle begins" in shown
    assert "Event 2, deck shuffled" in shown
    assert shown.count("There is no event") == 2


def test_resigning_asks_first():
    terminal, _ = play(["resign", "no"])
    assert not terminal.battle.recording.battle.ended
    terminal, shown = play(["resign", "yes"])
    assert terminal.battle.recording.battle.game.winner == "north"
    assert "North wins" in shown


@pytest.mark.parametrize("last", [["quit"], ["exit"], []])
def test_who_stops_has_a_file_that_holds(last):
    terminal, _ = play(["R1 ahead", *last])
    assert verify(terminal.battle.file()).exit == NOT_ALL_JUDGED


def test_a_player_sees_his_own_standing_orders_and_not_those_of_others():
    _, shown = play(["standing evade R5 always", "end turn"])
    assert "“standing evade R5 always”" in shown
    _, shown = play(["standing evade R5 always", "end turn", "end turn"], side="both")
    assert "“standing evade R5 always”" not in shown


def test_both_hands_play_both_sides():
    _, shown = play(["end turn", "end turn", "quit"], side="both")
    assert "South, turn 1> end turn" in shown
    assert "North, turn 1> end turn" in shown


@pytest.mark.slow
def test_a_seed_makes_a_sitting_repeatable():
    first, _ = play(["R1 ahead", "end turn", "R2 ahead"])
    second, _ = play(["R1 ahead", "end turn", "R2 ahead"])
    assert first.battle.file() == second.battle.file()
    other, _ = play(["R1 ahead"], seed=None)
    assert other.battle.file() != first.battle.file()


@pytest.mark.slow
def test_a_whole_battle_can_be_played_by_numbers():
    terminal, shown = play(line for _ in range(3000) for line in ("?", "1", "end turn"))
    assert terminal.battle.recording.battle.ended, shown[-2000:]
    assert verify(terminal.battle.file()).exit == OK


def test_a_scenario_that_does_not_exist_is_refused():
    with pytest.raises(Refusal):
        sit_down(TTS, "waterloo", "south", "random", 1)


def test_odds_are_said_where_there_are_any():
    assert odds_words(Option("end turn", "end-turn")) == ""
    assert odds_words(Option("R1 ahead", "move", "R1", 5, odds=(48, 80))) == "needs 5: 48 of 80, 60%"
    assert odds_words(Option("R1 ahead", "move", "R1", 5, odds=(0, 0))) == "needs 5: 0 of 0"


def two_armies(tmp_path: Path, **options: object) -> str:
    """A file with a scenario between two armies of points."""
    scenario = battle_between("tts", "republican_roman", "carthaginian", 100, 1, options)
    file = tmp_path / "battle.toml"
    file.write_text(scenario_toml(scenario), encoding="utf-8")
    return str(file)


@pytest.mark.slow
def test_two_armies_of_points_are_set_up_at_the_prompt(tmp_path: Path) -> None:
    battle = sit_down(TTS, two_armies(tmp_path, stratagems_per_side=2), "both", "sensible", 1)
    shown: list[str] = []

    def ask(prompt: str) -> str | None:
        shown.append(prompt)
        game = battle.recording.battle.game
        if game.phase == "turns":
            return None
        if "? wood" not in shown:
            shown.append("? wood")
            return "? wood" if game.phase == "terrain" else "?"
        side = battle.to_act[0]
        return TTS.orders.options(battle.recording.known(side), side)[-1].order

    Terminal(battle, sides_of("both"), ask, shown.append).run()
    told = "\n".join(shown)
    assert {"South, terrain> ", "North, deployment> ", "South, deployment> "} <= set(shown)
    assert "   1  place wood A1" in told
    assert "The armies are drawn up: the turns begin." in told
    assert told.count("; : deployment zone") == 1  # the board, as the phase begins
    assert "    Choose the corps that you deploy" in told
    assert re.search(r"    Corps I+: .*“done” when it stands as you want it.", told)
    assert battle.recording.battle.game.phase == "turns"


def test_many_places_are_folded_into_a_line(tmp_path: Path) -> None:
    battle = sit_down(TTS, two_armies(tmp_path), "south", "sensible", 1)
    shown: list[str] = []
    lines = iter(["?", "board", "? wood", "1"])
    Terminal(battle, ("south",), lambda prompt: next(lines, None), shown.append).run()
    told = "\n".join(shown)
    assert "place wood A1 … 96 places; “? wood” lists them" in told
    assert "   1  done" in told
    assert "Place your terrain, a line for each piece" in told
    assert "> South: place wood A1" in told


@pytest.mark.parametrize("name", ["nowhere.toml", "bad\0name.toml"])
def test_a_scenario_file_that_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(Refusal, match=r"core\.bad-toml"):
        sit_down(TTS, name, "south", "sensible", 1)


def test_a_bot_gives_an_order_back_before_a_draw_and_not_after_it():
    terminal, shown = play(["standing evade R6 never", "takeback", "R1 ahead", "takeback"])
    assert [docket.how for docket in terminal.battle.recording.battle.disputes.dockets] == ["agreed", "declined"]
    assert "The battle goes back to where it stood" in shown
    assert verify(terminal.battle.file()).fault is None


def test_at_one_keyboard_the_other_player_is_asked_for_a_take_back():
    terminal, shown = play(["R1 ahead", "takeback", "yes"], side="both")
    assert "North, may the order be taken back?" in shown
    assert terminal.battle.recording.battle.game.rewinds == 1
    assert verify(terminal.battle.file()).fault is None


def test_halted_play_waits_for_its_player():
    terminal, shown = play(["dispute 1 Wait.", "halt d1", "R1 ahead", "go on d1", "R1 ahead"])
    assert "play is halted" in shown
    assert "Play is halted by docket d1" in shown
    assert not terminal.battle.recording.battle.is_halted
