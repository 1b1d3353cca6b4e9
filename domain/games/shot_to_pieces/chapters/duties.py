"""Chapters ZOC, GSC, EVT, charges that are compelled: who must charge whom, if it is possible (STP-ACT-11)."""

from domain.games.shot_to_pieces.chapters.control import threatens
from domain.games.shot_to_pieces.chapters.fortunes import concerns
from domain.games.shot_to_pieces.state.figures import has
from domain.games.shot_to_pieces.state.state import State, Unit

RASH = 3
"""The D20 event that drives cavalry to an all-out charge (STP-EVT-03)."""
THREAT, IMPETUOUS, DRIVEN = "STP-ZOC-05", "STP-GSC-04", "STP-EVT-03"


def is_driven(state: State, unit: Unit) -> bool:
    """Whether the D20 event drives a unit to an all-out charge in this phase (STP-EVT-03)."""
    return bool(state.events) and concerns(state, RASH, unit)


def is_impetuous_now(state: State, unit: Unit) -> bool:
    """Whether a unit must charge in this phase because it is impetuous (STP-GSC-04)."""
    return unit.due_k == state.k and has(state, unit, "impetuous")


def duty_to(state: State, unit: Unit, target: Unit) -> str:
    """The rule that compels a unit to charge a target, if the charge is possible; "" for none.

    Rule: STP-ZOC-05 whom it threatens in flank, whatever it is; STP-GSC-04; STP-EVT-03
    """
    if is_driven(state, unit):
        return DRIVEN
    if threatens(state, unit, target):
        return THREAT
    return IMPETUOUS if is_impetuous_now(state, unit) else ""
