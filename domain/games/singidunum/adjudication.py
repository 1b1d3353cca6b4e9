"""Merge the chapters: which function decides a command, runs a step, folds an event."""

from typing import Any

from domain.engine.errors import BrokenInvariant
from domain.games.singidunum.chapters import (
    actions,
    combat,
    decisions,
    movement,
    muster,
    points,
    retreats,
    shooting,
    stakes,
    turns,
)
from domain.games.singidunum.state import setup

CHAPTERS: tuple[Any, ...] = (
    setup,
    muster,
    turns,
    decisions,
    movement,
    actions,
    combat,
    retreats,
    shooting,
    stakes,
    points,
)


def _merged(name: str) -> dict[Any, Any]:
    """The tables of this name in all chapters as one; a key that two chapters have is a fault."""
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
