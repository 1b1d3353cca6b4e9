"""What a battle holds: options, ground, units, corps, generals, and what is declared and going on.

Lengths are 1/100 cm, bearings 1/100 degree clockwise from north (STP-GEO-14). What lasts for one phase is kept with the
number of that phase (`…_k`), so that nothing has to be reset: k = 1, 2, 3 … through the whole game (STP-SEQ-01).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.state import OTHER, GameState
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.state.rosters import ROSTERS
from domain.games.shot_to_pieces.state.vocabulary import FIRE, ORDERS

Point = tuple[int, int]
Cover = Literal["", "light", "hard"]
Aspect = Literal["front", "flank", "rear"]
Mode = Literal["normal", "all-out", "rash"]
NEVER = -9
"""The phase of what has not happened: earlier than the phase before the first."""


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a scenario may choose (chapter OPT)."""

    free_fire: bool = True
    arc_mode: Literal["any", "whole"] = "any"
    square_zone: Literal["own", "cavalry"] = "own"
    d20_events: bool = False
    infantry_fired: bool = False
    army_reserve: bool = False
    detachment: bool = False
    erratic: bool = False
    second_line_infantry: bool = False
    militia_fire: Literal["none", "long", "shaken"] = "none"
    turn_limit: int = 12
    deploy_depth_hcm: int = 2500
    leader_loss: bool = True
    evade_cone_hdeg: int = 2250
    base_sizes: dict[str, tuple[int, int]] = {}


class TableSize(Struct, frozen=True, gc=False):
    """The table; south's edge is y = 0 (STP-GEO-01)."""

    width: int = 18000
    height: int = 12000


class Ground(Struct, frozen=True, gc=False):
    """A piece of terrain: an outline (convex, in order), or a line of two points."""

    id: str
    kind: str
    outline: tuple[Point, ...] = ()
    line: tuple[Point, ...] = ()
    cover: Cover = ""
    level: int = 0
    name: str = ""


class Shaken(Struct, frozen=True, gc=False):
    """A SHAKEN marker: it lasts to the end of phase `until`, and becomes BRITTLE then unless its cause is an evasion
    or an event (STP-RES-07)."""

    until: int
    cause: str


class Unit(Struct, frozen=True, gc=False):
    """A unit: one base (STP-GEO-02).

    `type` is what the scenario calls it, `key` the type whose figures it has now (mounted, dismounted, skirmishing);
    `corps` commands it, `home` counts its loss, which is `worth` half points (STP-MOR-02). `melee` is the id of the
    melee in which it is the reference unit, the target or a further charger. `left_hcm` is what a change of formation
    in phase `form_k` has left of its move, `moved_hcm` what it has moved in phase `moved_k`; in `order_k` it had its
    order, in `far_k` it last moved more than 5 cm, in `charge_k` it last charged, for the `charges`th time in
    consecutive own phases. `fired_k`, `target_k`, `fought_k`: it fired, was fired at, fought; `shots` salvoes in
    `fired_k`, and before that it last fired in `fired_earlier_k`. `due_k` is the phase in which it must charge
    (STP-GSC-04), `engages` whom it is bound to fire at in phase `moved_k` (STP-ORD-04), `beat` whom it has beaten in
    melee in phase `beat_k`, `occupies_k` the phase in which it may face in the cover that it has taken (STP-ORD-09).
    """

    id: str
    side: str
    corps: str
    type: str
    status: str
    base: Base
    formation: str
    key: str = ""
    name: str = ""
    home: str = ""
    weapon: str = ""
    traits: frozenset[str] = frozenset()
    cover: Cover = ""
    brigade: str = ""
    worth: int = 2
    placed: bool = True
    alive: bool = True
    off: bool = False
    hidden: bool = False
    brittle: int = 0
    shaken: tuple[Shaken, ...] = ()
    melee: str = ""
    order_k: int = NEVER
    moved_k: int = NEVER
    moved_hcm: int = 0
    far_k: int = NEVER
    form_k: int = NEVER
    left_hcm: int = 0
    charge_k: int = NEVER
    charges: int = 0
    fired_k: int = NEVER
    fired_earlier_k: int = NEVER
    shots: int = 0
    target_k: int = NEVER
    fought_k: int = NEVER
    released_k: int = NEVER
    due_k: int = NEVER
    engages: str = ""
    beat: str = ""
    beat_k: int = NEVER
    occupies_k: int = NEVER

    @property
    def at(self) -> Point:
        """The centre of its base."""
        return self.base.at

    @property
    def facing(self) -> int:
        """Where it faces."""
        return self.base.facing

    @property
    def here(self) -> bool:
        """Whether it is on the table: neither destroyed nor gone."""
        return self.alive and not self.off and self.placed

    @property
    def engaged(self) -> bool:
        """Whether it is in melee."""
        return self.melee != ""

    @property
    def markers(self) -> int:
        """SHAKEN and BRITTLE together (STP-RES-09)."""
        return len(self.shaken) + self.brittle


