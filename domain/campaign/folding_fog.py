"""Fold what happens under fog: each event counts as those that it stands for, as far as its content is known, and is
sealed until the campaign ends (CAM-FOG-01)."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.campaign.state import CampaignState
from domain.campaign.theatre.events import ElementFared
from domain.campaign.theatre.evolve import evolve_theatre
from domain.campaign.theatre.fog import unveiled, with_sight
from domain.campaign.theatre.fog_events import FOG_EVENTS, AreasSeen
from domain.events.event import Event


def on_fog(state: CampaignState, event: Event) -> CampaignState:
    theatre = state.theatre
    for each in unveiled(theatre, event):
        theatre = evolve_theatre(theatre, each)
    if isinstance(event, AreasSeen):
        theatre = with_sight(theatre, event)
    return sealing(replace(state, theatre=theatre))


def on_fared(state: CampaignState, event: ElementFared) -> CampaignState:
    state = replace(state, theatre=evolve_theatre(state.theatre, event))
    return sealing(state) if state.is_foggy else state


def sealing(state: CampaignState) -> CampaignState:
    """The state with its next event sealed."""
    return replace(state, sealed=(*state.sealed, state.n + 1))


FOG_EVOLUTIONS: Mapping[type[Event], Callable[[CampaignState, Any], CampaignState]] = {
    ElementFared: on_fared,
    **dict.fromkeys(FOG_EVENTS, on_fog),
}
