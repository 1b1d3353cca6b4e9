"""Every message names whose it is and which head it answers; where a player has a key it is signed."""

from base64 import b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET
from msgspec.structs import replace

from domain.events.battle import Seen
from domain.log import fairness
from domain.log.points import key_id
from domain.log.record import PBEM_2
from tests.replay.faulty import assert_right, fault_of
from tests.replay.made_battle import BATTLE, MadeBattle, small_battle
from tests.replay.proof.test_disclosures import private_standing_order

of = pytest.mark.parametrize
KEY = Ed25519PrivateKey.from_private_bytes(b"\x66" * 32)


@of(
    ("members", "what"),
    [
        ({"player": "other"}, "other-player"),
        ({"channel": "bot"}, "other-channel"),
        ({"channel": "telex"}, "other-channel"),
        ({"seen": UNSET}, "head-missing"),
        ({"seen": Seen("00" * 32, 5)}, "head-of-another-log"),
        ({"seen": Seen("00" * 32, -1)}, "head-of-another-log"),
        ({"seen": Seen("00" * 32, 1 << 52)}, "head-of-another-log"),
        ({"seen": Seen("0", 5)}, "bad-hex"),
        ({"serial": 1}, "signature-without-key"),
        ({"signature": "AAAA"}, "signature-without-key"),
        ({"t": 5}, "other-turn"),
        ({"side": "north"}, "other-author"),
    ],
)
def test_a_lie_about_an_order_is_found(members, what):
    made = small_battle()
    n = made.find("OrderAccepted", 2)
    made.change(n, **members)
    assert fault_of(made) == (what, n)


def test_a_head_of_now_or_later_is_none_that_a_player_can_have_seen():
    made = small_battle()
    n = made.find("OrderAccepted", 2)
    made.change(n, seen=Seen(made.hashes()[n].hex(), n))
    assert fault_of(made) == ("head-of-another-log", n)


def test_an_older_head_and_that_of_the_header_are_heads_of_this_log():
    made = small_battle(over=False)
    n = made.find("OrderAccepted", 5)
    made.change(n, seen=Seen(made.hashes()[0].hex(), 0))
    assert fault_of(made)[0] in ("", "head-of-another-log")


def test_only_a_mail_may_name_no_head_and_is_counted():
    made = MadeBattle().started().first_turn("south")
    made.plain_order("south", channel="mail", seen=UNSET)
    north, south = assert_right(made).seats
    assert (north.vouched.without, south.vouched.without) == (0, 1)


def test_the_lines_of_a_request_answer_one_head_and_are_one_message():
    made = MadeBattle().started().first_turn("south")
    seen = made.seen()
    for line in (1, 2, 3):
        made.plain_order("south", line=line, key="f" * 16, seen=seen)
    before = assert_right(made).seats[1].vouched.messages
    made.plain_order("south", line=4, key="f" * 16)
    assert fault_of(made) == ("request-differs", len(made.log))
    assert before == 2


@of("line", [0, -7, 1 << 32])
def test_a_line_is_counted_from_1(line):
    made = small_battle(over=False)
    n = made.find("OrderAccepted", 2)
    made.change(n, line=line)
    assert fault_of(made) == ("bad-member", n)


def test_a_bot_names_no_head():
    made = MadeBattle(north="plain")
    made.joining["north"] = {"kind": "bot"}
    made.start()
    made.enter("south")
    n = made.enter("north", channel="bot")
    assert fault_of(made) == ("head-of-a-bot", n)
    made.change(n, channel="api")
    assert fault_of(made) == ("other-channel", n)


# --- players' own keys


def signed_battle(mode: str = "sealed", version: int = PBEM_2, orders: int = 2) -> MadeBattle:
    made = MadeBattle(south=mode, version=version)
    made.joining["south"] = {"signer": b64encode(KEY.public_key().public_bytes_raw()).decode()}
    serial = 0

    def sign(seen: Seen, giving: bytes, text: str) -> tuple[int, str]:
        nonlocal serial
        serial += 1
        message = fairness.signed_message(BATTLE, "south", serial, (seen.n, bytes.fromhex(seen.hash)), giving, text)
        return serial, b64encode(KEY.sign(message)).decode()

    made.signing["south"] = sign
    made.started().first_turn("south")
    for text in ("U1 ahead", "U2 ahead")[:orders]:
        made.plain_order("south", text=text)
    return made


@of("mode", ["plain", "sealed"])
def test_a_signed_seat_signs_each_line(mode):
    made = signed_battle(mode)
    north, south = assert_right(made).seats
    assert (north.is_signed, south.is_signed, south.vouched.messages) == (False, True, 3)
    assert (north.kid, south.kid) == ("", key_id(KEY.public_key().public_bytes_raw()))


@of(
    ("members", "what"),
    [
        ({"text": "U2 back"}, "player-signature-differs"),
        ({"signature": "AAAA"}, "player-signature-differs"),
        ({"signature": UNSET}, "signature-missing"),
        ({"serial": UNSET}, "signature-missing"),
        ({"serial": 9}, "player-signature-differs"),
        ({"serial": 2}, "serial-differs"),
        ({"serial": 1 << 40}, "serial-differs"),
        ({"channel": "mail"}, "signature-missing"),
        ({"channel": "mail", "seen": UNSET}, "head-missing"),
    ],
)
def test_a_lie_about_a_signed_line_is_found(members, what):
    made = signed_battle()
    n = made.find("OrderAccepted", 2)
    made.change(n, **members)
    assert fault_of(made) == (what, n)


def test_the_quoted_head_of_a_signed_line_cannot_be_changed():
    made = signed_battle()
    n = made.find("OrderAccepted", 2)
    made.change(n, seen=Seen(made.hashes()[4].hex(), 4))
    assert fault_of(made) == ("player-signature-differs", n)


@of("member", ["text", "command"])
def test_an_order_that_is_not_sealed_says_what_was_ordered(member):
    for made in (signed_battle(), small_battle(over=False)):
        n = made.find("OrderAccepted", 2)
        made.change(n, **{member: UNSET})
        assert fault_of(made) == ("bad-member", n)


def test_an_order_opened_without_a_text_is_found():
    made = signed_battle()
    whole = made.log[made.plain_order("south", ordinary=False, text="standing evade U1 never") - 1].event
    made.log.pop()
    n = made.seal(replace(whole, text=7), ("text", "command", "signature"), "south")
    made.end("south")
    assert fault_of(made) == ("bad-member", n)


def test_the_signature_of_a_private_order_is_sealed_with_it():
    made = signed_battle()
    whole = made.log[made.plain_order("south", ordinary=False, text="standing evade U1 never") - 1].event
    made.log.pop()
    n = made.seal(whole, ("text", "command", "signature"), "south")
    assert_right(made)
    made.end("south")
    assert_right(made)
    assert getattr(made.log[n - 1].event, "serial", 0) == 4
    made = signed_battle()
    made.signing.clear()
    private_standing_order(made)
    assert fault_of(made)[0] == "signature-missing"
