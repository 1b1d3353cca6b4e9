"""The map of a campaign at a turn, from its log: how it lay before the turn, and what the turn has made of it."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from domain.campaign.config import CampaignConfig
from domain.campaign.evolve import START, evolve
from domain.campaign.state import CampaignState
from domain.campaign.theatre.events import EncounterMade
from domain.campaign.theatre.map_scene import MapChart, MapScene, Moment, map_scene
from domain.campaign.theatre.order_events import OrdersClosed
from domain.campaign.turns import MapTurn, map_turn
from domain.events.event import Event


def chart_of(config: CampaignConfig) -> MapChart:
    """What a campaign file says of the drawing of its map (CAM-MAP-02)."""
    if config.map is None:
        return MapChart()
    rows = config.map.area
    spots = {row.id: (row.x, row.y) for row in rows if row.x is not None and row.y is not None}
    return MapChart(spots, {row.id: row.name for row in rows if row.name}, config.map.coasts, config.map.rivers)


def newest_turn(events: Sequence[Event], turn: int = 0) -> int:
    """The newest turn whose orders are closed, before that the first; a turn that is asked for stays."""
    return turn or max(1, sum(isinstance(event, OrdersClosed) for event in events))


def map_after(events: Sequence[Event], turn: int = 0, seen_by: str | None = None) -> MapScene:
    """The map as a turn has left it so far, with what happened; turn 0 stands for the newest one with closed orders.

    Shape:  `events` from the first on, with their private parts; `seen_by` as in `map_turn`
    Raises: Refusal campaign.no-such-turn
    """
    number = newest_turn(events, turn)
    state, found = _folded(events), map_turn(events, number, seen_by)
    told = tuple(event for _, event in found.events)
    winners = dict(_winners(state, found))
    return map_scene(
        found.after, chart_of(state.settings), replace(_moment(state, number, seen_by), events=told, winners=winners)
    )


def map_before(events: Sequence[Event], turn: int = 0, seen_by: str | None = None) -> MapScene:
    """The map as it was when the orders of a turn were awaited.

    Raises: Refusal campaign.no-such-turn
    """
    number = newest_turn(events, turn)
    state, found = _folded(events), map_turn(events, number, seen_by)
    return map_scene(found.before, chart_of(state.settings), _moment(state, number, seen_by))


def _moment(state: CampaignState, number: int, seen_by: str | None) -> Moment:
    return Moment(state.settings.title, number, names=_names(state), seen_by=seen_by)


def _folded(events: Sequence[Event]) -> CampaignState:
    state = START
    for event in events:
        state = evolve(state, event)
    return state


def _names(state: CampaignState) -> Mapping[str, str]:
    """The names of powers: those of the file."""
    return {row.id: row.name for row in state.settings.powers or () if row.name}


def _winners(state: CampaignState, turn: MapTurn) -> Iterator[tuple[str, str]]:
    """The alliances that have won the battles of a turn, by area: boards are numbered in the order of areas."""
    made = {event.area: event for _, event in turn.events if isinstance(event, EncounterMade)}
    for number, area in enumerate(sorted(made), 1):
        board = state.boards.get(f"{turn.number}.{number}")
        if board is not None and board.winner and not board.is_running:
            yield area, made[area].south if board.winner == "south" else made[area].north
