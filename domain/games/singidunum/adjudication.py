"""Merge the chapters: which function decides a command, runs a step, folds an event."""

from typing import Any

from domain.engine.chapters import merged
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


DECISIONS = merged(CHAPTERS, "DECISIONS")
STEPS = merged(CHAPTERS, "STEPS")
EVOLUTIONS = merged(CHAPTERS, "EVOLUTIONS")
