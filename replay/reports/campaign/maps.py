"""The map of a campaign at the end of a round, for its report."""

from domain.campaign.map_config import MapTable
from domain.campaign.state import CampaignState
from domain.campaign.theatre.events import EncounterMade
from domain.campaign.theatre.linked import SOUTH
from domain.campaign.theatre.map_scene import MapChart, MapScene, Moment, map_scene
from replay.reports.campaign.stages import Stage


def map_after(stage: Stage, names: dict[str, str]) -> MapScene | None:
    """The map as a stage has left it, with what happened in it; None of a campaign without one."""
    state = stage.after
    if not state.theatre.areas or state.settings.map is None:
        return None
    events = tuple(recorded.event for recorded in stage.events)
    moment = Moment(state.settings.title, stage.number, events, _winners(state, stage), names)
    return map_scene(state.theatre, chart_of(state.settings.map), moment)


def chart_of(table: MapTable) -> MapChart:
    """What the file says of the drawing."""
    spots = {row.id: (row.x, row.y) for row in table.area if row.x is not None and row.y is not None}
    return MapChart(spots, {row.id: row.name for row in table.area if row.name})


def _winners(state: CampaignState, stage: Stage) -> dict[str, str]:
    """The alliances that have won the battles of a round, by area; its boards stand in the order of its encounters."""
    boards = [state.boards[name] for name in state.rounds[stage.number - 1].boards] if stage.number else []
    made = [recorded.event for recorded in stage.events if isinstance(recorded.event, EncounterMade)]
    return {
        one.area: one.south if board.winner == SOUTH else one.north
        for one, board in zip(made, boards, strict=False)
        if board.winner
    }
