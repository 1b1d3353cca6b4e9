"""Where the beaten go (CAM-MAP-12)."""

from collections.abc import Mapping

from msgspec import Struct

from domain.campaign.theatre.carry import SIDES
from domain.campaign.theatre.events import EncounterMade, ForceLost, ForceRetreated
from domain.campaign.theatre.judge import TheatreJudge
from domain.campaign.theatre.roads import enemies_in, is_free, is_land, is_own, neighbours
from domain.campaign.theatre.state import ForceState, Theatre

SURROUNDED, EMPTY = "surrounded", "empty"


class Won(Struct, frozen=True):
    """How a battle of an area came out: its encounter, and the side that has won, "" for a draw."""

    made: EncounterMade
    winner: str


def retreats(judge: TheatreJudge, results: Mapping[str, Won]) -> None:
    """The beaten of all battles go back, area by area; forces without units are lost, those of the victors first.

    Rule:    CAM-MAP-12
    Shape:   `results` by area
    """
    for area in sorted(results):
        beaten = _beaten(results[area])
        for side in sorted(SIDES, key=lambda side: side in beaten):
            for name in sorted(results[area].made.forces[side]):
                if not judge.theatre.forces[name].units:
                    judge.emit(ForceLost(name, area, EMPTY))
                elif side in beaten:
                    retreat(judge, name)


def _beaten(won: Won) -> tuple[str, ...]:
    """The sides that go back: who has lost; of a draw the attacker, of a drawn meeting both."""
    if won.winner:
        return tuple(side for side in SIDES if side != won.winner)
    return (SIDES[1],) if won.made.attacker else SIDES


def retreat(judge: TheatreJudge, name: str) -> None:
    """A force goes back, or is lost where it has nowhere to go.

    Rule:    CAM-MAP-12
    """
    force = judge.theatre.forces[name]
    to = _refuge(judge.theatre, force)
    if not force.units:
        judge.emit(ForceLost(name, force.area, EMPTY))
    elif to:
        judge.emit(ForceRetreated(name, force.area, to))
    else:
        judge.emit(ForceLost(name, force.area, SURROUNDED))


def _refuge(theatre: Theatre, force: ForceState) -> str:
    """Where a force has come from, else the first free area by land through which no enemy came, those of its own
    alliance before others; "" for none."""
    alliance = theatre.alliance_of_force(force)
    if force.came and is_free(theatre, force.came, alliance):
        return force.came
    watched = {enemy.came for enemy in enemies_in(theatre, force.area, alliance)}
    ways = [
        name
        for name in neighbours(theatre, force.area)
        if name not in watched and is_land(theatre, force.area, name) and is_free(theatre, name, alliance)
    ]
    return min(ways, key=lambda name: (not is_own(theatre, theatre.areas[name], alliance), name), default="")
