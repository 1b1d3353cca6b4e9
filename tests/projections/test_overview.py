"""The figures of all battles: of public ones that were fought to their end, each as its log says."""

from contextlib import closing
from pathlib import Path

import pytest

from domain.catalogue import RULESETS
from domain.log.record import decode
from domain.run.timeline import Timeline, catalogue_of
from projections.database import ModelReader
from projections.luck import by_side, luck_of
from projections.overview import GameFigures, figures, freshness
from tests.projections.kept import caught_up
from tests.projections.played import MemoryLog, Played
from tests.support.looping import some


@pytest.fixture(scope="module")
def fought() -> list[Played]:
    """Battles that are over, two of them public."""
    readers = ("public", "public", "link", "players")
    return [Played(f"{seed:08}", seed, readers=who).begin().play(4000) for seed, who in enumerate(readers, 1)]


def asked(path: Path, log: MemoryLog, closed: tuple[str, ...] = (), most: int = 50) -> tuple[GameFigures, ...]:
    caught_up(path, log).close()
    with closing(ModelReader(path)) as rows:
        return figures(rows, closed, most)


def luck_by_log(played: Played) -> dict[str, int]:
    """What luck has brought each side, in thousandths, from the log alone."""
    timeline = Timeline(RULESETS["tts"])
    for line in played.lines:
        timeline.feed(decode(line, catalogue_of(RULESETS["tts"])))
    return {one.side: round(one.total * 1000) for one in by_side(luck_of(timeline))}


def test_figures_are_those_of_public_battles_that_are_over(tmp_path: Path, fought, three_battles) -> None:
    running = Played("99999999", 9).begin().play(5)
    (game,) = asked(tmp_path / "live.db", MemoryLog().extend(*fought, running))
    public = fought[:2]
    winners = [played.recording.battle.winner for played in public]
    assert all(played.recording.battle.ended for played in some(fought))
    (scenario,) = game.scenarios
    assert (game.ruleset, game.battles, scenario.battles) == ("tts", 2, 2)
    assert scenario.won == {side: winners.count(side) for side in {*winners} - {""}}
    assert scenario.drawn == winners.count("")
    assert scenario.player_turns == round(sum(played.game.t for played in public) / 2)
    luck = [luck_by_log(played) for played in public]
    for army, side in (("Rome", "south"), ("The valley", "north")):
        (of,) = [one for one in game.armies if one.army == army]
        assert (of.battles, of.won, of.drawn) == (2, winners.count(side), winners.count(""))
        assert of.won + of.lost + of.drawn == of.battles
        assert of.luck == pytest.approx(sum(one[side] for one in luck) / 2, abs=1)
    of_winner = [one[winner] for one, winner in zip(luck, winners, strict=True) if winner]
    assert game.luck is not None and of_winner
    assert (game.luck.battles, game.luck.luckier_won) == (len(of_winner), sum(one > 0 for one in of_winner))
    assert game.luck.of_winner == pytest.approx(sum(of_winner) / len(of_winner), abs=1)


def test_nothing_is_told_of_a_battle_that_was_closed(tmp_path: Path, fought) -> None:
    log = MemoryLog().extend(*fought)
    (game,) = asked(tmp_path / "live.db", log, closed=(fought[0].battle,))
    assert game.battles == 1
    assert asked(tmp_path / "live.db", log, closed=tuple(played.battle for played in fought)) == ()


def test_a_host_without_public_battles_has_no_figures(tmp_path: Path, fought) -> None:
    assert asked(tmp_path / "live.db", MemoryLog().extend(*fought[2:])) == ()


def test_scenarios_and_armies_are_at_most_so_many(tmp_path: Path, fought) -> None:
    (game,) = asked(tmp_path / "live.db", MemoryLog().extend(*fought), most=1)
    assert (len(game.scenarios), len(game.armies)) == (1, 1)


def test_the_end_of_a_public_battle_is_seen_at_once(tmp_path: Path, fought) -> None:
    log = MemoryLog().extend(fought[0])
    with closing(caught_up(tmp_path / "live.db", log)) as runner, closing(ModelReader(tmp_path / "live.db")) as rows:
        before = freshness(rows)
        log.extend(fought[2])
        runner.catch_up()
        assert freshness(rows) == before
        log.extend(fought[1])
        runner.catch_up()
        assert freshness(rows) != before
