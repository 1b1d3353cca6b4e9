"""Enemies in the same area: who slips away, who is overrun, and who fights whom with what (CAM-MAP-08 to -11)."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.campaign.theatre.carry import SIDES, RecoveryTable, recover
from domain.campaign.theatre.events import EncounterMade, ForceAvoided, ForceOverrun
from domain.campaign.theatre.judge import TheatreJudge
from domain.campaign.theatre.orders import TurnOrders
from domain.campaign.theatre.retreat import retreat
from domain.campaign.theatre.roads import forces_in, is_free, is_land
from domain.campaign.theatre.state import ForceState, Theatre
from domain.contract.campaign_book import WORN

FRIGHTENING = (3, 2)
"""How much heavier than the defenders an attacker must be before whom they slip away."""


class Encounter(Struct, frozen=True):
    """A battle that a turn has led to: its event, and who commands by side."""

    made: EncounterMade
    commanders: dict[str, str]


def encounters(judge: TheatreJudge, orders: TurnOrders, recovery: RecoveryTable) -> Iterator[Encounter]:
    """Settle all contacts, area by area; the battles that are left are to be fought.

    Rule:    CAM-MAP-08
    """
    for area in sorted(judge.theatre.areas):
        if _is_contact(judge.theatre, area):
            south, north, attacker = _sides(judge.theatre, area)
            _avoid(judge, orders, area, attacker)
            if _is_contact(judge.theatre, area) and not _overrun(judge, area, (south, north), recovery):
                yield _encounter(judge, area, (south, north), attacker)


def _is_contact(theatre: Theatre, area: str) -> bool:
    return len({theatre.alliance_of_force(force) for force in forces_in(theatre, area)}) > 1


def _sides(theatre: Theatre, area: str) -> tuple[str, str, str]:
    """South, north and the attacker, "" for a meeting.

    Rule:    CAM-MAP-09
    """
    here = [alliance for alliance in theatre.alliances if forces_in(theatre, area, alliance)]
    entered = [alliance for alliance in here if any(force.came for force in forces_in(theatre, area, alliance))]
    if len(entered) != 1:
        return here[0], here[1], ""
    defender = next(alliance for alliance in here if alliance != entered[0])
    return defender, entered[0], entered[0]


def weight(forces: Sequence[ForceState]) -> int:
    """The points of the units of some forces."""
    return sum(force.weight for force in forces)


def _avoid(judge: TheatreJudge, orders: TurnOrders, area: str, attacker: str) -> None:
    """Defenders who are told to slip away before those who are half as strong again.

    Rule:    CAM-MAP-10
    """
    if not attacker:
        return
    attackers = forces_in(judge.theatre, area, attacker)
    defenders = [force for force in forces_in(judge.theatre, area) if force not in attackers]
    more, than = FRIGHTENING
    if than * weight(attackers) < more * weight(defenders):
        return
    for force in defenders:
        to = orders.avoids(force.id)
        is_way = to and is_land(judge.theatre, area, to) and to not in {enemy.came for enemy in attackers}
        if is_way and is_free(judge.theatre, to, judge.theatre.alliance_of_force(force)):
            judge.emit(ForceAvoided(force.id, area, to))


def _overrun(judge: TheatreJudge, area: str, pair: tuple[str, str], recovery: RecoveryTable) -> bool:
    """Whether one side was so much heavier that the other is chased away.

    Rule:    CAM-MAP-10
    """
    lighter, heavier = sorted(pair, key=lambda alliance: weight(forces_in(judge.theatre, area, alliance)))
    chased = forces_in(judge.theatre, area, lighter)
    if judge.theatre.terms.overrun * weight(chased) > weight(forces_in(judge.theatre, area, heavier)):
        return False
    judge.emit(ForceOverrun(area, heavier, tuple(force.id for force in chased)))
    for force in chased:
        for each in force.units:
            recover(judge, force.id, each.element.id, WORN, recovery.worn.loser)
    for force in chased:
        retreat(judge, force.id)
    return True


def _encounter(judge: TheatreJudge, area: str, pair: tuple[str, str], attacker: str) -> Encounter:
    """The battle of an area (CAM-MAP-11)."""
    theatre = judge.theatre
    forces = {side: forces_in(theatre, area, alliance) for side, alliance in zip(SIDES, pair, strict=True)}
    size = theatre.terms.size
    units = {side: tuple(fielded(theatre, forces[side], size)) for side in SIDES}
    made = EncounterMade(
        area,
        attacker,
        *pair,
        {side: tuple(force.id for force in forces[side]) for side in SIDES},
        {side: tuple(f"{force}/{unit}" for force, unit in units[side]) for side in SIDES},
    )
    judge.emit(made)
    return Encounter(made, {side: commander(theatre, units[side]) for side in SIDES})


def fielded(
    theatre: Theatre, forces: Sequence[ForceState], size: int, but: frozenset[tuple[str, str]] = frozenset()
) -> Iterator[tuple[str, str]]:
    """The units of a side that fight, as (force, unit): forces by id, units in roster order, each that still fits into
    `size` points; those told to rest are left out unless all are, and those that are elsewhere.

    Rule:    CAM-MAP-11, CAM-LNK-05
    """
    free = [(force, each) for force in forces for each in force.units if (force.id, each.element.id) not in but]
    all_rest = all(each.element.id in force.rests for force, each in free)
    left = size
    for force, each in free:
        rests = each.element.id in force.rests and not all_rest
        if not rests and each.element.points <= left:
            left -= each.element.points
            yield force.id, each.element.id


def commander(theatre: Theatre, units: Sequence[tuple[str, str]]) -> str:
    """The power with most points on the field, of equals the first of the file."""
    points = Counter[str]()
    for name, unit in units:
        force = theatre.forces[name]
        points[force.power] += force.elements[unit].element.points
    return max(theatre.powers, key=lambda power: points[power])
