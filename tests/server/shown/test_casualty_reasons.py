"""Why a unit or leader is what it is after a battle, in words with their rules."""

import pytest

from domain.campaign.theatre.events import ElementFared, ElementPromoted, HonourWon, LeaderReplaced
from domain.events.battle import DieRolled
from server.shown.campaign_reasons import reasons_of
from tests.support.french import english_in
from tests.support.ledgers import war


def reasons(kind: type, name: str, lang: str = "en") -> list[tuple[str, str]]:
    """The reasons of the newest event of a kind that is about an element."""
    played = war().played
    events = [fact.event for fact in played.facts]
    about = ("element", "leader", "unit")
    fitting = [
        n
        for n, event in enumerate(events, 1)
        if isinstance(event, kind) and name in [getattr(event, member, "") for member in about]
    ]
    told = reasons_of(events, played.state, str(fitting[-1]), lang)
    return [(one.rule, one.text) for one in told.reasons]


@pytest.mark.rule("CAM-CAR-02")
def test_a_casualty_tells_what_its_die_had_to_reach() -> None:
    told = reasons(ElementFared, "R4")
    assert told[-1] == (
        "CAM-CAR-02",
        "A destroyed unit of a side that has lost comes back on 5 or more. It was 2: it is gone for good.",
    )
    assert "Lake Trasimene against Carthage" in told[0][1]


@pytest.mark.rule("CAM-LOG-03")
def test_a_die_tells_for_whom_it_was_and_what_followed() -> None:
    (die, _, last) = reasons(DieRolled, "R4")
    assert die[0] == "CAM-LOG-03" and "scope dice:rome" in die[1]
    assert last[1].endswith("it is gone for good.")
    assert reasons(DieRolled, "G2")[-1] == ("CAM-CAR-05", "It changes nothing: G2 got away.")


@pytest.mark.rule("CAM-CAR-05")
def test_a_captive_and_a_successor_tell_why() -> None:
    assert any("1 or less" in text for _, text in reasons(DieRolled, "G1"))
    assert "G1-2 stands in" in reasons(LeaderReplaced, "G1")[0][1]


@pytest.mark.rule("CAM-CAR-06", "CAM-CAR-07")
def test_honours_and_promotions_tell_what_they_rest_on() -> None:
    assert "event 310 of battle b3" in reasons(HonourWon, "R1")[0][1]
    assert "4 honours, and each 2 lift a unit a step" in reasons(ElementPromoted, "R1")[0][1]


def test_they_are_told_in_french() -> None:
    told = [text for kind, name in ((ElementFared, "R4"), (DieRolled, "G1")) for _, text in reasons(kind, name, "fr")]
    assert told
    assert not [text for text in told if english_in(text.replace("Lake", "")) or "{" in text]
