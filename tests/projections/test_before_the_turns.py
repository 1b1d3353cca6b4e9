"""Who is waited for while terrain is placed and armies deploy."""

import pytest

from domain.run.seats import Battle
from projections.inbox import CONTRIBUTION, TURN, questions
from tests.domain.games.to_the_strongest.test_view_before import play_on
from tests.support.before_the_turns import points_battle
from tests.support.tiny import TTS


def kinds(battle: Battle) -> dict[str, str]:
    return {side: kind for side, (kind, _) in questions(TTS, battle).items() if kind}


@pytest.mark.rule("TTS-TER-10")
@pytest.mark.rule("TTS-DEP-01")
def test_a_side_is_waited_for_when_its_step_comes():
    battle = points_battle(stratagems_per_side=0)
    assert kinds(battle.recording.battle) == {"south": TURN}
    battle.order("south", "place wood D4")
    battle.order("south", "done")
    assert kinds(battle.recording.battle) == {"north": TURN}
    play_on(battle, "deployment")
    first = battle.recording.battle.game.active
    assert kinds(battle.recording.battle) == {first: TURN}
    while battle.recording.battle.game.active == first:
        battle.order(first, TTS.orders.options(battle.recording.known(first), first)[-1].order)
    assert set(kinds(battle.recording.battle)) == {"south", "north"} - {first}


@pytest.mark.rule("TTS-TER-11")
def test_a_shift_is_asked_of_the_other_side_under_its_own_name():
    battle = points_battle(stratagems_per_side=0, seed=2)
    for column in "ABCDEF":
        battle.order("south", f"place wood {column}4")
    battle.order("south", "done")
    battle.order("north", "done")
    assert battle.recording.battle.game.waiting.card.endswith("d"), "a diamond comes with this seed"
    assert kinds(battle.recording.battle) == {"north": "shift"}


@pytest.mark.rule("TTS-SCT-02")
def test_scouting_waits_for_the_first_contributions():
    battle = points_battle(stratagems_per_side=0, terrain_phase=False)
    seats = battle.recording.timeline.at(battle.recording.battle.n).seats
    assert all(seat.contribution for seat in seats.values())
    before = next(
        battle.recording.timeline.at(recorded.n)
        for recorded in battle.events()
        if recorded.type == "PhaseBegan" and getattr(recorded.event, "phase", "") == "scouting"
    )
    assert kinds(before) == {"south": CONTRIBUTION, "north": CONTRIBUTION}
