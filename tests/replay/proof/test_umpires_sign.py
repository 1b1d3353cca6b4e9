"""From version 3 on an umpire with a key signs each line; one without is told as the host's word."""

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET

from domain.events.battle import (
    BattleEnded,
    DisputeAnswered,
    DisputeRaised,
    DisputeSettled,
    RulingGiven,
    Seen,
    UmpireNamed,
    UmpireProposed,
)
from domain.events.event import Text
from domain.log import fairness, record
from domain.log.points import key_id
from replay.proof import verdict
from tests.replay.faulty import assert_right, fault_of, report_of
from tests.replay.made_battle import BATTLE, MadeBattle

of = pytest.mark.parametrize
KEY = Ed25519PrivateKey.from_private_bytes(b"\x77" * 32)
OTHER = Ed25519PrivateKey.from_private_bytes(b"\x78" * 32)


def signer_of(key: Ed25519PrivateKey) -> str:
    return b64encode(key.public_key().public_bytes_raw()).decode()


SIGNER = signer_of(KEY)


def signing(made: MadeBattle, side: str, key: Ed25519PrivateKey) -> Callable[[Seen, bytes, str], tuple[int, str]]:
    """Signs the lines of a side, with serials from 1 on."""
    serial = 0

    def sign(seen: Seen, giving: bytes, text: str) -> tuple[int, str]:
        nonlocal serial
        serial += 1
        message = fairness.signed_message(BATTLE, side, serial, (seen.n, bytes.fromhex(seen.hash)), giving, text)
        return serial, b64encode(key.sign(message)).decode()

    made.signing[side] = sign
    return sign


def playing(version: int = record.PBEM_2_1, signed: tuple[str, ...] = (), **opening: Any) -> MadeBattle:
    """Two persons in their first turn; of `signed` each has a key of its own."""
    made = MadeBattle(version=version)
    made.opening_members = opening
    for at, side in enumerate(signed, 1):
        key = Ed25519PrivateKey.from_private_bytes(bytes([at]) * 32)
        made.joining[side] = {"signer": signer_of(key)}
        signing(made, side, key)
    made.started().first_turn("south")
    made.plain_order("south")
    return made


def named(made: MadeBattle, north: Text = SIGNER, south: Text = SIGNER, took: Text = SIGNER) -> MadeBattle:
    """Both sides name `judge`, each with a key; who takes the office with another."""
    text = "umpire judge" if north is UNSET else f"umpire judge {north}"
    made.plain_order("north", UmpireProposed("north", "judge", north), text=text, ordinary=False)
    with made.order("south", "agree umpire", ordinary=False):
        made.add(UmpireProposed("south", "judge", south), "south")
        made.add(UmpireNamed("judge", "Judge", "agreement", took))
    made.players["umpire"] = "judge"
    return made


def ruled(made: MadeBattle, **members: Any) -> int:
    """A docket of the north's, and a ruling on it that ends the battle; the number of the umpire's line."""
    text = "dispute 5 facts I see it otherwise"
    raised = DisputeRaised(docket="d1", side="north", about=5, kind="facts", text="I see it otherwise")
    made.plain_order("north", raised, text=text, ordinary=False)
    with made.order("umpire", "rule d1 award north as I see it", ordinary=False, **members) as n:
        made.add(RulingGiven("d1", "as I see it", "award north"), "umpire")
        made.add(DisputeSettled("d1", "ruled"))
        made.add(BattleEnded("north", "ruling"))
    return n


def test_a_ruling_is_signed_by_the_umpire_whom_both_have_named():
    made = named(playing())
    signing(made, "umpire", KEY)
    ruled(made)
    report = assert_right(made)
    acts, kid = report.listed, key_id(KEY.public_key().public_bytes_raw())
    assert [act.kid for act in acts] == [kid, "", ""]
    assert any(f"with the key {kid}" in line for line in verdict.lines(report))
    assert [(act.what, act.is_unsigned) for act in acts] == [("umpire", False), ("ruling", False), ("settled", False)]


@of(
    ("members", "what"),
    [
        ({"signature": UNSET, "serial": UNSET}, "signature-missing"),
        ({"signature": UNSET}, "signature-missing"),
        ({"signature": b64encode(bytes(64)).decode()}, "player-signature-differs"),
        ({"serial": 2}, "player-signature-differs"),
        ({"serial": 0}, "serial-differs"),
        ({"seen": UNSET}, "head-missing"),
        ({"channel": "mail", "seen": UNSET}, "signature-missing"),
    ],
)
def test_a_ruling_that_the_umpire_has_not_signed_so_is_a_fault(members: dict[str, Any], what: str):
    """The like of a ruling that the host writes with a token of the umpire's."""
    made = named(playing())
    signing(made, "umpire", KEY)
    n = ruled(made, **members)
    assert fault_of(made) == (what, n)


def test_the_key_of_another_signs_nothing():
    made = named(playing())
    signing(made, "umpire", OTHER)
    n = ruled(made)
    assert fault_of(made) == ("player-signature-differs", n)


