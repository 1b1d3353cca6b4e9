"""An umpire with a key is taken with it, and each of their lines is signed: the door asks what the verifier asks."""

from base64 import b64encode
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.log import fairness, record
from domain.run.own_word import OwnWord, Signed
from domain.run.seats import Seat
from domain.run.terms import USUAL_TERMS, Terms
from replay.proof.verify import verify
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from tests.support.disputing import JUDGE
from tests.support.tiny import tiny_scenario

of = pytest.mark.parametrize
KEYS = {
    side: Ed25519PrivateKey.from_private_bytes(bytes([at]) * 32)
    for at, side in enumerate(("umpire", "south", "north"), 7)
}
SIGNERS = {side: b64encode(key.public_key().public_bytes_raw()).decode() for side, key in KEYS.items()}
OTHER = b64encode(Ed25519PrivateKey.from_private_bytes(b"\x55" * 32).public_key().public_bytes_raw()).decode()


class Judged:
    """A battle of two, who sign if `signs`; `say` gives a line, signed where its speaker has a key."""

    def __init__(self, version: int = record.PBEM_2_1, terms: Terms = USUAL_TERMS, signs: bool = False) -> None:
        clock, entropy = SeededClock("j"), SeededEntropy("j")
        self.battle = OfflineBattle(RULESETS["tts"], tiny_scenario(), clock, entropy, "", terms, version=version)
        self.serials: dict[str, int] = {}
        for side, name in (("south", "Anna"), ("north", "Bruno")):
            if signs:
                recording, seat = self.battle.recording, Seat(side, f"p-{side}", name, signer=SIGNERS[side])
                self.serials[side] = 1
                word = OwnWord(recording.newest_head(), self.signed(side, 1, f"join {name}", KEYS[side]))
                recording.adopt(recording.join(seat, {}, clock.now(), word))
            else:
                self.battle.seat_person(side, name)

    def say(self, side: str, line: str, **lie: Any) -> None:
        key = KEYS.get(side) if self.battle.recording.battle.signer_of(side) else None
        signed = None
        if key is not None:
            serial = self.serials[side] = self.serials.get(side, 0) + 1
            signed = self.signed(side, lie.get("serial", serial), lie.get("text", line), lie.get("key", key))
        self.battle.order(side, line, signed=signed)

    def signed(self, side: str, serial: int, text: str, key: Ed25519PrivateKey) -> Signed:
        recording = self.battle.recording
        seen = recording.newest_head()
        assert seen is not None
        head = seen.n, bytes.fromhex(seen.hash)
        message = fairness.signed_message(recording.gid, side, serial, head, b"", text)
        return Signed(serial, b64encode(key.sign(message)).decode())

    def refused(self, side: str, line: str, **lie: Any) -> str:
        n = self.battle.recording.battle.n
        with pytest.raises(Refusal) as caught:
            self.say(side, line, **lie)
        assert self.battle.recording.battle.n == n
        return caught.value.code

    def named(self) -> "Judged":
        self.say("south", f"umpire {JUDGE} {SIGNERS['umpire']}")
        self.say("north", "agree umpire")
        return self


def test_an_umpire_named_with_a_key_signs_and_the_file_holds() -> None:
    judged = Judged().named()
    disputes = judged.battle.recording.battle.disputes
    assert (disputes.umpire, disputes.umpire_signer) == (JUDGE, SIGNERS["umpire"])
    judged.say("south", "dispute 5 facts It was otherwise")
    judged.say("umpire", "rule d1 award north as I see it")
    report = verify(judged.battle.file())
    assert (report.fault, report.exit) == (None, 0)
    assert [(act.what, act.is_unsigned) for act in report.listed][:2] == [("umpire", False), ("ruling", False)]


@of(
    ("lie", "code"),
    [
        ({"text": "rule d1 draw"}, "core.bad-signature"),
        ({"key": KEYS["south"]}, "core.bad-signature"),
        ({"serial": 0}, "core.stale-serial"),
    ],
)
def test_a_line_that_the_umpire_has_not_signed_is_refused(lie: dict[str, Any], code: str) -> None:
    judged = Judged().named()
    judged.say("south", "dispute 5 facts It was otherwise")
    assert judged.refused("umpire", "rule d1 award north", **lie) == code


