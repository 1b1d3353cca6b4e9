"""Maps of campaigns as the API tells them."""

from collections.abc import Iterable

import msgspec

from domain.basics.errors import Refusal
from domain.basics.pace import text_of
from domain.campaign.config import CampaignConfig
from domain.campaign.known import known
from domain.campaign.map_config import ForceRow
from domain.campaign.state import CampaignState
from domain.campaign.theatre.aftermath import victory_points
from domain.campaign.theatre.fog import is_only_seen
from domain.campaign.theatre.state import Theatre
from domain.campaign.turns import MapTurn, map_turn
from domain.events.disclosures import DISCLOSURES
from domain.events.event import Event
from domain.log.record import type_name
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.maps import through_fog
from server.web.api.campaign_messages import AreaView, CampaignMap, ForceView, MapEventView, PowerView
from server.web.api.seen_messages import SeenView


def map_view(live: LiveCampaign, number: int = 0, entrant: str = "", fog: str = "") -> CampaignMap:
    """The map after a turn, 0: as it stands, as an entrant may know it (`server.campaigns.maps.seen_map`). The log is
    folded: not for the loop.

    Raises: Refusal campaign.no-map, campaign.no-such-turn
    """
    state = live.state
    table = state.settings.map
    if table is None:
        raise Refusal("campaign.no-map", "CAM-MAP-02", campaign=live.id)
    seen_by = through_fog(state, entrant, fog)
    first = known(state, entrant).theatre
    turn = (
        map_turn(live.recording.events_of(entrant), number or state.round, seen_by)
        if state.round
        else MapTurn(0, first, first)
    )
    deadline = state.rounds[-1].deadline if state.takes_orders else 0
    return CampaignMap(
        campaign=live.id,
        n=live.n,
        turn=turn.number,
        turns=table.turns,
        is_over=turn.is_over,
        deadline=text_of(deadline) if deadline else "",
        areas=tuple(_areas(state.settings, turn.after)),
        links=table.links,
        powers=tuple(_powers(state, turn.after)),
        forces=tuple(_forces(state.settings, turn.after)),
        seen=tuple(_seen(turn.after)),
        points=victory_points(turn.after),
        events=tuple(map_event(n, event) for n, event in turn.events if type(event) not in DISCLOSURES),
    )


def map_event(n: int, event: Event) -> MapEventView:
    """Something that happens in a turn."""
    return MapEventView(n, type_name(type(event)), event.RULE, msgspec.to_builtins(event))


def _areas(config: CampaignConfig, theatre: Theatre) -> Iterable[AreaView]:
    for row in config.map.area if config.map else ():
        area = theatre.areas[row.id]
        yield AreaView(
            area.id,
            row.name or area.id,
            area.ground,
            area.city,
            area.income,
            area.vp,
            area.supply,
            area.capital,
            area.owner,
            area.siege,
            row.x,
            row.y,
        )


def _powers(state: CampaignState, theatre: Theatre) -> Iterable[PowerView]:
    for row in state.settings.powers or ():
        held = state.entrants.get(row.id)
        name = held.name if held is not None and not held.left else ""
        is_ready = row.id in state.ordering.ready
        treasury = theatre.powers[row.id].treasury
        yield PowerView(row.id, row.name or row.id, row.alliance, treasury, name, is_ready)


def _forces(config: CampaignConfig, theatre: Theatre) -> Iterable[ForceView]:
    rows: dict[str, ForceRow] = {row.id: row for power in config.powers or () for row in power.forces}
    for force in theatre.standing():
        if not force.area or is_only_seen(force):
            continue
        yield ForceView(
            force.id,
            rows[force.id].name or force.id,
            force.power,
            force.area,
            force.weight,
            force.hungry,
            force.came,
            tuple(each.element.id for each in force.units),
            tuple(each.element.id for each in force.leaders),
        )


def _seen(theatre: Theatre) -> Iterable[SeenView]:
    for force in theatre.standing():
        if is_only_seen(force):
            yield SeenView(force.area, force.power, force.units[0].element.id)
