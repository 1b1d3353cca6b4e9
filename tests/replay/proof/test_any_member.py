"""Whatever one member of a signed file says, the answer of `verify` is a report, and its lines can be read."""

import copy
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.proof import verdict
from replay.proof.verify import Report, verify
from tests.support.rechained import HUGE, put_together, taken_apart
from tests.support.tiny import ended_battle

ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, -1, 2**53 - 1, 2**53, HUGE, "", "x", "é\x1b[2J\u202e", "{0}", "north", [], {}, [[]], [{"a": 1}]]
)


@cache
def _battle() -> Any:
    return ended_battle()


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all members."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for name, member in items for found in ((*path, name), *_places(member, (*path, name)))]


@pytest.mark.slow
@settings(max_examples=60)
@given(st.data())
def test_whatever_a_member_says_the_answer_is_a_report(data):
    whole = copy.deepcopy(taken_apart(_battle().file()))
    *path, last = data.draw(st.sampled_from([place for place in _places(list(whole)) if len(place) > 1]))
    place: Any = whole
    for name in path:
        place = place[name]
    if place is whole[1]:
        place[last]["data"] = data.draw(ODD)
    else:
        place[last] = data.draw(ODD)
    report = verify(put_together(*whole, _battle().signer))
    assert isinstance(report, Report)
    lines = list(verdict.lines(report))
    assert lines
    assert not any(odd in line for line in lines for odd in "\x1b\u202e\n")
