"""The state as the moves of one unit see it: without those who are too far away to matter.

Every test of a move asks about enemies and friends within 10 cm of where it leads (STP-ZOC-01, -07), that of a
strategic move about the friction zone (STP-MOV-12); its price asks for the general, its quota for the nearest enemy.
A state that holds nobody else gives the same answers, sooner.
"""

from msgspec.structs import replace

from domain.games.shot_to_pieces.chapters.control import INTERDICTED_HCM
from domain.games.shot_to_pieces.chapters.strategic import FRICTION_HCM
from domain.games.shot_to_pieces.state.state import State, Unit

MARGIN_HCM = 10
"""What rounding may add."""


def vicinity(state: State, unit: Unit, reach: int, nearest: str) -> State:
    """The state with the unit, its nearest enemy, those in melee or led by a general, and all that stand so near that a
    move of `reach` could come within the margin of them."""
    x, y = unit.at
    base = unit.base
    looked = FRICTION_HCM if state.corps[unit.corps].strategic else INTERDICTED_HCM
    far = reach + looked + MARGIN_HCM + 2 * (base.width + base.depth)
    led = {general.unit for general in state.generals.values()} | {unit.id, nearest}
    kept = {}
    for name, one in state.units.items():
        (east, north), size = one.base.at, one.base
        limit = far + size.width + size.depth
        if (-limit <= east - x <= limit and -limit <= north - y <= limit) or one.melee or name in led:
            kept[name] = one
    return replace(state, units=kept)
