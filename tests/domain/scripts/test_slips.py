"""A mistyped line is mended if it can mean one order alone."""

import pytest

from domain.catalogue import RULESETS
from domain.engine.errors import Refusal
from domain.scripts.likeness import names_in, vocabulary
from domain.scripts.slips import mended

TTS = RULESETS["tts"]
LISTED = frozenset(
    (
        *("R1 ahead", "R2 ahead", "R3 ahead-left", "R4 shoot E4 x2", "R5 charge F4", "group R1 R2 ahead", "end turn"),
        *(
            "N3 replenish ammo",
            "evade yes facing S",
            "evade no",
            "join R4",
            "join R6",
            "corps II",
            "done",
            "R2 turn left",
        ),
    )
)


def read(line: str) -> str:
    return mended(line, TTS, vocabulary(TTS), names_in(LISTED), LISTED)


@pytest.mark.parametrize("order", sorted(LISTED))
def test_letters_that_have_changed_places(order: str) -> None:
    for at in range(len(order) - 1):
        slip = order[:at] + order[at + 1] + order[at] + order[at + 2 :]
        try:
            TTS.orders.parse(slip)
        except Refusal:
            assert read(slip) in (order, "")  # never another


@pytest.mark.parametrize(
    ("slip", "order"),
    [
        ("R1 ahaed", "R1 ahead"),
        ("R1 ahhead", "R1 ahead"),
        ("R5 chare F4", "R5 charge F4"),
        ("R5 charge 4F", "R5 charge F4"),
        ("N 3replenish ammo", "N3 replenish ammo"),
        ("jion R4", "join R4"),
        ("edn turn", "end turn"),
        ("dnoe", "done"),
        ("fin du tuor", "end turn"),
        ("- R1 avanec!", "R1 ahead"),
    ],
)
def test_a_slip_that_means_one_order(slip: str, order: str) -> None:
    assert read(slip) == order


@pytest.mark.parametrize(
    "line",
    [
        *("R5 charge F", "R1 aheda-letf", "resing", "drwa", "see you on Sunday", "Nice move, Bob!", "R1"),
        *("X9 ahaed", "R1 ahaed " + "x" * 60),
    ],
)
def test_what_is_not_guessed(line: str) -> None:
    assert read(line) == ""
