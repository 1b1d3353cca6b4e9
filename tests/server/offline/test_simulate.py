"""A simulation plays whole battles, the same ones for the same seed, and counts them rightly."""

import json
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.basics.data import parse_toml, scenario_names, scenario_text
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from server.cli import simulate as cli_simulate
from server.offline import simulate
from server.offline.simulate import GameResult, PlannedGame
from tests.server.cli.test_cli import phalera
from tests.support.looping import some

SENSIBLE = {"south": "sensible", "north": "sensible"}
UNLIKE = {"south": "sensible", "north": "random"}
SKIRMISH = {"skirmish": parse_toml(scenario_text("tts", "skirmish"), "skirmish")}
SHORT = {"skirmish": SKIRMISH["skirmish"] | {"options": {"turn_limit": 2}}}
"""The same, over after two turns."""


def played(count=3, seed=1, bots=SENSIBLE, mirror=False, jobs=1, tables=SHORT):
    games = simulate.games_of("tts", tables, count, seed, bots, mirror)
    return [replace(one, took_ms=0) for one in simulate.play_all(games, tables, jobs)]


def made(
    winner: str,
    how: str = "medals",
    turns: int = 10,
    tally: tuple[int, int] = (3, 0),
    south: str = "sensible",
    north: str = "sensible",
) -> GameResult:
    game = PlannedGame("tts", "made", 1, 1, {"south": south, "north": north})
    return GameResult(game, winner, how, turns, 50, 300, {"south": tally[0], "north": tally[1]}, 250)


# --- playing


@pytest.mark.slow
def test_each_game_is_fought_to_its_end():
    for one in some(played(tables=SKIRMISH)):
        assert one.winner in ("south", "north", "")
        assert one.how in ("medals", "turn-limit")
        assert one.player_turns > 2
        assert one.events > one.orders > one.player_turns
        if one.how == "medals":
            assert one.tally[{"south": "north", "north": "south"}[one.winner]] == 0


@pytest.mark.slow
def test_the_same_seed_gives_the_same_games_and_another_one_others():
    first = played()
    assert played() == first
    assert len({(one.events, one.orders) for one in first}) > 1
    assert {one.events for one in played(seed=2)} != {one.events for one in first}


@pytest.mark.slow
def test_processes_beside_each_other_change_nothing():
    assert played(count=6, jobs=2) == played(count=6)


@pytest.mark.slow
def test_more_games_begin_with_the_same_ones():
    assert played(count=4)[:2] == played(count=2)


def test_a_mirrored_simulation_plays_each_game_from_both_sides():
    games = simulate.games_of("tts", ["a", "b"], 2, 1, UNLIKE, mirror=True)
    assert [(game.scenario, game.number) for game in games] == [(name, n) for name in "ab" for n in (1, 1, 2, 2)]
    assert Counter(game.bots["south"] for game in games) == {"sensible": 4, "random": 4}
    assert all(set(game.bots.values()) == {"sensible", "random"} for game in games)


@pytest.mark.long
@pytest.mark.slow
def test_the_sensible_bot_beats_the_random_one_from_both_sides():
    balance = simulate.balance(played(count=6, bots=UNLIKE, mirror=True, tables=SKIRMISH))
    assert balance.games == 12
    assert balance.won_by_bot["sensible"] >= 10


def test_bots_that_only_wait_are_parted_and_counted(monkeypatch):
    monkeypatch.setattr(simulate, "MOST_ORDERS", 3)
    (one,) = played(count=1)
    assert (one.winner, one.how, one.orders) == ("", simulate.NO_END, 3)
    assert simulate.balance([one]).drawn == 1


def test_a_bad_scenario_is_refused_before_anything_is_played(monkeypatch):
    monkeypatch.setattr(simulate, "play_game", lambda *_: pytest.fail("played"))
    tables = SKIRMISH | {"bad": {"ruleset": "tts", "title": "No armies", "sides": {}}}
    with pytest.raises(Refusal) as refused:
        list(simulate.play_all(simulate.games_of("tts", tables, 1, 1, SENSIBLE, False), tables))
    assert refused.value.code == "tts.bad-scenario"


# --- counting


