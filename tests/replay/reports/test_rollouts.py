"""Bots play a battle on from each player-turn: the same seed gives the same chances, however many processes play."""

from functools import cache
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from domain.events.battle import TurnBegan
from domain.log.record import decode
from domain.run.timeline import Timeline, catalogue_of
from replay import battle_file
from replay.battle_file import BattleFile
from replay.reports import rollouts
from replay.reports.rollouts import Rollout, WinningChance, chance_lines, chances, games_of, starts
from server.cli.main import main
from tests.projections.played import RULES, Played

GOLDEN = Path(__file__).parents[2] / "golden"


@cache
def battle(name: str) -> BattleFile:
    return battle_file.load(str(GOLDEN / f"{name}.battle"))


@cache
def played(name: str, count: int = 2, seed: int = 1, jobs: int = 1) -> list[Rollout]:
    return list(rollouts.rollouts(battle(name).timeline, "aaaa", count, seed, jobs))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["warmaster-volleys", "singidunum-exhausted"])
def test_each_player_turn_with_an_order_is_played_on(name: str) -> None:
    timeline = battle(name).timeline
    for n, last in starts(timeline):
        began = timeline.events[n - 1]
        assert isinstance(began.event, TurnBegan)
        assert timeline.at(last).game.t == timeline.at(n).game.t
        assert timeline.events[last].type == "OrderAccepted"
    assert games_of(timeline, 2) == len(played(name)) == 2 * len(starts(timeline))
    assert {one.winner for one in played(name)} <= {"south", "north", ""}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_games_in_any_number_of_processes() -> None:
    name = "warmaster-volleys"
    assert played(name, jobs=2) == played(name)
    assert played(name, seed=2) != played(name)
    more = [one for one in played(name, count=3) if one.number < 3]
    assert more == played(name)


@pytest.mark.slow
def test_who_stops_asking_stops_the_games() -> None:
    games = rollouts.rollouts(battle("warmaster-volleys").timeline, "aaaa", 100, 1, jobs=2)
    first = next(games)
    games.close()
    assert first == played("warmaster-volleys")[0]
    assert list(games) == []


def test_a_turn_that_was_taken_back_is_left_out() -> None:
    log = Played("aaaaaaaa", 3).begin().play(60)
    before = [n for n, _ in starts(timeline_of(log))]
    log.rewind(before[1])
    assert [n for n, _ in starts(timeline_of(log))] == before[:1]


def timeline_of(log: Played) -> Timeline:
    timeline = Timeline(RULES)
    for line in log.lines:
        timeline.feed(decode(line, catalogue_of(RULES)))
    return timeline


def test_the_chances_are_counted_and_shown() -> None:
    games = [
        Rollout(9, 3, 2, "south", number, winner) for number, winner in enumerate(["south", "south", "", "no-end"])
    ]
    (chance,) = chances(games)
    assert chance == WinningChance(9, 3, 2, "south", 4, {"south": 2, "north": 0}, 1, 1)
    assert [chance.percent(side) for side in ("south", "north")] == [50, 0]
    title, _, line = chance_lines([chance], 4, 7)
    assert "seed 7" in title and "4 games" in title
    assert line.split() == ["2", "South", "50", "%", "0", "%", "2", "██████████··········"]
    assert "graine 7" in next(chance_lines([chance], 4, 7, "fr"))


@pytest.mark.slow
def test_stats_plays_on() -> None:
    path = str(GOLDEN / "warmaster-volleys.battle")
    given = ["stats", path, "--rollouts", "2", "--seed", "3", "--jobs", "1"]
    assert "Winning chances" in CliRunner().invoke(main, given).output
    found = msgspec.json.decode(CliRunner().invoke(main, [*given, "--json"]).stdout)[path]["rollouts"]
    assert found["seed"] == 3
    assert len(found["turns"]) == len(starts(battle("warmaster-volleys").timeline))


def test_a_battle_that_goes_on_is_not_played_on() -> None:
    result = CliRunner().invoke(main, ["stats", str(GOLDEN / "unfinished.battle"), "--rollouts", "2"])
    assert result.exit_code == 1
    assert "whole truth" in result.output
