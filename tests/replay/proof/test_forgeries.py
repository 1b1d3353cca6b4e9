"""A host that cheats and signs: each forgery of the events is refused at the event where it shows.

What a forgery changes is told in its name. Who may do what alone, draws, seals and duties have their tests beside this
one; here stand whole stories, each of which breaks several of those rules, or none but one that nobody thinks of.
"""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET, structs

from domain.events.battle import (
    BattleEnded,
    ClockFired,
    ContributionGiven,
    DecisionMade,
    DisputeRaised,
    DisputeSettled,
    Event,
    KeyDisclosed,
    KeysContinued,
    RemedyOffered,
    RulesChanged,
    RulingGiven,
    Seen,
    SideLeft,
    SubstituteAgreed,
    UmpireNamed,
    UmpireProposed,
)
from domain.log import fairness
from domain.log.record import Recorded
from replay.proof import verdict
from tests.replay.faulty import assert_right, fault_of
from tests.replay.made_battle import BATTLE, SEALS, MadeBattle, Marched, Played, small_battle
from tests.replay.proof.test_messages import signed_battle

of = pytest.mark.parametrize
Story = Callable[[], tuple[MadeBattle, int]]
"""A forged battle, and the event at which it shows."""


def turn_of_south(north: str = "sealed", south: str = "sealed", **members: Any) -> MadeBattle:
    return MadeBattle(north, south, **members).started().first_turn("south")


def swapped(made: MadeBattle, one: int, other: int) -> None:
    """Two events in each other's place."""
    entries: list[Recorded] = list(made.log)
    first, second = entries[one - 1], entries[other - 1]
    made.log[one - 1], made.log[other - 1] = structs.replace(second, n=one), structs.replace(first, n=other)


# --- contributions


def a_phrase_of_the_other_seat() -> tuple[MadeBattle, int]:
    made = turn_of_south("plain", "plain")
    made.plain_order("south")
    n = made.find("ContributionGiven", 2)
    made.change(n, phrase="north's phrase")
    return made, n


def a_value_of_the_other_seat() -> tuple[MadeBattle, int]:
    made = turn_of_south("plain", "plain")
    made.plain_order("south")
    n = made.find("ContributionGiven", 2)
    made.change(n, value=fairness.plain_contribution(BATTLE, 1, "north", "south's phrase", "U1 ahead").hex())
    return made, n


def a_phrase_of_another_turn() -> tuple[MadeBattle, int]:
    made = turn_of_south("plain", "plain")
    made.plain_order("south")
    n = made.find("ContributionGiven", 2)
    made.change(n, value=fairness.plain_contribution(BATTLE, 0, "south", "south's phrase", "U1 ahead").hex())
    return made, n


def a_seal_of_the_other_seat() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    made.seals["south"] = SEALS["north"]
    made.plain_order("south")
    return made, made.find("ContributionGiven", 2)


def a_seal_skipped() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    made.given["south"] += 1
    made.plain_order("south")
    return made, made.find("ContributionGiven", 2)


def a_seal_of_a_turn_that_was_taken_back() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    to = len(made.log)
    made.plain_order("south")
    made.rewind(to, 1, "south")
    made.given["south"] -= 1
    made.enter("south")
    return made, made.find("ContributionGiven", 3)


def a_contribution_moved_in_front_of_a_rewind() -> tuple[MadeBattle, int]:
    """What south gave after the rewind is told as given before it, when the key of the period was not out either."""
    made = turn_of_south()
    to = made.plain_order("south")
    made.rewind(to, 1, "south")
    entry = made.log[made.enter("south") - 1].event
    made.log.pop()
    n = made.find("RemedyOffered") - 1
    made.insert(n, structs.replace(entry, channel=UNSET, seen=UNSET), "south")
    return made, n


def a_draw_of_a_standing_answer_before_the_contribution() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    with made.order("north", ordinary=False):
        made.add(DecisionMade("south", "evade", "U1", "yes", True), "south")
        return made, made.die("dice:north")


def a_look_before_the_contribution() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    with made.order("north", "oracle", ordinary=False):
        n = len(made.log) + 1
        made.look("north", 2, seal=False)
    return made, n


def a_first_order_that_pretends_to_be_an_answer() -> tuple[MadeBattle, int]:
    """It would need no contribution, so the draw behind it would be one that the player could foresee."""
    made = turn_of_south()
    with made.order("south", ordinary=False):
        made.add(DecisionMade("south", "evade", "U1", "yes", False), "south")
        made.card("south")
        return made, len(made.log)


def two_new_books_at_once() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    another_book(made, "south", b"\x77")
    return made, another_book(made, "north", b"\x78")


