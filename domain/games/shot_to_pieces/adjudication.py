"""The chapters' tables, merged: which function decides a command, runs a step, folds an event.

A chapter has `DECISIONS` (answers, and what is free), `STEP_ORDERS` (orders of a step, `chapters.course`), `STEPS` and
`EVOLUTIONS`, each of them if it needs it.
"""

from typing import Any

from domain.contract.chapters import merged
from domain.games.shot_to_pieces.chapters import (
    activation,
    advances,
    bombardment,
    buildings,
    charges,
    charging,
    closing,
    command,
    contacts,
    corrections,
    course,
    decisions,
    deployment,
    detachments,
    drawn_events,
    evading,
    event_picks,
    exchanges,
    firing,
    formations,
    fortunes,
    generals,
    groups,
    impetuous,
    leaders,
    melee,
    moves,
    points,
    replies,
    results,
    runs,
    salvoes,
    shifts,
    turns,
    visibility,
)
from domain.games.shot_to_pieces.state import setup

CHAPTERS: tuple[Any, ...] = (
    setup,
    course,
    turns,
    decisions,
    deployment,
    detachments,
    command,
    activation,
    points,
    shifts,
    moves,
    groups,
    formations,
    visibility,
    generals,
    impetuous,
    fortunes,
    drawn_events,
    event_picks,
    runs,
    leaders,
    results,
    salvoes,
    replies,
    firing,
    exchanges,
    bombardment,
    charges,
    contacts,
    evading,
    charging,
    melee,
    advances,
    buildings,
    closing,
    corrections,
)

STEP_ORDERS = merged(CHAPTERS, "STEP_ORDERS")
DECISIONS = merged(CHAPTERS, "DECISIONS") | {kind: turns.decided(order) for kind, order in STEP_ORDERS.items()}
STEPS = merged(CHAPTERS, "STEPS")
EVOLUTIONS = merged(CHAPTERS, "EVOLUTIONS")
