"""Battles of header version 3, honest and forged."""

from collections.abc import Mapping

from msgspec import UNSET

from domain.events.battle import ClockFired, SideLeft, UmpireNamed
from domain.log.record import PBEM_2_1
from tests.conformance.silences import Story
from tests.replay.made_battle import MadeBattle
from tests.replay.proof import test_signed_lines as lines
from tests.replay.proof import test_umpires_sign as umpires


def a_signed_claim(text: str = "claim") -> tuple[MadeBattle, int]:
    made = lines.flagged(lines.playing())
    return made, lines.claim(made, text)


def a_claim_by_the_players_own_word() -> tuple[MadeBattle, int]:
    return a_signed_claim()[0], 0


def a_claim_of_a_signed_seat_by_the_host() -> tuple[MadeBattle, int]:
    return a_signed_claim("")


def a_claim_signed_as_a_resignation() -> tuple[MadeBattle, int]:
    return a_signed_claim("resign")


def a_signed_seat_given_back_by_the_host() -> tuple[MadeBattle, int]:
    made = lines.playing()
    return made, made.alone(SideLeft("north", "ill"), "north")


def a_signed_seat_given_back() -> tuple[MadeBattle, int]:
    made = lines.playing()
    made.own("north", SideLeft("north", "ill"), "leave")
    return made, 0


def a_vacation_without_end() -> tuple[MadeBattle, int]:
    made = lines.playing()
    line = "vacation now then"
    return made, made.own("north", ClockFired("vacation", "north", line), line)


def a_ruling(**members: object) -> tuple[MadeBattle, int]:
    made = umpires.named(umpires.playing())
    umpires.signing(made, "umpire", umpires.KEY)
    return made, umpires.ruled(made, **members)


def a_ruling_with_the_umpires_key() -> tuple[MadeBattle, int]:
    return a_ruling()[0], 0


def a_ruling_with_a_token_of_the_umpires() -> tuple[MadeBattle, int]:
    return a_ruling(signature=UNSET, serial=UNSET)


def an_umpire_with_a_key_of_the_hosts() -> tuple[MadeBattle, int]:
    made = umpires.named(umpires.playing(), took=umpires.signer_of(umpires.OTHER))
    return made, made.find("UmpireNamed")


def an_umpire_without_a_key_over_players_who_all_sign() -> tuple[MadeBattle, int]:
    made = umpires.named(umpires.playing(signed=("north", "south")), UNSET, UNSET, UNSET)
    return made, made.find(UmpireNamed.__name__)


def dice_before_the_first_order(scope: str, version: int = PBEM_2_1) -> tuple[MadeBattle, int]:
    """The rules roll right behind `TurnBegan`, before its side has said anything."""
    made = MadeBattle("plain", "plain", version=version).started()
    with made.order("north", "done"):
        made.turn("south")
        n = made.die(scope)
    made.plain_order("south")
    return made, n


def a_die_before_the_first_order() -> tuple[MadeBattle, int]:
    return dice_before_the_first_order("open:south")


def a_die_of_a_turn_before_its_first_order() -> tuple[MadeBattle, int]:
    return dice_before_the_first_order("dice:south")


def a_die_before_the_first_order_in_version_2() -> tuple[MadeBattle, int]:
    return dice_before_the_first_order("open:south", 2)


def an_order_without_the_entry_that_it_owes() -> tuple[MadeBattle, int]:
    made = MadeBattle("plain", "plain", version=PBEM_2_1).start()
    return made, made.plain_order("north")


VERSION_3: Mapping[Story, str] = {
    a_die_before_the_first_order: "",
    a_die_of_a_turn_before_its_first_order: "draw-before-contribution",
    a_die_before_the_first_order_in_version_2: "other-scope",
    an_order_without_the_entry_that_it_owes: "entry-missing",
    a_claim_by_the_players_own_word: "",
    a_claim_of_a_signed_seat_by_the_host: "signature-missing",
    a_claim_signed_as_a_resignation: "player-signature-differs",
    a_signed_seat_given_back: "",
    a_signed_seat_given_back_by_the_host: "signature-missing",
    a_vacation_without_end: "bad-member",
    a_ruling_with_the_umpires_key: "",
    a_ruling_with_a_token_of_the_umpires: "signature-missing",
    an_umpire_with_a_key_of_the_hosts: "no-authority",
    an_umpire_without_a_key_over_players_who_all_sign: "umpire-unsigned",
}
"""Each story with the kind of its fault, empty if it has none."""
