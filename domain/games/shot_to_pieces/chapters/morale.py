"""Chapter MOR, retreats: the units of broken corps march off by themselves (STP-MOR-04, -05)."""

from domain.engine.judge import Judge
from domain.games.shot_to_pieces.chapters.legs import is_free
from domain.games.shot_to_pieces.chapters.paces import allowance
from domain.games.shot_to_pieces.chapters.shifts import UnitLeftTable, UnitMoved, UnitOriented
from domain.games.shot_to_pieces.chapters.visibility import reveal_near
from domain.games.shot_to_pieces.plane.base import Base, faced, moved
from domain.games.shot_to_pieces.plane.gaps import overlap
from domain.games.shot_to_pieces.state.setup import HOMEWARD
from domain.games.shot_to_pieces.state.state import State, Unit

RETREAT = "STP-MOR-04"
HALF = 18000


def retreat_all(judge: Judge[State], side: str) -> None:
    """Every unshaken, unengaged unit of a broken corps, in the order of the scenario."""
    for name, unit in judge.state.units.items():
        if unit.side == side and judge.state.corps[unit.corps].broken:
            _retreat(judge, judge.state.units[name])


def _retreat(judge: Judge[State], unit: Unit) -> None:
    """A unit turns to its own edge and goes; at the edge it leaves (STP-MOR-04, -05)."""
    state = judge.state
    if not unit.here or unit.shaken or unit.engaged or unit.order_k == state.k:
        return
    home = (HOMEWARD[unit.side] + HALF) % (2 * HALF)
    turned = faced(unit.base, home)
    edge = turned.at[1] - turned.depth // 2 if home else state.board.height - turned.at[1] - turned.depth // 2
    length = free_way(state, unit, turned, home, min(allowance(state, unit), max(0, edge)))
    if not length and edge > 0 and not is_free(state, unit, turned):
        return
    if unit.facing != home:
        judge.emit(UnitOriented(unit.id, unit.facing, home, unit.at), unit.side, RETREAT)
    there = moved(turned, home, length)
    if length:
        judge.emit(UnitMoved(unit.id, unit.at, there.at, home, length, "retreat", ""), unit.side, RETREAT)
        reveal_near(judge, unit.id)
    if length == edge or edge <= 0:
        judge.emit(UnitLeftTable(unit.id, "retreat"), unit.side, RETREAT)


def free_way(state: State, unit: Unit, base: Base, heading: int, length: int) -> int:
    """How far a unit comes: through friends, not through enemies, and it ends on nobody (STP-MOR-05)."""
    passed = [enemy.base for enemy in state.enemies(unit)]
    while length > 0:
        there = moved(base, heading, length)
        hull = Base(_middle(base, there), heading, base.width, base.depth + length)
        if not any(overlap(hull, enemy) for enemy in passed) and not any(
            overlap(there, one.base) for one in state.of(unit.side) if one.id != unit.id
        ):
            return length
        length -= min(length, STEP_HCM)
    return 0


def _middle(one: Base, other: Base) -> tuple[int, int]:
    return (one.at[0] + other.at[0]) // 2, (one.at[1] + other.at[1]) // 2


STEP_HCM = 10
"""The steps in which a retreat that is barred is shortened."""