class Corps(Struct, frozen=True, gc=False):
    """The units under one general. `size` is N of the threshold, `shift` what the scenario adds to it; `order` with
    the `goal` of ADVANCE. `ap` are the points left of `rolled`; `spent_near` went to advancing moves and charges,
    `spent_else` to other orders. `tried` is the general order tried in vain `tries` times, `tried_turn` the turn of
    the last attempt. `weak_turn` is the turn in which its general fell (STP-GAP-07)."""

    id: str
    side: str
    name: str = ""
    general: str = ""
    order: str = "advance"
    goal: Point | None = None
    size: int = 0
    shift: int = 0
    loss_halves: int = 0
    broken: bool = False
    strategic: bool = False
    rolled: int = 0
    ap: int = 0
    spent_near: int = 0
    spent_else: int = 0
    tried: str = ""
    tries: int = 0
    tried_turn: int = 0
    weak_turn: int = NEVER

    @property
    def threshold_halves(self) -> int:
        """The loss points, in halves, at which it breaks; whatever its units count, N is their number (STP-MOR-01,
        STP-INT-19)."""
        return 2 * (self.size // 2 + 1 + self.shift)


class General(Struct, frozen=True, gc=False):
    """A general: a disc at `at`, or attached to a `unit` and then where that is (STP-GEO-10)."""

    id: str
    side: str
    corps: str
    at: Point
    quality: str = "normal"
    nation: str = ""
    commander: bool = False
    unit: str = ""
    placed: bool = True
    alive: bool = True
    moved_k: int = NEVER
    name: str = ""


class DeclaredCharge(Struct, frozen=True, gc=False):
    """A charge declared in this phase and not yet resolved. `reach_hcm` is how far the charger may go, a rash die
    included; `start` is where its centre stood, `target_at` where that of the target did."""

    unit: str
    target: str
    facing: int
    bearing: int
    distance: int
    aspect: Aspect
    mode: Mode
    reach: int = 0
    start: Point = (0, 0)
    target_at: Point = (0, 0)


class Melee(Struct, frozen=True, gc=False):
    """A melee that goes on. `charger` made contact first and is the reference unit of its side, `others` are further
    chargers of either (STP-MEL-15). `since` is the phase of contact, `aspect` the worst at which the target is taken,
    `charger_aspect` that of the reference unit, `rounds` how many have been fought, `fought` the phase of the last.
    `modes` tells how each came who came by a charge."""

    id: str
    charger: str
    target: str
    since: int
    aspect: Aspect = "front"
    charger_aspect: Aspect = "front"
    others: tuple[str, ...] = ()
    rounds: int = 0
    fought: int = NEVER
    modes: Mapping[str, Mode] = {}

    @property
    def units(self) -> tuple[str, ...]:
        """Everybody in it, the reference unit and the target first."""
        return (self.charger, self.target, *self.others)


class Salvo(Struct, frozen=True, gc=False):
    """A salvo declared in this phase and not yet fired; `units` with the reference unit first (STP-FIR-04)."""

    id: str
    side: str
    units: tuple[str, ...]
    target: str
    mode: Literal["direct", "indirect"] = "direct"


class EventInForce(Struct, frozen=True, gc=False):
    """A D20 event of this phase: its number, whom or what it is for, and whether it has had its effect."""

    number: int
    k: int
    side: str
    units: tuple[str, ...] = ()
    corps: str = ""
    building: str = ""
    amount: int = 0
    used: bool = False


class State(GameState, frozen=True, gc=False):
    """A battle. `units`, `corps` and `generals` are those of the south, then those of the north, as the scenario has
    them; the melees stand in the order of contact.

    `step` is the step that is open, `k` the phase (0 outside of one), `side` the side whose phase or step of orders it
    is; `active`, of every game, is who has to act. `start` is the step that a scenario begins in, until it has begun.
    `closed` are the buildings that burn (STP-EVT-15), `rerolled` the sides that have used their right (STP-CMD-06).
    """

    title: str = ""
    period: str = ""
    first: str = "south"
    options: Options = Options()
    board: TableSize = TableSize()
    terrain: tuple[Ground, ...] = ()
    names: Mapping[str, str] = {}
    units: Mapping[str, Unit] = {}
    corps: Mapping[str, Corps] = {}
    generals: Mapping[str, General] = {}
    step: str = ""
    k: int = 0
    side: str = ""
    start: str = ""
    charges: tuple[DeclaredCharge, ...] = ()
    melees: tuple[Melee, ...] = ()
    melees_made: int = 0
    salvoes: tuple[Salvo, ...] = ()
    salvoes_made: int = 0
    strafes: Mapping[str, int] = {}
    rerolled: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()
    events: tuple[EventInForce, ...] = ()

    def of(self, side: str) -> tuple[Unit, ...]:
        """The units of a side that are on the table."""
        return ROSTERS.of(self.units).of[side]

    def enemies(self, unit: Unit) -> tuple[Unit, ...]:
        """The units of the other side that are on the table."""
        return self.of(OTHER[unit.side])

    def under(self, corps: str) -> tuple[Unit, ...]:
        """The units of a corps that are on the table."""
        return tuple(unit for unit in self.units.values() if unit.corps == corps and unit.here)

    def corps_of(self, side: str) -> tuple[Corps, ...]:
        """The corps of a side, in the order of the scenario."""
        return tuple(corps for corps in self.corps.values() if corps.side == side)


# --- finding


def units_here(state: State) -> Iterator[Unit]:
    """Every unit on the table."""
    return iter(ROSTERS.of(state.units).here)


def phase_of(state: State, side: str, turn: int) -> int:
    """The number k of a side's phase in a turn (STP-SEQ-01)."""
    return 2 * turn - (1 if side == state.first else 0)


def melee_of(state: State, unit: Unit) -> Melee | None:
    """The melee that a unit is in, or None."""
    return next((melee for melee in state.melees if melee.id == unit.melee), None) if unit.melee else None


def commander_of(state: State, side: str) -> General | None:
    """The army commander of a side, alive; None if there is none."""
    return next((one for one in state.generals.values() if one.side == side and one.commander and one.alive), None)


def general_of(state: State, corps: Corps) -> General | None:
    """The general of a corps, alive; None if it has none (any more)."""
    general = state.generals.get(corps.general)
    return general if general and general.alive else None


def place_of(state: State, general: General) -> Point:
    """Where a general is: the centre of their disc, or of the base of their unit (STP-GEO-10)."""
    return state.units[general.unit].at if general.unit else general.at


def leader_of(state: State, unit: Unit) -> General | None:
    """The general who is attached to a unit, or None (STP-CMD-06)."""
    return next((one for one in state.generals.values() if one.unit == unit.id and one.alive), None)


def in_orders(state: State) -> bool:
    """Whether a side is giving general orders (S2)."""
    return state.step == ORDERS


def in_other_fire(state: State) -> bool:
    """Whether the side whose phase it is not declares its fire (S10)."""
    return state.step == FIRE and state.active != state.side


# --- changing


def with_unit(state: State, unit: Unit) -> State:
    """The state with a unit as it is now."""
    return replace(state, units={**state.units, unit.id: unit})


def changed(state: State, unit: str, **members: Any) -> State:
    """The state with some members of a unit as they are now."""
    return replace(state, units={**state.units, unit: replace(state.units[unit], **members)})


def with_corps(state: State, corps: str, **members: Any) -> State:
    """The state with some members of a corps as they are now."""
    return replace(state, corps={**state.corps, corps: replace(state.corps[corps], **members)})


def with_general(state: State, general: str, **members: Any) -> State:
    """The state with some members of a general as they are now."""
    return replace(state, generals={**state.generals, general: replace(state.generals[general], **members)})
