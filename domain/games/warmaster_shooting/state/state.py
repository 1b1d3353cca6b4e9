"""What a battle holds: options, ground, units and their stands.

Lengths are whole millimetres, angles tenths of a degree clockwise from north (WMS-GEO-01).
"""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.state import OTHER, GameState
from domain.games.warmaster_shooting.state.profiles import PROFILES, TroopKind
from domain.mechanics.outline import Outline
from domain.mechanics.plane import Point

Cover = Literal["open", "defended", "fortified"]
COVERS: tuple[Cover, ...] = ("open", "defended", "fortified")
"""The classes of protection, the least first."""


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a scenario may choose (warmaster-shooting.md 1)."""

    turns: int = 1
    command_phase: bool = False
    auto_end_shooting: bool = True
    arc_slope: int = 100
    los_points: Literal["three", "corners"] = "three"
    save_compare: Literal[">=", ">"] = ">="
    make_way_test: Literal["only-if-confused", "always"] = "only-if-confused"
    rout_needs_confusion: bool = False
    impassable_confusion: Literal["automatic", "on-six"] = "automatic"
    defended_count: Literal["one", "all"] = "one"
    table_edge: Literal["impassable", "open"] = "impassable"


class StandBase(Struct, frozen=True, gc=False):
    """A rectangle on the table: the middle of its front edge, its facing, frontage and depth (WMS-GEO-01, -03)."""

    at: Point
    facing: int
    width: int
    depth: int


class Stand(Struct, frozen=True, gc=False):
    """One stand of a unit. `cover` is what the scenario gives it until it moves, "" for what the ground gives."""

    id: str
    base: StandBase
    cover: Cover | Literal[""] = ""
    alive: bool = True


class Unit(Struct, frozen=True, gc=False):
    """A unit of one to four stands.

    `shot`: it has shot or held. `open` and `total` are the wounds of this shooting phase, those not yet used up and
    all of them; `charge_open`, `charge_total` likewise of counter-charge fire. `shot_by` are the stands whose dice
    were thrown at it, in that order; `driven`: its drive-back is settled. `charging`: it has charged in this turn.
    `fighting`: it was engaged when the battle began.
    """

    id: str
    side: str
    profile: str
    stands: tuple[Stand, ...]
    engaged: bool = False
    fighting: bool = False
    confused: bool = False
    charging: bool = False
    shot: bool = False
    open: int = 0
    total: int = 0
    charge_open: int = 0
    charge_total: int = 0
    shot_by: tuple[str, ...] = ()
    driven: bool = False

    @property
    def kind(self) -> TroopKind:
        """What its troops can do."""
        return PROFILES[self.profile]

    @property
    def standing(self) -> tuple[Stand, ...]:
        """Its stands that are still on the table."""
        return tuple(stand for stand in self.stands if stand.alive)

    @property
    def lead(self) -> Stand:
        """The stand that leads a unit on the table: its places are those that a charge names (WMS-CCF-10)."""
        return self.standing[0]

    @property
    def alive(self) -> bool:
        """Whether any stand is left."""
        return any(stand.alive for stand in self.stands)


class TerrainArea(Struct, frozen=True, gc=False):
    """A piece of ground with a convex outline (WMS-SCN-01); `height` is that of a hill."""

    kind: Literal["wood", "built", "hill", "marsh", "river", "works", "lake", "impassable"]
    polygon: Outline
    height: int = 0


class Obstacle(Struct, frozen=True, gc=False):
    """A linear obstacle."""

    kind: Literal["low-wall", "hedge", "stream", "high-wall", "rampart"]
    ends: tuple[Point, Point]


class TableArea(Struct, frozen=True, gc=False):
    """The table; `origin` is its south-west corner."""

    width: int = 1800
    height: int = 1200
    origin: Point = (-900, -600)


class State(GameState, frozen=True, gc=False):
    """A battle. `units` are those of the south, then those of the north, as the scenario has them; `contacts` the units
    that a charger has touched."""

    title: str = ""
    first: str = "south"
    options: Options = Options()
    board: TableArea = TableArea()
    areas: tuple[TerrainArea, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    units: Mapping[str, Unit] = {}
    names: Mapping[str, str] = {}
    contacts: Mapping[str, tuple[str, ...]] = {}

    def of(self, side: str) -> tuple[Unit, ...]:
        """The units of a side that are on the table."""
        return tuple(unit for unit in self.units.values() if unit.side == side and unit.alive)

    def enemies(self, unit: Unit) -> tuple[Unit, ...]:
        """The units of the other side that are on the table."""
        return self.of(OTHER[unit.side])


# --- finding


def units_on_table(state: State) -> Iterator[Unit]:
    """Every unit with a stand left."""
    return (unit for unit in state.units.values() if unit.alive)


def unit_of(state: State, stand: str) -> Unit | None:
    """The unit to which a stand belongs, dead or alive."""
    return next((unit for unit in state.units.values() if any(one.id == stand for one in unit.stands)), None)


def stand_in(unit: Unit, name: str) -> Stand:
    """A stand of a unit by its id."""
    return next(stand for stand in unit.stands if stand.id == name)


# --- changing


def with_unit(state: State, unit: Unit) -> State:
    """The state with a unit as it is now."""
    return replace(state, units={**state.units, unit.id: unit})


def moved(unit: Unit, dx: int, dy: int) -> Unit:
    """A unit moved as a block (WMS-DRV-05). It loses the cover that the scenario gave (WMS-HIT-08, WMS-INT-16)."""
    if not dx and not dy:
        return unit
    return replace(
        unit,
        stands=tuple(
            replace(stand, cover="", base=replace(stand.base, at=(stand.base.at[0] + dx, stand.base.at[1] + dy)))
            for stand in unit.stands
        ),
    )
