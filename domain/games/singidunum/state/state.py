"""The state of a battle of Singidunum, and what the chapters ask of it.

A unit that lies in ambush stands on no hex: the ambush knows where it is, and only its side knows the ambush. All
other units that are alive and have not fled stand on a hex once the turns have begun.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.state import GameState
from domain.games.singidunum.state.board import PLAIN, SCRUB, STAKES, Ground
from domain.games.singidunum.state.roster import PROFILES, CounterType
from domain.mechanics import hex as hexes
from domain.mechanics.hex import Board

PLAIN_GROUND = Ground(PLAIN)


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a battle, with the defaults of the rules."""

    modules: tuple[str, ...] = ()
    budget: int = 50
    goal: int = 0
    turn_limit: int = 8
    deploy_rows: int = 4
    reroll_five: bool = False
    rally_target: int = 4
    rally_min_diff: int = 4
    isolated: str = "no-adjacent-friend"
    shot_hit: int = 1
    shot_kill: int = 4
    refusal_activates: bool = False
    second_challenge: bool = False
    refuge_kill: bool = False
    general_range: int = 3
    asterisk_attack: bool = False
    scrub_markers: str = "none"


class Unit(Struct, frozen=True, gc=False):
    """A unit. `strength` is the printed one; `no_burn` says why it may not burn this turn."""

    id: str
    side: str
    type: str
    strength: int
    hex: str = ""
    activated: bool = False
    alive: bool = True
    fled: bool = False
    abilities: tuple[str, ...] = ()
    no_burn: str = ""

    @property
    def profile(self) -> CounterType:
        """What its type can do."""
        return PROFILES[self.type]

    @property
    def force(self) -> int:
        """Its strength in play: that of the face showing (PRG-ARM-05)."""
        return self.strength - self.activated

    @property
    def in_play(self) -> bool:
        """Whether it is neither eliminated nor fled."""
        return self.alive and not self.fled


class Marker(Struct, frozen=True, gc=False):
    """A terrain marker. Of stakes, `keeper` is the unit that won on them in turn `since` (PRG-EXT-TER-03)."""

    kind: str
    active: bool = True
    side: str = ""
    keeper: str = ""
    since: int = 0


class AmbushMarker(Struct, frozen=True, gc=False):
    """A marker under which something may lie: `unit`, "" for a decoy and for whoever does not know. Event `n` laid
    it."""

    hex: str
    side: str
    unit: str
    n: int


class Laid(Struct, frozen=True, gc=False):
    """Event `n` placed a unit of a side in secret; `unit` is "" for whoever does not know which."""

    side: str
    unit: str
    n: int


class State(GameState, frozen=True, gc=False):
    """A battle. `first` is the side that starts, "" if both roll; `half_vp` are victory points in halves (PRG-VP-10).

    `places` has the unit on each hex, `held` the sides that have stood in the enemy base. `action` counts the actions
    of the turn, `passes` the passes since the last. `done` are the sides that have closed their part of a phase before
    the turns, `lists` the event with the newest army of each, `laid` what was deployed in secret, `given` the
    ambushes of the scenario that are not laid yet.
    """

    title: str = ""
    first: str = ""
    start_turn: int = 1
    options: Options = Options()
    board: Board = (0, 0)
    terrain: Mapping[str, Ground] = {}
    markers: Mapping[str, Marker] = {}
    burned: frozenset[str] = frozenset()
    units: Mapping[str, Unit] = {}
    places: Mapping[str, str] = {}
    ambushes: tuple[AmbushMarker, ...] = ()
    names: Mapping[str, str] = {}
    half_vp: Mapping[str, int] = {}
    held: frozenset[str] = frozenset()
    action: int = 0
    passes: int = 0
    done: frozenset[str] = frozenset()
    lists: Mapping[str, int] = {}
    laid: tuple[Laid, ...] = ()
    given: tuple[AmbushMarker, ...] = ()


# --- terrain


def ground(state: State, hex_: str) -> Ground:
    """The terrain printed on a hex."""
    return state.terrain.get(hex_, PLAIN_GROUND)


def terrain_class(state: State, hex_: str) -> str:
    """What counts as one terrain for a retreat: a marker, `plain`, `scrub`, or the base of a side (PRG-BRD-06)."""
    if hex_ in state.markers:
        return state.markers[hex_].kind
    here = ground(state, hex_)
    return f"base of {here.side}" if here.is_base else here.kind


def is_open(state: State, hex_: str) -> bool:
    """Whether a hex counts as plain: it is, or has no marker but stakes (PRG-MOV-15, PRG-SHT-13)."""
    return terrain_class(state, hex_) in (PLAIN, STAKES)


