"""The tables of a campaign file that tell a map: its areas, links, powers and forces (CAM-MAP-01, -02)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

from msgspec import Meta

from domain.campaign.notation import is_entrant_id
from domain.campaign.orders import NO_NAMES
from domain.campaign.section import Section
from domain.campaign.theatre.state import Area, Link, MapTerms, Power

MOST_AREAS, MOST_LINKS, MOST_POWERS, MOST_FORCES = 200, 1000, 12, 24
"""Areas and links of a map, its powers, the forces of one."""
MOST_LINES = 40
"""Coasts and rivers of a map."""
ALLIANCES = 2
"""Alliances of a map (CAM-MAP-01)."""

Id = Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,19}$")]
AreaId = Annotated[str, Meta(pattern="^[a-z][a-z0-9_-]{0,39}$")]
ForceId = Annotated[str, Meta(pattern="^[A-Z][A-Z0-9-]{0,19}$")]
Name = Annotated[str, Meta(max_length=60)]
Few = Annotated[int, Meta(ge=0, le=1000)]
Place = Annotated[int, Meta(ge=0, le=10_000)]
Drawn = Annotated[int, Meta(ge=-20_000, le=20_000)]
Outline = Annotated[tuple[tuple[Drawn, Drawn], ...], Meta(min_length=3, max_length=200)]
Course = Annotated[tuple[tuple[Drawn, Drawn], ...], Meta(min_length=2, max_length=200)]


class AreaRow(Section, frozen=True, kw_only=True):
    """An area. `x` and `y` say where it is drawn, in thousandths of the map from the west and from the north; both are
    there, or neither."""

    id: AreaId
    name: Name = ""
    ground: Annotated[str, Meta(max_length=40)] = "open"
    city: Annotated[int, Meta(ge=0, le=3)] = 0
    income: Few = 0
    vp: Few = 0
    supply: bool = False
    capital: bool = False
    owner: Annotated[str, Meta(max_length=20)] = ""
    x: Place | None = None
    y: Place | None = None


class MapTable(Section, frozen=True, kw_only=True):
    """The table `[map]`. `fog` hides what others do (CAM-FOG). `coasts` are outlines of land and `rivers` courses of
    rivers, in the units of `x` and `y`: what lies beyond the map is cut off."""

    turns: Annotated[int, Meta(ge=1, le=100)]
    size: Annotated[int, Meta(ge=1, le=100_000)] = 100
    supply_range: Annotated[int, Meta(ge=0, le=100)] = 4
    overrun: Annotated[int, Meta(ge=2, le=100)] = 3
    battle_vp: Few = 1
    fog: bool = False
    links: Annotated[tuple[Link, ...], Meta(max_length=MOST_LINKS)]
    area: Annotated[tuple[AreaRow, ...], Meta(min_length=2, max_length=MOST_AREAS)]
    coasts: Annotated[tuple[Outline, ...], Meta(max_length=MOST_LINES)] = ()
    rivers: Annotated[tuple[Course, ...], Meta(max_length=MOST_LINES)] = ()


class ForceRow(Section, frozen=True, kw_only=True):
    """A force and the area in which it begins. `army` is the table of its army file."""

    id: ForceId
    area: AreaId
    army: dict[str, Any]
    name: Name = ""


class PowerRow(Section, frozen=True, kw_only=True):
    """A power of an alliance, with what it may spend, and its forces."""

    id: Id
    name: Name = ""
    alliance: Id
    treasury: Annotated[int, Meta(ge=0, le=100_000)] = 0
    forces: Annotated[tuple[ForceRow, ...], Meta(min_length=1, max_length=MOST_FORCES)]


Powers = Annotated[tuple[PowerRow, ...], Meta(max_length=MOST_POWERS)]


def terms_of(table: MapTable) -> MapTerms:
    """The rules of a map, and its links."""
    return MapTerms(table.links, table.turns, table.size, table.supply_range, table.overrun, table.battle_vp)


def areas_of(table: MapTable) -> dict[str, Area]:
    """The areas as they are in the beginning."""
    return {
        row.id: Area(row.id, row.ground, row.city, row.income, row.vp, row.supply, row.capital, row.owner)
        for row in table.area
    }


def powers_of(rows: Sequence[PowerRow]) -> dict[str, Power]:
    """The powers in the order of the file."""
    return {row.id: Power(row.id, row.alliance, row.treasury) for row in rows}


def wrong_map(table: MapTable, powers: Sequence[PowerRow]) -> Iterator[str]:
    """The keys of a map that do not fit together."""
    areas, owners = {row.id for row in table.area}, {row.id for row in powers}
    if len(areas) < len(table.area) or any((row.x is None) is not (row.y is None) for row in table.area):
        yield "map.area"
    if not {row.owner for row in table.area} <= {"", *owners}:
        yield "map.area.owner"
    if not _are_links(table.links, areas):
        yield "map.links"
    yield from _wrong_powers(powers, areas)


def _are_links(links: Iterable[Link], areas: set[str]) -> bool:
    """Whether each link joins two areas, and no two areas are joined twice."""
    pairs = Counter(frozenset(link[:2]) for link in links)
    return all(len(pair) == 2 and pair <= areas and count == 1 for pair, count in pairs.items())


def _wrong_powers(powers: Sequence[PowerRow], areas: set[str]) -> Iterator[str]:
    ids = [row.id for row in powers]
    if len({*ids}) < len(ids) or not all(is_entrant_id(name) and name not in NO_NAMES for name in ids):
        yield "power.id"
    alliances = {row.alliance for row in powers}
    if len(alliances) != ALLIANCES or alliances & {*ids, *NO_NAMES}:
        yield "power.alliance"
    forces = [force for row in powers for force in row.forces]
    if len({force.id for force in forces}) < len(forces):
        yield "power.forces.id"
    if not {force.area for force in forces} <= areas:
        yield "power.forces.area"
