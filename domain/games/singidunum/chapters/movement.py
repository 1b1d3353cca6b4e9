"""Chapter MOV: which hexes a unit may enter in its action.

Every rule of contact sees only enemies that are not hidden (PRG-MOV-16, PRG-INT-13): an ambush touches nobody.
"""

from itertools import combinations
from typing import Any, ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.engine.state import OTHER
from domain.events.battle import Event
from domain.games.singidunum.state.board import FOREST, PLAIN, SCRUB
from domain.games.singidunum.state.roster import is_barred_from_forest
from domain.games.singidunum.state.state import (
    State,
    Unit,
    ambush_at,
    ground,
    is_at_side_edge,
    is_flight_hex,
    is_open,
    neighbours,
    terrain_class,
    touching,
    with_unit,
)
from domain.mechanics import hex as hexes

OFF = "off"
TWO = 2


class Way(Struct, frozen=True, gc=False):
    """Where a unit is ordered to go: `to` a hex or `off`, `via` a hex or ""; nowhere if `to` is ""."""

    to: str = ""
    via: str = ""


class Path(Struct, frozen=True, gc=False):
    """The hexes that a unit enters, in order; `flees` if it leaves the board with the last, over an edge if `off`."""

    unit: str
    start: str
    hexes: tuple[str, ...] = ()
    flees: bool = False
    off: bool = False

    @property
    def end(self) -> str:
        """The hex on which it stands at the end; "" if it has left the board."""
        return "" if self.flees else self.hexes[-1] if self.hexes else self.start


class UnitMoved(Event, frozen=True, gc=False, kw_only=True):
    """A unit has moved; `path` are the hexes that it entered."""

    RULE: ClassVar[str] = "PRG-MOV-01"

    unit: str
    from_: str = field(name="from")
    to: str
    path: tuple[str, ...]
    cause: str


class UnitFled(Event, frozen=True, gc=False, kw_only=True):
    """A unit leaves the board for the flight hex `to`, "" over an edge; it is worth nothing (PRG-VP-02)."""

    RULE: ClassVar[str] = "PRG-MOV-08"
    TOLD_BY: ClassVar[str] = "cause"

    unit: str
    from_: str = field(name="from")
    to: str
    cause: str  # move | retreat | choice


# --- where a unit may go


def plan_path(state: State, unit: Unit, way: Way) -> Path:
    """The path of an ordered move.

    Rule:    PRG-MOV-14: without `via` the first legal middle hex, plain before scrub, then reading order
    Raises:  Refusal with the first code that applies; of several middle hexes those of the first one tried
    """
    if not way.to:
        return Path(unit.id, unit.hex)
    if way.to == OFF:
        return _path_off(state, unit, way)
    refusal: Refusal | None = None
    for path in _paths(state, unit, way):
        try:
            return checked(state, unit, path)
        except Refusal as found:
            refusal = refusal or found
    raise refusal or _bad_path(unit, way)


def _path_off(state: State, unit: Unit, way: Way) -> Path:
    """Over the west or the east edge, where only markers count on scrub (PRG-EXT-TER-04)."""
    if way.via or not is_at_side_edge(state, unit.hex):
        raise _bad_path(unit, way)
    return Path(unit.id, unit.hex, (), flees=True, off=True)


def _bad_path(unit: Unit, way: Way) -> Refusal:
    return Refusal("singidunum.bad-path", "PRG-MOV-01", unit=unit.id, hex=way.to, via=way.via, moves=unit.profile.moves)


def _paths(state: State, unit: Unit, way: Way) -> list[tuple[str, ...]]:
    near = neighbours(state, unit.hex)
    if way.to == unit.hex:
        return []
    if way.via:
        joined = way.via in near and way.to in neighbours(state, way.via)
        return [(way.via, way.to)] if unit.profile.moves >= TWO and joined else []
    if way.to in near:
        return [(way.to,)]
    if unit.profile.moves < TWO:
        return []
    middles = [hex_ for hex_ in near if way.to in neighbours(state, hex_)]
    classes = {PLAIN: 0, SCRUB: 1}
    middles.sort(key=lambda hex_: classes.get(terrain_class(state, hex_), 0 if is_open(state, hex_) else TWO))
    return [(middle, way.to) for middle in middles]


