"""A ruling and the lines behind it that set facts are one order."""

import pytest

from domain.scripts.program import GiveOrder
from domain.scripts.reading import lines_of, read
from domain.scripts.rulings import join_rulings
from tests.support.playing import TTS

RULING = "rule d1 correct the charge was misread"


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        ([RULING, "set R1 box E4", "set medals south 5"], [f"{RULING}; set R1 box E4; set medals south 5", "", ""]),
        ([RULING, "", "  fixe R1 case E4  # so", "end turn"], [f"{RULING}; fixe R1 case E4", "", "", "end turn"]),
        (["tranche D1 corrige # vu", "fixe tour fini"], ["tranche D1 corrige fixe tour fini", ""]),
        ([RULING, "end turn", "set R1 box E4"], [RULING, "end turn", "set R1 box E4"]),
        (["rule d1 none so", "set R1 box E4"], ["rule d1 none so", "set R1 box E4"]),
        (["set R1 box E4", RULING], ["set R1 box E4", RULING]),
        ([RULING, RULING, "set R1 box E4"], [RULING, f"{RULING}; set R1 box E4", ""]),
    ],
)
def test_what_is_set_belongs_to_the_ruling_before_it(lines: list[str], joined: list[str]):
    assert join_rulings(lines) == joined


def test_a_script_has_one_order_for_a_ruling_and_what_it_sets():
    script = read(f"{RULING}\r\nset R1 box E4\r\nanswer d2 so", TTS.read)
    assert [step.text for step in script.program if isinstance(step, GiveOrder)] == [
        f"{RULING}; set R1 box E4",
        "answer d2 so",
    ]
    assert [line.number for line in script.orders] == [1, 3]
    assert lines_of("a\rb\nc") == ["a", "b", "c"]
