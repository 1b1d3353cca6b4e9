"""From header version 3 on leaving, claiming, pausing and joining are lines that who has a key signs."""

from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET

from domain.events.battle import BattleEnded, ClockFired, Seen, SideLeft, SubstituteAgreed, UmpireNamed, UmpireProposed
from domain.log import fairness, record
from replay.proof import verdict
from tests.replay.faulty import assert_right, fault_of
from tests.replay.made_battle import BATTLE, MadeBattle

of = pytest.mark.parametrize
PACE = "3d+1d"
VACATION = "vacation 2026-11-22T00:00:00.000Z 2026-11-25T00:00:00.000Z"


class Hand:
    """A player's key, with the serial that it has come to."""

    def __init__(self, side: str, seed: int) -> None:
        self.side, self.serial = side, 0
        self._key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        self.public = b64encode(self._key.public_key().public_bytes_raw()).decode()

    def __call__(self, seen: Seen, giving: bytes, text: str) -> tuple[int, str]:
        self.serial += 1
        head = seen.n, bytes.fromhex(seen.hash)
        message = fairness.signed_message(BATTLE, self.side, self.serial, head, giving, text)
        return self.serial, b64encode(self._key.sign(message)).decode()


def signing(made: MadeBattle, side: str, seed: int) -> None:
    """Whoever takes a side next signs with this key."""
    hand = Hand(side, seed)
    made.signing[side] = hand
    made.joining[side] = {"signer": hand.public}


def event_of(made: MadeBattle, n: int) -> Any:
    """Event `n`."""
    return made.log[n - 1].event


def joined(version: int = record.PBEM_2_1, pace: str = PACE) -> MadeBattle:
    """Two sealed and signed seats, taken; not begun."""
    made = MadeBattle(pace=pace, version=version)
    for seed, side in enumerate(("north", "south"), 0x66):
        signing(made, side, seed)
    made.open()
    for side in ("north", "south"):
        made.join(side)
    return made


def playing(pace: str = PACE) -> MadeBattle:
    """Two sealed and signed seats in the first turn."""
    made = MadeBattle(pace=pace, version=record.PBEM_2_1)
    for seed, side in enumerate(("north", "south"), 0x66):
        signing(made, side, seed)
    made.started().first_turn("south")
    made.plain_order("south")
    return made


def flagged(made: MadeBattle) -> MadeBattle:
    made.alone(ClockFired("deadline", "south"))
    return made


def claim(made: MadeBattle, text: str = "claim", **members: object) -> int:
    event = ClockFired("claim", "north")
    if text:
        event = made.signed("north", ClockFired("claim", "north", seen=made.seen()), b"", text)
    with made.block(event, "north") as n:
        made.add(BattleEnded("north", "time"))
    return n


# --- what is signed holds, and is listed as the player's own


def test_signed_joins_leaves_and_clocks_hold_and_are_listed_as_the_players_own():
    made = playing()
    asked = made.own("north", ClockFired("pause-asked", "north", "pause 7d"), "pause 7d")
    agreed = made.own("south", ClockFired("pause", "south"), "pause accept")
    away = made.own("north", ClockFired("vacation", "north", VACATION), VACATION)
    made.alone(ClockFired("pause-over", "north"), "north")
    back = made.alone(ClockFired("vacation-over", "north"), "north")
    fell = made.alone(ClockFired("deadline", "south"))
    claimed = claim(made)
    report = assert_right(made)
    told = [(act.n, act.what, act.authority) for act in report.listed]
    assert told == [
        (asked, "own-pause-asked", "own"),
        (agreed, "own-pause", "own"),
        (away, "own-vacation", "own"),
        (back - 1, "clock-pause-over", "host"),
        (back, "clock-vacation-over", "clock"),
        (fell, "clock-deadline", "clock"),
        (claimed, "own-claim", "own"),
    ]
    lines = verdict.lines(report)
    assert f"  event {fell}: the flag of South falls, by the host's clock alone" in lines
    assert f"  event {claimed}: North claims the battle on time, signed by its player's key" in lines
    assert report.seats[0].vouched.n == claimed - 1


