"""Forged dockets: what a host might write into a log without anybody's word for it. None is accepted.

Each forgery begins with a true battle in which an umpire is in office, a docket is open and an offer stands, and tells
one lie about who has settled what. All follow from their seeds. A run of the suite tries 2,000 of them, about a hundred
of each lie; `pytest --hypothesis-profile=explore` tries 10,000, and these are the figures of `benchmarks/README.md`.
"""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import settings
from msgspec import structs

from domain.events.battle import (
    BattleEnded,
    ClockFired,
    DisputeAnswered,
    DisputeRaised,
    DisputeSettled,
    FlagRuled,
    RemedyOffered,
    Rewound,
    RulingGiven,
    UmpireNamed,
    UmpireProposed,
)
from tests.replay.faulty import assert_right, fault_of
from tests.replay.made_battle import MadeBattle
from tests.support.lanes import sampled, thinned

FORGERIES = 10_000 if settings.get_current_profile_name() == "explore" else 2_000
AT_ONCE = 50
SIDES = ("north", "south")
OTHER = {"north": "south", "south": "north"}


def quarrel(pick: Random) -> tuple[MadeBattle, int, str]:
    """A true battle with an umpire, an open docket `d1`, and an offer of a side to go back; where to, and whose."""
    made = MadeBattle("plain", "plain", pace="1d+3d").started().first_turn("south")
    to = made.plain_order("south")
    for _ in range(pick.randint(0, 2)):
        to = made.plain_order("south")
    to = len(made.log)
    about = made.plain_order("south")
    made.plain_order("north", UmpireProposed("north", "judge"), text="umpire judge", ordinary=False)
    with made.order("south", "agree umpire", ordinary=False):
        made.add(UmpireProposed("south", "judge"), "south")
        made.add(UmpireNamed("judge", "Judge", "agreement"))
    made.players["umpire"] = "judge"
    side = pick.choice(SIDES)
    raised = DisputeRaised(docket="d1", side=side, about=about, kind="facts", text="It was not so.")
    made.plain_order(side, raised, text=f"dispute {about} facts It was not so.", ordinary=False)
    offer = RemedyOffered("d1", side, f"rewind {to}")
    made.plain_order(side, offer, text=f"offer d1 rewind {to}", ordinary=False)
    return made, to, side


def rewind(made: MadeBattle, to: int, docket: str = "d1") -> None:
    """Facts that go back within turn 1 of south."""
    made.index += 1
    made.rewinds += 1
    made.t, made.mover = 1, "south"
    made.add(Rewound(to, docket))


def ruled(made: MadeBattle, to: int, by: str = "umpire", remedy: str = "") -> None:
    remedy = remedy or f"rewind {to}"
    with made.order(by, f"rule d1 {remedy} So be it.", ordinary=False):
        made.add(RulingGiven("d1", "So be it.", remedy), by)
        made.add(DisputeSettled("d1", "ruled"))
        if remedy.startswith("rewind"):
            rewind(made, to)


def agreed(made: MadeBattle, to: int, by: str, remedy: str = "") -> None:
    remedy = remedy or f"rewind {to}"
    with made.order(by, "agree d1", ordinary=False):
        made.add(RemedyOffered("d1", by, remedy), by)
        made.add(DisputeSettled("d1", "agreed"))
        if remedy.startswith("rewind"):
            rewind(made, to)


# --- the lies


