"""Chapter CHG, legs that end where there is room: evasions, pursuits, short charges (STP-CHG-12, STP-EVD-09)."""

from collections.abc import Callable

from domain.games.shot_to_pieces.plane.base import Base, is_on_table, moved
from domain.games.shot_to_pieces.plane.gaps import overlap
from domain.games.shot_to_pieces.plane.paths import passes_through
from domain.games.shot_to_pieces.plane.strikes import contact_distance
from domain.games.shot_to_pieces.state.state import State, Unit, units_here

STEP_HCM = 50
"""The steps in which a place is looked for before it is found exactly."""


def is_free(state: State, unit: Unit, base: Base) -> bool:
    """Whether a unit may stand at a place: on the table, and on nobody (STP-GEO-01, -02)."""
    if not is_on_table(base, state.board.width, state.board.height):
        return False
    return not any(overlap(base, one.base) for one in units_here(state) if one.id != unit.id)


def stopping_short(state: State, unit: Unit, start: Base, heading: int, length: int) -> tuple[int, Base]:
    """How far a unit goes straight, up to a length, so that it ends on the table and on nobody, and where it ends.

    Rule: STP-CHG-12, STP-EVD-09; without room even to turn it stays as it stands
    """
    found = longest(length, lambda there: is_free(state, unit, moved(start, heading, there)))
    end = moved(start, heading, found)
    return (found, end) if found or is_free(state, unit, end) else (0, unit.base)


def longest(length: int, is_allowed: Callable[[int], bool]) -> int:
    """The longest length up to a limit that is allowed, to 0.5 cm of a gap that is not; 0 if none is."""
    barred = length + 1
    tried = length
    while not is_allowed(tried):
        if not tried:
            return 0
        barred, tried = tried, max(0, tried - STEP_HCM)
    while barred - tried > 1:
        middle = (tried + barred) // 2
        if middle <= length and is_allowed(middle):
            tried = middle
        else:
            barred = middle
    return tried


def first_met(state: State, unit: Unit, start: Base, heading: int, length: int) -> tuple[int, Unit] | None:
    """The first enemy that a straight leg runs into, and how far it is; None for none."""
    end = moved(start, heading, length)
    met = []
    for enemy in state.enemies(unit):
        if passes_through(start, end, enemy.base):
            far = contact_distance(start, heading, enemy.base)
            met.append((length if far is None else min(far, length), enemy.id))
    if not met:
        return None
    far, name = min(met)
    return far, state.units[name]