def is_flight_hex(state: State, hex_: str) -> bool:
    """Whether who enters a hex has fled: scrub, unless only its marker counts (PRG-MOV-08, PRG-EXT-TER-04)."""
    marked = hex_ in state.markers and state.options.scrub_markers == "picture"
    return ground(state, hex_).kind == SCRUB and not marked


def is_at_side_edge(state: State, hex_: str) -> bool:
    """Whether a unit on a hex may leave the board over its west or east edge (PRG-EXT-TER-04)."""
    return state.options.scrub_markers == "picture" and hexes.XY[hex_][0] in (0, state.board[0] - 1)


def is_in_base(state: State, hex_: str, side: str = "") -> bool:
    """Whether a hex belongs to a base; with `side`, to the base of that side."""
    here = ground(state, hex_)
    return here.is_base and side in ("", here.side)


# --- units


def neighbours(state: State, hex_: str) -> tuple[str, ...]:
    """The hexes adjacent to a hex, in reading order (PRG-BRD-11)."""
    return hexes.ring(state.board, hex_, 1)


def unit_at(state: State, hex_: str) -> Unit | None:
    """The unit that is seen on a hex; there is one at most (PRG-BRD-05)."""
    name = state.places.get(hex_)
    return state.units[name] if name else None


def ambush_at(state: State, hex_: str) -> AmbushMarker | None:
    """The ambush marker on a hex."""
    return next((ambush for ambush in state.ambushes if ambush.hex == hex_), None)


def ambush_of(state: State, unit: str) -> AmbushMarker | None:
    """The ambush in which a unit lies."""
    return next((ambush for ambush in state.ambushes if ambush.unit == unit), None)


def is_free(state: State, hex_: str) -> bool:
    """Whether nothing stands on a hex, and no ambush marker lies there."""
    return hex_ not in state.places and ambush_at(state, hex_) is None


def is_taken_by(state: State, side: str, hex_: str, unit: str) -> bool:
    """Whether something of a side but the unit itself stands on a hex, or lies there in ambush (PRG-BRD-05)."""
    here, ambush = unit_at(state, hex_), ambush_at(state, hex_)
    stands = here is not None and here.side == side and here.id != unit
    return stands or (ambush is not None and ambush.side == side and not (unit and ambush.unit == unit))


def touching(state: State, hex_: str, side: str) -> list[Unit]:
    """The units of a side in contact with a hex, in reading order; ambushes have no zone of control (PRG-BRD-07)."""
    places, units = state.places, state.units
    near = [units[places[other]] for other in neighbours(state, hex_) if other in places]
    return [unit for unit in near if unit.side == side]


def own(state: State, side: str) -> Iterator[Unit]:
    """The units of a side that are in play, in the order of its army."""
    return (unit for unit in state.units.values() if unit.side == side and unit.in_play)


def available(state: State, side: str) -> list[Unit]:
    """The units of a side that may still act in this turn."""
    return [unit for unit in own(state, side) if not unit.activated]


def goal(options: Options) -> int:
    """The victory points that win (PRG-ARM-03, -11, PRG-INT-17)."""
    return options.goal or GOALS.get(options.budget, options.budget // 5 - 3)


GOALS = {37: 4, 50: 7, 55: 8, 60: 9}


# --- changes


def with_unit(state: State, unit: Unit) -> State:
    """The state with a unit changed, wherever it stands now."""
    before = state.units.get(unit.id)
    old = before.hex if before else ""
    state = replace(state, units={**state.units, unit.id: unit})
    if old == unit.hex:
        return state
    places = {hex_: name for hex_, name in state.places.items() if name != unit.id}
    if unit.hex:
        places[unit.hex] = unit.id
        if is_in_base(state, unit.hex) and not is_in_base(state, unit.hex, unit.side):
            state = replace(state, held=state.held | {unit.side})
    return replace(state, places=places)


def with_marker(state: State, hex_: str, marker: Marker | None) -> State:
    """The state with the marker of a hex changed, or without it."""
    others = {at: other for at, other in state.markers.items() if at != hex_}
    return replace(state, markers=others if marker is None else {**others, hex_: marker})


def with_shown(state: State, units: tuple[str, ...]) -> State:
    """The state in which units that lie in ambush stand where they lie, as far as the reader knows."""
    for name in units:
        ambush = ambush_of(state, name) if name else None
        if ambush:
            state = with_unit(state, replace(state.units[name], hex=ambush.hex))
            others = tuple(other for other in state.ambushes if other is not ambush)
            state = replace(state, ambushes=others)
    return state
