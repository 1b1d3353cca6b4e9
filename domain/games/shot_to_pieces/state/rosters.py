"""Which units of a state are on the table, by side, and which enemy is nearest to whom: worked out once a state."""

from collections.abc import Mapping, Sequence
from math import isqrt
from typing import Any, Generic, Protocol, TypeVar

from domain.engine.state import OTHER
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.plane.gaps import distance
from domain.games.shot_to_pieces.state.kept import Kept

MOST = 64
"""States of which it is kept."""


class PlacedUnit(Protocol):
    """What is read of a unit here; `state` has it whole."""

    @property
    def id(self) -> str: ...
    @property
    def side(self) -> str: ...
    @property
    def here(self) -> bool: ...
    @property
    def at(self) -> tuple[int, int]: ...
    @property
    def base(self) -> Base: ...


Someone = TypeVar("Someone", bound=PlacedUnit)


class Roster(Generic[Someone]):
    """The units on the table by side, in the order of the scenario."""

    def __init__(self, units: Mapping[str, Someone]) -> None:
        here = tuple(unit for unit in units.values() if unit.here)
        self.here = here
        self.of = {side: tuple(unit for unit in here if unit.side == side) for side in OTHER}
        self._nearest: dict[tuple[str, Base], tuple[int, str] | None] = {}

    def nearest_to(self, unit: PlacedUnit) -> tuple[int, str] | None:
        """Distance and id of the enemy that is nearest to a unit, the first id of several; None for no enemy."""
        key = unit.side, unit.base
        if key not in self._nearest:
            self._nearest[key] = nearest_of(unit.base, self.of[OTHER[unit.side]])
        return self._nearest[key]


def nearest_of(base: Base, units: Sequence[PlacedUnit]) -> tuple[int, str] | None:
    """Distance and id of the unit that is nearest to a base, the first id of several. Those are measured that may be
    nearer than the nearest so far, by circles about their bases."""
    x, y = base.at
    about = sorted(((one.at[0] - x) ** 2 + (one.at[1] - y) ** 2, one.id, one.base) for one in units)
    widest = _radius(base) + max((_radius(one) for _, _, one in about), default=0)
    best: tuple[int, str] | None = None
    for square, name, other in about:
        if best is not None and isqrt(square) - widest > best[0]:
            break
        found = distance(base, other), name
        best = found if best is None else min(best, found)
    return best


def _radius(base: Base) -> int:
    """At least the radius of a circle about a base."""
    return (base.width + base.depth + 1) // 2


ROSTERS: Kept[Mapping[str, Any], Roster[Any]] = Kept(Roster, MOST)
