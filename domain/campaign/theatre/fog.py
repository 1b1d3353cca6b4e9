"""The map under fog: what of a turn is told to whom, what an alliance sees, and the map as it knows it (CAM-FOG).

Events about single forces (`VEILED`) do not stand in the log; those of each alliance are gathered in one event, and
`unveiled` makes them again for whoever has its content.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from domain.campaign.theatre.events import (
    ForceAvoided,
    ForceHungry,
    ForceLost,
    ForceMoved,
    ForceOverrun,
    ForceRetreated,
    ForceStopped,
    IncomeTaken,
    RecruitFailed,
    UnitDismissed,
    UnitLost,
    UnitRaised,
)
from domain.campaign.theatre.fog_events import (
    AreasSeen,
    Bands,
    FailedRow,
    HungryRow,
    MoveMade,
    MovesMade,
    PowerPurse,
    RaisedRow,
    TreasuryChanged,
    UnitLostRow,
)
from domain.campaign.theatre.roads import forces_in, is_own, neighbours
from domain.campaign.theatre.state import ElementState, ForceState, Theatre, gone
from domain.contract.campaign_book import UNIT, Element
from domain.events.event import Event

MOVEMENTS = (ForceMoved, ForceStopped, ForceAvoided, ForceOverrun, ForceRetreated, ForceLost)
VEILED = (*MOVEMENTS, ForceHungry, IncomeTaken, UnitRaised, RecruitFailed, UnitLost, UnitDismissed)
"""Events that are not in the log of a campaign with fog. Battles and all about cities stand in it (CAM-FOG-03)."""
MOVED, STOPPED, AVOIDED, RETREATED, OVERRUN, LOST = "moved", "stopped", "avoided", "retreated", "overrun", "lost"
DISMISSED = "dismissed"
FEW, SOME, MANY, HOST = "few", "some", "many", "host"
WEIGHTS: Mapping[str, tuple[int, int]] = {FEW: (1, 6), SOME: (2, 3), MANY: (3, 2), HOST: (5, 2)}
"""What a band is reckoned as, where it is only seen: this part of the size of a battle."""
SEEN = "@"
"""Stands in the id of what is only seen, between power and area: no force is called so."""


# --- sight


def band(weight: int, size: int) -> str:
    """How much stands somewhere, as it is seen from a distance.

    Rule:    CAM-FOG-02
    """
    if 3 * weight < size:
        return FEW
    return SOME if weight < size else MANY if weight < 2 * size else HOST


def sight(theatre: Theatre, alliance: str) -> Bands:
    """What an alliance sees: where it has a force or a city, and one link around.

    Rule:    CAM-FOG-02
    """
    there = {force.area for force in theatre.standing() if theatre.alliance_of_force(force) == alliance}
    there |= {area.id for area in theatre.areas.values() if area.city and is_own(theatre, area, alliance)}
    seen = sorted(there.union(*(neighbours(theatre, area) for area in there)))
    return {area: _bands(theatre, area) for area in seen}


def _bands(theatre: Theatre, area: str) -> dict[str, str]:
    weights = Counter[str]()
    for force in forces_in(theatre, area):
        weights[force.power] += force.weight
    return {power: band(weights[power], theatre.terms.size) for power in theatre.powers if power in weights}


# --- what an alliance is told of a turn


def moves_of(theatre: Theatre, turn: int, alliance: str, events: Iterable[Event]) -> MovesMade:
    """The movements of an alliance's forces, and whom it has overrun.

    Rule:    CAM-FOG-01
    """
    rows = (row for event in events for row in _moves(event))
    own = (row for row in rows if alliance in (_alliance(theatre, row.force), row.do == OVERRUN and row.reason))
    return MovesMade(alliance=alliance, turn=turn, moves=tuple(own))


def _moves(event: Event) -> Iterator[MoveMade]:
    match event:
        case ForceMoved():
            yield MoveMade(force=event.force, do=MOVED, from_=event.from_, to=event.to, step=event.step)
        case ForceStopped():
            yield MoveMade(force=event.force, do=STOPPED, from_=event.at, reason=event.reason)
        case ForceAvoided():
            yield MoveMade(force=event.force, do=AVOIDED, from_=event.from_, to=event.to)
        case ForceRetreated():
            yield MoveMade(force=event.force, do=RETREATED, from_=event.from_, to=event.to)
        case ForceLost():
            yield MoveMade(force=event.force, do=LOST, from_=event.at, reason=event.reason)
        case ForceOverrun():
            for force in event.forces:
                yield MoveMade(force=force, do=OVERRUN, from_=event.area, reason=event.alliance)


def treasury_of(
    theatre: Theatre, turn: int, alliance: str, events: Sequence[Event], dismissed: Iterable[tuple[str, str]]
) -> TreasuryChanged:
    """Income, recruits, hunger and losses without a battle, of an alliance.

    Rule:    CAM-FOG-01
    Shape:   `dismissed` are units by force
    """
    own = [event for event in events if _whose(theatre, event) == alliance]
    raised = [event for event in own if isinstance(event, UnitRaised)]
    incomes = {event.power: event.points for event in own if isinstance(event, IncomeTaken)}
    spent = Counter[str]()
    for event in raised:
        spent[theatre.forces[event.force].power] += event.points
    lost = [UnitLostRow(force, unit, DISMISSED) for force, unit in dismissed if _alliance(theatre, force) == alliance]
    lost += [UnitLostRow(event.force, event.unit, event.cause) for event in own if isinstance(event, UnitLost)]
    return TreasuryChanged(
        alliance=alliance,
        turn=turn,
        powers={
            power.id: PowerPurse(incomes.get(power.id, 0), spent[power.id], power.treasury)
            for power in theatre.powers.values()
            if power.alliance == alliance
        },
        raised=tuple(RaisedRow(one.force, one.group, one.unit, one.troop, one.quality, one.points) for one in raised),
        failed=tuple(FailedRow(one.force, one.unit, one.reason) for one in own if isinstance(one, RecruitFailed)),
        hungry=tuple(HungryRow(one.force, one.turns) for one in own if isinstance(one, ForceHungry)),
        unit_lost=tuple(lost),
    )


def _alliance(theatre: Theatre, force: str) -> str:
    return theatre.alliance_of_force(theatre.forces[force])


def _whose(theatre: Theatre, event: Event) -> str:
    """The alliance of what befalls a power or force, "" for other events."""
    if isinstance(event, IncomeTaken):
        return theatre.alliance_of(event.power)
    force: str = getattr(event, "force", "")
    return _alliance(theatre, force) if force else ""


# --- and what it makes of it again


def unveiled(theatre: Theatre, event: Event) -> Iterator[Event]:
    """The events about single forces that an event of fog stands for, in their order; none as long as it is sealed."""
    if isinstance(event, MovesMade):
        yield from _movements(theatre, event)
    elif isinstance(event, TreasuryChanged):
        yield from _economy(theatre, event)


def _movements(theatre: Theatre, event: MovesMade) -> Iterator[Event]:
    chased = dict[str, list[MoveMade]]()
    for row in event.moves or ():
        if row.do == OVERRUN:
            chased.setdefault(row.from_, []).append(row)
    for row in event.moves or ():
        if row.do != OVERRUN:
            yield _movement(row)
        elif row is chased[row.from_][0]:
            forces = tuple(one.force for one in chased[row.from_])
            yield ForceOverrun(row.from_, row.reason or "", forces)


def _movement(row: MoveMade) -> Event:
    to, reason = row.to or "", row.reason or ""
    match row.do:
        case "moved":
            return ForceMoved(row.force, row.from_, to, row.step if isinstance(row.step, int) else 0)
        case "stopped":
            return ForceStopped(row.force, row.from_, reason)
        case "avoided":
            return ForceAvoided(row.force, row.from_, to)
        case "retreated":
            return ForceRetreated(row.force, row.from_, to)
    return ForceLost(row.force, row.from_, reason)


def _economy(theatre: Theatre, event: TreasuryChanged) -> Iterator[Event]:
    """Dismissed, lost in a storm, hungry, lost by hunger, income, raised, failed."""
    lost = event.unit_lost or ()
    yield from (UnitDismissed(row.force, row.unit) for row in lost if row.cause == DISMISSED)
    yield from (UnitLost(row.force, row.unit, row.cause) for row in lost if row.cause == "storm")
    yield from (ForceHungry(row.force, row.turns) for row in event.hungry or ())
    yield from (UnitLost(row.force, row.unit, row.cause) for row in lost if row.cause == "hunger")
    left = dict[str, int]()
    for power, purse in (event.powers or {}).items():
        left[power] = purse.treasury + purse.spent
        yield IncomeTaken(power, purse.income, left[power])
    for row in event.raised or ():
        power = theatre.forces[row.force].power
        left[power] -= row.points
        yield UnitRaised(row.force, row.group, row.unit, row.troop, row.quality, row.points, left[power])
    yield from (RecruitFailed(row.force, row.unit, row.reason) for row in event.failed or ())


# --- the map as an alliance knows it


def without_dismissed(theatre: Theatre, dismissed: Iterable[tuple[str, str]]) -> Theatre:
    """The theatre when units have been sent home (CAM-ORD-02)."""
    for name, unit in dismissed:
        force = theatre.forces[name]
        theatre = theatre.with_force(force.with_element(gone(force.elements[unit])))
    return theatre


def known_theatre(theatre: Theatre, alliance: str) -> Theatre:
    """The theatre as the powers of an alliance know it, "" for everybody else: their own forces and treasuries; of
    others what they have seen, as one force for each power and area. That other forces have been there once is in the
    file of the campaign: they stand nowhere, with nothing.

    Rule:    CAM-FOG-01, CAM-FOG-02, CAM-FOG-04
    """
    own = {power for power in theatre.powers if theatre.powers[power].alliance == alliance}
    forces = {name: force if force.power in own else _unseen(force) for name, force in theatre.forces.items()}
    held = {force.area for force in forces.values() if force.power in own and not force.is_lost}
    for area, bands in (theatre.seen.get(alliance) or first_sight(theatre, alliance)).items():
        for power, seen in bands.items():
            if power not in own and area not in held:  # where an own force stands all contact is settled
                forces[f"{power}{SEEN}{area}"] = _seen(theatre, power, area, seen)
    powers = {name: power if name in own else replace(power, treasury=0) for name, power in theatre.powers.items()}
    seen_areas = {alliance: theatre.seen[alliance]} if alliance in theatre.seen else {}
    unfed = frozenset(name for name in theatre.unfed if forces[name].power in own)
    return replace(theatre, powers=powers, forces=forces, unfed=unfed, seen=seen_areas)


def first_sight(theatre: Theatre, alliance: str) -> Bands:
    """What is seen before anybody has marched, when all know from the file where forces stand."""
    return sight(theatre, alliance) if alliance and not theatre.seen else {}


def is_only_seen(force: ForceState) -> bool:
    """Whether a force is none that its power has, but what others see of it."""
    return SEEN in force.id


def _unseen(force: ForceState) -> ForceState:
    return ForceState(force.id, force.power, "", force.army, {})


def _seen(theatre: Theatre, power: str, area: str, seen: str) -> ForceState:
    part, of = WEIGHTS[seen]
    unit = Element(seen, UNIT, "", "", "", max(1, theatre.terms.size * part // of))
    return ForceState(f"{power}{SEEN}{area}", power, area, {}, {seen: ElementState(unit)})


def with_sight(theatre: Theatre, event: AreasSeen) -> Theatre:
    """The theatre in which an alliance has seen something, as far as that is known."""
    if not isinstance(event.areas, dict):
        return theatre
    return replace(theatre, seen={**theatre.seen, event.alliance: event.areas})
