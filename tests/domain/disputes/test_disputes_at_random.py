"""Any interleaving of two sides, an umpire, clocks and play keeps what CORE-DSP says, and its file holds."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.basics.errors import Refusal
from domain.engine.dockets import AGREED, DISPUTES_DAYS, RULED
from domain.run.rewind_points import is_rewind_point
from tests.support.disputing import DAY_MS, JUDGE, Disputed
from tests.support.lanes import sampled, thinned

REMEDIES = ("none", "draw", "award north", "award south")


def line(battle: Disputed, pick: Random) -> str:
    """Something that somebody says; much of it may not be said."""
    n = battle.n
    docket = f"d{pick.randint(1, max(1, len(battle.now.disputes.dockets)))}"
    place = next((to for to in range(pick.randint(1, n), n) if is_rewind_point(past(battle), to)), n)
    back = f"rewind {pick.choice((place, place, place, pick.randint(1, n)))}"
    remedy = back if pick.random() < 0.8 else pick.choice(REMEDIES)
    lines = (
        f"dispute {pick.randint(1, n)} {pick.choice(('rules', 'facts', 'conduct', 'time'))} It was so.",
        "takeback",
        f"answer {docket} No.",
        f"offer {docket} {remedy} Agreed?",
        f"agree {docket}",
        f"agree {docket}",
        f"decline {docket}",
        f"withdraw {docket}",
        f"halt {docket}",
        f"go on {docket}",
        f"umpire {JUDGE}",
        "agree umpire",
        f"rule {docket} {remedy} So be it.",
        f"flag {pick.choice(('north', 'south'))} {pick.choice(('lost', 'draw', 'more', 'more'))} So be it.",
    )
    sides = ("north", "south", "umpire") if battle.now.disputes.umpire else ("north", "south")
    return f"{pick.choice(sides)}: {pick.choice(lines)}"


def past(battle: Disputed):
    return battle.battle.recording.timeline


def step(battle: Disputed, pick: Random) -> None:
    """Play, time, or words."""
    chance = pick.random()
    try:
        if chance < 0.35:
            battle.play()
        elif chance < 0.45 and not battle.now.ended:
            battle.clock.wait(pick.randint(1, 4) * DAY_MS // 2)
            battle.battle.fire_clock("deadline", pick.choice(("north", "south")))
        else:
            battle.say(line(battle, pick))
    except Refusal as refusal:
        assert refusal.rule.startswith("CORE-") or chance < 0.35
    except IndexError:  # nobody is to act
        assert battle.now.ended


def assert_sound(battle: Disputed) -> None:
    """What holds after every event."""
    now, disputes = battle.now, battle.now.disputes
    for side in ("north", "south"):
        mine = [docket for docket in disputes.open if docket.side == side]
        assert len(mine) <= 3
        assert len({docket.about for docket in mine}) == len(mine)
        assert disputes.halts.get(side, 0) <= 2
    assert [docket.id for docket in disputes.dockets] == [f"d{at}" for at in range(1, len(disputes.dockets) + 1)]
    assert all(past(battle).counts(docket.about) for docket in disputes.open)
    assert not disputes.halted or disputes.docket(disputes.halted).is_open
    assert not any(seat.player in disputes.umpires for seat in now.seats.values())
    assert all(docket.remedy for docket in disputes.dockets if docket.how in (AGREED, RULED))
    assert disputes.days == DISPUTES_DAYS
    rewinds = sum(one.type == "Rewound" for one in battle.battle.events())
    assert now.game.rewinds == rewinds


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_any_interleaving_keeps_what_holds_and_verifies(seed: int, umpire: bool):
    battle, pick = Disputed(umpire=umpire, pace="1d+3d", seed=str(seed)), Random(seed)
    for _ in range(40):
        step(battle, pick)
        assert_sound(battle)
    battle.assert_right()


@pytest.mark.parametrize("seed", thinned(sampled(range(20), 3), 20))
def test_a_long_quarrel_verifies(seed: int):
    battle, pick = Disputed(umpire=seed % 2 == 0, pace="1d+3d", seed=str(seed)), Random(seed)
    for _ in range(250):
        step(battle, pick)
    assert_sound(battle)
    report = battle.assert_right()
    assert report.listed