def another_book(made: MadeBattle, side: str, letter: bytes) -> int:
    made.seals[side] = fairness.seal_chain(BATTLE, side, letter * 32, 20)
    made.given[side] = 0
    given = ContributionGiven(side, made.t, "reanchor", made.seals[side][0].hex(), channel="page", seen=made.seen())
    return made.alone(given, side)


def a_sealed_substitute_while_a_new_book_waits() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    another_book(made, "south", b"\x77")
    made.alone(SideLeft("north", "ill"), "north")
    made.plain_order("south", SubstituteAgreed("south", "new"), text="substitute new", ordinary=False)
    made.seals["north"] = fairness.seal_chain(BATTLE, "north", b"\x55" * 32, 20)
    return made, made.join("north", "new")


# --- keys


def a_key_of_another_hand() -> tuple[MadeBattle, int]:
    made = small_battle(over=False)
    n = made.find("KeyDisclosed")
    made.change(n, key=made.keys.key("hand:south", 0).hex())
    return made, n


def a_key_of_the_next_generation() -> tuple[MadeBattle, int]:
    made = turn_of_south(length=2)
    for _ in range(3):
        made.end_turn(made.mover)
    n = made.find("KeyDisclosed", 1)
    made.change(n, key=made.keys.key("public", 3).hex())
    return made, n


def next_chains_twice() -> tuple[MadeBattle, int]:
    made = turn_of_south(length=2)
    n = made.find("KeysContinued") + 1
    made.insert(n, KeysContinued(1, made.anchors(1)))
    return made, n


def next_chains_late() -> tuple[MadeBattle, int]:
    made = turn_of_south(length=3)
    made.end_turn("south")  # begins index 2, the last of its generation
    n = made.find("KeysContinued")
    made.end_turn("north")
    late: Any = made.log[n - 1].event
    made.remove(n)
    made.add(late)
    return made, n - 1


def next_chains_before_the_key() -> tuple[MadeBattle, int]:
    made = turn_of_south(length=2)
    n = made.find("KeysContinued")
    swapped(made, n - 1, n)
    return made, n


def a_key_of_the_period_in_progress() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    with made.order("south"):
        made.die("dice:south")
    return made, made.add(KeyDisclosed(1, made.keys.key("public", 1).hex()))


# --- signed lines


def a_signed_seal_told_as_another_book() -> tuple[MadeBattle, int]:
    """The signature does not say which; the value does."""
    made = signed_battle()
    n = [one.n for one in made.log if one.type == "ContributionGiven" and one.by == "south"][-1]
    made.change(n, kind="reanchor")
    return made, n


def a_signed_order_given_twice() -> tuple[MadeBattle, int]:
    made = signed_battle()
    again = made.log[-1]
    made.insert(again.n + 1, again.event, "south")
    return made, again.n + 1


def signed_orders_turned_about() -> tuple[MadeBattle, int]:
    """The later one quotes a head that has not been yet."""
    made = signed_battle()
    made.plain_order("south", text="U3 ahead")
    n = len(made.log)
    swapped(made, n - 1, n)
    return made, n - 1


def a_signed_text_under_another_head() -> tuple[MadeBattle, int]:
    made = signed_battle()
    n = len(made.log)
    made.change(n, seen=Seen(made.hashes()[3].hex(), 3))
    return made, n


# --- the order of things


def orders_of_two_seats_turned_about() -> tuple[MadeBattle, int]:
    """North answers what south has done; the host tells it the other way round."""
    made = turn_of_south()
    one = made.plain_order("south")
    other = made.plain_order("north", ordinary=False)
    quoted = made.log[other - 1].event.seen.hash  # type: ignore[attr-defined]
    swapped(made, one, other)
    del made.built[one:]
    made.change(one, seen=structs.replace(made.log[one - 1].event.seen, hash=quoted))  # type: ignore[attr-defined]
    return made, one - 1  # the contribution has lost its order


def an_order_put_in_front_of_the_contribution() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    n = made.plain_order("south")
    swapped(made, n - 1, n)
    return made, n - 1


PACE = "3d+1d"


def claimed(pace: str, *before: Event) -> tuple[MadeBattle, int]:
    """North claims the battle behind some other events of the clocks."""
    made = turn_of_south(pace=pace)
    for event in before:
        made.alone(event)
    with made.block(ClockFired("claim", "north"), "north") as n:
        made.add(BattleEnded("north", "time"))
    return made, n


def a_claim_without_a_clock() -> tuple[MadeBattle, int]:
    return claimed("")


def a_claim_without_a_flag() -> tuple[MadeBattle, int]:
    return claimed(PACE)


