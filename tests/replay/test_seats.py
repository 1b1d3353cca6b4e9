"""The audit refuses every log in which somebody could have known or chosen a turn's luck."""

import pytest
from msgspec import UNSET

from domain.engine.events import BattleBegan, BattleOpened, ContributionGiven, SideJoined, SideLeft
from replay.proof.draws import check_draws
from replay.proof.seats import SeatFault
from tests.replay.made_battle import BATTLE, SECRETS, MadeBattle, deck_cards, small_battle


def fault_of(made: MadeBattle) -> SeatFault:
    with pytest.raises(SeatFault) as caught:
        check_draws(BATTLE, made.log, deck_cards)
    return caught.value


def named(made: MadeBattle) -> tuple[int, str]:
    fault = fault_of(made)
    return fault.n, fault.what


def find(made: MadeBattle, event_type: str, which: int = 0) -> int:
    return [recorded.n for recorded in made.log if recorded.type == event_type][which]


@pytest.mark.parametrize("north", ["plain", "sealed"])
@pytest.mark.parametrize("south", ["plain", "sealed"])
def test_an_honest_battle_is_proven_in_every_mode(north, south):
    report = check_draws(BATTLE, small_battle(north, south).log, deck_cards)
    assert (report.proven, report.unproven, report.draws, report.complete) == ((1, 2), (), 10, True)


# --- set-up


def test_the_commitment_comes_first():
    made = MadeBattle()
    made.add(BattleBegan())
    made.add(BattleOpened(ruleset="tts", commitment="00" * 32))
    assert fault_of(made).what == "began-before-joined"
    made = MadeBattle()
    made.add(SideJoined("north", "Ann"))
    assert fault_of(made).what == "joined-before-commitment"
    made = small_battle()
    made.change(1, commitment=UNSET)
    assert named(made) == (1, "bad-hex")


def test_a_battle_is_opened_once():
    made = MadeBattle().start()
    made.add(BattleOpened(ruleset="tts", commitment="00" * 32))
    assert named(made) == (5, "opened-late")


@pytest.mark.parametrize("anchor", [UNSET, "", "00" * 15, "AB" * 16, "zz" * 16])
def test_a_sealed_seat_brings_an_anchor(anchor):
    made = small_battle()
    made.change(2, anchor=anchor)
    assert named(made) == (2, "bad-hex")


def test_a_seat_is_taken_by_one_player_at_a_time():
    made = MadeBattle().start()
    made.add(SideJoined("north", "Bea"))
    assert named(made) == (5, "seat-taken")
    made = MadeBattle().start()
    made.add(SideJoined("east", "Bea"))
    assert named(made) == (5, "unknown-side")


def test_a_battle_begins_once_and_with_both_seats():
    made = MadeBattle().start()
    made.add(BattleBegan())
    assert named(made) == (5, "began-twice")
    made = small_battle()
    made.log[2] = made.log[1].__class__(3, "", "south", "", "SideLeft", SideLeft("north", "tired"))
    assert named(made) == (4, "began-before-joined")


# --- no draw before both have contributed


@pytest.mark.parametrize("absent", ["north", "south"])
def test_no_card_falls_before_both_have_contributed(absent):
    made = MadeBattle().start()
    other = "south" if absent == "north" else "north"
    made.contribute(other, 0)
    made.newest[absent] = b""
    made.shuffle("north")
    made.card("north", 0, "draw:north")
    assert (fault_of(made).what, fault_of(made).details["side"]) == ("draw-before-contribution", absent)


def test_no_card_falls_before_the_battle_begins():
    made = small_battle("plain", "plain")
    began = made.log.pop(3)
    made.log.insert(12, began)
    assert fault_of(made).what == "draw-before-start"


def test_no_card_of_a_turn_falls_before_its_mover_has_contributed():
    made = MadeBattle().start()
    made.contribute("north", 0)
    made.contribute("south", 0)
    made.shuffle("south")
    n = made.order("south", 1, "U1 ahead", first=False)
    made.card("south", 1, "draw:south")
    assert named(made) == (n + 1, "draw-before-contribution")


def test_what_the_rules_draw_before_the_mover_contributes_has_a_scope_of_its_own():
    made = MadeBattle().start()
    made.contribute("north", 0)
    made.contribute("south", 0)
    made.shuffle("south")
    made.card("south", 1, "open:south")
    made.order("south", 1, "U1 ahead")
    made.card("south", 1, "draw:south")
    made.reveal()
    assert check_draws(BATTLE, made.log, deck_cards).proven == (1,)


