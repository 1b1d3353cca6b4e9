"""What every order to a unit checks first: that the unit is in play and may still act (PRG-SEQ-02)."""

from domain.basics.errors import Refusal
from domain.games.singidunum.state.state import Unit

RULE = "PRG-SEQ-02"


def require_ready(*units: Unit) -> None:
    """Refuse units that are fled or eliminated, then those that are activated; each code over all units first."""
    require_in_play(*units)
    for unit in units:
        if unit.activated:
            raise Refusal("singidunum.unit-activated", RULE, unit=unit.id)


def require_in_play(*units: Unit) -> None:
    """Refuse units that are fled or eliminated."""
    for unit in units:
        if not unit.in_play:
            raise Refusal("singidunum.unit-gone", RULE, unit=unit.id, fled=unit.fled)