def test_a_side_that_signs_is_given_back_and_taken_again_by_signed_lines():
    made = joined()
    made.own("north", SideLeft("north", "left"), "leave")
    made.join("north")  # the same key goes on with its next serial
    assert event_of(made, len(made.log)).serial == 3
    assert_right(made)


# --- what is not, is a fault


@of("kind", ["SideJoined", "SideLeft", "ClockFired"])
@of(
    ("members", "what"),
    [
        ({"signature": UNSET}, "signature-missing"),
        ({"serial": UNSET}, "signature-missing"),
        ({"seen": UNSET}, "head-missing"),
        ({"seen": Seen("00" * 32, 1)}, "head-of-another-log"),
        ({"signature": "AAAA"}, "player-signature-differs"),
        ({"serial": 1 << 40}, "serial-differs"),
        ({"seen": UNSET, "serial": UNSET, "signature": UNSET}, "signature-missing"),
    ],
)
def test_a_signed_act_without_its_signature_is_a_fault(kind: str, members: dict[str, object], what: str):
    made = playing()
    if kind == "SideLeft":
        made.own("north", SideLeft("north", "ill"), "leave")
    if kind == "ClockFired":
        made.own("north", ClockFired("pause-asked", "north", "pause 7d"), "pause 7d")
    n = made.find(kind)
    made.change(n, **members)
    assert fault_of(made) == (what, n)


@of("line", ["resign", "claim ", "pause accept", ""])
def test_a_claim_is_signed_as_a_claim(line: str):
    made = flagged(playing())
    n = claim(made, line)
    assert fault_of(made) == ("player-signature-differs" if line else "signature-missing", n)


@of(("what", "line"), [("vacation", "vacation now then"), ("vacation", "pause 7d"), ("pause-asked", "pause 0d")])
def test_a_line_of_the_clocks_says_what_it_must(what: str, line: str):
    made = playing()
    n = made.own("north", ClockFired(what, "north", line), line)
    assert fault_of(made) == ("bad-member", n)


def test_a_serial_that_was_used_is_a_fault_and_an_old_line_is_not_given_twice():
    made = flagged(playing())
    n = claim(made)
    given = event_of(made, made.find("OrderAccepted", 1))
    made.change(n, serial=given.serial)
    assert fault_of(made) == ("serial-differs", n)


@of("serial", [0, 2, 7])
def test_a_new_key_joins_with_serial_1(serial: int):
    made = MadeBattle(version=record.PBEM_2_1)
    signing(made, "north", 0x66)
    hand = made.signing["north"]
    assert isinstance(hand, Hand)
    hand.serial = serial - 1
    made.open()
    n = made.join("north")
    assert fault_of(made) == ("serial-differs", n)


def test_nobody_is_seated_again_by_the_line_of_their_first_joining():
    made = joined()
    first = event_of(made, made.find("SideJoined"))
    made.own("north", SideLeft("north", "left"), "leave")
    made.signing.pop("north")
    n = made.join("north", seen=first.seen, serial=first.serial, signature=first.signature)
    assert fault_of(made) == ("serial-differs", n)


@of("event", [SideLeft("south", "left"), ClockFired("pause-asked", "south")])
def test_a_plain_seat_signs_nothing(event: SideLeft | ClockFired):
    made = MadeBattle(pace=PACE, version=record.PBEM_2_1).started().first_turn("south")
    n = made.alone(event, "south")
    assert_right(made)
    made.change(n, serial=1, signature="AAAA", seen=made.seen())
    assert fault_of(made)[0] in ("signature-without-key", "head-of-another-log")


@of("members", [{"serial": 1}, {"signature": "AAAA"}, {"seen": Seen("00" * 32, 1)}])
def test_a_file_of_version_2_has_none_of_these_members(members: dict[str, object]):
    made = MadeBattle(pace=PACE).started().first_turn("south")
    n = made.alone(ClockFired("pause-asked", "north"), "north")
    assert_right(made)
    made.change(n, **members)
    assert fault_of(made) == ("wrong-data", n)


# --- the takeovers of the findings


