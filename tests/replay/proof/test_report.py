"""Of what a report says that it can be judged only later."""

from typing import Any

import pytest

from domain.log.record import PBEM_2_1
from replay.proof.report import Report


@pytest.mark.parametrize(
    "left",
    [
        {"bound": 1},
        {"secret": 1},
        {"continued_from": 5},
        {"unopened": (4,)},
        {"not_judged": (4,)},
        {"excused": ((4, 6),)},
        {"version": PBEM_2_1},
    ],
)
def test_each_thing_that_is_left_keeps_a_report_open(left: dict[str, Any]) -> None:
    assert Report(exit=0, **left).is_open


def test_nothing_left_is_judged_whole() -> None:
    assert not Report(exit=0).is_open
    assert not Report(exit=0, version=PBEM_2_1, ended=True, judged=9, checked=3).is_open
