"""What a recording takes over from the writer of its events is what folding them gives."""

import tomllib

import pytest

from domain.catalogue import RULESETS
from domain.log.record import Recorded
from domain.run.timeline import KEYFRAME_EVERY, Timeline
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from tests.support.before_the_turns import PHASES
from tests.support.lanes import thinned

RULES = RULESETS["tts"]


@pytest.mark.parametrize("options", thinned([{}, {"blind_deployment": True, "stratagems_per_side": 2}], 2))
def test_the_battle_after_each_order_is_that_of_a_fold(options: dict[str, bool]) -> None:
    table = tomllib.loads(PHASES)
    battle = OfflineBattle(RULES, {**table, "options": options}, SeededClock("taken over"), SeededEntropy("taken over"))
    battle.seat_bot("south", "easy")
    battle.seat_bot("north", "easy")
    recording = battle.recording
    fed: list[Recorded] = []
    again = Timeline(RULES, recording.timeline.vault, recording.header.rules)
    while not recording.battle.ended and len(fed) < 3 * KEYFRAME_EVERY:
        battle.bot_order()
        again.vault.update(recording.timeline.vault)
        for recorded in recording.timeline.events[len(fed) :]:
            fed.append(recorded)
            again.feed(recorded)
        assert recording.battle == again.now
    assert recording.vault, "something was sealed"
    assert recording.timeline._keyframes == again._keyframes
