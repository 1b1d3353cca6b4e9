"""Service records in words, in both languages."""

import pytest

from projections.ledger.records import ServiceEntry, ServiceRecord
from replay.telling.service import ServiceTeller
from tests.support.french import english_in
from tests.support.ledgers import ledger
from tests.support.looping import some


def teller(lang: str = "en") -> ServiceTeller:
    return ServiceTeller("tts", lang, {"rome": "Fabius", "carthage": "Hannibal"}, {"F1": "rome", "F2": "carthage"})


def record(force: str, element: str) -> ServiceRecord:
    found = ledger().force(force)
    assert found is not None
    one = found.record(element)
    assert one is not None
    return one


def test_the_die_of_a_casualty_is_told_with_what_it_needed() -> None:
    """CAM-CAR-03"""
    lines = [teller().line(entry) for entry in record("F1", "R4").entries]
    assert lines == [
        "The Trebia against Hannibal, won: was worn, and recovered.",
        "Lake Trasimene against Hannibal, lost: was destroyed for good; "
        "a die of 5 or more was needed and 2 was thrown.",
    ]


def test_the_name_of_a_unit_grows() -> None:
    """CAM-CAR-07"""
    assert list(teller().grown(record("F1", "R1"))) == [
        "legionaries R1",
        "Veteran legionaries R1, Vallaris and Phalera since round 1",
        "Veteran legionaries R1, with a hero, Vallaris, Phalera and Grass crown since round 3",
    ]


def test_a_captive_is_bought_back() -> None:
    """CAM-CAR-05"""
    lines = [teller().line(entry) for entry in record("F1", "G1").entries]
    assert "was taken prisoner by Hannibal; a die of 2 or more was needed and 1 was thrown." in lines[1]
    assert lines[2] == "General G1-2 took the command."
    assert lines[3].startswith("Came back from Hannibal for ")
    assert teller().line(record("F1", "G1-2").entries[0]).startswith("Took the command in the place of general G1")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_line_of_every_record_has_words(lang: str) -> None:
    told = teller(lang)
    lines = [told.line(entry) for force in ledger().forces for one in force.records for entry in one.entries]
    lines += [told.row(one) for force in ledger().forces for one in force.records]
    lines += [told.summary(force) for force in ledger().forces]
    assert not [line for line in some(lines) if "{" in line or "ledger." in line or "[" in line]
    if lang == "fr":
        assert not [line for line in lines if english_in(line.replace("Lake", "").replace("The", ""))]


@pytest.mark.parametrize("what", ["overrun", "dismissed", "storm", "hunger", "surrounded"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_happens_on_a_map_has_words(what: str, lang: str) -> None:
    entry = ServiceEntry(n=1, round=2, what=what, area="enna", by="punic", fate="worn", now="fit")
    assert "enna" in teller(lang).line(entry)
