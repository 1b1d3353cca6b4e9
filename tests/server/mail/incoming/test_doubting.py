"""What ends a turn waits for a word where a line that was left out may have been an order."""

import pytest
from msgspec.structs import replace

from server.mail.incoming.sorting import sorted_reply
from tests.server.mail.incoming.test_copied import LETTER, TTS


@pytest.mark.parametrize(
    "line",
    ["bowmen shoot", "hold the hill", "the cavalry must hold", "les légionnaires tiennent", "R5 stays where it is"],
)
def test_what_follows_a_line_that_may_be_an_order_waits_from_its_end_on(line: str) -> None:
    found = sorted_reply(f"R1 ahead\n{line}\nR2 ahead\nend turn", TTS, LETTER)
    if found.left_out:
        assert (found.orders, found.waiting, found.left_out) == ("R1 ahead\nR2 ahead", "end turn", (line,))
    else:  # it looks so much like an order that nothing is played
        assert line in found.orders


@pytest.mark.parametrize(
    "line",
    [
        "Hi Bob!",
        "Nice move last time :)",
        "What a day.",
        "Cheers,\nAnna\nLeft Bank Infantry Museum",
        "Will you charge me?",
    ],
)
def test_greetings_and_talk_hold_nothing_up(line: str) -> None:
    found = sorted_reply(f"{line}\nR1 ahead\nend turn", TTS, LETTER)
    assert (found.orders, found.waiting) == ("R1 ahead\nend turn", "")


def test_a_condition_that_may_end_the_turn_waits_as_a_whole() -> None:
    block = "if R1 at E3\nR2 ahead\nend turn\nend if"
    found = sorted_reply(f"hold the hill\nR1 ahead\n{block}", TTS, LETTER)
    assert (found.orders, found.waiting) == ("R1 ahead", block)


def test_turning_to_other_units_waits_too_and_a_phrase_with_it() -> None:
    found = sorted_reply("phrase nine geese\nhold the hill\ncorps II\nR1 ahead", TTS, LETTER)
    assert (found.orders, found.waiting) == ("", "phrase nine geese\n\ncorps II\nR1 ahead".replace("\n\n", "\n"))
    assert found.has_orders


@pytest.mark.parametrize("word", ["go", "Go!", "allez"])
def test_one_word_plays_what_waits(word: str) -> None:
    letter = replace(LETTER, waiting=("corps II", "end turn"))
    assert sorted_reply(f"Hi\n{word}\nAnna", TTS, letter).orders == "corps II\nend turn"
    assert not sorted_reply(word, TTS, LETTER).has_orders
