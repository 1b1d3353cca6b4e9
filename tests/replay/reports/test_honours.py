"""The honours of a battle in lines and as data."""

from pathlib import Path

import pytest

from projections.statistics import battle_statistics
from replay import battle_file
from replay.reports.honours import honour_lines, honours_in
from replay.reports.tables import statistics_lines
from tests.support.disputing import Disputed
from tests.support.looping import some

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.mark.parametrize("name", ["medals", "singidunum-agreed-draw", "warmaster-destroyed"])
def test_each_honour_names_a_unit_and_events_that_tell_of_it(name: str):
    battle = battle_file.load(str(GOLDEN / f"{name}.battle"))
    for side in some(honours_in(battle)):
        assert len(side.honours) <= 3
        for given in side.honours:
            assert given.unit
            assert given.title and given.text.endswith(".")
            assert list(given.events) == sorted(given.events)
            assert all(battle.timeline.counts(n) for n in given.events)


@pytest.mark.parametrize(("lang", "said"), [("en", "Honours"), ("fr", "Distinctions")])
def test_the_statistics_end_with_the_honours(lang: str, said: str):
    battle = battle_file.load(str(GOLDEN / "medals.battle"), lang)
    counted = battle_statistics(battle.ruleset, battle.events)
    lines = [line.strip() for line in statistics_lines("medals", battle, counted, lang)]
    told = lines[lines.index(said) + 1 :]
    assert len([line for line in told if line]) == sum(len(side.honours) for side in honours_in(battle, lang)) > 0


def test_where_nobody_has_earned_any_nothing_is_said():
    assert list(honour_lines(battle_file.parse(Disputed().battle.file()))) == []
