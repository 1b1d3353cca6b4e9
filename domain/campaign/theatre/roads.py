"""Where forces may go on a map, and what is besieged there (CAM-MAP-02, -03): questions to a theatre as it stands."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from domain.campaign.theatre.state import LAND, Area, ForceState, Link, Theatre


@lru_cache(maxsize=64)
def _kinds(links: tuple[Link, ...]) -> Mapping[str, Mapping[str, str]]:
    """The kind of each link by its two ends."""
    found: dict[str, dict[str, str]] = {}
    for one, other, kind in links:
        found.setdefault(one, {})[other] = kind
        found.setdefault(other, {})[one] = kind
    return found


def link(theatre: Theatre, one: str, other: str) -> str:
    """The kind of the link between two areas, "" if there is none."""
    return _kinds(theatre.terms.links).get(one, {}).get(other, "")


def neighbours(theatre: Theatre, area: str) -> tuple[str, ...]:
    """The areas to which there is a link of any kind, by id."""
    return tuple(sorted(_kinds(theatre.terms.links).get(area, {})))


def is_land(theatre: Theatre, one: str, other: str) -> bool:
    """Whether there is a road or a track between two areas."""
    return link(theatre, one, other) in LAND


def forces_in(theatre: Theatre, area: str, alliance: str = "") -> tuple[ForceState, ...]:
    """The forces in an area by id, all of them or those of an alliance."""
    here = (force for force in theatre.standing() if force.area == area)
    return tuple(force for force in here if alliance in ("", theatre.alliance_of_force(force)))


def enemies_in(theatre: Theatre, area: str, alliance: str) -> tuple[ForceState, ...]:
    """The forces in an area that are of another alliance."""
    return tuple(force for force in forces_in(theatre, area) if theatre.alliance_of_force(force) != alliance)


def is_own(theatre: Theatre, area: Area, alliance: str) -> bool:
    """Whether an area belongs to a power of an alliance."""
    return bool(area.owner) and theatre.alliance_of(area.owner) == alliance


def is_closed(theatre: Theatre, area: Area, alliance: str) -> bool:
    """Whether an area has a city that an alliance does not own."""
    return area.city > 0 and not is_own(theatre, area, alliance)


def is_free(theatre: Theatre, name: str, alliance: str) -> bool:
    """Whether no enemy force and no closed city is in an area."""
    return not is_closed(theatre, theatre.areas[name], alliance) and not enemies_in(theatre, name, alliance)


def is_besieged(theatre: Theatre, area: Area) -> bool:
    """Whether an enemy of its owner stands before a city; a neutral one has none but enemies."""
    return area.city > 0 and bool(enemies_in(theatre, area.id, theatre.alliance_of(area.owner)))


def is_supplied(theatre: Theatre, force: ForceState) -> bool:
    """Whether a force has a way to an area of supply.

    Rule:    CAM-MAP-14
    """
    alliance = theatre.alliance_of_force(force)
    reached, edge = {force.area}, [force.area]
    for length in range(theatre.terms.supply_range + 1):
        if any(_feeds(theatre, theatre.areas[name], alliance) for name in edge):
            return True
        if length < theatre.terms.supply_range:
            edge = [name for name in _beyond(theatre, edge) if name not in reached and is_free(theatre, name, alliance)]
            reached.update(edge)
    return False


def _beyond(theatre: Theatre, edge: list[str]) -> Iterator[str]:
    yield from sorted({name for area in edge for name in neighbours(theatre, area)})


def _feeds(theatre: Theatre, area: Area, alliance: str) -> bool:
    return area.supply and is_own(theatre, area, alliance) and not is_besieged(theatre, area)
