"""The shape of a scenario file (warmaster-shooting.md 4). Keys that it does not have are refused by name."""

from typing import Literal

from domain.basics.data import ScenarioMembers
from domain.games.warmaster_shooting.state.state import Cover, Options, TableArea
from domain.mechanics.plane import Point

Side = Literal["south", "north"]


class StandGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A stand as written; a size of 0 stands for that of its type."""

    id: str
    at: Point
    facing: int
    cover: Cover | Literal[""] = ""
    w: int = 0
    d: int = 0


class ShootingUnitGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A unit as written."""

    id: str
    profile: str
    stands: tuple[StandGiven, ...]
    engaged: bool = False
    confused: bool = False
    shot: bool = False
    wounds: int = 0
    total: int = 0
    shot_by: tuple[str, ...] = ()


class ShootingSideGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A side as written."""

    name: str
    units: tuple[ShootingUnitGiven, ...]
    name_fr: str = ""


class AreaGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A piece of ground as written; `height` belongs to hills, 1 if it is not there."""

    kind: Literal["wood", "built", "hill", "marsh", "river", "works", "lake", "impassable"]
    polygon: tuple[Point, ...]
    height: int = 0


class ObstacleGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A linear obstacle as written."""

    from_: Point
    to: Point
    kind: Literal["low-wall", "hedge", "stream", "high-wall", "rampart"]


class ShootingScenarioGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A whole scenario file; `history`, `sources` and what ends in `_fr` are for readers."""

    ruleset: str
    title: str
    sides: dict[Side, ShootingSideGiven]
    first: Side = "south"
    options: Options = Options()
    board: TableArea | None = None
    terrain: tuple[AreaGiven, ...] = ()
    edge: tuple[ObstacleGiven, ...] = ()
    title_fr: str = ""
    history: str = ""
    history_fr: str = ""
    sources: tuple[str, ...] = ()