def test_only_between_plain_seats_may_a_phrase_come_with_the_seat():
    for north, what in (("plain", None), ("sealed", "contribution-before-start")):
        made = MadeBattle(north, "plain").start()
        made.log.pop()
        made.contribute("south", 0, "early")
        made.add(BattleBegan())
        if what is None:
            check_draws(BATTLE, made.log, deck_cards)
        else:
            assert named(made) == (4, what)


# --- seals


def test_a_seal_opens_the_one_before_it():
    made = MadeBattle().start()
    made.given["north"] = 1
    n = made.contribute("north", 0)
    assert named(made) == (n, "seal-not-of-chain")


def test_a_lost_seal_book_is_replaced_in_the_open():
    made = MadeBattle().start()
    made.contribute("north", 0)
    made.seals["north"] = made.seals["north"][20:]
    made.given["north"] = 0
    made.add(ContributionGiven("north", 1, "reanchor", made.seals["north"][0].hex()), "north")
    n = made.order("north", 1, "U1 ahead")
    check_draws(BATTLE, made.log, deck_cards)
    made.change(n - 2, value="00" * 16)
    assert named(made) == (n - 1, "seal-not-of-chain")


def test_a_substitute_brings_his_own_chain():
    made = MadeBattle().start()
    made.contribute("north", 0)
    made.add(SideLeft("north", "holiday"), "north")
    n = made.contribute("north", 1)
    assert named(made) == (n, "contribution-without-player")
    made.log.pop()
    made.add(SideJoined("north", "Cas", mode="plain"))
    made.modes["north"] = "plain"
    made.order("north", 1, "U1 ahead")
    check_draws(BATTLE, made.log, deck_cards)


@pytest.mark.parametrize(
    ("mode", "kind"), [("plain", "seal"), ("plain", "reanchor"), ("sealed", "plain"), ("sealed", "x")]
)
def test_a_contribution_is_of_the_kind_of_its_seat(mode, kind):
    made = MadeBattle(mode, mode).start()
    n = made.contribute("north", 0)
    made.change(n, kind=kind)
    assert named(made) == (n, "contribution-of-other-kind")


# --- plain contributions


def test_a_plain_contribution_recomputes_from_phrase_and_order():
    for member, value in (("phrase", "another"), ("value", "00" * 32), ("t", 2)):
        made = small_battle("plain", "plain")
        n = find(made, "ContributionGiven", 2)
        made.change(n, **{member: value})
        assert fault_of(made).n == n


def test_an_order_changed_after_the_phrase_came_in_is_found():
    made = small_battle("plain", "plain")
    n = find(made, "OrderAccepted")
    made.change(n, text="U1 back")
    assert named(made) == (n - 1, "contribution-differs")


def test_a_private_first_order_enters_as_nothing():
    made = MadeBattle("plain", "plain").start()
    n = made.contribute("north", 1, "phrase", "")
    made.order("north", 1, "U1 hide", first=False)
    made.change(n + 1, text=UNSET, command=UNSET)
    check_draws(BATTLE, made.log, deck_cards)


def test_a_first_contribution_may_come_with_the_deployment_or_alone():
    made = MadeBattle("plain", "plain").start()
    made.contribute("north", 0, "alone")
    made.order("north", 0, "deploy U1 B2", first=False)
    made.order("south", 0, "deploy U2 B9")
    check_draws(BATTLE, made.log, deck_cards)


def test_a_contribution_to_a_turn_comes_with_an_order_of_that_turn():
    made = MadeBattle("plain", "plain").start()
    n = made.contribute("north", 1, "alone")
    assert named(made) == (n, "contribution-without-order")
    made.order("south", 1, "U2 ahead", first=False)
    assert named(made) == (n, "contribution-without-order")


def test_a_seat_contributes_once_to_a_turn():
    made = MadeBattle("plain", "plain").start()
    made.order("north", 1, "U1 ahead")
    made.order("north", 1, "U1 ahead", "second try")
    assert named(made) == (7, "contribution-twice")


def test_a_contribution_comes_before_the_draws_of_its_turn():
    made = small_battle("plain", "plain")
    made.log.pop()
    made.order("south", 2, "U2 ahead")
    assert fault_of(made).what == "contribution-after-draw"


def test_phrases_that_bind_nobody_are_reported():
    made = MadeBattle("plain", "plain").start()
    made.change(3, kind="bot")
    made.contribute("north", 0, "")
    made.contribute("south", 0, "a bot's phrase")
    made.order("north", 1, "U1 ahead", "a phrase")
    report = check_draws(BATTLE, made.log, deck_cards)
    assert report.without_entropy == ((0, "north"), (0, "south"))


def test_the_secrets_of_the_tests_differ():
    assert len(set(SECRETS.values())) == 2
