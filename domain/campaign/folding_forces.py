"""Fold the events of campaigns whose armies live on; what is about armies and maps alone folds by itself
(`domain.campaign.theatre.evolve`)."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.campaign.boards import Place
from domain.campaign.config import CampaignConfig
from domain.campaign.force_events import ForceJoined
from domain.campaign.map_config import areas_of, powers_of, terms_of
from domain.campaign.state import DEFAULT, BoardState, CampaignState
from domain.campaign.theatre.aftermath import victories_with
from domain.campaign.theatre.events import THEATRE_EVENTS, EncounterMade
from domain.campaign.theatre.evolve import evolve_theatre
from domain.campaign.theatre.state import Power, Theatre, force_of
from domain.events.battle import DieRolled
from domain.events.event import Event


def theatre_of(config: CampaignConfig) -> Theatre:
    """The theatre that a file describes, before any army is there."""
    if config.map is not None:
        return Theatre(powers_of(config.powers or ()), {}, areas_of(config.map), terms_of(config.map))
    return Theatre(powers={side.id: Power(side.id, side.id) for side in config.sides or ()})


def scenario_named(state: CampaignState, place: Place) -> str:
    """The packaged scenario that a node has for a board, "" for none."""
    node = state.rounds[place.round - 1].node
    battles = next((each.battles for each in state.settings.nodes or () if each.id == node), ())
    number = int(place.name.partition(".")[2])
    return battles[number - 1].scenario if number <= len(battles) else ""


def battles_of(state: CampaignState) -> list[tuple[str, EncounterMade, BoardState]]:
    """The areas of a turn in which there was a battle, with what met there and its board: boards are numbered in the
    order of areas."""
    made = state.theatre.encounters
    boards = (state.boards[f"{state.round}.{number}"] for number in range(1, len(made) + 1))
    return [(area, made[area], board) for area, board in zip(sorted(made), boards, strict=True)]


def with_victories(state: CampaignState) -> CampaignState:
    """The state with the victories of a turn that is over; where both have lost by default, nobody has won.

    Rule: CAM-MAP-17
    """
    theatre = state.theatre
    for _, made, board in battles_of(state) if theatre.areas else ():
        if board.status != DEFAULT or board.winner:
            winner = getattr(made, board.winner) if board.winner else ""
            theatre = replace(theatre, victories=victories_with(theatre, (made.south, made.north), winner))
    return replace(state, theatre=theatre)


def on_force_joined(state: CampaignState, event: ForceJoined) -> CampaignState:
    force = force_of(event.force, event.power, event.area, event.army, event.elements)
    return replace(state, theatre=state.theatre.with_force(force))


def on_theatre(state: CampaignState, event: Event) -> CampaignState:
    return replace(state, theatre=evolve_theatre(state.theatre, event))


FORCE_EVOLUTIONS: Mapping[type[Event], Callable[[CampaignState, Any], CampaignState]] = {
    ForceJoined: on_force_joined,
    **dict.fromkeys((*THEATRE_EVENTS, DieRolled), on_theatre),
}
