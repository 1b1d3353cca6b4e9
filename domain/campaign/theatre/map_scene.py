"""What there is to see of a map, without saying how it is drawn: places, ways, forces, and what a turn has brought.

Points are x from the west, y from the north, in the units of the campaign file.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from domain.campaign.theatre.events import (
    AreaTaken,
    CityFell,
    EncounterMade,
    ForceAvoided,
    ForceLost,
    ForceMoved,
    ForceOverrun,
    ForceRetreated,
)
from domain.campaign.theatre.fog import FEW, HOST, MANY, SOME, is_only_seen
from domain.campaign.theatre.layout import Spot, laid_out
from domain.campaign.theatre.roads import is_besieged, is_supplied
from domain.campaign.theatre.state import SEA, Area, ForceState, Theatre
from domain.events.event import Event

MARCH, AVOID, RETREAT = "march", "avoid", "retreat"
BATTLE, OVERRUN = "battle", "overrun"
UNKNOWN = "?"
BANDS: Mapping[str, str] = {FEW: "<⅓", SOME: "<1", MANY: "1–2", HOST: "2+"}
"""How much of a battle's size a band is."""


class MapChart(Struct, frozen=True):
    """What a campaign file says of the drawing of its map: spots and names of areas, as far as it gives them, and
    outlines of land and courses of rivers; without outlines the land lies around the areas."""

    spots: Mapping[str, Spot] = {}
    names: Mapping[str, str] = {}
    coasts: tuple[tuple[Spot, ...], ...] = ()
    rivers: tuple[tuple[Spot, ...], ...] = ()


class MapPlace(Struct, frozen=True, gc=False):
    """An area where it lies. `was` is whose it was before the turn, where that is somebody else; `siege` are the turns
    that a siege has lasted."""

    id: str
    name: str
    at: Spot
    ground: str
    city: int
    income: int
    vp: int
    supply: bool
    capital: bool
    owner: str
    was: str
    siege: int
    besieged: bool
    coastal: bool


class MapWay(Struct, frozen=True, gc=False):
    """A link: `road`, `track` or `sea`."""

    ends: tuple[str, str]
    kind: str


class MapForce(Struct, frozen=True, gc=False):
    """A force where it stands: the points of its units, how many they are, whether it has supply, and for how many
    turns in a row it has been hungry. Of what is only seen under fog there is the `band` alone: `few`, `some`, `many`
    or `host` (CAM-FOG-02)."""

    id: str
    power: str
    area: str
    strength: int
    units: int
    supplied: bool
    hungry: int
    band: str = ""

    @property
    def name(self) -> str:
        """What it is called on a map."""
        return UNKNOWN if self.band else self.id

    @property
    def size(self) -> str:
        """How strong it is, as a map says it: its points, or how many times as much as may fight in a battle."""
        return BANDS[self.band] if self.band else str(self.strength)


class MapMarch(Struct, frozen=True, gc=False):
    """A leg of a force in the turn: `march` in a step of it, `avoid`, or `retreat` (step 0)."""

    force: str
    power: str
    ends: tuple[str, str]
    kind: str
    step: int = 0


class MapBattle(Struct, frozen=True, gc=False):
    """A `battle`, or alliances of which one has `overrun` the other. `winner` is an alliance, "" while the battle is
    not counted, or drawn."""

    area: str
    kind: str
    attacker: str
    sides: tuple[str, str]
    winner: str = ""


class MapLoss(Struct, frozen=True, gc=False):
    """A force that was lost in the turn: `surrounded` or `empty`."""

    force: str
    power: str
    area: str
    reason: str


class MapPower(Struct, frozen=True, gc=False):
    """A power: its areas, the victory points of them, the points of all its forces, and what it has to spend."""

    id: str
    name: str
    alliance: str
    areas: int
    vp: int
    strength: int
    treasury: int


class MapScene(Struct, frozen=True):
    """A map at a moment, with what the turn has brought until then. Powers are in the order of the file. `seen_by` is
    the alliance that sees it through the fog, "" for anybody who is of none, None without fog."""

    title: str
    turn: int
    turns: int
    powers: tuple[MapPower, ...]
    places: tuple[MapPlace, ...]
    ways: tuple[MapWay, ...]
    forces: tuple[MapForce, ...]
    marches: tuple[MapMarch, ...] = ()
    battles: tuple[MapBattle, ...] = ()
    losses: tuple[MapLoss, ...] = ()
    coasts: tuple[tuple[Spot, ...], ...] = ()
    rivers: tuple[tuple[Spot, ...], ...] = ()
    seen_by: str | None = None

    def knows(self, power: MapPower) -> bool:
        """Whether the strength and treasury of a power are known."""
        return self.seen_by in (None, power.alliance)

    def place(self, area: str) -> MapPlace:
        """The place of an area."""
        return next(place for place in self.places if place.id == area)

    def power(self, name: str) -> MapPower:
        """A power by its id."""
        return next(power for power in self.powers if power.id == name)

    def forces_at(self, area: str) -> tuple[MapForce, ...]:
        """The forces in an area, by id."""
        return tuple(force for force in self.forces if force.area == area)


