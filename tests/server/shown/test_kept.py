"""What is made of events is kept within bounds: battles not asked for longest make room."""

import gc

import pytest

from domain.catalogue import RULESETS
from domain.run.timeline import Timeline
from server.shown.kept import PerBattle
from server.words import say

RULES = RULESETS["tts"]


def filled(kept: PerBattle[int, str], timeline: Timeline, count: int) -> None:
    kept.of(timeline).update({n: str(n) for n in range(count)})


def test_battles_asked_for_longest_ago_make_room() -> None:
    first, second, third = (Timeline(RULES) for _ in range(3))
    kept: PerBattle[int, str] = PerBattle(25)
    filled(kept, first, 10)
    filled(kept, second, 10)
    assert len(kept.of(first)) == 10
    filled(kept, third, 10)
    assert [len(kept.of(one)) for one in (third, first, second)] == [10, 10, 0]
    assert kept.count == 20


def test_one_battle_alone_does_not_pass_the_bound() -> None:
    timeline = Timeline(RULES)
    kept: PerBattle[int, str] = PerBattle(25)
    filled(kept, timeline, 26)
    assert kept.of(timeline) == {}


@pytest.mark.slow
def test_battles_that_leave_memory_take_theirs_with_them() -> None:
    kept: PerBattle[int, str] = PerBattle(25)
    timeline = Timeline(RULES)
    for _ in range(4):
        filled(kept, timeline := Timeline(RULES), 10)
        gc.collect()
    assert kept.of(timeline)
    assert kept.count <= kept.most


def test_equal_values_of_other_types_are_told_as_what_they_are() -> None:
    told = [say("en", "pages.answer.times", status="passed", times=times) for times in (1, True, 1, "1", 0, False)]
    assert told == [
        "Passed 1 times",
        "Passed true times",
        "Passed 1 times",
        "Passed 1 times",
        "Passed 0 times",
        "Passed",
    ]
