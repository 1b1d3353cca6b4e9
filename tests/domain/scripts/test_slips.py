"""A mistyped line is mended if it can mean one order alone."""

import pytest

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.scripts.likeness import names_in, vocabulary
from domain.scripts.slips import Names, mended, mended_script
from tests.support.lanes import thinned
from tests.support.looping import some

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


UNITS = frozenset({"R1", "R2", "R3", "R4", "R5", "R6", "R12", "N3", "N11", "G1"})
NAMES = Names(names_in(LISTED) | UNITS, UNITS)


def read(line: str, names: Names = NAMES) -> str:
    return mended(line, TTS, vocabulary(TTS), names, LISTED)


@pytest.mark.parametrize("order", thinned(sorted(LISTED), 3))
def test_letters_that_have_changed_places(order: str) -> None:
    for at in some(range(len(order) - 1)):
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
        ("N 3shoot S4", "N3 shoot S4"),  # no unit is called N, though S is a place to face
        ("N1 1charge F4", "N11 charge F4"),  # N1 is not in the battle
        ("R21 charge F4", "R12 charge F4"),
        ("evade yes facingS", "evade yes facing S"),
        ("R5charge F4", "R5 charge F4"),
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


def test_a_digit_is_never_dropped_though_the_letter_lists_the_order_without_it() -> None:
    both = Names(NAMES.all | {"R1", "R15"}, UNITS | {"R1", "R15"})
    assert read("R1 5ahead", both) == ""  # R15 may be meant
    assert read("R1 5charge F4", both) == ""


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("on replya: yes if needs at most 8, else no", "on replay: yes if needs at most 8, else no"),
        ("on replay: ye sif needs at most 8, else no", "on replay: yes if needs at most 8, else no"),
        ("on replay: yes if needs at most 8, lese no", "on replay: yes if needs at most 8, else no"),
        ("repeat R1 ahead untill it fails", "repeat R1 ahead until it fails"),
        ("repaet 3 R1 ahead until it fails", "repeat 3 R1 ahead until it fails"),
    ],
)
def test_a_slip_in_a_line_with_conditions(slip: str, meant: str) -> None:
    assert mended_script(slip, TTS, vocabulary(TTS), NAMES) == meant


@pytest.mark.parametrize(
    "line",
    [
        "on replay: yes if needs at mots 8, lese no",  # two slips
        "repeat R9 ahaed until it fails",  # nobody is called so
        "repeat resing until it fails",
        "Note: I shall be away on Sunday",
        "PS: no more until Sunday, unless it rains",
    ],
)
def test_what_is_not_guessed_of_a_line_with_conditions(line: str) -> None:
    assert mended_script(line, TTS, vocabulary(TTS), NAMES) == ""