def checked(state: State, unit: Unit, path: tuple[str, ...]) -> Path:
    """A path of adjacent hexes as the unit may take it.

    Rule:    PRG-MOV-01 … PRG-MOV-16
    Raises:  Refusal with the first code that applies
    """
    last, is_long = path[-1], len(path) == TWO
    flees = is_flight_hex(state, last)
    if is_long and unit.type != "LI":
        _require_plain(state, unit, path)
    for hex_ in path:
        if is_taken(state, unit.side, hex_):
            raise Refusal("singidunum.occupied", "PRG-MOV-02", unit=unit.id, hex=hex_)
    for hex_ in path:
        if is_closed(state, unit.type, hex_):
            raise Refusal("singidunum.terrain-closed", "PRG-EXT-TER-01", unit=unit.id, hex=hex_)
    _require_contacts(state, unit, path, flees)
    return Path(unit.id, unit.hex, path, flees)


def _require_plain(state: State, unit: Unit, path: tuple[str, ...]) -> None:
    """Cavalry takes a second hex from plain to plain alone; the middle may be scrub (PRG-MOV-03, -15)."""
    middle, last = path
    open_ends = [hex_ for hex_ in (unit.hex, last) if not is_open(state, hex_)]
    through_scrub = terrain_class(state, middle) == SCRUB
    barred = [*open_ends, *([] if through_scrub or is_open(state, middle) else [middle])]
    if barred:
        raise Refusal("singidunum.not-plain", "PRG-MOV-03", unit=unit.id, hex=barred[0])


def _require_contacts(state: State, unit: Unit, path: tuple[str, ...], flees: bool) -> None:
    """The forbidden steps (PRG-MOV-05 … -07, PRG-EXT-LI-01); the last one onto a flight hex is free (PRG-MOV-13,
    PRG-INT-01)."""
    enemy = OTHER[unit.side]
    at = unit.hex
    for place, hex_ in enumerate(path):
        is_last = place == len(path) - 1
        if not (is_last and flees):
            before = {other.id for other in touching(state, at, enemy)}
            same = [other.id for other in touching(state, hex_, enemy) if other.id in before]
            if same:
                raise Refusal("singidunum.contact-to-contact", "PRG-MOV-05", unit=unit.id, enemy=same[0], hex=hex_)
        at = hex_
    if len(path) == TWO and touching(state, path[0], enemy):
        touched = touching(state, path[0], enemy)[0]
        raise Refusal("singidunum.contact-stops", "PRG-MOV-07", unit=unit.id, enemy=touched.id, hex=path[0])
    if flees:
        return
    ready = [other for other in touching(state, at, enemy) if not other.activated]
    for one, other in combinations(ready, 2):
        if hexes.distance(one.hex, other.hex) > 1:
            raise Refusal("singidunum.two-enemies", "PRG-MOV-06", unit=unit.id, enemies=[one.id, other.id], hex=at)
    if unit.type == "LI" and len(path) == TWO and touching(state, at, enemy):
        touched = touching(state, at, enemy)[0]
        raise Refusal("singidunum.second-step-contact", "PRG-EXT-LI-01", unit=unit.id, enemy=touched.id, hex=at)


def is_taken(state: State, side: str, hex_: str) -> bool:
    """Whether a side sees a hex to be occupied: by a unit, or by one of its own in ambush; a decoy is nobody
    (PRG-MOV-02)."""
    ambush = ambush_at(state, hex_)
    return hex_ in state.places or (ambush is not None and ambush.side == side and bool(ambush.unit))


def is_closed(state: State, type_: str, hex_: str) -> bool:
    """Whether terrain is closed to a type: forest, also that on a marked scrub hex (PRG-EXT-TER-01, -04)."""
    marker = state.markers.get(hex_)
    return marker is not None and marker.kind == FOREST and is_barred_from_forest(type_)


def scrub_passed(state: State, path: Path) -> str:
    """The scrub hex through which cavalry went; "" if it went through none (PRG-MOV-09)."""
    middle = path.hexes[0] if len(path.hexes) == TWO else ""
    return middle if middle and ground(state, middle).kind == SCRUB else ""


# --- evolutions


def on_unit_moved(state: State, event: UnitMoved) -> State:
    unit = state.units[event.unit]
    no_burn = "" if unit.no_burn == "retreated" else unit.no_burn
    return with_unit(state, replace(unit, hex=event.to, no_burn=no_burn))


def on_unit_fled(state: State, event: UnitFled) -> State:
    return with_unit(state, replace(state.units[event.unit], hex="", fled=True))


EVOLUTIONS: dict[Any, Any] = {UnitMoved: on_unit_moved, UnitFled: on_unit_fled}