def wrong_umpire(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    made.players["umpire"] = pick.choice(("other", "host", "n", "s"))
    ruled(made, to)


def self_ruling(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    ruled(made, to, pick.choice(SIDES), pick.choice(("", "none", f"award {side}")))


def rewind_into_set_up(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    ruled(made, pick.randint(0, made.find("BattleBegan") - 1))


def rewind_into_a_block(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    inside = [one.n for one in made.log if one.type in ("UmpireProposed", "RemedyOffered", "OrderAccepted")]
    with_facts = [n for n in inside if made.log[n - 1].type == "OrderAccepted" and n < len(made.log)]
    ruled(made, pick.choice([n for n in with_facts if made.log[n].type not in ("OrderAccepted", "ContributionGiven")]))


def ruling_after_settlement(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    if pick.random() < 0.5:
        agreed(made, to, OTHER[side])
    else:
        ruled(made, to, remedy="none")
    ruled(made, to, remedy=pick.choice(("none", "draw", "award north")))


def two_agreements(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    with made.order(OTHER[side], "agree d1", ordinary=False):
        for _ in range(2):
            made.add(RemedyOffered("d1", OTHER[side], f"rewind {to}"), OTHER[side])
            made.add(DisputeSettled("d1", "agreed"))
        rewind(made, to)


def two_rewinds(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    with made.order(OTHER[side], "agree d1", ordinary=False):
        made.add(RemedyOffered("d1", OTHER[side], f"rewind {to}"), OTHER[side])
        made.add(DisputeSettled("d1", "agreed"))
        rewind(made, to)
        rewind(made, to)


def agreement_with_oneself(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    agreed(made, to, side)


def other_words(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    agreed(made, to, OTHER[side], pick.choice(("draw", "none", f"rewind {to - 1}", f"award {OTHER[side]}")))


def other_place(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    agreed(made, to, OTHER[side])
    n = made.find("Rewound")
    made.change(n, to=pick.choice([one.n for one in made.log[: n - 1] if one.n != to]))


def nobody_spoke(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    who = pick.choice(SIDES)
    with made.order(who, pick.choice(("U1 ahead", "answer d1 No.", "decline d1")), ordinary=False):
        made.add(DisputeSettled("d1", pick.choice(("agreed", "ruled", "lapsed", "withdrawn"))))


def an_end_for_another(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    winner = pick.choice(SIDES)
    with made.order("umpire", f"rule d1 award {winner} So be it.", ordinary=False):
        made.add(RulingGiven("d1", "So be it.", f"award {winner}"), "umpire")
        made.add(DisputeSettled("d1", "ruled"))
        made.add(BattleEnded(pick.choice((OTHER[winner], "")), "ruling"))


def words_in_a_mouth(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    raised = DisputeRaised(docket="d2", side=side, about=to, kind="conduct", text="I cheated.")
    lies = (
        (f"dispute {to} conduct I did not.", raised),
        (f"dispute {to - 1} conduct I cheated.", raised),
        ("takeback", structs.replace(raised, kind="takeback", text="", remedy=f"rewind {to}")),
        ("answer d1 No.", DisputeAnswered(docket="d1", by=side, text="Yes.")),
        ("go on d1", DisputeAnswered(docket="d1", by=side, halt=True)),
        ("answer d1 No.", DisputeAnswered(docket="d1", by="umpire", text="No.")),
    )
    text, event = pick.choice(lies)
    made.plain_order(side, event, text=text, ordinary=False)


def a_ruling_that_was_not_given(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    with made.order("umpire", f"rule d1 {pick.choice(('none', 'draw'))} So be it.", ordinary=False):
        made.add(RulingGiven("d1", "So be it.", f"rewind {to}"), "umpire")
        made.add(DisputeSettled("d1", "ruled"))
        rewind(made, to)


def a_player_as_umpire(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    player = pick.choice(("n", "s"))
    made.plain_order("north", UmpireProposed("north", player), text=f"umpire {player}", ordinary=False)
    with made.order("south", "agree umpire", ordinary=False):
        made.add(UmpireProposed("south", player), "south")
        made.add(UmpireNamed(player, "Me", "agreement"))


def a_flag_that_has_not_fallen(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    effect = pick.choice(("lost", "draw", "more"))
    with made.order("umpire", f"flag {side} {effect} So be it.", ordinary=False):
        made.add(FlagRuled(side, effect, "So be it."), "umpire")
        if effect != "more":
            made.add(BattleEnded(OTHER[side] if effect == "lost" else "", "ruling"))


def a_flag_without_the_umpire(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    late, effect = pick.choice(SIDES), pick.choice(("lost", "draw", "more"))
    made.alone(ClockFired("deadline", late))
    who, text = pick.choice(
        ((side, f"flag {late} {effect}"), ("umpire", f"flag {OTHER[late]} {effect}"), ("umpire", "go on d1"))
    )
    with made.order(who, text, ordinary=False):
        made.add(FlagRuled(late, effect), who)
        if effect != "more":
            made.add(BattleEnded(OTHER[late] if effect == "lost" else "", "ruling"))


def a_flag_for_the_other(made: MadeBattle, to: int, side: str, pick: Random) -> None:
    made.alone(ClockFired("deadline", side))
    effect = pick.choice(("lost", "draw", "more"))
    with made.order("umpire", f"flag {side} {effect}", ordinary=False):
        made.add(FlagRuled(side, effect), "umpire")
        made.add(BattleEnded(side, "ruling"))


LIES: tuple[Callable[[MadeBattle, int, str, Random], None], ...] = (
    wrong_umpire,
    self_ruling,
    rewind_into_set_up,
    rewind_into_a_block,
    ruling_after_settlement,
    two_agreements,
    two_rewinds,
    agreement_with_oneself,
    other_words,
    other_place,
    nobody_spoke,
    an_end_for_another,
    words_in_a_mouth,
    a_ruling_that_was_not_given,
    a_player_as_umpire,
    a_flag_that_has_not_fallen,
    a_flag_without_the_umpire,
    a_flag_for_the_other,
)


def test_what_the_forgeries_begin_with_is_true():
    for seed in range(20):
        made, to, side = quarrel(Random(seed))
        if seed % 3 == 2:
            made.alone(ClockFired("deadline", side))
            with made.order("umpire", f"flag {side} more", ordinary=False):
                made.add(FlagRuled(side, "more"), "umpire")
        elif seed % 3:
            agreed(made, to, OTHER[side])
        else:
            ruled(made, to)
        assert_right(made)


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_each_lie_is_a_fault(lie: Callable[[MadeBattle, int, str, Random], None]):
    for seed in range(3):
        pick = Random(f"{lie.__name__} {seed}")
        made, to, side = quarrel(pick)
        behind = len(made.log)
        lie(made, to, side, pick)
        what, n = fault_of(made)
        assert what, seed
        assert n > behind, what


@pytest.mark.slow
@pytest.mark.parametrize("first", thinned(sampled(range(0, FORGERIES, AT_ONCE), 4), FORGERIES // AT_ONCE))
def test_no_forged_docket_is_accepted(first: int):
    for at in range(AT_ONCE):
        seed = first + at
        pick = Random(seed)
        made, to, side = quarrel(pick)
        pick.choice(LIES)(made, to, side, pick)
        assert fault_of(made)[0], seed