def a_claim_by_the_one_whose_flag_fell() -> tuple[MadeBattle, int]:
    return claimed(PACE, ClockFired("deadline", "north"))


def a_claim_for_the_other() -> tuple[MadeBattle, int]:
    made, n = claimed(PACE, ClockFired("deadline", "south"))
    made.change(n + 1, winner="south")
    return made, n + 1


def a_claim_that_draws() -> tuple[MadeBattle, int]:
    made = turn_of_south(pace=PACE)
    made.alone(ClockFired("deadline", "south"))
    with made.block(ClockFired("claim", "north"), "north") as n:
        made.add(Marched(unit="U1"), "north")
        made.add(BattleEnded("north", "time"))
    return made, n


def a_vacation_with_a_move() -> tuple[MadeBattle, int]:
    made = turn_of_south(pace=PACE)
    with made.block(ClockFired("vacation", "north"), "north"):
        return made, made.add(Marched(unit="U1"), "north")


def a_clock_event_that_is_none() -> tuple[MadeBattle, int]:
    made = turn_of_south(pace=PACE)
    return made, made.alone(ClockFired("time-given", "north"), "north")


def a_flag_told_by_a_player() -> tuple[MadeBattle, int]:
    made = turn_of_south(pace=PACE)
    return made, made.alone(ClockFired("deadline", "north"), "north")


def a_pause_told_by_the_server() -> tuple[MadeBattle, int]:
    made = turn_of_south(pace=PACE)
    return made, made.alone(ClockFired("pause-asked", "north"))


# --- authority


def a_substitute_by_the_word_of_a_bot() -> tuple[MadeBattle, int]:
    """Two persons and no umpire: the word of a bot that sat there before is nobody's."""
    made = turn_of_south()
    made.alone(SideLeft("north", "ill"), "north")
    made.plain_order("south", SubstituteAgreed("south", "robot"), text="substitute robot", ordinary=False)
    made.modes["north"] = "plain"
    made.join("north", "robot", kind="bot")
    text = "substitute friend"
    agreed = SubstituteAgreed("north", "friend")
    made.plain_order("north", agreed, text=text, ordinary=False, channel="bot", seen=UNSET)
    made.alone(SideLeft("north", "done"), "north")
    return made, made.join("north", "friend")


def an_umpire_of_one_side() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    made.plain_order("north", UmpireProposed("north", "judge"), text="umpire judge", ordinary=False)
    with made.order("north", "umpire judge", ordinary=False):
        return made, made.add(UmpireNamed("judge", "Judge", "agreement"))


def an_offer_in_the_name_of_the_other() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    with made.order("north", "offer d1 draw", ordinary=False):
        return made, made.add(RemedyOffered("d1", "north", "draw"), "south")


def a_dispute_by_nobody() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    with made.block(RulesChanged("9.9", "9.9")):
        return made, made.add(DisputeRaised(docket="d1", side="north", about=3))


def an_agreement_that_ends_for_the_wrong_one() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    offer = RemedyOffered("d1", "north", "award south")
    made.plain_order("north", offer, text="offer d1 award south", ordinary=False)
    with made.order("south", "agree d1", ordinary=False):
        made.add(RemedyOffered("d1", "south", "award south"), "south")
        made.add(DisputeSettled("d1", "agreed"))
        return made, made.add(BattleEnded("north", "award"))


def a_ruling_by_the_host_in_the_umpires_name() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    with made.order("south", "rule d1 draw", ordinary=False):
        return made, made.add(RulingGiven("d1", "", "draw"), "umpire")


# --- draws and secrets


def a_card_kept_as_no_rule_does() -> tuple[MadeBattle, int]:
    made = small_battle(over=False)
    n = made.find("CardDrawn")
    made.change(n, discard=2)
    return made, n


def a_card_kept_in_a_deck_that_keeps_nothing() -> tuple[MadeBattle, int]:
    """What is kept would be missing in the next shuffle."""
    made = turn_of_south(options={"deck_mode": "d10"})
    with made.order("south"):
        made.card("south", keep=True)
        n = made.shuffle("south")
        made.change(n, size=9)
    return made, n


class LaterCard(Marched, frozen=True, gc=False, kw_only=True):
    """A card that a reader of the protocol would pass over."""

    TYPE = "CardDrawn@2"


def a_card_under_another_name() -> tuple[MadeBattle, int]:
    made = turn_of_south()
    return made, made.plain_order("south", LaterCard(unit="U1")) + 1


def a_hidden_play_told_as_a_look() -> tuple[MadeBattle, int]:
    """A play laid ready looks at no card, so none may come up as if it had been looked at."""
    made = turn_of_south()
    with made.order("south"):
        made.seal(Played(side="south", stratagem="ambush", args=(), card="Jc"), ("stratagem", "args", "card"), "south")
    pile = made.piles["south"]
    with made.order("south", "on"):
        return made, made.come_up("south", "hand:south", 1, pile.cards.pop(0))


