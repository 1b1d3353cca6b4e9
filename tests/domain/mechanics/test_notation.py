"""What a line of orders may hold: keywords, ids, boxes, hexes, decimals, angles and points."""

from random import Random

import pytest

from domain.basics.errors import Refusal
from domain.mechanics.hex import FACINGS
from domain.mechanics.notation import Reader, decimal, decimal_text


def reader(line: str) -> Reader:
    return Reader(line, {"face": "facing"})


def expected(line: str, read) -> list[str]:
    with pytest.raises(Refusal) as refused:
        read(reader(line))
    assert refused.value.code == "core.parse"
    return refused.value.params["expected"]


@pytest.mark.parametrize(
    ("word", "places", "units"),
    [("12", 1, 120), ("12.5", 1, 125), ("-0.5", 1, -5), ("007", 0, 7), ("3.07", 2, 307), ("3.7", 2, 370), ("-0", 0, 0)],
)
def test_a_decimal_is_read_in_units_of_its_last_place(word, places, units):
    assert decimal(word, places) == units


@pytest.mark.parametrize("word", ["", "x", "1.", ".5", "1,5", "+1", "1e3", "1.55", "1234567", "²", "1 2"])
def test_what_is_not_a_decimal(word):
    assert decimal(word, 1) is None


def test_decimals_are_written_as_they_are_read():
    dice = Random("decimals")
    for _ in range(2000):
        units, places = dice.randint(-99_999, 99_999), dice.randint(0, 3)
        assert decimal(decimal_text(units, places), places) == units
    assert [decimal_text(units, 1) for units in (125, 120, -5, 0)] == ["12.5", "12", "-0.5", "0"]


def test_a_line_of_free_measure():
    words = reader("move 12.5 to -90,0.5 face 181.3  # a comment")
    assert words.need(["move"]) == "move"
    assert words.decimal("a length", 1) == 125
    assert words.need(["to"]) == "to"
    assert words.point(1) == (-900, 5)
    assert words.take("facing") == "facing"
    assert words.degrees(1) == 1813
    words.end()


def test_a_full_circle_is_north():
    assert reader("360").degrees(1) == reader("0.0").degrees(1) == 0
    assert reader("359.9").degrees(1) == 3599


@pytest.mark.parametrize("line", ["e6", "E6", "4,6"])
def test_a_hex_is_read_by_name_or_by_numbers(line):
    assert reader(line).hex() == "E6"


@pytest.mark.parametrize(
    ("line", "read", "wanted"),
    [
        ("E99", Reader.hex, "a hex"),
        ("26,0", Reader.hex, "a hex"),
        ("-1,0", Reader.hex, "a hex"),
        ("360.1", lambda words: words.degrees(1), "degrees from 0 to 360"),
        ("-1", lambda words: words.degrees(1), "degrees from 0 to 360"),
        ("3", lambda words: words.point(1), "a point x,y"),
        ("3,", lambda words: words.point(1), "a point x,y"),
        ("3,4,5", lambda words: words.point(1), "a point x,y"),
        ("3.55", lambda words: words.decimal("a length", 1), "a length"),
    ],
)
def test_what_cannot_be_read_says_what_was_expected(line, read, wanted):
    assert expected(line, read) == [wanted]


def test_a_number_at_the_end_of_a_line_says_what_is_missing():
    words = reader("move")
    words.need(["move"])
    for read in (lambda: words.decimal("a length", 1), lambda: words.degrees(0), lambda: words.point(0), words.hex):
        with pytest.raises(Refusal):
            read()


def test_facings_depend_on_the_grid():
    assert reader("w").facing() == "W"
    assert reader("nw").facing(FACINGS) == "NW"
    assert expected("ne", Reader.facing) == ["n", "e", "s", "w"]
    assert expected("n", lambda words: words.facing(FACINGS)) == ["ne", "e", "se", "sw", "w", "nw"]