def test_an_umpire_with_a_key_says_nothing_unsigned() -> None:
    judged = Judged().named()
    judged.say("south", "dispute 5 facts It was otherwise")
    n = judged.battle.recording.battle.n
    with pytest.raises(Refusal, match="signature-missing"):
        judged.battle.order("umpire", "rule d1 award north")
    assert judged.battle.recording.battle.n == n


def test_an_umpire_without_a_key_does_not_sign() -> None:
    judged = Judged()
    judged.say("south", f"umpire {JUDGE}")
    judged.say("north", "agree umpire")
    judged.say("south", "dispute 5 facts It was otherwise")
    signed = judged.signed("umpire", 1, "answer d1 yes", KEYS["umpire"])
    with pytest.raises(Refusal, match="not-signed-here"):
        judged.battle.order("umpire", "answer d1 yes", signed=signed)


def test_two_sides_with_two_keys_have_not_agreed() -> None:
    judged = Judged()
    judged.say("south", f"umpire {JUDGE} {SIGNERS['umpire']}")
    judged.say("north", f"umpire {JUDGE} {OTHER}")
    judged.say("north", f"umpire {JUDGE}")
    assert judged.battle.recording.battle.disputes.umpire == ""
    judged.say("north", f"umpire {JUDGE} {SIGNERS['umpire']}")
    assert judged.battle.recording.battle.disputes.umpire == JUDGE
    assert verify(judged.battle.file()).fault is None


def test_an_umpire_who_has_lost_their_key_is_named_anew() -> None:
    judged = Judged().named()
    assert judged.refused("south", f"umpire {JUDGE} {SIGNERS['umpire']}") == "core.docket-same-umpire"
    judged.say("south", f"umpire {JUDGE} {OTHER}")
    judged.say("north", "agree umpire")
    assert judged.battle.recording.battle.disputes.umpire_signer == OTHER
    assert verify(judged.battle.file()).fault is None


@of(("signer", "code"), [("A" * 43 + "=", "core.weak-key"), ("B" * 43 + "=", "core.bad-signer")])
def test_a_key_that_is_none_is_refused(signer: str, code: str) -> None:
    assert Judged().refused("south", f"umpire {JUDGE} {signer}") == code


def test_a_battle_of_version_2_takes_no_key() -> None:
    assert Judged(2).refused("south", f"umpire {JUDGE} {SIGNERS['umpire']}") == "core.docket-unknown-player"


@of(
    ("version", "terms", "signer", "unsigned"),
    [
        (2, Terms(JUDGE, "Judge", signer=SIGNERS["umpire"], unsigned=True), "", False),
        (3, Terms(JUDGE, "Judge", signer=SIGNERS["umpire"]), SIGNERS["umpire"], False),
        (3, Terms(JUDGE, "Judge"), "", True),
        (3, Terms(unsigned=True), "", True),
        (3, Terms(), "", False),
    ],
)
def test_a_battle_is_opened_with_the_key_of_its_umpire_or_says_that_there_is_none(
    version: int, terms: Terms, signer: str, unsigned: bool
) -> None:
    judged = Judged(version, terms)
    disputes = judged.battle.recording.battle.disputes
    assert (disputes.umpire_signer, disputes.unsigned_umpire) == (signer, unsigned)
    assert verify(judged.battle.file()).fault is None


@of(("unsigned", "code"), [(False, "core.umpire-unsigned"), (True, "")])
def test_players_who_all_sign_take_no_umpire_without_a_key(unsigned: bool, code: str) -> None:
    judged = Judged(terms=Terms(unsigned=unsigned), signs=True)
    if code:
        assert judged.refused("south", f"umpire {JUDGE}") == code
        judged.named()
    else:
        judged.say("south", f"umpire {JUDGE}")
        judged.say("north", "agree umpire")
    assert judged.battle.recording.battle.disputes.umpire == JUDGE