@of(
    ("story", "what"),
    [
        (a_phrase_of_the_other_seat, "contribution-differs"),
        (a_value_of_the_other_seat, "contribution-differs"),
        (a_phrase_of_another_turn, "contribution-differs"),
        (a_seal_of_the_other_seat, "seal-not-of-chain"),
        (a_seal_skipped, "seal-not-of-chain"),
        (a_seal_of_a_turn_that_was_taken_back, "seal-not-of-chain"),
        (a_contribution_moved_in_front_of_a_rewind, "contribution-without-order"),
        (a_draw_of_a_standing_answer_before_the_contribution, "draw-before-contribution"),
        (a_look_before_the_contribution, "draw-before-contribution"),
        (a_first_order_that_pretends_to_be_an_answer, "draw-before-contribution"),
        (two_new_books_at_once, "book-too-early"),
        (a_sealed_substitute_while_a_new_book_waits, "book-too-early"),
        (a_key_of_another_hand, "key-differs"),
        (a_key_of_the_next_generation, "key-differs"),
        (next_chains_twice, "generation-differs"),
        (next_chains_late, "disclosure-missing"),
        (next_chains_before_the_key, "disclosure-missing"),
        (a_key_of_the_period_in_progress, "disclosure-not-due"),
        (a_signed_seal_told_as_another_book, "seal-as-book"),
        (a_signed_order_given_twice, "serial-differs"),
        (signed_orders_turned_about, "head-of-another-log"),
        (a_signed_text_under_another_head, "player-signature-differs"),
        (orders_of_two_seats_turned_about, "contribution-without-order"),
        (an_order_put_in_front_of_the_contribution, "contribution-missing"),
        (a_claim_without_a_clock, "no-clock"),
        (a_claim_without_a_flag, "no-flag"),
        (a_claim_by_the_one_whose_flag_fell, "no-flag"),
        (a_claim_for_the_other, "mixed-clock"),
        (a_claim_that_draws, "clock-without-end"),
        (a_vacation_with_a_move, "mixed-clock"),
        (a_clock_event_that_is_none, "bad-member"),
        (a_flag_told_by_a_player, "other-author"),
        (a_pause_told_by_the_server, "other-author"),
        (a_substitute_by_the_word_of_a_bot, "substitute-not-agreed"),
        (an_umpire_of_one_side, "no-authority"),
        (an_offer_in_the_name_of_the_other, "other-author"),
        (a_dispute_by_nobody, "mixed-settlement"),
        (an_agreement_that_ends_for_the_wrong_one, "no-authority"),
        (a_ruling_by_the_host_in_the_umpires_name, "no-umpire"),
        (a_card_kept_as_no_rule_does, "bad-member"),
        (a_card_kept_in_a_deck_that_keeps_nothing, "size-differs"),
        (a_card_under_another_name, "unknown-type"),
        (a_hidden_play_told_as_a_look, "looked-cards-first"),
    ],
    ids=lambda story: getattr(story, "__name__", ""),
)
def test_a_forgery_is_refused_where_it_shows(story: Story, what: str):
    made, n = story()
    assert fault_of(made) == (what, n)


# --- what no file can show, and the verdict says


def test_what_is_done_about_the_clocks_is_listed_as_the_hosts_word_a_flag_as_its_clocks():
    made, n = claimed(PACE, ClockFired("deadline", "south"))
    report = assert_right(made)
    told = [(act.n, act.what, act.who, act.authority) for act in report.listed]
    assert told == [(n - 1, "clock-deadline", "south", "clock"), (n, "clock-claim", "north", "host")]
    assert f"  event {n}: the host says that North claims the battle on time" in verdict.lines(report)


def test_a_seat_that_the_host_says_is_left_can_be_given_to_whom_it_likes_and_is_listed():
    """Against a bot, or where both have left, nobody is there to agree."""
    made = turn_of_south(south="plain")
    for side in ("north", "south"):
        made.alone(SideLeft(side, "gone"), side)
    made.join("south", "robot", kind="bot")
    acts = [(act.what, act.authority) for act in assert_right(made).listed]
    assert acts == [("left", "host"), ("left", "host"), ("substitute", "host")]


def test_rules_that_nobody_has_ordered_under_have_judged_nothing():
    made = turn_of_south()
    made.alone(RulesChanged("9.9", "9.10"))
    assert [(act.what, act.authority) for act in assert_right(made).listed] == [("rules", "ordering-on")]
