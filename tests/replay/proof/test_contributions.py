"""Who contributes when: nothing may be left out, given twice, or chosen."""

import pytest
from msgspec import UNSET

from domain.events.battle import (
    ContributionGiven,
    DecisionMade,
    DrawOffered,
    SideLeft,
    StandingOrderSet,
    SubstituteAgreed,
)
from domain.log import fairness
from tests.replay.faulty import assert_right, fault_of
from tests.replay.made_battle import BATTLE, MadeBattle, Marched, small_battle

of = pytest.mark.parametrize


def turn_of_south() -> MadeBattle:
    return MadeBattle().started().first_turn("south")


def test_the_first_order_of_a_turn_brings_a_contribution():
    made = turn_of_south()
    made.entered.add((made.index, "south"))
    n = made.plain_order("south", Marched(unit="R1"))
    assert fault_of(made) == ("contribution-missing", n)


@of(
    "fact",
    [
        DecisionMade("south", "evade", "U1", "yes", False),
        DrawOffered("south"),
        StandingOrderSet("south", "evade", "U1", "never"),
    ],
)
def test_what_is_not_ordinary_needs_none_and_may_not_bring_one(fact):
    made = turn_of_south()
    made.plain_order("south", fact, ordinary=False)
    assert_right(made)
    made = turn_of_south()
    made.plain_order("south", fact)
    assert fault_of(made) == ("contribution-without-order", made.find("ContributionGiven", 2))


def test_a_standing_answer_does_not_make_an_order_less_ordinary():
    made = turn_of_south()
    made.plain_order("south", DecisionMade("north", "evade", "U1", "yes", True))
    assert_right(made)


def test_nobody_contributes_twice_to_a_turn():
    made = turn_of_south()
    made.plain_order("south")
    made.entered.clear()
    made.plain_order("south")
    assert fault_of(made) == ("contribution-twice", made.find("ContributionGiven", 3))


def test_nobody_contributes_in_the_others_turn():
    made = turn_of_south()
    n = made.contribute("north")
    made.plain_order("north")
    assert fault_of(made) == ("contribution-out-of-turn", n)


def test_nobody_contributes_alone_unless_stale():
    made = turn_of_south()
    n = made.enter("south")
    assert fault_of(made) == ("contribution-without-order", n)


def test_a_contribution_without_its_order_is_found():
    made = turn_of_south()
    n = made.contribute("south")
    assert fault_of(made) == ("contribution-without-order", n)


def test_no_contribution_follows_a_draw_of_its_turn():
    made = turn_of_south()
    with made.order("north"):
        made.card("north", "open:north")
    made.plain_order("south")
    assert_right(made)
    made = turn_of_south()
    made.plain_order("south")
    made.end_turn("south")
    with made.order("south"):
        n = made.card("south", "draw:south") and made.find("CardDrawn")
    assert fault_of(made) == ("draw-before-contribution", n)


def test_nothing_is_drawn_before_both_have_entered():
    made = MadeBattle().start()
    made.enter("north")
    made.newest["south"] = bytes(16)
    made.shuffle("north")
    made.card("north")
    assert fault_of(made) == ("draw-before-contribution", made.find("CardDrawn"))


def test_a_first_contribution_alone_is_one_to_turn_0_others_to_the_turn():
    made = MadeBattle().start()
    made.first_turn("south")
    made.enter("north")
    made.enter("south")
    made.entered.discard((1, "south"))
    with made.order("south"):
        made.die("dice:south")
    assert_right(made)
    made.change(made.find("ContributionGiven"), t=1)
    assert fault_of(made) == ("other-turn", made.find("ContributionGiven"))


def test_an_entry_may_come_with_an_order_and_then_counts_for_its_turn():
    made = MadeBattle("plain", "plain").start()
    made.first_turn("south")
    made.enter("north")
    made.plain_order("south")
    with made.order("south"):
        made.die("dice:south")
    assert_right(made)


@of("order", ["U1 ahead", ""])
def test_an_entry_recomputes_with_or_without_its_order(order):
    made = MadeBattle("plain", "plain").start()
    made.first_turn("south")
    made.contribute("south", order=order)
    made.plain_order("south", text="U1 ahead")
    assert_right(made)


@of("members", [{"phrase": "another phrase"}, {"value": "00" * 32}])
def test_a_plain_contribution_recomputes(members):
    made = small_battle("plain", "plain")
    n = made.find("ContributionGiven", 2)
    made.change(n, **members)
    assert fault_of(made) == ("contribution-differs", n)


