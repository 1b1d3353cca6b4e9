"""The chapters' tables, merged: which function decides a command, runs a step, folds an event."""

from typing import Any

from domain.contract.chapters import merged
from domain.games.warmaster_shooting.chapters import (
    charges,
    corrections,
    counter_fire,
    drive_back,
    losses,
    questions,
    targets,
    turns,
    volleys,
)
from domain.games.warmaster_shooting.state import setup

CHAPTERS: tuple[Any, ...] = (
    setup,
    questions,
    targets,
    volleys,
    losses,
    drive_back,
    charges,
    counter_fire,
    turns,
    corrections,
)


DECISIONS = merged(CHAPTERS, "DECISIONS")
STEPS = merged(CHAPTERS, "STEPS")
EVOLUTIONS = merged(CHAPTERS, "EVOLUTIONS")
