"""The course of a war, event by event, as the report tells it; what is told with a battle is left out here."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET

from domain.campaign.theatre import events as theatre
from domain.campaign.theatre.map_scene import shown_name
from domain.events.event import Event
from replay.reports.campaign.parts import ReportTeller
from replay.telling.service import ServiceTeller

Words = dict[str, Any]
Sayer = Callable[[ReportTeller, ServiceTeller, Any], Words]
"""What an event says, for the sentence of its type."""


def told_event(report: ReportTeller, service: ServiceTeller, event: Event) -> str:
    """The sentence of an event; "" for one that is not told, or is sealed."""
    told = _TOLD.get(type(event))
    if told is None or any(
        getattr(event, name) is UNSET for name in ("force", "area", "power") if hasattr(event, name)
    ):
        return ""
    return report.say(f"event.{type(event).__name__}", **told(report, service, event))


def _force(report: ReportTeller, service: ServiceTeller, name: str) -> Words:
    return {"force": name, "name": service.power(service.powers.get(name, name))}


def _between(report: ReportTeller, service: ServiceTeller, event: Any) -> Words:
    return {**_force(report, service, event.force), "of": shown_name(event.from_), "to": shown_name(event.to)}


def _raised(report: ReportTeller, service: ServiceTeller, event: theatre.UnitRaised) -> Words:
    what = service.part("unit", id=event.unit, troop=service.troop(event.troop), quality="", extra="")
    return {**_force(report, service, event.force), "unit": what, "points": event.points}


def _stopped(report: ReportTeller, service: ServiceTeller, event: theatre.ForceStopped) -> Words:
    return {**_force(report, service, event.force), "at": shown_name(event.at), "reason": event.reason}


def _unit(report: ReportTeller, service: ServiceTeller, event: Any) -> Words:
    return {**_force(report, service, event.force), "unit": event.unit, "cause": getattr(event, "cause", "")}


def _ransomed(report: ReportTeller, service: ServiceTeller, event: theatre.LeaderRansomed) -> Words:
    return {**_force(report, service, event.force), "leader": event.leader, "points": event.points}


def _node(report: ReportTeller, service: ServiceTeller, event: theatre.NodeChosen) -> Words:
    return {"winner": service.power(event.winner) if event.winner else ""}


def _overrun(report: ReportTeller, service: ServiceTeller, event: theatre.ForceOverrun) -> Words:
    return {"area": shown_name(event.area), "alliance": event.alliance, "forces": service.join(list(event.forces))}


def _lost(report: ReportTeller, service: ServiceTeller, event: theatre.ForceLost) -> Words:
    return {**_force(report, service, event.force), "at": shown_name(event.at), "reason": event.reason}


def _taken(report: ReportTeller, service: ServiceTeller, event: Any) -> Words:
    was = service.power(event.from_) if event.from_ else ""
    return {"area": shown_name(event.area), "name": service.power(event.power), "was": was}


def _siege(report: ReportTeller, service: ServiceTeller, event: theatre.SiegeRolled) -> Words:
    told = {"turns": event.turns, "die": event.die, "total": event.total, "needed": event.needed}
    return {**told, "area": shown_name(event.area), "storm": "s" if event.storm else ""}


def _area(report: ReportTeller, service: ServiceTeller, event: theatre.SiegeRaised) -> Words:
    return {"area": shown_name(event.area)}


def _hungry(report: ReportTeller, service: ServiceTeller, event: theatre.ForceHungry) -> Words:
    return {**_force(report, service, event.force), "turns": event.turns}


_TOLD: Mapping[type[Event], Sayer] = {
    theatre.UnitRaised: _raised,
    theatre.UnitDismissed: _unit,
    theatre.UnitLost: _unit,
    theatre.LeaderRansomed: _ransomed,
    theatre.NodeChosen: _node,
    theatre.ForceMoved: _between,
    theatre.ForceStopped: _stopped,
    theatre.ForceAvoided: _between,
    theatre.ForceOverrun: _overrun,
    theatre.ForceRetreated: _between,
    theatre.ForceLost: _lost,
    theatre.AreaTaken: _taken,
    theatre.CityFell: _taken,
    theatre.SiegeRolled: _siege,
    theatre.SiegeRaised: _area,
    theatre.ForceHungry: _hungry,
}
