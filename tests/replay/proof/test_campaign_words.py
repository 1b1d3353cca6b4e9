"""What people have signed in a campaign is checked line by line; what a host forges of it is found where it is."""

import pytest

from replay.proof.campaign.verdict import lines
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import OK
from tests.support.campaign_files import Events
from tests.support.forgeries import Change, found, of_type, with_member, without
from tests.support.signed_campaigns import SignedCup, signed_cup

WEAK = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> SignedCup:
    return signed_cup(tmp_path_factory.mktemp("signed"))


def no_signature(kind: str, at: int = 0) -> Change:
    def change(events: Events) -> None:
        data = of_type(events, kind, at)
        for name in ("serial", "signature"):
            del data[name]

    return change


def no_head(events: Events) -> None:
    del of_type(events, "TableClaimed", 1)["seen"]


def no_key(events: Events) -> None:
    """Who has entered with a key has entered without one."""
    joined = of_type(events, "EntrantJoined")
    for name in ("serial", "signature", "signer"):
        del joined[name]


def other_key(events: Events) -> None:
    """The host has entered somebody with a key of another."""
    of_type(events, "EntrantJoined")["signer"] = of_type(events, "EntrantJoined", 1)["signer"]


def another_signature(events: Events) -> None:
    """A line has the signature of another line of the same person."""
    of_type(events, "TableClaimed", 1)["signature"] = of_type(events, "EntrantJoined")["signature"]


def signed_for_another(events: Events) -> None:
    """An entrant without a key has signed."""
    of_type(events, "TableClaimed").update(serial=1, signature=of_type(events, "TableClaimed", 1)["signature"])


def other_words(member: str, value: object, text: str) -> Change:
    """The umpire has said something else: the text of the line, and what it comes to."""

    def change(events: Events) -> None:
        order = of_type(events, "OrderAccepted")
        order["text"], order["command"][member] = text, value

    return change


def dropped_phrase(events: Events) -> None:
    """The host leaves out what somebody has given to the chance of the lots, of which it knows the key."""
    events.remove(next(event for event in events if event["type"] == "ContributionGiven"))


def signed_begin(events: Events) -> None:
    """Who has no key is said to have signed the beginning: it is the host's, at the day on which entering closes."""
    next(event for event in events if event["type"] == "CampaignBegan")["by"] = "server"


def old_history(events: Events) -> None:
    """An entrant who signs nothing has another name: those who sign have seen the one that stood there."""
    of_type(events, "EntrantJoined", 3)["name"] = "Dorothea"


FORGED_WORDS: dict[str, tuple[Change, str, str]] = {
    "line of the umpire": (
        other_words("points", 9, "penalty p1 9 because late"),
        "player-signature-differs",
        "OrderAccepted",
    ),
    "reason of the umpire": (
        other_words("because", "mood", "penalty p1 1 because mood"),
        "player-signature-differs",
        "OrderAccepted",
    ),
    "umpire whom nobody has named": (with_member("RoleGiven", name="Dora"), "player-signature-differs", "RoleGiven"),
    "key of the umpire": (with_member("RoleGiven", signer=WEAK), "weak-key", "RoleGiven"),
    "key of the organiser": (
        lambda events: of_type(events, "CampaignOpened")["organiser"].update(signer=WEAK),
        "weak-key",
        "CampaignOpened",
    ),
    "winner at the table": (with_member("TableClaimed", 1, winner="north"), "player-signature-differs", "TableClaimed"),
    "kept at the table": (
        with_member("TableClaimed", 1, kept={"north": 0, "south": 640}),
        "player-signature-differs",
        "TableClaimed",
    ),
    "other round of an absence": (with_member("AbsenceNoted", round=1), "player-signature-differs", "AbsenceNoted"),
    "reason of leaving": (with_member("EntrantLeft", reason="absent"), "player-signature-differs", "EntrantLeft"),
    "name": (with_member("EntrantJoined", name="Hanna"), "player-signature-differs", "EntrantJoined"),
    "entered without a key": (no_key, "head-of-another-log", "EntrantJoined"),
    "entered with another key": (other_key, "player-signature-differs", "EntrantJoined"),
    "begun without a signature": (no_signature("CampaignBegan"), "signature-missing", "CampaignBegan"),
    "begun by the host": (signed_begin, "bad-member", "CampaignBegan"),
    "withdrawn without a signature": (no_signature("EntrantLeft"), "signature-missing", "EntrantLeft"),
    "ruled without a signature": (no_signature("OrderAccepted"), "signature-missing", "OrderAccepted"),
    "signature of another line": (another_signature, "player-signature-differs", "TableClaimed"),
    "serial again": (with_member("TableClaimed", 1, serial=1), "serial-differs", "TableClaimed"),
    "serial that is not signed": (with_member("TableClaimed", 1, serial=7), "player-signature-differs", "TableClaimed"),
    "signed without a key": (signed_for_another, "signature-without-key", "TableClaimed"),
    "no head": (no_head, "head-missing", "TableClaimed"),
    "head to come": (
        with_member("CampaignBegan", seen={"hash": "0" * 64, "n": 99}),
        "head-of-another-log",
        "CampaignBegan",
    ),
    "phrase dropped": (dropped_phrase, "player-signature-differs", "EntrantJoined"),
    "phrase of the host": (
        with_member("ContributionGiven", phrase="what the host has chosen"),
        "player-signature-differs",
        "EntrantJoined",
    ),
    "history before a signed line": (old_history, "head-of-another-log", "CampaignBegan"),
    "dropped entrant": (without("EntrantJoined", 3), "seat-empty", "ContributionGiven"),
}


def test_who_has_signed_and_what_the_host_wrote_down_is_told(cup: SignedCup) -> None:
    report = verify_campaign(cup.ended, find=cup.battles.get)
    assert (report.exit, report.fault) == (OK, None)
    assert [(one.seat, one.name, one.lines) for one in report.signed_by] == [
        ("p1", "Anna", 2),
        ("p2", "Bob", 2),
        ("p3", "Cid", 2),
        ("organiser", "Anna", 2),
        ("umpire", "Uma", 2),
    ]
    assert (report.unsigned, report.host_wrote) == (2, ())
    told = "\n".join(lines(report))
    assert "not signed: the host wrote them down" in told
    assert "Fought at the table, on the word of those who said so, and not proven: 1 (1.1)." in told


@pytest.mark.parametrize("name", FORGED_WORDS)
def test_what_is_forged_of_signed_lines_is_found_where_it_is(cup: SignedCup, name: str) -> None:
    change, kind, at = FORGED_WORDS[name]
    assert found(cup, change) == (kind, at)
