"""Forces march, two steps in a turn, all at once (CAM-MAP-05, -06, -07)."""

from collections import Counter
from collections.abc import Mapping

from domain.campaign.theatre.events import ForceMoved, ForceStopped
from domain.campaign.theatre.judge import TheatreJudge
from domain.campaign.theatre.orders import TurnOrders
from domain.campaign.theatre.roads import enemies_in, is_closed
from domain.campaign.theatre.state import ForceState, Theatre

STEPS = (1, 2)
CONTACT, FORTRESS, MET = "contact", "fortress", "met"
Legs = Mapping[str, tuple[str, str]]
"""ForceState to where it comes from and where it goes, in a step."""


def march(judge: TheatreJudge, orders: TurnOrders) -> None:
    """Both steps of a turn.

    Rule:    CAM-MAP-05, CAM-MAP-06
    """
    paths = {force.id: orders.path(force.id) for force in judge.theatre.standing()}
    for step in STEPS:
        going = {name: path[step - 1] for name, path in paths.items() if len(path) >= step}
        if step > 1:
            for name, reason in [(name, _hindered(judge.theatre, name)) for name in going]:
                if reason:
                    judge.emit(ForceStopped(name, judge.theatre.forces[name].area, reason))
                    del going[name]
        legs = {name: (judge.theatre.forces[name].area, to) for name, to in going.items()}
        for name in _met(judge.theatre, legs):
            judge.emit(ForceStopped(name, legs[name][0], MET))
            paths[name] = ()
        for name, (at, to) in legs.items():
            if paths[name]:
                judge.emit(ForceMoved(name, at, to, step))


def _hindered(theatre: Theatre, name: str) -> str:
    """What stops a force where it has come to, "" for nothing."""
    force = theatre.forces[name]
    alliance = theatre.alliance_of_force(force)
    if enemies_in(theatre, force.area, alliance):
        return CONTACT
    return FORTRESS if is_closed(theatre, theatre.areas[force.area], alliance) else ""


def _met(theatre: Theatre, legs: Legs) -> list[str]:
    """The forces that stay where they were, because enemies who are no lighter come against them on their link.

    Rule:    CAM-MAP-07
    """
    weights = Counter[tuple[str, tuple[str, str]]]()
    for name, leg in legs.items():
        force = theatre.forces[name]
        weights[theatre.alliance_of_force(force), leg] += force.weight
    return [name for name, leg in legs.items() if _is_met(theatre, theatre.forces[name], leg, weights)]


def _is_met(
    theatre: Theatre, force: ForceState, leg: tuple[str, str], weights: Counter[tuple[str, tuple[str, str]]]
) -> bool:
    own, back = theatre.alliance_of_force(force), (leg[1], leg[0])
    against = [weight for (alliance, way), weight in weights.items() if way == back and alliance != own]
    return bool(against) and sum(against) >= weights[own, leg]