def still(scene: MapScene) -> MapScene:
    """A map without what changes from turn to turn."""
    return replace(
        scene,
        title="",
        turn=0,
        powers=tuple(MapPower(power.id, "", "", 0, 0, 0, 0) for power in scene.powers),
        places=tuple(replace(place, owner="", was="", siege=0, besieged=False) for place in scene.places),
        forces=(),
        marches=(),
        battles=(),
        losses=(),
    )


class Moment(Struct, frozen=True):
    """The moment that a map shows: the title of the campaign, the turn and how many there are, what the turn has
    brought so far, which alliances won the battles that are counted, by area, the names of the powers, and who sees it
    (`MapScene.seen_by`)."""

    title: str = ""
    turn: int = 0
    events: tuple[Event, ...] = ()
    winners: Mapping[str, str] = {}
    names: Mapping[str, str] = {}
    seen_by: str | None = None


def map_scene(theatre: Theatre, chart: MapChart, moment: Moment) -> MapScene:
    """The map of a theatre as it stands after the events of a moment."""
    return MapScene(
        moment.title,
        moment.turn,
        theatre.terms.turns,
        tuple(_powers(theatre, moment.names)),
        tuple(_places(theatre, chart, moment)),
        tuple(MapWay((one, other), kind) for one, other, kind in theatre.terms.links),
        tuple(_force(theatre, force) for force in theatre.standing() if force.area),
        tuple(_marches(theatre, moment.events)),
        tuple(_battles(theatre, moment)),
        tuple(_losses(theatre, moment.events)),
        chart.coasts,
        chart.rivers,
        moment.seen_by,
    )


def shown_name(area: str) -> str:
    """The name of an area whose file gives none."""
    return " ".join(word.capitalize() for word in area.split("-"))


def _powers(theatre: Theatre, names: Mapping[str, str]) -> Iterator[MapPower]:
    for power in theatre.powers.values():
        own = [area for area in theatre.areas.values() if area.owner == power.id]
        forces = (force for force in theatre.standing() if force.power == power.id and not is_only_seen(force))
        strength = sum(force.weight for force in forces)
        yield MapPower(
            power.id,
            names.get(power.id, shown_name(power.id)),
            power.alliance,
            len(own),
            sum(area.vp for area in own),
            strength,
            power.treasury,
        )


def _places(theatre: Theatre, chart: MapChart, moment: Moment) -> Iterator[MapPlace]:
    spots = laid_out(list(theatre.areas), theatre.terms.links, chart.spots)
    harbours = {end for one, other, kind in theatre.terms.links if kind == SEA for end in (one, other)}
    before = dict[str, str]()
    for event in moment.events:
        if isinstance(event, AreaTaken | CityFell):
            before.setdefault(event.area, event.from_)
    for area in theatre.areas.values():
        place = _place(theatre, area, spots[area.id], chart, before.get(area.id, area.owner), area.id in harbours)
        is_known = moment.seen_by is not None and area.siege > 0  # who besieges it may be out of sight
        yield replace(place, besieged=place.besieged or is_known)


def _place(theatre: Theatre, area: Area, at: Spot, chart: MapChart, was: str, coastal: bool) -> MapPlace:
    return MapPlace(
        area.id,
        chart.names.get(area.id) or shown_name(area.id),
        at,
        area.ground,
        area.city,
        area.income,
        area.vp,
        area.supply,
        area.capital,
        area.owner,
        was,
        area.siege,
        is_besieged(theatre, area),
        coastal,
    )


def _force(theatre: Theatre, force: ForceState) -> MapForce:
    if is_only_seen(force):
        return MapForce(force.id, force.power, force.area, 0, 0, True, 0, force.units[0].element.id)
    is_fed = is_supplied(theatre, force)
    return MapForce(force.id, force.power, force.area, force.weight, len(force.units), is_fed, force.hungry)


def _marches(theatre: Theatre, events: Iterable[Event]) -> Iterator[MapMarch]:
    kinds = {ForceAvoided: AVOID, ForceRetreated: RETREAT}
    for event in events:
        if isinstance(event, ForceMoved | ForceAvoided | ForceRetreated):
            step = event.step if isinstance(event, ForceMoved) else 0
            kind = kinds.get(type(event), MARCH)
            yield MapMarch(event.force, theatre.forces[event.force].power, (event.from_, event.to), kind, step)


def _battles(theatre: Theatre, moment: Moment) -> Iterator[MapBattle]:
    for event in moment.events:
        if isinstance(event, EncounterMade):
            winner = moment.winners.get(event.area, "")
            yield MapBattle(event.area, BATTLE, event.attacker, (event.south, event.north), winner)
        elif isinstance(event, ForceOverrun):
            beaten = theatre.alliance_of_force(theatre.forces[event.forces[0]])
            yield MapBattle(event.area, OVERRUN, event.alliance, (beaten, event.alliance), event.alliance)


def _losses(theatre: Theatre, events: Iterable[Event]) -> Iterator[MapLoss]:
    for event in events:
        if isinstance(event, ForceLost):
            yield MapLoss(event.force, theatre.forces[event.force].power, event.at, event.reason)
