"""Campaigns whose armies live on, as the API tells them: the tree of a linked one, and the forces as they are now."""

from collections.abc import Iterator

from aiohttp import web
from msgspec import Struct

from domain.campaign.forces.nodes import side_points
from domain.campaign.state import CampaignState
from domain.campaign.theatre.state import ForceState
from server.shown.linked import ElementShown, NodeShown, element_shown, nodes_shown
from server.web.api.campaigns import readable
from server.web.api.exchange import answer
from server.web.api.map_pictures import entrant_of


class TreeSideView(Struct, frozen=True):
    """A side of a linked campaign. `held_by` is who leads it, "" for nobody; `ready` says that it has closed its part
    of the orders, `treasury` what it may spend, `vp` its victory points of all nodes that are over."""

    id: str
    name: str
    held_by: str
    ready: bool
    treasury: int
    vp: int


class CampaignTree(Struct, frozen=True):
    """The tree of a linked campaign after event `n`, in the order of its file, and how its two sides stand. `node` is
    the one that is fought. Of another campaign all of it is empty."""

    campaign: str
    n: int
    round: int
    node: str
    sides: tuple[TreeSideView, ...]
    nodes: tuple[NodeShown, ...]


class ForceNowView(Struct, frozen=True):
    """A force as everybody may know it: `area` is "" without a map and once it is lost, `weight` are the points of its
    units, `hungry` the turns in a row without supply, `treasury` what its power may spend."""

    id: str
    power: str
    army: str
    area: str
    is_lost: bool
    weight: int
    hungry: int
    treasury: int
    elements: tuple[ElementShown, ...]


class CampaignForces(Struct, frozen=True):
    """The forces of a campaign after event `n`, by id; of one in which none live on there are none. Under fog they
    are those of your alliance, until it is over."""

    campaign: str
    n: int
    round: int
    forces: tuple[ForceNowView, ...]


async def show_tree(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/tree"""
    live = await readable(request)
    state = live.state
    node = state.rounds[-1].node if state.rounds and not state.is_over else ""
    return answer(CampaignTree(live.id, live.n, state.round, node, tuple(_sides(state)), nodes_shown(state)))


def _sides(state: CampaignState) -> Iterator[TreeSideView]:
    points = side_points(state)
    for side in state.settings.sides or ():
        held = state.entrants.get(side.id)
        yield TreeSideView(
            side.id,
            side.name or side.id,
            held.name if held is not None and not held.left else "",
            side.id in state.ordering.ready,
            state.theatre.powers[side.id].treasury,
            points[side.id],
        )


async def show_forces(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/forces"""
    live = await readable(request)
    state = live.state
    seen = tuple(_force(state, force) for force in _seen(state, entrant_of(request, live)))
    return answer(CampaignForces(live.id, live.n, state.round, seen))


def _seen(state: CampaignState, entrant: str) -> Iterator[ForceState]:
    """The forces that an entrant may see, "" for anybody else (CAM-FOG-01)."""
    theatre, table = state.theatre, state.settings.map
    is_veiled = table is not None and table.fog and not state.is_over
    own = theatre.alliance_of(entrant) if entrant in theatre.powers else ""
    for _, force in sorted(theatre.forces.items()):
        if not is_veiled or theatre.alliance_of_force(force) == own:
            yield force


def _force(state: CampaignState, force: ForceState) -> ForceNowView:
    return ForceNowView(
        force.id,
        force.power,
        str(force.army.get("name", "")),
        force.area,
        force.is_lost,
        force.weight,
        force.hungry,
        state.theatre.powers[force.power].treasury,
        tuple(element_shown(force, each) for each in force.elements.values()),
    )
