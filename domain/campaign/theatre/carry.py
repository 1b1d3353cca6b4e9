"""What a battle leaves of the forces that fought it (CAM-CAR)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct

from domain.basics.seats import SOUTH_AND_NORTH
from domain.campaign.theatre.events import ElementFared, ElementPromoted, HonourWon, LeaderReplaced
from domain.campaign.theatre.judge import TheatreJudge
from domain.campaign.theatre.state import ElementState, ForceState
from domain.contract.campaign_book import (
    CAPTURED,
    DEAD,
    FIT,
    GONE,
    HURT,
    LEADER,
    LOST,
    RESTING,
    UNIT,
    WELL,
    WHOLE,
    WORN,
)

SIDES = SOUTH_AND_NORTH.names
ALWAYS, NEVER = 1, 7
"""The numbers that need no die: every unit comes back, or none (CAM-CAR-02)."""
RECOVER, CAPTURE = "recover", "capture"
"""What a die is thrown for."""
Needed = Annotated[int, Meta(ge=ALWAYS, le=NEVER)]
Fared = Literal["winner", "draw", "loser"]
Key = tuple[str, str]
"""ForceState and element."""


class Recovery(Struct, frozen=True, forbid_unknown_fields=True):
    """The die that brings a unit back, by how its side fared: 1 always, 7 never."""

    winner: Needed
    draw: Needed
    loser: Needed

    def needed(self, fared: Fared) -> int:
        """The number to reach."""
        return int(getattr(self, fared))


class RecoveryTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Recovery of lost and of worn units."""

    lost: Recovery = Recovery(3, 4, 5)
    worn: Recovery = Recovery(1, 1, 2)


class CarryTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """What a campaign's file says of losses and honours: the highest die that captures a leader (0: none is), and the
    honours that lift a unit a step."""

    recover: RecoveryTable = RecoveryTable()
    capture: Annotated[int, Meta(ge=0, le=6)] = 1
    per_step: Annotated[int, Meta(ge=1, le=100)] = 2


class HonourEarned(Struct, frozen=True):
    """A deed that is remembered, completed by event `n`."""

    force: str
    element: str
    honour: str
    n: int


class Fought(Struct, frozen=True):
    """An ended battle as a campaign reads it.

    Shape: `winner` a side, "" drawn; `forces` of south and of north; `fielded` their elements that fought, `fates` of
           those that are not whole or well; `captors` the power that takes the captives of the other side
    """

    battle: str
    winner: str
    how: str
    forces: Mapping[str, Sequence[str]]
    fielded: frozenset[Key]
    fates: Mapping[Key, str]
    deeds: Sequence[HonourEarned] = ()
    captors: Mapping[str, str] = {}

    def fared(self, side: str) -> Fared:
        """How a side came out of it."""
        return "draw" if not self.winner else "winner" if side == self.winner else "loser"


def carry(judge: TheatreJudge, fought: Fought, terms: CarryTerms) -> None:
    """Write down what a battle leaves: south's forces, then north's, each by its id.

    Rule:    CAM-CAR-01
    """
    for side in SIDES:
        for name in sorted(fought.forces[side]):
            _units(judge, fought, name, terms.recover, fought.fared(side))
            is_broken = fought.fared(side) == "loser" and fought.how in judge.book.broken
            _leaders(judge, fought, name, terms.capture if is_broken else 0, side)
            _honours(judge, fought, name)
            _promotions(judge, fought, name, terms.per_step)


def _fielded(judge: TheatreJudge, fought: Fought, name: str, kind: str) -> Iterator[tuple[ElementState, str]]:
    """The units or leaders of a force that fought, as they were before, with their fates."""
    usual = WHOLE if kind == UNIT else WELL
    for each in tuple(judge.theatre.forces[name].here(kind)):
        key = (name, each.element.id)
        if key in fought.fielded:
            yield each, fought.fates.get(key, usual)


def _units(judge: TheatreJudge, fought: Fought, name: str, table: RecoveryTable, fared: Fared) -> None:
    """Units come back, or are gone (CAM-CAR-02)."""
    for each, fate in _fielded(judge, fought, name, UNIT):
        if fate in (LOST, WORN):
            recover(judge, name, each.element.id, fate, getattr(table, fate).needed(fared))


