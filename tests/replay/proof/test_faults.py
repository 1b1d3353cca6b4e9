"""Every fault has its sentence."""

import re
from pathlib import Path

import pytest

from replay.proof.faults import fault_sentence, line_sentence, quoted
from replay.telling.words import LANGUAGES
from replay.telling.words.catalogue import find
from tests.support.catalogues import texts
from tests.support.lanes import thinned

ROOT = Path(__file__).parents[3]
NAMES = sorted(path.stem for path in (ROOT / "replay" / "proof").glob("*.py"))
SOURCES = ("domain/log/record.py", *(f"replay/proof/{name}.py" for name in NAMES))
RAISED = re.compile(
    r"(?:Fault|BadNote|yield n, |found\.add)\(?(?:[^()\"]|\([^()]*\)|\[[^]]*\])*\"([a-z][a-z-]+-[a-z-]+)\""
)
REQUIRED = re.compile(r"require\(n, \"([a-z-]+)\"")
SENTENCES = sorted(msgid for msgid in texts("en") if msgid.startswith("fault."))
PARTS = {"fault.line", "fault.member-differs"}


def codes() -> set[str]:
    found: set[str] = set()
    for source in SOURCES:
        text = (ROOT / source).read_text(encoding="utf-8")
        found |= {*RAISED.findall(text), *REQUIRED.findall(text)}
    return found


def test_every_fault_that_can_be_raised_has_a_sentence():
    assert len(codes()) > 50
    assert {f"fault.{code}" for code in codes()} <= set(SENTENCES)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("msgid", thinned(sorted({*SENTENCES} - PARTS), 5))
def test_a_sentence_ends_with_a_full_stop_and_starts_with_a_capital(msgid, lang):
    text = (find(msgid, lang) or "").replace("]", "")
    assert text.endswith((".", "{refusal}"))
    assert text[0].isupper() or text[0] in "[{“«"


def test_the_first_text_whose_gaps_can_be_filled_is_taken():
    assert "another key" in fault_sentence("other-key", {})
    assert "trusted" in fault_sentence("other-key", {"expected": "a", "found": "b"})


def test_a_fault_without_a_sentence_is_told_by_its_code():
    assert fault_sentence("never-heard", {"n": 3}) == "never-heard (n: 3)"


def test_what_a_file_says_cannot_move_the_cursor_or_turn_the_line_round():
    odd = "\x1b[2K\r\n\u202e\u2028\u2066\x7f"
    escaped = r"\x1b[2K\r\n\u202e\u2028\u2066\x7f"
    assert quoted({"a": [odd, 5], odd: odd}) == {"a": [escaped, 5], escaped: escaped}
    assert escaped in fault_sentence("other-player", {"expected": "a", "found": odd})
    assert escaped in fault_sentence("never-heard", {"n": odd})
    expected = '{"at":"","by":"south","data":{"a":1},"n":0,"rule":"R","type":"T"}'
    told = fault_sentence("event-differs", {"expected": expected, "found": expected.replace("1", '"\u202e"')})
    assert r"\u202e" in told
    assert "\u202e" not in told


def test_a_text_of_a_file_is_cut():
    assert quoted("é\u202f" * 40) == "é\u202f" * 40
    assert quoted("x" * 81) == "x" * 79 + "…"


def test_a_difference_names_the_members():
    expected = '{"at":"","by":"south","data":{"a":1,"b":2},"n":0,"rule":"R","type":"T"}'
    found = '{"at":"","by":"south","data":{"a":1,"b":3},"n":0,"rule":"R","type":"T"}'
    assert (
        fault_sentence("event-differs", {"expected": expected, "found": found}) == "By the rules b is 2, the log has 3."
    )
    other = found.replace('"T"', '"U"')
    assert (
        fault_sentence("event-differs", {"expected": expected, "found": other})
        == "By the rules T follows; the log has U."
    )


def test_a_refused_order_is_told_by_its_rule():
    details = {"code": "core.not-begun", "rule": "CORE-BEGIN"}
    assert "CORE-BEGIN" in fault_sentence("not-allowed", details)


def test_a_fault_is_told_in_french():
    assert fault_sentence("wrong-number", {"expected": 4, "found": 5}, "fr") == (
        "L’événement 4 devrait se trouver ici, la ligne dit 5."
    )
    assert line_sentence(3, "empty-line", {}, "fr") == "ligne 3\N{NO-BREAK SPACE}: La ligne est vide. [empty-line]"
    details = {"code": "core.not-begun", "rule": "CORE-BEGIN"}
    told = fault_sentence("not-allowed", details, "fr")
    assert told.startswith("Les règles ne permettent pas cet ordre") and "n’a pas commencé" in told
    expected = '{"at":"","by":"south","data":{"b":2},"n":0,"rule":"R","type":"T"}'
    found = '{"at":"","by":"south","data":{},"n":0,"rule":"R","type":"T"}'
    assert fault_sentence("event-differs", {"expected": expected, "found": found}, "fr") == (
        "Selon les règles, b vaut 2, le journal a «\N{NO-BREAK SPACE}absent\N{NO-BREAK SPACE}»."
    )


def test_a_place_comes_first():
    assert line_sentence(3, "empty-line", {}) == "line 3: The line is empty. [empty-line]"
    assert line_sentence(0, "empty", {}) == "The file is empty. [empty]"
