"""A battle of points is measured through all its phases, on numbers too small to mean anything."""

import re
from typing import Any

import pytest

from benchmarks import reading
from domain.engine.state import SIDES
from domain.run.decide import to_act


@pytest.mark.slow
def test_a_battle_of_points_goes_through_every_phase_to_its_end():
    battle = reading.battle_of_points()
    events: list[Any] = [recorded.event for recorded in battle.events() if recorded.type == "PhaseBegan"]
    assert [event.phase for event in events] == ["terrain", "scouting", "deployment", "turns"]
    assert battle.recording.battle.ended
    armies = [sum(unit.side == side for unit in battle.recording.battle.game.units.values()) for side in SIDES]
    assert min(armies) >= 8


@pytest.mark.slow
def test_the_options_of_every_phase_are_timed(capsys: pytest.CaptureFixture[str]) -> None:
    moments = list(reading.moments(reading.battle_of_points()))
    assert all(known.winner is None and to_act(reading.TTS, known)[0] == side for known, side in moments)
    of_each = {known.phase: (known, side) for known, side in reversed(moments)}
    reading.options_through(list(of_each.values()))
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| a ")]
    assert [re.split(r"[|,]", row)[2].strip() for row in rows[:-1]] == [f"phase {phase}" for phase in of_each]
    assert all(float(row.split("|")[4].replace(",", "")) > 0 for row in rows)
