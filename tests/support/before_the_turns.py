"""What tests of the phases before the turns play: a small scenario, and a battle between two armies of points."""

from pathlib import Path
from typing import Any

from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from server.armies import battle_between
from tests.support.tiny import TTS

PHASES = (Path(__file__).parent / "phases.toml").read_text(encoding="utf-8")
"""A scenario in TOML: eight by eight boxes, and every phase."""


def points_battle(stratagems: dict[str, list[str]] | None = None, seed: int = 1, **options: Any) -> OfflineBattle:
    """Ann (south) against Ben in one process, begun; `stratagems` are what the scenario lists for a side."""
    scenario = battle_between("tts", "republican_roman", "carthaginian", 100, seed, options)
    for side, names in (stratagems or {}).items():
        scenario["sides"][side]["stratagems"] = names
    battle = OfflineBattle(TTS, scenario, SeededClock(str(seed)), SeededEntropy(str(seed)))
    battle.seat_person("south", "Ann")
    battle.seat_person("north", "Ben")
    return battle
