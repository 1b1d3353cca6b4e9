"""The lines by which an organiser writes pairings: what is no pairing is refused with its place."""

import pytest

from domain.basics.errors import Refusal
from server.acts.clubs.written import words_of


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Anna Bob skirmish", ["Anna", "Bob", "skirmish"]),
        ("Anna the Elder, Bob, tts/skirmish", ["Anna the Elder", "Bob", "tts/skirmish"]),
    ],
)
def test_a_line_is_cut_at_its_commas_else_at_its_spaces(line: str, words: list[str]) -> None:
    assert words_of(line) == words


@pytest.mark.parametrize("line", ["Anna\0Bob skirmish", "A" * 10_000])
def test_what_is_no_pairing_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(Refusal) as refused:
        words_of(line, 7)
    assert (refused.value.code, refused.value.params["line"]) == ("club.bad-pairing", 7)
