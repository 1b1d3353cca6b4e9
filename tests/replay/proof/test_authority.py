"""What the host may not do alone stands on somebody's word in the log, and is listed."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from domain.events.battle import (
    BattleEnded,
    ClockFired,
    DisputeSettled,
    Event,
    KeyChanged,
    RemedyOffered,
    Rewound,
    RulesChanged,
    RulingGiven,
    SideLeft,
    SubstituteAgreed,
    UmpireNamed,
    UmpireProposed,
)
from domain.log.record import Recorded
from replay.proof import verdict
from tests.replay.faulty import assert_right, fault_of
from tests.replay.made_battle import AT, MadeBattle, MadeCorrection, Marched, small_battle

of = pytest.mark.parametrize


def playing(pace: str = "") -> MadeBattle:
    made = MadeBattle(pace=pace).started().first_turn("south")
    made.plain_order("south")
    return made


def with_umpire(made: MadeBattle) -> MadeBattle:
    """Both sides name `judge`."""
    made.plain_order("north", UmpireProposed("north", "judge"), text="umpire judge", ordinary=False)
    with made.order("south", "agree umpire", ordinary=False):
        made.add(UmpireProposed("south", "judge"), "south")
        made.add(UmpireNamed("judge", "Judge", "agreement"))
    made.players["umpire"] = "judge"
    return made


def rewinding(made: MadeBattle, to: int) -> None:
    """Facts that go back to event `to`, within turn 1 of south."""
    made.index += 1
    made.rewinds += 1
    made.t, made.mover = 1, "south"
    made.add(Rewound(to, "d1"))


def test_both_sides_may_go_back_by_the_same_words():
    made = playing()
    made.rewind(len(made.log), 1, "south")
    report = assert_right(made)
    assert [(act.what, act.authority) for act in report.listed] == [("settled", "agreed"), ("rewound", "agreed")]


def test_an_umpire_may_go_back():
    made = with_umpire(playing())
    to = len(made.log)
    with made.order("umpire", f"rule d1 rewind {to} so be it"):
        made.add(RulingGiven("d1", "so be it", f"rewind {to}"), "umpire")
        rewinding(made, to)
    report = assert_right(made)
    assert [act.what for act in report.listed] == ["umpire", "ruling", "rewound"]


def test_the_host_does_not_go_back_alone():
    made = playing()
    to = len(made.log)
    with made.order("north", ordinary=False):
        rewinding(made, to)
    assert fault_of(made) == ("no-authority", made.find("Rewound"))


@of("to", [0, 1, 3, -5, 10_000])
def test_nobody_goes_back_into_set_up_or_into_a_block(to):
    made = playing()
    made.rewind(len(made.log), 1, "south")
    n = made.find("Rewound")
    made.change(n, to=to)
    assert fault_of(made) == ("rewound-to-nowhere", n)


def test_nobody_goes_back_to_what_does_not_count_any_more():
    made = playing()
    to = len(made.log)
    gone = made.plain_order("south")
    made.rewind(to, 1, "south", "d1")
    made.enter("north")
    made.rewind(gone, 1, "south", "d2")
    assert fault_of(made) == ("rewound-to-nowhere", made.find("Rewound", 1))


@of("lie", [{"remedy": "none"}, {"remedy": "rewind 3"}, {"docket": "d2"}])
def test_offers_must_be_equal(lie):
    made = playing()
    made.rewind(len(made.log), 1, "south")
    made.change(made.find("RemedyOffered", 1), **lie)
    assert fault_of(made) == ("no-authority", made.find("RemedyOffered", 1))


@of(
    ("facts", "n"),
    [
        ((DisputeSettled("d1", "withdrawn"), Marched(unit="U1")), 2),
        ((Marched(unit="U1"), DisputeSettled("d1", "withdrawn")), 1),
        ((DisputeSettled("d1", "withdrawn"), BattleEnded("north", "all"), Marched(unit="U1")), 2),
    ],
)
def test_nothing_of_the_game_hides_behind_a_settlement(facts: tuple[Event, ...], n: int):
    made = playing()
    order = made.plain_order("north", *facts, text="withdraw d1", ordinary=False)
    assert fault_of(made) == ("mixed-settlement", order + n)


@of(("remedy", "winner"), [("draw", ""), ("award south", "south")])
def test_a_remedy_may_end_the_battle_for_whom_it_names(remedy: str, winner: str):
    for said, what in ((winner, ""), ("north", "no-authority")):
        made = with_umpire(playing())
        with made.order("umpire", f"rule d1 {remedy} so be it", ordinary=False):
            made.add(RulingGiven("d1", "so be it", remedy), "umpire")
            made.add(BattleEnded(said, "umpire"))
        assert fault_of(made)[0] == what


@of("input_", [ClockFired("deadline", "north"), RulesChanged("9.9", "9.10")])
def test_a_settlement_stands_in_the_block_of_an_order(input_: Event):
    made = playing()
    with made.block(input_):
        n = made.add(DisputeSettled("d1", "lapsed"))
    assert fault_of(made) == ("mixed-settlement", n)


def test_a_correction_may_end_a_turn():
    made = with_umpire(playing())
    with made.order("umpire", "rule d1 correct so be it", ordinary=False):
        made.add(RulingGiven("d1", "so be it", "correct"), "umpire")
        made.add(MadeCorrection(docket="d1", facts=()))
        made.ended("south")
        made.turn("north")
    assert_right(made)
    made.insert(made.find("Corrected"), Marched(unit="U1"))
    assert fault_of(made)[0] == "mixed-settlement"


@of(
    ("how", "line", "is_right"),
    [
        ("withdrawn", "withdraw d1", True),
        ("declined", "decline d1", True),
        ("lapsed", "decline d1", False),
        ("ruled", "decline d1", False),
        ("whatever", "decline d1", False),
    ],
)
def test_a_docket_is_settled_in_a_closed_list_of_ways(how: str, line: str, is_right: bool):
    made = playing()
    made.plain_order("north", DisputeSettled("d1", how), text=line, ordinary=False)
    if is_right:
        assert [(act.what, act.who, act.authority) for act in assert_right(made).listed] == [("settled", "north", how)]
    else:
        assert fault_of(made) == ("no-authority", len(made.log))


def test_a_docket_is_ruled_by_a_ruling_of_its_own():
    for docket, what in (("d1", ""), ("d2", "no-authority")):
        made = with_umpire(playing())
        ruling = RulingGiven("d1", "so be it", "none"), DisputeSettled(docket, "ruled")
        made.plain_order("umpire", *ruling, text="rule d1 none so be it", ordinary=False)
        assert fault_of(made)[0] == what


def test_a_docket_lapses_when_play_goes_back():
    made = playing()
    made.rewind(len(made.log), 1, "south")
    made.insert(made.find("Rewound") + 1, DisputeSettled("d2", "lapsed"))
    assert [act.authority for act in assert_right(made).listed] == ["agreed", "agreed", "lapsed"]


def test_what_was_withdrawn_is_no_offer_any_more():
    made = playing()
    made.plain_order("north", RemedyOffered("d1", "north", "none"), text="offer d1 none", ordinary=False)
    made.plain_order("north", DisputeSettled("d1", "withdrawn"), text="withdraw d1", ordinary=False)
    with made.order("south", "agree d1", ordinary=False):
        made.add(RemedyOffered("d1", "south", "none"), "south")
        made.add(DisputeSettled("d1", "agreed"))
    assert fault_of(made)[0] == "no-authority"


def test_an_agreement_is_carried_out_once():
    made = playing()
    to = len(made.log)
    made.rewind(to, 1, "south")
    with made.order("north", ordinary=False):
        made.add(DisputeSettled("d1", "agreed"))
        rewinding(made, to)
    assert fault_of(made) == ("no-authority", made.find("DisputeSettled", 1))


def test_an_agreement_to_go_back_goes_back_there_and_nowhere_else():
    made = playing()
    made.plain_order("south")
    made.rewind(len(made.log), 1, "south")
    n = made.find("Rewound")
    made.change(n, to=made.find("RemedyOffered"))
    assert fault_of(made) == ("no-authority", n)


@of(
    "fact",
    [
        UmpireProposed("south", "judge"),
        UmpireNamed("judge", "Judge", "agreement"),
        UmpireNamed("judge", "Judge", "opening"),
        RemedyOffered("d1", "south", "none"),
        RulingGiven("d1", "mine", "none"),
        SubstituteAgreed("south", "new"),
        DisputeSettled("d1", "agreed"),
        MadeCorrection(docket="d1", facts=()),
    ],
)
def test_the_other_side_cannot_put_words_into_a_mouth(fact: Event):
    made = playing()
    made.plain_order("north", fact, ordinary=False)
    assert fault_of(made) == ("no-authority", len(made.log))


def test_an_umpire_may_be_named_at_the_opening():
    made = MadeBattle().open()
    made.add(UmpireNamed("judge", "Judge", "opening"))
    made.join("north")
    made.join("south")
    assert [act.authority for act in assert_right(made).listed] == ["opening"]
    made.log.pop()
    made.join("south", player="judge")
    assert fault_of(made) == ("umpire-plays", 4)


def test_nobody_judges_his_own_battle():
    made = playing()
    made.plain_order("north", UmpireProposed("north", "s"), text="umpire s", ordinary=False)
    with made.order("south", "agree umpire", ordinary=False):
        made.add(UmpireProposed("south", "s"), "south")
        made.add(UmpireNamed("s", "South", "agreement"))
    assert fault_of(made) == ("umpire-plays", made.find("UmpireNamed"))


def test_only_the_umpire_in_office_speaks_as_umpire():
    made = playing()
    made.players["umpire"] = "judge"
    n = made.plain_order("umpire", RulingGiven("d1", "mine", "none"), ordinary=False)
    assert fault_of(made) == ("no-umpire", n)
    made = with_umpire(playing())
    n = made.plain_order("umpire", RulingGiven("d1", "mine", "none"), ordinary=False, player="other")
    assert fault_of(made) == ("no-umpire", n)
    made = playing()
    made.plain_order("south", Marched(unit="U1"))
    last = made.log[-1]
    made.log[-1] = Recorded(last.n, AT, "umpire", last.rule, last.type, last.event)
    assert fault_of(made) == ("no-umpire", last.n)


def test_a_correction_never_touches_what_the_protocol_proves():
    for kind, what in (("UnitMoved", ""), ("CardDrawn", "not-correctable"), ("TurnBegan@2", "not-correctable")):
        made = with_umpire(playing())
        with made.order("umpire", "rule d1 correct so be it", ordinary=False):
            made.add(RulingGiven("d1", "so be it", "correct"), "umpire")
            made.add(MadeCorrection(docket="d1", facts=((kind, {}),)))
        assert fault_of(made)[0] == what


# --- what an order says


def offered(made: MadeBattle, remedy: str = "none") -> MadeBattle:
    made.plain_order("north", RemedyOffered("d1", "north", remedy), text=f"offer d1 {remedy}", ordinary=False)
    return made


@of(
    ("line", "facts", "is_right"),
    [
        ("agree d1", (RemedyOffered("d1", "south", "none"), DisputeSettled("d1", "agreed")), True),
        ("offer d1 none", (RemedyOffered("d1", "south", "none"), DisputeSettled("d1", "agreed")), True),
        ("offer d1 none please", (RemedyOffered("d1", "south", "none", "please"),), True),
        ("offer d1 award south", (RemedyOffered("d1", "south", "award south"),), True),
        ("umpire eve", (UmpireProposed("south", "eve"),), True),
        ("substitute carl", (SubstituteAgreed("south", "carl"),), True),
        ("end turn", (RemedyOffered("d1", "south", "none"), DisputeSettled("d1", "agreed")), False),
        ("agree d2", (RemedyOffered("d1", "south", "none"), DisputeSettled("d1", "agreed")), False),
        ("agree d1 ", (RemedyOffered("d1", "south", "none"), DisputeSettled("d1", "agreed")), False),
        ("agree d1", (RemedyOffered("d1", "south", "draw"),), False),
        ("agree d1", (RemedyOffered("d1", "south", "none", "sorry"),), False),
        ("offer d1 draw", (RemedyOffered("d1", "south", "none"),), False),
        ("offer d1 none", (RemedyOffered("d1", "south", "none", "sorry"),), False),
        ("offer d1 rewind 010", (RemedyOffered("d1", "south", "rewind 010"),), False),
        ("offer d1 correct", (RemedyOffered("d1", "south", "correct"),), False),
        ("decline d1", (DisputeSettled("d1", "withdrawn"),), False),
        ("withdraw d2", (DisputeSettled("d1", "withdrawn"),), False),
        ("end turn", (DisputeSettled("d1", "declined"),), False),
        ("end turn", (UmpireProposed("south", "eve"),), False),
        ("agree umpire", (UmpireProposed("south", "eve"),), False),
        ("umpire adam", (UmpireProposed("south", "eve"),), False),
        ("umpire eve", (SubstituteAgreed("south", "eve"),), False),
        ("substitute dora", (SubstituteAgreed("south", "carl"),), False),
    ],
)
def test_an_order_settles_what_it_says(line: Any, facts: tuple[Event, ...], is_right: bool):
    made = offered(playing())
    order = made.plain_order("south", *facts, ordinary=False, text=line)
    assert fault_of(made) == (("", 0) if is_right else ("no-authority", order + 1))


@of("line", ["rule d1 none", "rule d1 draw so be it", "rule d2 none so be it", "rule d1 none so be it!", "agree d1"])
def test_an_umpire_rules_what_they_say(line: str):
    made = with_umpire(playing())
    order = made.plain_order("umpire", RulingGiven("d1", "so be it", "none"), text=line, ordinary=False)
    assert fault_of(made) == ("no-authority", order + 1)


def test_who_agrees_has_seen_the_offer():
    made = playing()
    seen = made.seen()
    offered(made)
    agrees = RemedyOffered("d1", "south", "none"), DisputeSettled("d1", "agreed")
    order = made.plain_order("south", *agrees, text="agree d1", ordinary=False, seen=seen)
    assert fault_of(made) == ("no-authority", order + 1)


def test_a_ruling_is_given_once_in_an_order():
    made = with_umpire(playing())
    ruling = RulingGiven("d1", "", "none")
    order = made.plain_order("umpire", ruling, ruling, text="rule d1 none", ordinary=False)
    assert fault_of(made) == ("no-authority", order + 2)


# --- seats, rules, keys


def test_a_seat_is_given_back_by_its_own_player():
    made = playing()
    n = made.alone(SideLeft("north", "gone"))
    assert fault_of(made) == ("other-author", n)


def leave(made: MadeBattle) -> None:
    made.alone(SideLeft("north", "ill"), "north")


def agree(made: MadeBattle, player: str = "new") -> None:
    made.plain_order("south", SubstituteAgreed("south", player), text=f"substitute {player}", ordinary=False)


def rule(made: MadeBattle) -> None:
    made.plain_order("umpire", SubstituteAgreed("umpire", "new"), text="substitute new", ordinary=False)


@of(
    ("steps", "what"),
    [
        ((leave,), "substitute-not-agreed"),
        ((leave, agree), ""),
        ((leave, rule), ""),
        ((leave, agree, lambda made: agree(made, "another")), "substitute-not-agreed"),
    ],
)
def test_a_substitute_needs_a_word(steps: tuple[Callable[[MadeBattle], None], ...], what: str):
    made = with_umpire(playing())
    for step in steps:
        step(made)
    n = made.join("north", "new")
    assert fault_of(made) == ((what, n) if what else ("", 0))


def test_what_was_agreed_for_a_substitute_is_spent_with_them():
    made = playing()
    leave(made)
    agree(made)
    made.join("north", "new")
    assert_right(made)
    leave(made)
    n = made.join("north", "new")
    assert fault_of(made) == ("substitute-not-agreed", n)


def test_what_a_player_agreed_to_is_not_the_word_of_the_next():
    made = with_umpire(playing())
    agree(made, "carl")
    made.alone(SideLeft("south", "ill"), "south")
    rule(made)
    made.join("south", "new")
    leave(made)
    n = made.join("north", "carl")
    assert fault_of(made) == ("substitute-not-agreed", n)


def test_who_was_umpire_never_takes_a_seat():
    made = with_umpire(playing())
    made.plain_order("north", UmpireProposed("north", "other"), text="umpire other", ordinary=False)
    with made.order("south", "agree umpire", ordinary=False):
        made.add(UmpireProposed("south", "other"), "south")
        made.add(UmpireNamed("other", "Other", "agreement"))
    leave(made)
    agree(made, "judge")
    n = made.join("north", "judge")
    assert fault_of(made) == ("umpire-plays", n)


def test_that_a_seat_is_given_back_is_the_hosts_word():
    made = playing()
    n = made.alone(SideLeft("north", "ill"), "north")
    report = assert_right(made)
    assert [(act.what, act.who, act.authority) for act in report.listed] == [("left", "north", "host")]
    told = [line for line in verdict.lines(report) if line.startswith(f"  event {n}")]
    assert told == [f"  event {n}: the host says that North gives its seat back (ill)"]


def test_other_rules_follow_those_in_force_and_are_accepted_by_ordering_on():
    made = playing()
    seen = made.seen()
    n = made.alone(RulesChanged("9.9", "9.10"))
    made.plain_order("south")
    report = assert_right(made)
    assert [(act.what, act.about) for act in report.listed] == [("rules", "9.10")]
    order = made.plain_order("south", seen=seen)
    assert fault_of(made) == ("rules-not-accepted", order)
    made.change(n, from_="1.0")
    assert fault_of(made)[0] in ("rules-not-in-force", "head-of-another-log")


def test_a_new_key_is_signed_by_the_old_one():
    made = small_battle(over=False)
    made.alone(KeyChanged(key=made.header().decode().split('"key":"')[1].split('"')[0], signature="AAAA"))
    assert fault_of(made) == ("bad-signature", len(made.log))
    assert structs.asdict(made.log[-1].event)["signature"] == "AAAA"
