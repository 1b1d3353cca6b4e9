"""The event that opens a battle, and the state it makes.

All defaults are resolved in `BattleOpened`, so that the state folds from the log alone.
"""

from msgspec.structs import replace

from domain.events import battle as events
from domain.games.warmaster_shooting.state.scenario_file import (
    AreaGiven,
    ObstacleGiven,
    ShootingSideGiven,
    ShootingUnitGiven,
    Side,
)
from domain.games.warmaster_shooting.state.state import (
    Obstacle,
    Options,
    Stand,
    StandBase,
    State,
    TableArea,
    TerrainArea,
    Unit,
)

BOTH: tuple[Side, ...] = ("south", "north")


class BattleOpened(events.BattleOpened, frozen=True, gc=False, kw_only=True):
    """The whole set-up of the battle."""

    RULE = "WMS-SEQ-08"

    title: str
    first: Side
    options: Options
    board: TableArea
    terrain: tuple[AreaGiven, ...]
    edges: tuple[ObstacleGiven, ...]
    sides: dict[Side, ShootingSideGiven]


def opened_state(state: State, event: BattleOpened) -> State:
    """The state that the scenario describes."""
    return replace(
        state,
        title=event.title,
        first=event.first,
        options=event.options,
        board=event.board,
        areas=tuple(TerrainArea(area.kind, area.polygon, area.height) for area in event.terrain),
        obstacles=tuple(Obstacle(edge.kind, (edge.from_, edge.to)) for edge in event.edges),
        units={unit.id: _unit(side, unit) for side in BOTH for unit in event.sides[side].units},
        names={side: event.sides[side].name for side in BOTH},
    )


def _unit(side: str, unit: ShootingUnitGiven) -> Unit:
    return Unit(
        id=unit.id,
        side=side,
        profile=unit.profile,
        stands=tuple(
            Stand(stand.id, StandBase(stand.at, stand.facing, stand.w, stand.d), stand.cover) for stand in unit.stands
        ),
        engaged=unit.engaged,
        fighting=unit.engaged,
        confused=unit.confused,
        shot=unit.shot,
        open=unit.wounds,
        total=unit.total,
        shot_by=unit.shot_by,
    )


EVOLUTIONS = {BattleOpened: opened_state}
