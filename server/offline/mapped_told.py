"""A map campaign of bots as a newcomer reads it: turn by turn, with marches, battles and losses."""

from collections import Counter
from collections.abc import Iterator

from domain.campaign.events import RoundBegan
from domain.campaign.forces.marches import area_name
from domain.campaign.state import CampaignState
from domain.campaign.theatre.aftermath import victory_points
from domain.campaign.theatre.events import (
    AreaTaken,
    CityFell,
    ElementFared,
    ForceAvoided,
    ForceLost,
    ForceMoved,
    ForceOverrun,
    ForceRetreated,
    HonourWon,
    UnitRaised,
)
from domain.contract.campaign_book import GONE
from domain.events.event import Event
from server.offline.mapped import OfflineMap


def watch_map(played: OfflineMap) -> Iterator[str]:
    """A campaign as it is fought, as blocks of text."""
    yield f"{played.config.title}: {played.ruleset.title}."
    yield from (f"  {line}" for line in _forces(played))
    told = 0
    while not played.state.is_over:
        if played.state.round > told:
            told = played.state.round
            yield f"\nTurn {told} of {played.state.theatre.terms.turns}"
        seen = len(played.events)
        played.order()
        yield from _told(played, seen)
        for board in played.running():
            seen = len(played.events)
            fought = played.fight(board)
            south, north = (played.state.entrants[name].name for name in board.place.pair)
            kept = " : ".join(map(str, fought.board.kept))
            yield f"  Battle {board.place.name}, {board.title}: {south} – {north}, kept {kept}. {fought.story}"
            yield from _told(played, seen)
    yield from _end(played)


def _forces(played: OfflineMap) -> Iterator[str]:
    state = played.state
    for force in state.theatre.standing():
        whose, where = state.entrants[force.power].name, area_name(state, force.area)
        yield f"{force.id} of {whose} at {where}: {len(force.units)} units, {force.weight} points"


def _told(played: OfflineMap, since: int) -> Iterator[str]:
    """What has happened since an event, in lines; losses and recruits are summed up."""
    lost, raised, honoured = Counter[str](), Counter[str](), Counter[str]()
    for event in played.events[since:]:
        line = _line(played.state, event)
        if line:
            yield f"  {line}"
        if isinstance(event, ElementFared) and event.now == GONE:
            lost[event.force] += 1
        elif isinstance(event, UnitRaised):
            raised[event.force] += 1
        elif isinstance(event, HonourWon):
            honoured[event.force] += 1
        elif isinstance(event, RoundBegan):
            break
    for what, counts in (("loses for good", lost), ("wins honours", honoured), ("recruits", raised)):
        if counts:
            yield f"  {', '.join(f'{force} {what}: {count}' for force, count in sorted(counts.items()))}"


def _line(state: CampaignState, event: Event) -> str:
    """An event of the map in a line, "" for what is not told."""

    def at(area: str) -> str:
        return area_name(state, area)

    match event:
        case ForceMoved(force=force, from_=start, to=to):
            return f"{force} marches from {at(start)} to {at(to)}"
        case ForceAvoided(force=force, from_=start, to=to):
            return f"{force} slips away from {at(start)} to {at(to)}"
        case ForceOverrun(area=area, forces=forces):
            return f"{', '.join(forces)} are overrun at {at(area)}"
        case ForceRetreated(force=force, to=to):
            return f"{force} goes back to {at(to)}"
        case ForceLost(force=force, at=area, reason=reason):
            return f"{force} is no more ({reason}) at {at(area)}"
        case AreaTaken(area=area, power=power):
            return f"{state.entrants[power].name} takes {at(area)}"
        case CityFell(area=area, power=power):
            return f"{at(area)} falls to {state.entrants[power].name}"
    return ""


def _end(played: OfflineMap) -> Iterator[str]:
    state = played.state
    points = ", ".join(f"{name} {count}" for name, count in victory_points(state.theatre).items())
    yield f"\nVictory points: {points}."
    winners = ", ".join(state.entrants[name].name for name in state.winners or ())
    yield f"The campaign is won by {winners or 'nobody'}."
