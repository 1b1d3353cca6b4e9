"""What a campaign remembers whose armies live on: its forces, their ledger, and the map.

A theatre without areas is that of a linked campaign: its forces stand nowhere.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.campaign.theatre.events import EncounterMade
from domain.campaign.theatre.fog_events import Bands
from domain.contract.campaign_book import CAPTURED, FIT, GONE, LEADER, RESTING, UNIT, Element

ROAD, TRACK, SEA = "road", "track", "sea"
LAND = frozenset({ROAD, TRACK})
NOBODY = ""
"""The owner of an area that is neutral."""
Link = tuple[str, str, Literal["road", "track", "sea"]]


class ElementState(Struct, frozen=True, gc=False):
    """An element in the ledger: what it is `now` (fit, gone, captured, resting), the honours it has won, the steps that
    it has risen, the leader whom it stands in for, and the power that holds it captive."""

    element: Element
    now: str = FIT
    honours: int = 0
    steps: int = 0
    stands_for: str = ""
    captor: str = ""

    @property
    def is_here(self) -> bool:
        """Whether it is with its force."""
        return self.now in (FIT, RESTING)


class ForceState(Struct, frozen=True, gc=False):
    """An army that lives through the campaign. `area` is "" once it is lost, and in a campaign without a map; `came` is
    the area that it left by its last leg, by a link of kind `by`; `hungry` the turns in a row without supply; `rests`
    the units that are not fielded."""

    id: str
    power: str
    area: str
    army: Any
    elements: Mapping[str, ElementState]
    hungry: int = 0
    came: str = ""
    rests: frozenset[str] = frozenset()
    is_lost: bool = False

    def here(self, kind: str) -> Iterator[ElementState]:
        """The units or leaders that are with the force, in the order of the roster."""
        return (each for each in self.elements.values() if each.element.kind == kind and each.is_here)

    @property
    def units(self) -> tuple[ElementState, ...]:
        """The units that it has."""
        return tuple(self.here(UNIT))

    @property
    def leaders(self) -> tuple[ElementState, ...]:
        """The leaders that it has."""
        return tuple(self.here(LEADER))

    @property
    def captured(self) -> tuple[str, ...]:
        """The leaders whom the enemy holds."""
        return tuple(name for name, each in self.elements.items() if each.now == CAPTURED)

    @property
    def weight(self) -> int:
        """The points of its units (CAM-TTS-01)."""
        return sum(each.element.points for each in self.units)

    def with_element(self, each: ElementState) -> "ForceState":
        """The force with an element as it is now."""
        return replace(self, elements={**self.elements, each.element.id: each})

    def cheapest(self) -> ElementState:
        """The unit of fewest points, of equals the last (CAM-TTS-01)."""
        return min(reversed(self.units), key=lambda each: each.element.points)


class Area(Struct, frozen=True, gc=False):
    """An area of the map. `city` is 0 (none) to 3, `siege` the turns that one has lasted."""

    id: str
    ground: str = "open"
    city: int = 0
    income: int = 0
    vp: int = 0
    supply: bool = False
    capital: bool = False
    owner: str = NOBODY
    siege: int = 0


class Power(Struct, frozen=True, gc=False):
    """A power of an alliance, with the points that it may spend."""

    id: str
    alliance: str
    treasury: int = 0


class MapTerms(Struct, frozen=True):
    """The rules of a map that its file decides, and its links."""

    links: tuple[Link, ...] = ()
    turns: int = 0
    size: int = 100
    supply_range: int = 4
    overrun: int = 3
    battle_vp: int = 1


class Theatre(Struct, frozen=True, gc=False):
    """Forces, powers and areas by their ids, powers in the order of the file. `unfed` are the forces that were found
    hungry in this turn, `victories` the victory points of battles by alliance (CAM-MAP-17), `rolled` the dice of
    this round by scope, `encounters` the battles of this turn by area, `seen` what each alliance has seen under
    fog."""

    powers: Mapping[str, Power] = {}
    forces: Mapping[str, ForceState] = {}
    areas: Mapping[str, Area] = {}
    terms: MapTerms = MapTerms()
    unfed: frozenset[str] = frozenset()
    victories: Mapping[str, int] = {}
    rolled: Mapping[str, int] = {}
    encounters: Mapping[str, EncounterMade] = {}
    seen: Mapping[str, Bands] = {}

    def alliance_of(self, power: str) -> str:
        """The alliance of a power, "" of nobody."""
        return self.powers[power].alliance if power else NOBODY

    @property
    def alliances(self) -> tuple[str, ...]:
        """The alliances, in the order of the file."""
        return tuple(dict.fromkeys(power.alliance for power in self.powers.values()))

    def standing(self) -> Iterator[ForceState]:
        """The forces that are not lost, by id."""
        return (self.forces[name] for name in sorted(self.forces) if not self.forces[name].is_lost)

    def alliance_of_force(self, force: ForceState) -> str:
        """The alliance of a force."""
        return self.powers[force.power].alliance

    def with_force(self, force: ForceState) -> "Theatre":
        """The theatre with a force as it is now."""
        return replace(self, forces={**self.forces, force.id: force})

    def with_area(self, area: Area) -> "Theatre":
        """The theatre with an area as it is now."""
        return replace(self, areas={**self.areas, area.id: area})

    def with_treasury(self, power: str, points: int) -> "Theatre":
        """The theatre with what a power may spend."""
        return replace(self, powers={**self.powers, power: replace(self.powers[power], treasury=points)})


def force_of(name: str, power: str, area: str, army: Any, elements: Iterable[Element]) -> ForceState:
    """A force as it begins, with the elements of its army."""
    return ForceState(name, power, area, army, {each.id: ElementState(each) for each in elements})


def gone(each: ElementState) -> ElementState:
    """An element that is lost for good; its honours are remembered."""
    return replace(each, now=GONE)
