"""The short list of a large army has every unit."""

from typing import cast

import pytest

from benchmarks.copying import LetterMoment
from domain.catalogue import RULESETS
from replay.telling.words import worded
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock, scenario_table
from server.mail.menu import menu_of
from server.mail.outgoing.letters.menu_text import menu_lines
from server.play.live_battle import LiveBattle

TTS = RULESETS["tts"]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_whole_army_at_cannae_has_room_in_nine_lines(lang: str) -> None:
    battle = OfflineBattle(TTS, scenario_table(TTS, "cannae"), SeededClock("army"), SeededEntropy("army"))
    for side in ("south", "north"):
        battle.seat_bot(side, "random")
    moment = cast(LiveBattle, LetterMoment(TTS, battle.recording.battle.game, battle.to_act[0]))
    (side,) = moment.to_act()
    scene = worded(TTS.shown.view(moment.known(side), side), lang)
    lines = list(menu_lines(menu_of(moment, side, scene, lang), 9, lang))
    assert len(lines) <= 9
    units = {option.unit for option in moment.options(side) if option.unit}
    assert len(units) > 10
    assert all(f"{unit} " in " ".join(lines) for unit in units)