def recover(judge: TheatreJudge, force: str, unit: str, fate: str, needed: int) -> None:
    """Whether a unit comes back, by its die if one decides it.

    Rule:    CAM-CAR-02
    """
    if needed in (ALWAYS, NEVER):
        judge.emit(ElementFared(force=force, element=unit, fate=fate, now=FIT if needed == ALWAYS else GONE))
        return
    die = judge.roll(judge.theatre.forces[force].power, RECOVER, unit)
    now = FIT if die >= needed else GONE
    judge.emit(ElementFared(force=force, element=unit, fate=fate, needed=needed, die=die, now=now))


def _leaders(judge: TheatreJudge, fought: Fought, name: str, capture: int, side: str) -> None:
    """Leaders die, rest from a wound, are fit again, or fall into the hands of the victor (CAM-CAR-04, -05)."""
    for each, fate in _fielded(judge, fought, name, LEADER):
        leader = each.element.id
        if fate == DEAD:
            judge.emit(ElementFared(force=name, element=leader, fate=fate, now=GONE))
            _replace(judge, name, leader, DEAD)
            continue
        die = judge.roll(judge.theatre.forces[name].power, CAPTURE, leader) if capture else 0
        if die and die <= capture:
            to = fought.captors.get(side, UNSET)
            judge.emit(
                ElementFared(force=name, element=leader, fate=fate, needed=capture + 1, die=die, now=CAPTURED, to=to)
            )
            _replace(judge, name, leader, CAPTURED)
        elif fate == HURT:
            judge.emit(ElementFared(force=name, element=leader, fate=fate, now=RESTING))
        elif each.now == RESTING:
            judge.emit(ElementFared(force=name, element=leader, fate=fate, now=FIT))


def _replace(judge: TheatreJudge, name: str, leader: str, reason: str) -> None:
    """Name a stand-in (CAM-CAR-05)."""
    force = judge.theatre.forces[name]
    was = force.elements[leader]
    by = _next_name(force, was)
    element = judge.book.stand_in(force.army, was.element, by, _unit_for(force, was))
    judge.emit(
        LeaderReplaced(
            force=name, leader=leader, by=by, reason=reason, attached=element.attached, points=element.points
        )
    )


def _next_name(force: ForceState, leader: ElementState) -> str:
    """The first name that is free: `G1-2` after `G1`, `G1-3` after `G1-2`."""
    while leader.stands_for:
        leader = force.elements[leader.stands_for]
    return next(name for at in count(2) if (name := f"{leader.element.id}-{at}") not in force.elements)


def _unit_for(force: ForceState, leader: ElementState) -> str:
    """The unit of a stand-in: that of the leader, else the first of the group that is here; "" for none."""
    wanted = leader.element.attached
    if not wanted:
        return ""
    units = [each.element for each in force.units]
    if any(unit.id == wanted for unit in units):
        return wanted
    return next((unit.id for unit in units if unit.group == leader.element.group), "")


def _honours(judge: TheatreJudge, fought: Fought, name: str) -> None:
    """Honours, also of the dead: the ledger remembers them (CAM-CAR-06)."""
    for deed in sorted((deed for deed in fought.deeds if deed.force == name), key=lambda deed: deed.n):
        total = judge.theatre.forces[name].elements[deed.element].honours + 1
        judge.emit(HonourWon(name, deed.element, deed.honour, fought.battle, deed.n, total))


def _promotions(judge: TheatreJudge, fought: Fought, name: str, per_step: int) -> None:
    """Units that have earned it rise, a step in a battle at most (CAM-CAR-07)."""
    force = judge.theatre.forces[name]
    for each in force.units:
        unit = each.element
        if (name, unit.id) not in fought.fielded or each.now != FIT or each.honours // per_step <= each.steps:
            continue
        better = judge.book.promoted(force.army, unit)
        if better is not None:
            judge.emit(ElementPromoted(name, unit.id, unit.label, better.label, better.points))
