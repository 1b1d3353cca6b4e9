"""Chapter MOV, allowances: how far a unit may move (STP-MOV-08, -10, -12, -13, STP-FRM-03, STP-EMP-05)."""

from domain.games.shot_to_pieces.plane.angles import half_again
from domain.games.shot_to_pieces.state.figures import figures
from domain.games.shot_to_pieces.state.state import State, Unit

CAPS = {
    ("inf", "militia"): (1000, 700),
    ("inf", "reserve"): (1200, 800),
    ("cav", "militia"): (2000, 1400),
    ("cav", "reserve"): (2000, 1400),
}
"""The most that units of a status move, in column and in LINE (STP-MOV-10)."""


def allowance(state: State, unit: Unit) -> int:
    """The tactical allowance in the formation that a unit has: a march column moves half as far again."""
    kind = figures(state, unit)
    is_line = unit.formation in ("line", "square")
    pace = kind.line if is_line and kind.line else kind.move
    cap = CAPS.get((kind.arm, unit.status))
    if cap:
        pace = min(pace, cap[1 if is_line and kind.line else 0])
    return half_again(pace) if unit.formation == "march" else pace