def test_wins_ends_and_means_are_counted():
    games = [
        made("south", turns=10, tally=(4, 0)),
        made("north", turns=11, tally=(0, 2)),
        made("", "turn-limit", turns=20, tally=(5, 5)),
    ]
    balance = simulate.balance(games)
    assert (balance.games, balance.won, balance.drawn) == (3, {"south": 1, "north": 1}, 1)
    assert balance.ends == {"medals": 2, "turn-limit": 1}
    assert (balance.player_turns, balance.tally) == (13.7, {"south": 3.0, "north": 2.3})
    assert (balance.orders, balance.events, balance.seconds) == (50.0, 300.0, 0.25)
    assert balance.won_by_bot == {}


def test_a_win_belongs_to_the_bot_that_sat_on_the_side():
    games = [made("south", north="random"), made("south", south="random")]
    assert simulate.balance([*games, made("", north="random")]).won_by_bot == {"random": 1, "sensible": 1}


def test_the_table_has_a_line_for_each_scenario_and_one_for_different_bots():
    plain, unlike = simulate.balance([made("south")]), simulate.balance([made("north", north="random")])
    head, first, second, last = simulate.summary([plain, replace(unlike, scenario="unlike")])
    assert head.split()[:5] == ["scenario", "games", "south", "north", "drawn"]
    assert first.split() == ["made", "1", "1", "0", "0", "10.0", "300", "3.0", "/", "0.0", "0.25", "medals", "1"]
    assert second.startswith("unlike ")
    assert last == "unlike: won by random bot 1, sensible bot 0 of 1."
    assert first.index("medals") == second.index("medals")


# --- the command


@pytest.mark.slow
def test_the_command_prints_the_table():
    told = phalera("simulate", "--scenario", "skirmish", "--games", 2)
    assert told.code == 0
    _, line = told.out.splitlines()
    assert line.split()[:2] == ["skirmish", "2"]
    assert told.err == ""


@pytest.mark.slow
def test_json_says_the_same_for_names_and_for_files(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text(scenario_text("tts", "skirmish"))
    told = phalera("simulate", "--scenario", "skirmish", "--scenario", path, "--games", 2, "--seed", 5, "--json")
    results = json.loads(told.out)
    assert (results["seed"], results["bots"], results["mirror"]) == (5, SENSIBLE, False)
    assert [one["scenario"] for one in results["scenarios"]] == ["skirmish", str(path)]
    assert all(sum(one["ends"].values()) == 2 for one in results["scenarios"])


def test_all_means_every_packaged_battle_once():
    others = [name for name in scenario_names("tts") if name != "zama"]
    assert cli_simulate._wanted("", ["zama"], True) == (RULESETS["tts"], ["zama", *others])
    assert cli_simulate._wanted("tts", [], True) == (RULESETS["tts"], list(scenario_names("tts")))


@pytest.mark.parametrize(
    ("arguments", "sentence", "code"),
    [
        ((), "Which battle?", 2),
        (("--scenario", "waterloo"), "waterloo", 1),
        (("--all",), "Which game?", 2),
        (("--scenario", "zama", "--scenario", "woods"), "one at a time", 2),
        (("--scenario", "two-lines"), "singidunum/two-lines or warmaster-shooting/two-lines", 1),
        (("--scenario", "nowhere.toml"), "owhere.toml", 1),
        (("--scenario", "skirmish", "--north", "genius"), "There is no bot “genius”", 2),
        (("--scenario", "skirmish", "--ruleset", "chess"), "There is no game “chess”", 2),
        (("--scenario", "skirmish", "--mirror"), "two different ones", 2),
        (("--scenario", "./bytes.toml"), "it is no text", 1),
        (("--scenario", "./broken.toml"), "broken.toml", 1),
        (("--scenario", "./empty.toml"), "Which game?", 2),
    ],
)
def test_what_cannot_be_simulated_is_told_in_a_sentence(arguments, sentence, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bytes.toml").write_bytes(b"\xff")
    Path("broken.toml").write_text("[[")
    Path("empty.toml").write_text("")
    told = phalera("simulate", *arguments)
    assert (told.code, told.out) == (code, "")
    assert sentence in told.err
    assert told.err.startswith("phalera: ")


@pytest.mark.parametrize("option", ["--games", "--jobs"])
def test_there_is_one_game_and_one_process_at_least(option):
    assert phalera("simulate", "--scenario", "skirmish", option, 0).code == 2