@of(("north", "south", "took"), [(SIGNER, signer_of(OTHER), signer_of(OTHER)), (UNSET, SIGNER, SIGNER)])
def test_the_host_puts_no_key_of_its_own_into_an_agreement(north: Text, south: Text, took: Text):
    """What the south agrees to is what the north has proposed, key and all."""
    made = named(playing(), north, south, took)
    assert fault_of(made) == ("no-authority", made.find("UmpireProposed", 1))


def test_who_takes_the_office_has_the_key_that_was_agreed():
    made = named(playing(), took=signer_of(OTHER))
    assert fault_of(made) == ("no-authority", made.find("UmpireNamed"))


def test_a_proposal_has_the_key_of_its_line():
    made = playing()
    proposal = UmpireProposed("north", "judge", signer_of(OTHER))
    n = made.plain_order("north", proposal, text=f"umpire judge {SIGNER}", ordinary=False)
    assert fault_of(made) == ("no-authority", n + 1)


@of("version", [2, 3])
def test_without_a_key_each_act_of_the_umpire_is_told_as_the_hosts_word(version: int):
    made = named(playing(version), UNSET, UNSET, UNSET)
    ruled(made)
    report = assert_right(made)
    assert [(act.what, act.is_unsigned) for act in report.listed] == [
        ("umpire", False),
        ("ruling", True),
        ("settled", True),
    ]
    for lang, words in (("en", "not signed: the host wrote it down"), ("fr", "non signé\N{NO-BREAK SPACE}: l’hôte")):
        assert len([line for line in verdict.lines(report, lang) if words in line]) == 2


def test_players_who_all_sign_have_no_umpire_without_a_key():
    made = named(playing(signed=("north", "south")), UNSET, UNSET, UNSET)
    assert fault_of(made) == ("umpire-unsigned", made.find("UmpireNamed"))
    for signed in (("north",), ()):
        assert fault_of(named(playing(signed=signed), UNSET, UNSET, UNSET)) == ("", 0)


def test_a_battle_may_be_opened_for_an_umpire_without_a_key():
    made = named(playing(signed=("north", "south"), unsigned_umpire=True), UNSET, UNSET, UNSET)
    ruled(made)
    assert [act.is_unsigned for act in assert_right(made).listed] == [False, True, True]


@of(("version", "said"), [(2, True), (3, False)])
def test_what_the_opening_says_of_umpires_is_true_and_of_version_3(version: int, said: bool):
    made = playing(version, unsigned_umpire=said)
    assert fault_of(made) == ("bad-member", 1)


def test_a_file_of_version_2_has_no_key_of_an_umpire():
    made = named(playing(2), UNSET, UNSET, UNSET)
    n = made.find("UmpireNamed")
    made.change(n, signer=SIGNER)
    assert report_of(made).fault is not None


@of(
    ("signer", "what"),
    [("AAAA", "no-authority"), ("A" * 43 + "=", "weak-key"), (b64encode(b"\1" + bytes(31)).decode(), "weak-key")],
)
def test_the_key_of_an_umpire_is_a_key(signer: str, what: str):
    made = playing()
    proposal = UmpireProposed("north", "judge", signer)
    n = made.plain_order("north", proposal, text=f"umpire judge {signer}", ordinary=False)
    assert fault_of(made) == (what, n + 1)


def test_what_an_umpire_says_of_a_docket_is_listed_too():
    made = named(playing(), UNSET, UNSET, UNSET)
    text = "dispute 5 facts I see it otherwise"
    raised = DisputeRaised(docket="d1", side="north", about=5, kind="facts", text="I see it otherwise")
    made.plain_order("north", raised, text=text, ordinary=False)
    halted = DisputeAnswered(docket="d1", by="umpire", halt=True)
    n = made.plain_order("umpire", halted, text="halt d1", ordinary=False)
    act = assert_right(made).listed[-1]
    assert (act.n, act.what, act.about, act.is_unsigned) == (n + 1, "umpire-said", "d1", True)


def test_the_vector_of_the_page_is_what_an_umpire_signs():
    """The frame made by hand, as docs/record-format.md has it under "Heads and signatures"."""
    text = "rule d1 award north as I see it"
    head = bytes.fromhex("3024d0f0e31981c7ee1b768bfbfccc7d611aa92da9917ec27a05b98a84f2d01b")
    parts = (b"G42", b"umpire", (1).to_bytes(4), (1).to_bytes(4), head, b"", text.encode())
    frame = len(b"pbem/2 signed").to_bytes(2) + b"pbem/2 signed" + b"".join(len(one).to_bytes(4) + one for one in parts)
    signature = b64encode(Ed25519PrivateKey.from_private_bytes(b"\x66" * 32).sign(frame)).decode()
    page = (Path(__file__).parents[3] / "docs" / "record-format.md").read_text()
    assert signature in page[page.index("### Umpires sign") :]
    assert frame == fairness.signed_message("G42", "umpire", 1, (1, head), b"", text)
