"""The chapters' tables, merged: which function decides a command, runs a step, folds an event."""

from typing import Any

from domain.engine.errors import BrokenInvariant
from domain.games.warmaster_shooting.chapters import (
    charges,
    counter_fire,
    drive_back,
    losses,
    questions,
    targets,
    turns,
    volleys,
)
from domain.games.warmaster_shooting.state import scenario

CHAPTERS: tuple[Any, ...] = (
    scenario,
    questions,
    targets,
    volleys,
    losses,
    drive_back,
    charges,
    counter_fire,
    turns,
)


def _merged(name: str) -> dict[Any, Any]:
    merged: dict[Any, Any] = {}
    for chapter in CHAPTERS:
        table = getattr(chapter, name, {})
        twice = merged.keys() & table.keys()
        if twice:
            raise BrokenInvariant(f"{name}: two chapters have {', '.join(map(str, twice))}")
        merged |= table
    return merged


DECISIONS = _merged("DECISIONS")
STEPS = _merged("STEPS")
EVOLUTIONS = _merged("EVOLUTIONS")
