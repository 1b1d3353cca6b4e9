"""Keys of hosts and players are known from their first sight on, and another one stops the reader."""

from base64 import b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.proof import chain, pins
from replay.proof.blocks import ProtocolFault
from replay.proof.chain import Log
from replay.proof.notes import Signer
from replay.proof.pins import BadPins, Pin
from replay.proof.verify import FAULT, verify
from tests.replay.made_battle import SIGNER
from tests.replay.proof.test_messages import KEY, signed_battle

OWN = b64encode(KEY.public_key().public_bytes_raw()).decode()
OTHER = b64encode(Ed25519PrivateKey.from_private_bytes(b"\x09" * 32).public_key().public_bytes_raw()).decode()
OTHER_HOST = Signer(SIGNER.name, b"\x08" * 32).key


@pytest.fixture(scope="module")
def log() -> Log:
    return chain.open_file(signed_battle().file())


def stopped(log: Log, *known: Pin) -> tuple[int, str]:
    with pytest.raises(ProtocolFault) as stop:
        pins.new_pins(log, known)
    return stop.value.n, stop.value.what


def test_what_is_seen_first_is_kept_and_then_known(log: Log) -> None:
    first = pins.new_pins(log, ())
    assert [(pin.player != "", pin.key) for pin in first] == [(False, SIGNER.key), (True, OWN)]
    assert pins.new_pins(log, first) == ()
    assert pins.read_pins("# known\n\n" + pins.written(first)) == first


def test_another_key_of_a_known_host_stops(log: Log) -> None:
    assert stopped(log, Pin(SIGNER.name, "", OTHER_HOST)) == (0, "host-key-unknown")
    assert pins.new_pins(log, [Pin(SIGNER.name, "", OTHER_HOST), Pin(SIGNER.name, "", SIGNER.key)])


def test_another_key_of_a_known_player_stops_in_their_battle(log: Log) -> None:
    player, battle = pins.new_pins(log, ())[1].player, log.header.battle
    n, what = stopped(log, Pin(SIGNER.name, player, OTHER, battle))
    assert (n > 0, what) == (True, "player-key-unknown")
    assert len(pins.new_pins(log, [Pin("another.example", player, OTHER)])) == 2


def test_another_key_in_another_battle_is_told_and_stops_nobody(log: Log) -> None:
    player = pins.new_pins(log, ())[1].player
    for before in (Pin(SIGNER.name, player, OTHER, "another"), Pin(SIGNER.name, player, OTHER)):
        new = pins.new_pins(log, [before])
        assert Pin(SIGNER.name, player, OWN, log.header.battle) in new
        (told,) = pins.known_otherwise(log, new, [before])
        assert all(part in told for part in (log.header.battle, pins.kid_of(OWN), pins.kid_of(OTHER)))
        assert pins.known_otherwise(log, pins.new_pins(log, [before, *new]), [before, *new]) == ()
    for same in (Pin(SIGNER.name, player, OWN, "another"), Pin(SIGNER.name, player, OWN)):
        assert pins.known_otherwise(log, pins.new_pins(log, [same]), [same]) == ()


def test_a_key_that_is_known_in_all_battles_is_known_in_each(log: Log) -> None:
    player, battle = pins.new_pins(log, ())[1].player, log.header.battle
    known = [Pin(SIGNER.name, player, OTHER, battle), Pin(SIGNER.name, player, OWN)]
    assert Pin(SIGNER.name, player, OWN, battle) in pins.new_pins(log, known)


@pytest.mark.parametrize(
    "line",
    [
        "h",
        "h k",
        "h p k",
        "h p AQAA",
        f"h b! p {OTHER}",
        f"h b p {OTHER} x",
        f"h p {b64encode(bytes(32)).decode()}",
        f"a {OTHER_HOST}",
    ],
)
def test_a_line_that_is_no_pin_is_refused(line: str) -> None:
    with pytest.raises(BadPins, match="line 2"):
        pins.read_pins(f"\n{line}\n")


def test_a_reader_compares_the_key_of_a_player(log: Log) -> None:
    kid = pins.kid_of(OWN)
    for who in ("south", pins.new_pins(log, ())[1].player):
        for key in (OWN, kid, kid.replace(" ", "")):
            pins.require_player_keys(log, {who: key})
    for expected, what in (({"south": OTHER}, "player-key-differs"), ({"north": OTHER}, "player-key-missing")):
        with pytest.raises(ProtocolFault) as stop:
            pins.require_player_keys(log, expected)
        assert stop.value.what == what


def test_the_verdict_stops_at_a_key_that_is_not_the_known_one(log: Log) -> None:
    content = signed_battle().file()
    assert verify(content, trust=lambda log: pins.new_pins(log, ())).fault is None
    report = verify(content, trust=lambda log: pins.require_player_keys(log, {"south": OTHER}))
    assert (report.exit, report.fault and report.fault.what) == (FAULT, "player-key-differs")
