"""A map of events that changes with every event costs the same for each, whatever it holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.engine.event_map import EventMap
from domain.events.battle import StandingOrderSet
from domain.log.record import Recorded
from domain.run.timeline import Timeline
from tests.support.tiny import TTS, tiny_battle

NUMBERS = st.integers(0, 200) | st.integers(0, (1 << 24) - 1)
MOST_COPIED = 4 * 64
"""Entries of the nodes that one change writes anew."""


def entries_written(before: EventMap, after: EventMap) -> int:
    """The size of all nodes of `after` that are not nodes of `before`."""

    def written(old: object, new: object) -> int:
        if new is old or not isinstance(new, dict):
            return 0
        kept = old if isinstance(old, dict) else {}
        return len(new) + sum(written(kept.get(place), below) for place, below in new.items())

    return written(before._root, after._root)


@pytest.mark.slow
@given(st.lists(st.tuples(NUMBERS, st.integers(0, 9) | st.none())))
def test_it_holds_what_a_dict_would_hold_and_older_ones_stay(steps):
    held, model = EventMap(), dict[int, int]()
    assert held == model
    for n, value in steps:
        before, was = held, dict(model)
        if value is None:
            held = held.without(n)
            model.pop(n, None)
        else:
            held = held.with_event(n, value)
            model[n] = value
        assert before == was
        assert held == model
        assert list(held) == sorted(model)
        assert (len(held), held.get(n), n in held) == (len(model), model.get(n), n in model)


@pytest.mark.parametrize("n", [-1, 1 << 24])
def test_what_is_no_event_is_never_in_it(n):
    assert n not in EventMap().with_event(0, 1).without(n)
    with pytest.raises(IndexError):
        EventMap().with_event(n, 0)


@pytest.mark.slow
def test_each_change_writes_one_path_however_much_is_held():
    held = EventMap()
    for n in range(20_000):
        before, held = held, held.with_event(n, 0)
        assert entries_written(before, held) <= MOST_COPIED
    for n in range(20_000):
        before, held = held, held.without(n)
        assert entries_written(before, held) <= MOST_COPIED
    assert (len(held), held._root) == (0, {})


def test_the_fold_of_sealed_events_copies_no_more_for_the_last_than_for_the_first():
    timeline = Timeline(TTS)
    for recorded in tiny_battle().events():
        timeline.feed(recorded)
    order = StandingOrderSet("south", "evade", sealed="0" * 64)
    first = len(timeline.events) + 1
    for n in range(first, first + 1000):
        before = timeline.now.sealed
        now = timeline.feed(Recorded(n, "2026-11-21T10:11:12.013Z", "south", order.RULE, "StandingOrderSet", order))
        assert entries_written(before, now.sealed) <= MOST_COPIED
    assert list(timeline.now.sealed) == list(range(first, first + 1000))
