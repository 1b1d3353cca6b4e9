"""Chapter MOV, what every move goes through: who may move, what is in the way, what it costs, and its events.

A `StraightMove` is what one unit does; one order has one, or that of a group several. `require_possible` tests all of
them code by code, in the order of shot-to-pieces.md 3.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.games.shot_to_pieces.chapters.able import require_able
from domain.games.shot_to_pieces.chapters.checks import own_unit, require_here, require_in_order, require_unmoved
from domain.games.shot_to_pieces.chapters.control import (
    near_leg,
    require_no_flank_shown,
    require_no_graze,
    require_not_immobilised,
    require_not_interdicted,
)
from domain.games.shot_to_pieces.chapters.fortunes import is_stuck
from domain.games.shot_to_pieces.chapters.paces import MARCH, is_barred
from domain.games.shot_to_pieces.chapters.pinned import require_away_from_flank, require_not_pinned
from domain.games.shot_to_pieces.chapters.points import ELSE, NEAR, Payment, is_payable, pay, price, require_payable
from domain.games.shot_to_pieces.chapters.results import destroy
from domain.games.shot_to_pieces.chapters.shifts import UnitMoved, UnitOriented, on_unit_moved
from domain.games.shot_to_pieces.chapters.targets import require_aim
from domain.games.shot_to_pieces.chapters.visibility import reveal_near
from domain.games.shot_to_pieces.plane.base import Base, is_on_table
from domain.games.shot_to_pieces.plane.contacts import abuts, in_contact
from domain.games.shot_to_pieces.plane.gaps import distance, overlap
from domain.games.shot_to_pieces.plane.paths import passes_through
from domain.games.shot_to_pieces.plane.zones import CONTROL
from domain.games.shot_to_pieces.state.figures import figures, period_of
from domain.games.shot_to_pieces.state.profiles import SKIRMISHERS
from domain.games.shot_to_pieces.state.rosters import ROSTERS
from domain.games.shot_to_pieces.state.state import State, Unit

SODDEN_HCM = 1000
"""How far a battery on sodden ground must move (STP-EVT-12)."""
SLIGHT_HCM = 2
"""How deep bases in contact may overlap by the rounding of their places."""


class StraightMove(Struct, frozen=True, gc=False):
    """What a unit does: it turns to the facing of `start`, goes straight from there to `end`, facing kept.

    `origin` is where it stands as far as what is near is concerned: the same as `start`, but for a wheel where it stood
    before. `goes` tells whether it moves at all, `is_back` that it faces the enemy as it draws away, `beside` whose
    flank it takes its place on; `passed` are the friends it passes through.
    """

    unit: str
    start: Base
    end: Base
    distance: int
    cause: str
    rule: str
    origin: Base
    turn_rule: str = "STP-MOV-02"
    engages: str = ""
    goes: bool = True
    is_back: bool = False
    beside: str = ""
    passed: tuple[str, ...] = ()


class Movement(Struct, frozen=True, gc=False):
    """An order that may be given: what each unit does, and what it costs."""

    shifts: tuple[StraightMove, ...]
    payment: Payment


# --- who may


def fit(state: State, side: str, *names: str) -> tuple[Unit, ...]:
    """Units that may have an order of movement, each of them.

    Raises: Refusal core.unknown-id, core.not-yours, stp.unit-gone, stp.corps-broken, stp.unit-shaken, stp.unit-engaged,
            stp.pinned, stp.already-moved, stp.immobilised
    """
    units = tuple(own_unit(state, side, name) for name in names)
    for unit in units:
        require_here(unit)
    for unit in units:
        require_in_order(state, unit)
    for unit in units:
        require_not_pinned(state, unit)
    for unit in units:
        require_unmoved(state, unit)
    for unit in units:
        require_not_immobilised(state, unit)
    return units


def require_whole_battalions(state: State, units: Sequence[Unit]) -> None:
    """Refuse an order to one half of a large battalion; who has lost its other half acts alone (STP-EMP-10).

    Raises: Refusal stp.not-a-group
    """
    names = {unit.id for unit in units}
    for unit in units:
        twins = twins_of(state, unit)
        if twins and not any(twin.id in names for twin in twins):
            raise Refusal("stp.not-a-group", "STP-EMP-10", unit=unit.id, mate=twins[0].id)


def twins_of(state: State, unit: Unit) -> list[Unit]:
    """The units that may be the other half of a large battalion: beside it, large as well (STP-EMP-08, -10)."""
    if "large" not in unit.traits:
        return []
    own = (one for one in state.of(unit.side) if one.id != unit.id and "large" in one.traits)
    return [one for one in own if abuts(unit.base, one.base)]


# --- what is in the way


def _require_not_stuck(state: State, shift: StraightMove) -> None:
    """A battery on sodden ground moves 10 cm or not at all (STP-EVT-12)."""
    if shift.distance < SODDEN_HCM and is_stuck(state, state.units[shift.unit]):
        raise Refusal("stp.immobilised", "STP-EVT-12", unit=shift.unit)


def require_possible(
    state: State, shifts: Sequence[StraightMove], *, is_rigid: bool = False
) -> tuple[StraightMove, ...]:
    """Refuse what ground, bases, control zones or cavalry forbid; returns the shifts with the friends they pass.

    Shape: `is_rigid` for a group that moves as one: its members do not come into each other's way
    Raises: Refusal stp.immobilised, stp.pinned, stp.leaves-table, stp.path-blocked, stp.overlap,
            stp.no-interpenetration, stp.graze, stp.interdicted, stp.flank-in-zoc
    """
    units = state.units
    ends = {shift.unit: shift.end for shift in shifts}
    around = {one.unit: _around(state, one) for one in shifts}
    near = {one.unit: near_leg(around[one.unit], units[one.unit], one.start, one.end, one.origin) for one in shifts}
    for shift in shifts:
        _require_not_stuck(state, shift)
    for shift in shifts:
        require_away_from_flank(state, units[shift.unit], shift.end)
    for shift in shifts:
        if not is_on_table(shift.end, state.board.width, state.board.height):
            raise Refusal("stp.leaves-table", "STP-GEO-01", unit=shift.unit)
    for shift in shifts:
        _require_free_path(state, shift, near[shift.unit])
    for shift in shifts:
        _require_room(state, around[shift.unit], shift, ends, is_rigid=is_rigid)
    known = tuple(_known(state, shift, around[shift.unit], ends) for shift in shifts)
    for shift in known:
        _require_passable(state, shift)
    _require_apart(state, known, near)
    return known


def _require_apart(state: State, shifts: Sequence[StraightMove], near: Mapping[str, Sequence[Unit]]) -> None:
    """Refuse what comes too near to enemies, or shows its flank to them (STP-ZOC-02, -07, -09)."""
    units = state.units
    for shift in (one for one in shifts if one.goes):
        enemies, origin = near[shift.unit], shift.origin
        require_no_graze(state, units[shift.unit], shift.start, shift.end, shift.engages, origin=origin, near=enemies)
    for shift in (one for one in shifts if one.goes):
        enemies, origin = near[shift.unit], shift.origin
        require_not_interdicted(state, units[shift.unit], shift.start, shift.end, origin=origin, near=enemies)
    for shift in shifts:
        bases = (shift.origin,) if shift.is_back else (shift.origin, shift.end)
        require_no_flank_shown(state, units[shift.unit], *bases, near=near[shift.unit])


def _require_free_path(state: State, shift: StraightMove, enemies: Iterable[Unit]) -> None:
    if not shift.goes:
        return
    if is_barred(state, shift.start.at, shift.end.at):
        raise Refusal("stp.path-blocked", "STP-GEO-21", unit=shift.unit)
    for enemy in enemies:
        if passes_through(shift.start, shift.end, enemy.base):
            raise Refusal("stp.path-blocked", "STP-GEO-02", unit=shift.unit, by=enemy.id)


def _around(state: State, shift: StraightMove) -> tuple[Unit, ...]:
    """All others on the table whose bases may be within the reach of a control zone of a leg, by boxes about them."""
    (x, y), (to_x, to_y), (from_x, from_y) = shift.start.at, shift.end.at, shift.origin.at
    far = CONTROL + (shift.start.width + shift.start.depth + 1) // 2 + 1
    west, east = min(x, to_x, from_x) - far, max(x, to_x, from_x) + far
    south, north = min(y, to_y, from_y) - far, max(y, to_y, from_y) + far
    found = []
    for one in ROSTERS.of(state.units).here:
        base = one.base
        (x, y), size = base.at, base.width + base.depth
        if west - size <= x <= east + size and south - size <= y <= north + size and one.id != shift.unit:
            found.append(one)
    return tuple(found)


def _require_room(
    state: State, around: Iterable[Unit], shift: StraightMove, ends: Mapping[str, Base], *, is_rigid: bool
) -> None:
    """Refuse an end on somebody who stands around, or on another member of a group where it ends."""
    is_alone = is_rigid or len(ends) == 1
    for other in around if is_alone else ROSTERS.of(state.units).here:
        if other.id in (shift.unit, shift.beside) or (is_rigid and other.id in ends):
            continue
        if overlap(shift.end, ends.get(other.id, other.base)):
            raise Refusal("stp.overlap", "STP-GEO-02", unit=shift.unit, by=other.id)


def _known(state: State, shift: StraightMove, around: Iterable[Unit], ends: Mapping[str, Base]) -> StraightMove:
    """A shift with the friends whose bases it passes through, and whom it engages (STP-ACT-06, STP-ORD-04)."""
    engages = _engaged(state, shift)
    passed = tuple(_passed(state, shift, around, ends)) if shift.goes else ()
    return replace(shift, passed=passed, engages=engages) if passed or engages != shift.engages else shift


def _passed(state: State, shift: StraightMove, around: Iterable[Unit], ends: Mapping[str, Base]) -> Iterator[str]:
    side = state.units[shift.unit].side
    for friend in around:
        is_apart = friend.side != side or friend.id in ends or friend.id == shift.beside
        if not is_apart and passes_friend(shift.start, shift.end, friend.base):
            yield friend.id


def passes_friend(start: Base, end: Base, friend: Base) -> bool:
    """Whether a leg runs through a friend, by more than the rounding of places in contact may add."""
    if not passes_through(start, end, friend):
        return False
    return not in_contact(start, friend) or passes_through(_lean(start), _lean(end), friend)


def _lean(base: Base) -> Base:
    """A base without what the rounding of places may add to it."""
    return Base(base.at, base.facing, base.width - 2 * SLIGHT_HCM, base.depth - 2 * SLIGHT_HCM)


def _require_passable(state: State, shift: StraightMove) -> None:
    """Extended lines pass nobody, and nobody passes them (STP-ACW-05)."""
    unit = state.units[shift.unit]
    for name in shift.passed:
        if "extended" in (unit.formation, state.units[name].formation):
            raise Refusal("stp.no-interpenetration", "STP-ACW-05", unit=unit.id, by=name)


def _engaged(state: State, shift: StraightMove) -> str:
    """Whom a unit engages by fire: the enemy named, if it is a legal target from the end of the move (STP-ORD-04)."""
    if not shift.engages:
        return ""
    arrived = on_unit_moved(state, _moved(state, shift))
    unit, target = arrived.units[shift.unit], arrived.units[shift.engages]
    try:
        require_able(arrived, unit)
        require_aim(arrived, unit, target)
    except Refusal:
        return ""
    return shift.engages


def _moved(state: State, shift: StraightMove) -> UnitMoved:
    """The event of a shift."""
    to, facing = shift.end.at, shift.end.facing
    start = state.units[shift.unit].at
    return UnitMoved(shift.unit, start, to, facing, shift.distance, shift.cause, shift.engages)


# --- what it costs


def payment_for(state: State, shifts: Sequence[StraightMove], why: str) -> Payment:
    """What an order costs: nothing but the friends passed where a change of formation has paid for it (STP-ACT-09).

    Raises: Refusal stp.insufficient-points, stp.order-quota
    """
    units = [state.units[shift.unit] for shift in shifts]
    corps = state.corps[units[0].corps]
    cost = least_cost(state, units)
    if not corps.strategic:
        cost += sum(_friction(state, shift) for shift in shifts)
    payment = Payment(corps.id, units[0].id, why, cost, _quota(state, shifts))
    require_payable(state, payment)
    return payment


def _quota(state: State, shifts: Sequence[StraightMove]) -> str:
    """What the points of an order of movement count as (STP-CMD-03)."""
    is_near = any(shift.goes and is_advance(state, state.units[shift.unit], shift.end) for shift in shifts)
    return NEAR if is_near else ELSE


def least_cost(state: State, units: Sequence[Unit]) -> int:
    """What an order of movement to some units costs, whomever it leads through."""
    return 0 if all(has_paid(state, unit) or is_stuck(state, unit) for unit in units) else price(state, units)


def could_pay(state: State, units: Sequence[Unit], *quotas: str) -> bool:
    """Whether an order of movement to some units could be paid for if it counts in one of some quotas."""
    cost = least_cost(state, units)
    return any(is_payable(state, Payment(units[0].corps, units[0].id, "", cost, quota)) for quota in quotas)


def is_affordable(state: State, shift: StraightMove) -> bool:
    """Whether there are points for what a unit does, whomever it leads through."""
    unit = state.units[shift.unit]
    return could_pay(state, (unit,), _quota(state, (shift,)))


def has_paid(state: State, unit: Unit) -> bool:
    """Whether a change of formation of this phase has paid for the move, one order for both (STP-INT-31); into march
    column it is free (STP-ACT-07)."""
    return unit.form_k == state.k and unit.formation != MARCH


def _friction(state: State, shift: StraightMove) -> int:
    """One point for each friend passed; skirmishers pass and are passed at none (STP-MOV-09)."""
    if _is_skirmisher(state, state.units[shift.unit]):
        return 0
    return sum(not _is_skirmisher(state, state.units[name]) for name in shift.passed)


def _is_skirmisher(state: State, unit: Unit) -> bool:
    return figures(state, unit).arm in SKIRMISHERS


def is_advance(state: State, unit: Unit, end: Base) -> bool:
    """Whether a unit ends closer to the enemy that was nearest at its start (STP-CMD-03)."""
    nearest = ROSTERS.of(state.units).nearest_to(unit)
    return nearest is not None and distance(end, state.units[nearest[1]].base) < nearest[0]


# --- what it does


def carry_out(judge: Judge[State], side: str, movement: Movement) -> None:
    """Pay, then each unit turns and goes; hidden enemies near their places are seen."""
    pay(judge, side, movement.payment)
    for shift in movement.shifts:
        unit = judge.state.units[shift.unit]
        if unit.facing != shift.start.facing or not shift.goes:
            turn = UnitOriented(unit.id, unit.facing, shift.start.facing, unit.at)
            judge.emit(turn, side, shift.turn_rule)
        if not shift.goes:
            continue
        for name in shift.passed:
            trample(judge, unit, name)
        judge.emit(_moved(judge.state, shift), side, shift.rule)
    for shift in movement.shifts:
        if shift.goes:
            reveal_near(judge, shift.unit)


def trample(judge: Judge[State], unit: Unit, friend: str) -> None:
    """Shaken militia through which infantry passes is destroyed (STP-AWI-02)."""
    state, passed = judge.state, judge.state.units[friend]
    is_militia = passed.key == "militia" and period_of(state).switches.passed_militia
    if is_militia and passed.shaken and figures(state, unit).arm == "inf":
        destroy(judge, friend, "interpenetrated", "STP-AWI-02")
