"""Merge the chapters: which function decides a command, runs a step, folds an event."""

from typing import Any

from domain.contract.chapters import merged
from domain.games.singidunum.chapters import (
    actions,
    ambushes,
    combat,
    corrections,
    decisions,
    deployment,
    doubles,
    generals,
    movement,
    muster,
    points,
    pursuit,
    rally,
    reaction,
    retreats,
    second_retreat,
    shooting,
    stakes,
    turns,
)
from domain.games.singidunum.state import setup

CHAPTERS: tuple[Any, ...] = (
    setup,
    muster,
    deployment,
    turns,
    decisions,
    movement,
    actions,
    doubles,
    ambushes,
    reaction,
    combat,
    rally,
    retreats,
    second_retreat,
    generals,
    pursuit,
    shooting,
    stakes,
    points,
    corrections,
)


DECISIONS = merged(CHAPTERS, "DECISIONS")
STEPS = merged(CHAPTERS, "STEPS")
EVOLUTIONS = merged(CHAPTERS, "EVOLUTIONS")