def test_a_plain_contribution_is_bound_to_its_order():
    made = small_battle("plain", "plain")
    n = made.find("ContributionGiven", 2)
    made.change(n + 1, text="another order")
    assert fault_of(made) == ("contribution-differs", n)


def test_a_seal_is_the_next_of_its_book():
    made = small_battle()
    n = made.find("ContributionGiven", 2)
    made.change(n, value="00" * 16)
    assert fault_of(made) == ("seal-not-of-chain", n)
    made.change(n, value="00")
    assert fault_of(made) == ("bad-hex", n)
    made.change(n, kind="plain")
    assert fault_of(made) == ("contribution-of-other-kind", n)


def test_an_empty_phrase_is_told():
    made = MadeBattle("plain", "plain").start()
    made.enter("south")
    n = made.enter("north")
    value = fairness.plain_contribution(BATTLE, 0, "north", "")
    made.change(n, phrase="", value=value.hex())
    assert [seat.without_phrase for seat in assert_right(made).seats] == [True, False]


# --- other books and players


def another_book(made: MadeBattle, side: str) -> int:
    made.seals[side] = fairness.seal_chain(BATTLE, side, b"\x77" * 32, 20)
    made.given[side] = 0
    given = ContributionGiven(side, made.t, "reanchor", made.seals[side][0].hex(), channel="page", seen=made.seen())
    return made.alone(given, side)


def test_the_next_seal_of_a_book_is_not_another_book():
    made = turn_of_south()
    given = ContributionGiven(
        "south", made.t, "reanchor", made.seals["south"][2].hex(), channel="page", seen=made.seen()
    )
    assert made.given["south"] == 1
    n = made.alone(given, "south")
    assert fault_of(made) == ("seal-as-book", n)


def test_another_book_makes_the_others_stale():
    made = turn_of_south()
    made.plain_order("south")
    n = another_book(made, "south")
    with made.order("south"):
        made.die("dice:south")
    assert fault_of(made) == ("draw-before-contribution", made.find("DieRolled"))
    made = turn_of_south()
    made.plain_order("south")
    n = another_book(made, "south")
    made.enter("north")
    with made.order("south"):
        made.die("dice:south")
    report = assert_right(made)
    assert [(act.n, act.what) for act in report.listed] == [(n, "book")]


def test_no_seal_of_a_new_book_is_taken_before_the_others_have_contributed():
    made = turn_of_south()
    another_book(made, "south")
    made.plain_order("south")
    assert fault_of(made) == ("seal-too-early", made.find("ContributionGiven", 3))
    made = turn_of_south()
    another_book(made, "south")
    made.enter("north")
    made.plain_order("south")
    assert_right(made)


def test_the_one_with_the_new_book_is_not_stale():
    made = turn_of_south()
    another_book(made, "south")
    made.enter("north")
    n = made.enter("south")
    assert fault_of(made) == ("contribution-without-order", n)


@of("mode", ["sealed", "plain"])
def test_a_substitute_makes_the_other_stale_and_is_stale_too_if_plain(mode):
    made = turn_of_south()
    made.plain_order("south")
    made.alone(SideLeft("north", "ill"), "north")
    made.plain_order("south", SubstituteAgreed("south", "new"), text="substitute new", ordinary=False)
    made.modes["north"] = mode
    made.seals["north"] = fairness.seal_chain(BATTLE, "north", b"\x55" * 32, 20)
    made.given["north"] = 0
    made.join("north", "new")
    made.enter("south")
    if mode == "plain":
        made.enter("north")
    with made.order("south"):
        made.die("dice:south")
    report = assert_right(made)
    assert [act.what for act in report.listed] == ["left", "substitute"]


def test_after_a_rewind_both_contribute_again():
    made = turn_of_south()
    to = made.plain_order("south")
    made.rewind(to, 1, "south")
    made.entered.add((made.index, "south"))
    with made.order("south"):
        made.die("dice:south")
    assert fault_of(made) == ("draw-before-contribution", made.find("DieRolled"))
    made = turn_of_south()
    to = made.plain_order("south")
    made.rewind(to, 1, "south")
    made.enter("north")
    with made.order("south"):
        made.die("dice:south")
    assert_right(made)


def test_members_of_a_message_stand_where_they_belong():
    made = small_battle()
    n = made.find("ContributionGiven", 2)
    made.change(n, seen=made.seen())
    assert fault_of(made) == ("bad-member", n)
    made = small_battle()
    n = made.find("ContributionGiven")
    made.change(n, channel=UNSET)
    assert fault_of(made) == ("contribution-without-order", n)
