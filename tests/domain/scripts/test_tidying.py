"""Orders are read as people type them, and nothing else becomes an order."""

import pytest

from domain.scripts.program import GiveOrder
from domain.scripts.reading import Unreadable, read
from domain.scripts.tidying import stripped, tidied
from tests.support.drilling import TTS


def orders(text: str) -> list[str]:
    """The orders in a text, in canonical notation."""
    program = read(text, TTS.orders.parse, TTS.orders.senses).program
    return [TTS.orders.write(TTS.orders.parse(step.text), "en") for step in program if isinstance(step, GiveOrder)]


@pytest.mark.parametrize(
    "line",
    [
        *("R1 Ahead.", "R1 ahead,", "R1 ahead!", "R1 ahead…", "1) R1 ahead", "1. R1 ahead", "(1) R1 ahead"),
        *("- R1 ahead", "* R1 ahead", "• R1 ahead", "a) R1 ahead", "→ R1 ahead", "[x] R1 ahead"),
        *("*R1 ahead*", "**R1 ahead**", "_R1 ahead_", "`R1 ahead`", '"R1 ahead"', "- *R1 ahead.*", "*R1* ahead"),
        *("R1: ahead", "R1, ahead", "R1 - ahead", "R1 -> ahead", "R 1 ahead", "r1   ahead"),
        *("R1 ahead 🙂", "✅ R1 ahead", "R1 ahead :-)", "R1 ahead ;)", "⚔️ R1 ahead ⚔️"),
        *("| R1 ahead  # 4: 72 of 80", "| R1 ahead", "|R1 ahead", "| 4. R1 ahead  # 4"),
        *("move R1 ahead", "please R1 ahead", "then R1 ahead", "R1 moves ahead", "puis R1 avance"),
        "Then move R1 forward.",
        "R1 ahead (to hold the hill)",
        *("R one ahead", "r One ahead.", "R1 en avant", "R1 ahead - to hold the hill", "That’s all: R1 ahead"),
        *("R1 forward", "R1 forwards", "R1 fwd", "R1 advances", "R1 straight"),
    ],
)
def test_an_order_as_people_type_it(line: str) -> None:
    assert orders(line) == ["R1 ahead"]


@pytest.mark.parametrize(
    "line",
    [
        *("R1 ahead, R2 ahead, end turn", "R1 ahead. R2 ahead. End turn.", "R1 ahead and R2 ahead then end turn"),
        *("r1 ahead / r2 ahead / end turn", "R1: ahead; R2: ahead; end turn"),
    ],
)
def test_several_orders_of_one_line(line: str) -> None:
    assert orders(line) == ["R1 ahead", "R2 ahead", "end turn"]


@pytest.mark.parametrize("line", ["R1 -> C4", "R1 → C4", "r1 => c4", "R1->C4"])
def test_an_arrow_to_a_place(line: str) -> None:
    assert orders(line) == ["R1 to C4"]


@pytest.mark.parametrize("line", ["R1 ahead - no, left instead", "R1 ahead - so R2 ahead", "R1 ahead - R2 waits"])
def test_what_stands_behind_a_dash_may_be_an_order(line: str) -> None:
    with pytest.raises(Unreadable):
        read(line, TTS.orders.parse)


def test_what_is_several_orders_only_in_part_is_none() -> None:
    with pytest.raises(Unreadable):
        read("R1 ahead, and so on, end turn", TTS.orders.parse)


@pytest.mark.parametrize("line", ["1) repeat R1 ahead until it fails", "- repeat R1 ahead until it fails."])
def test_a_line_of_a_script_as_people_type_it(line: str) -> None:
    assert len(read(line, TTS.orders.parse, TTS.orders.senses).program) == 1


def test_a_list_of_words_within_an_order() -> None:
    assert orders("R1 to C3, facing N") == ["R1 to C3 facing N"]
    assert orders("group R1, R2 ahead") == ["group R1 R2 ahead"]


def test_the_line_stays_as_it_was_written() -> None:
    script = read("- R1 ahead!", TTS.orders.parse)
    assert (script.orders[0].text, script.program) == ("- R1 ahead!", (GiveOrder(0, "R1 ahead"),))


def test_a_phrase_may_have_a_colon() -> None:
    assert read("Phrase: nine geese", TTS.orders.parse).phrase == "nine geese"


@pytest.mark.parametrize("line", ["Anna", "Cheers, Anna", "Nice move!", "I shall move R1 ahead soon", "12 30", "R1"])
def test_prose_is_no_order(line: str) -> None:
    with pytest.raises(Unreadable):
        read(line, TTS.orders.parse)


def test_a_long_line_is_not_tried() -> None:
    assert list(tidied("R1 " * 200)) == []


def test_what_stands_around_is_taken_off_in_any_order() -> None:
    assert stripped(" 3) • **_R1 ahead_** !! 😀") == "R1 ahead"