def test_four_lines_of_the_host_do_not_take_over_a_sealed_and_signed_battle():
    made = playing(pace="")
    n = made.alone(SideLeft("north", "gone"), "north")
    made.alone(SideLeft("south", "gone"), "south")
    made.signing.clear()
    made.joining = {"north": {}, "south": {}}
    made.modes["south"] = "plain"
    made.join("south", "robot", kind="bot")
    made.join("north", "stranger")
    assert fault_of(made) == ("signature-missing", n)


def test_a_time_to_come_and_a_claim_of_the_host_do_not_win_a_signed_battle():
    made = playing()
    made.at = "2027-03-01T00:00:00.000Z"
    made.alone(ClockFired("deadline", "south"))
    made.signing.clear()
    n = claim(made, "")
    assert fault_of(made) == ("signature-missing", n)


def name(made: MadeBattle, *by: str, seat: str = "north", silent: bool = False) -> None:
    for side in by:
        agreed = SubstituteAgreed(side, "new", "New", seat, True if silent else UNSET)
        made.plain_order(side, agreed, text=f"substitute {seat} new", ordinary=False)


def with_umpire(made: MadeBattle, player: str = "judge", seed: int = 0x72) -> MadeBattle:
    """Both sides name an umpire who signs."""
    hand = Hand("umpire", seed)
    proposed = UmpireProposed("north", player, hand.public)
    made.plain_order("north", proposed, text=f"umpire {player} {hand.public}", ordinary=False)
    with made.order("south", "agree umpire", ordinary=False):
        made.add(UmpireProposed("south", player, hand.public), "south")
        made.add(UmpireNamed(player, player.title(), "agreement", hand.public))
    made.players["umpire"], made.signing["umpire"] = player, hand
    return made


def substituted(made: MadeBattle) -> tuple[int, int]:
    """North is taken from its player, without their signature, and given to `new`, who brings a key."""
    left = made.alone(SideLeft("north", "substitute"), "north")
    signing(made, "north", 0x71)
    return left, made.join("north", "new")


def test_who_has_asked_for_a_substitute_by_a_signed_line_is_followed_by_them():
    made = playing()
    name(made, "north", "south")
    _, n = substituted(made)
    acts = [(act.what, act.authority) for act in assert_right(made).listed]
    assert acts == [("left", "host"), ("substitute-asked", "agreed")]
    assert event_of(made, n).serial == 1


def silent(made: MadeBattle) -> MadeBattle:
    made.alone(ClockFired("deadline", "north"))
    return made


@of("by", [("south",), ("umpire",)])
def test_a_signed_seat_is_not_taken_by_a_flag_and_one_word(by: tuple[str, ...]):
    made = silent(with_umpire(playing()))
    name(made, *by, silent=True)
    left, _ = substituted(made)
    assert fault_of(made) == ("signature-missing", left)


def test_a_silent_seat_that_signs_is_taken_by_the_signed_words_of_the_umpire_and_the_other():
    made = silent(with_umpire(playing()))
    name(made, "umpire", "south", silent=True)
    substituted(made)
    acts = [(act.what, act.authority) for act in assert_right(made).listed]
    assert acts[-2:] == [("left", "host"), ("substitute-silent", "umpire")]


def test_a_player_who_is_there_is_not_taken_from_their_seat_by_both():
    made = with_umpire(playing())
    name(made, "umpire", "south")
    _, n = substituted(made)
    assert fault_of(made) == ("seat-present", n)


def test_the_word_of_an_umpire_ends_with_their_office():
    made = silent(with_umpire(playing()))
    name(made, "umpire", "south", silent=True)
    with_umpire(made, "other", 0x73)
    made.alone(ClockFired("deadline", "north"))
    left, _ = substituted(made)
    assert fault_of(made) == ("signature-missing", left)


def test_a_newcomer_signs_with_the_key_that_they_bring():
    made = playing()
    name(made, "north", "south")
    _, n = substituted(made)
    old: Callable[..., tuple[int, str]] = Hand("north", 0x66)
    seen = event_of(made, n).seen
    made.change(n, signature=old(seen, b"", "join North")[1])
    assert fault_of(made) == ("player-signature-differs", n)


def test_a_line_that_names_no_seat_names_no_substitute():
    made = playing()
    n = made.plain_order("south", SubstituteAgreed("south", "new"), text="substitute new", ordinary=False)
    assert fault_of(made) == ("bad-member", n + 1)
