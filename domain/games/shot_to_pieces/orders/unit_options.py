"""What one unit could be ordered: candidates, put to the same plans that decide.

A move may end anywhere within reach; listed are a few that players want: ahead as far as may be and half as far, to the
edges of ranges, into cover, back, about. `limits` has how far the unit could go at most.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.contract.option import Option, OrderTarget
from domain.games.shot_to_pieces.chapters.able import is_able
from domain.games.shot_to_pieces.chapters.formations import formations_of
from domain.games.shot_to_pieces.chapters.moves import Shifting, backing, planned, shift_of
from domain.games.shot_to_pieces.chapters.moving import could_pay, fit, is_affordable, require_whole_battalions
from domain.games.shot_to_pieces.chapters.paces import reach
from domain.games.shot_to_pieces.chapters.points import ELSE, NEAR
from domain.games.shot_to_pieces.chapters.salvoes import large_mate
from domain.games.shot_to_pieces.chapters.targets import choices, indirect_targets
from domain.games.shot_to_pieces.orders.places import PlaceOutline
from domain.games.shot_to_pieces.orders.references import is_legal, most_ahead
from domain.games.shot_to_pieces.orders.vicinity import vicinity
from domain.games.shot_to_pieces.orders.writing import written
from domain.games.shot_to_pieces.plane.angles import HALF, bearing, difference, tenths
from domain.games.shot_to_pieces.plane.base import Base, faced, moved
from domain.games.shot_to_pieces.plane.contacts import is_behind
from domain.games.shot_to_pieces.plane.gaps import is_closer
from domain.games.shot_to_pieces.plane.strikes import contact_distance
from domain.games.shot_to_pieces.plane.zones import firing_range
from domain.games.shot_to_pieces.state.commands import (
    About,
    Back,
    Beside,
    BreakOff,
    ChangeFormation,
    Charge,
    Face,
    Fire,
    Heading,
    MoveStraight,
    Occupy,
    Side,
)
from domain.games.shot_to_pieces.state.figures import figures, weapon_of
from domain.games.shot_to_pieces.state.profiles import MOUNTED
from domain.games.shot_to_pieces.state.rosters import ROSTERS
from domain.games.shot_to_pieces.state.state import State, Unit
from domain.mechanics.plane import distance as apart

PARTS = (4, 3, 2, 1)
"""Quarters of the way that are tried, the farthest first."""
ASIDE = 4500
"""How far to a side a unit may want to turn."""
SIDES: tuple[Side, ...] = ("left", "right")
NO_SIDE: tuple[Side, ...] = ("",)
RASH_HCM = 600
"""What the die of a rash charge adds at most."""
Found = tuple[Shifting, Base]
"""An order that may be given, and where it ends."""


def charge_options(state: State, unit: Unit) -> Iterator[Option]:
    """Charges at each enemy in reach, and what else belongs to the step of charges."""
    is_mounted = figures(state, unit).arm in MOUNTED
    most = reach(state, unit, is_on_road=bool(state.terrain))
    farthest = most + (RASH_HCM if is_mounted else 0)
    for enemy in state.enemies(unit):
        if not is_closer(unit.base, enemy.base, farthest + 1):
            continue
        target = OrderTarget("charge", point=enemy.at, unit=enemy.id, way=(unit.at, enemy.at))
        for command in _charges(unit, enemy, most, is_mounted=is_mounted):
            if is_legal(state, unit.side, command):
                yield Option(written(command, "en"), "charge", unit.id, target=target, exhaustive=False)
                break
    if unit.engaged and is_mounted and is_legal(state, unit.side, BreakOff(unit.id)):
        yield _here(unit, BreakOff(unit.id), "move")
    foe = nearest_enemy(state, unit) if unit.occupies_k == state.k else None
    if foe:
        occupy = Occupy(unit.id, Heading("at", unit=foe.id))
        if is_legal(state, unit.side, occupy):
            yield _here(unit, occupy, "form")


def _charges(unit: Unit, enemy: Unit, most: int, *, is_mounted: bool) -> Iterator[Charge]:
    """Straight at the enemy, straight on, or rash, where the leg meets the enemy within `most`."""
    facing = unit.facing if enemy.at == unit.at else bearing(unit.at, enemy.at)
    far = contact_distance(faced(unit.base, facing), facing, enemy.base)
    if far is not None and far <= most:
        yield Charge(unit.id, enemy.id)
    ahead = contact_distance(unit.base, unit.facing, enemy.base)
    if ahead is not None and ahead <= most:
        yield Charge(unit.id, enemy.id, Heading("bearing", unit.facing))
    if is_mounted and far is not None:
        yield Charge(unit.id, enemy.id, mode="rash")


def form_options(state: State, unit: Unit) -> Iterator[Option]:
    """Each formation that it may take on."""
    for formation in formations_of(state, unit):
        command = ChangeFormation(unit.id, formation)
        if is_legal(state, unit.side, command):
            yield _here(unit, command, "form")


def fire_options(state: State, unit: Unit) -> Iterator[Option]:
    """Each target that it may name, the nearest first."""
    if not is_able(state, unit):
        return
    aims, mate = choices(state, unit), large_mate(state, unit)
    mates = (mate.id,) if mate and is_able(state, mate) else ()
    for aim in (*aims, *(() if aims else indirect_targets(state, unit))):
        command = Fire((unit.id, *mates), aim.target, aim.mode == "indirect")
        if is_legal(state, unit.side, command):
            enemy = state.units[aim.target]
            limits = {"range_hcm": aim.distance, "band": aim.band}
            target = OrderTarget("shoot", point=enemy.at, unit=enemy.id)
            yield Option(written(command, "en"), "fire", unit.id, limits=limits, target=target)


# --- moves


def move_options(state: State, unit: Unit) -> Iterator[Option]:
    """A few of the moves that it may make; each end is listed once."""
    if not may_move(state, unit):
        return
    most, foe = reach(state, unit), nearest_enemy(state, unit)
    farthest = reach(state, unit, is_on_road=bool(state.terrain))
    state = vicinity(state, unit, farthest, foe.id if foe else "")
    seen = set[tuple[Any, int]]()
    for find in (_ahead, _to_enemy, _into_cover, _away, _turns, _to_flanks):
        for command, end in find(state, unit, most):
            if (end.at, end.facing) not in seen:
                seen.add((end.at, end.facing))
                yield _moved(unit, command, end.at, end.facing, most)


def may_move(state: State, *units: Unit) -> bool:
    """Whether units could have an order of movement, wherever it leads: not who is shaken, engaged, spent or held, nor
    whose points are."""
    try:
        fit(state, units[0].side, *(unit.id for unit in units))
        require_whole_battalions(state, units)
    except Refusal:
        return False
    return could_pay(state, units, NEAR, ELSE)


def _first(state: State, unit: Unit, orders: Iterable[Shifting]) -> Iterator[Found]:
    """The first of some orders of a unit that is legal, with its end; the unit is known to be fit for one."""
    for order in orders:
        try:
            shift = shift_of(state, unit, order)
            if not is_affordable(state, shift):
                continue
            planned(state, shift, "")
        except Refusal:
            continue
        yield order, shift.end
        return


def _parts(unit: Unit, most: int, face: Heading | None = None) -> Iterator[MoveStraight]:
    for part in PARTS:
        length = most * part // 4
        if length:
            yield MoveStraight(unit.id, length, face)


def _ahead(state: State, unit: Unit, most: int) -> Iterator[Found]:
    yield from _first(state, unit, _parts(unit, most_ahead(state, unit, unit.facing)))
    yield from _first(state, unit, (MoveStraight(unit.id, most // 2),))


def _to_enemy(state: State, unit: Unit, most: int) -> Iterator[Found]:
    """Towards the nearest enemy: to the edge of the range, of its short band, or as far as may be."""
    foe, weapon = nearest_enemy(state, unit), weapon_of(state, unit)
    if foe is None or foe.at == unit.at:
        return
    facing = bearing(unit.at, foe.at)
    if difference(facing, unit.facing) > 100:
        heading = Heading("bearing", facing)
        yield from _first(state, unit, _parts(unit, most, heading))
        yield from _first(state, unit, (Face(unit.id, heading),))
    for limit in (weapon.range, weapon.bands[0]) if weapon else ():
        length = _until_in_range(unit, foe, facing, limit)
        if 0 < length <= most:
            face = None if facing == unit.facing else Heading("bearing", facing)
            yield from _first(state, unit, (MoveStraight(unit.id, length, face),))


def _until_in_range(unit: Unit, foe: Unit, facing: int, limit: int) -> int:
    """How far a unit goes straight at an enemy until it is in a range; 0 if it is already."""
    start = faced(unit.base, facing)
    return max(0, firing_range(start, foe.base) - limit)


def _into_cover(state: State, unit: Unit, most: int) -> Iterator[Found]:
    """Into the nearest ground that gives cover."""
    near = [
        (apart(unit.at, place.centre), ground.id, place)
        for ground in state.terrain
        if ground.cover and ground.outline and not (place := PlaceOutline(ground.outline)).has(unit.at)
    ]
    for length, _, place in sorted(near)[:1]:
        facing = bearing(unit.at, place.centre)
        heading = Heading("bearing", facing)
        lengths = [one for one in (length, most * 3 // 4, most // 2) if one <= most]
        inside = (
            MoveStraight(unit.id, one, heading)
            for one in lengths
            if place.has(moved(faced(unit.base, facing), facing, one).at)
        )
        yield from _first(state, unit, inside)


def _away(state: State, unit: Unit, most: int) -> Iterator[Found]:
    far = backing(state, unit)
    yield from _first(state, unit, (Back(unit.id, length) for length in (far, far // 2) if length))
    for side in SIDES if figures(state, unit).arm in MOUNTED else NO_SIDE:
        yield from _first(state, unit, (About(unit.id, side, length) for length in (most, most // 2)))


def _turns(state: State, unit: Unit, most: int) -> Iterator[Found]:
    for way in (-1, 1):
        heading = Heading("bearing", (unit.facing + way * ASIDE) % (2 * HALF))
        yield from _first(
            state, unit, (MoveStraight(unit.id, length, heading) for length in (most, most // 2) if length)
        )


def _to_flanks(state: State, unit: Unit, most: int) -> Iterator[Found]:
    """From behind a friend to its flanks (STP-MOV-04)."""
    for friend in state.of(unit.side):
        if friend.id != unit.id and is_behind(unit.base, friend.base):
            for side in SIDES:
                yield from _first(state, unit, (Beside(unit.id, friend.id, side),))


# --- how they are shown


def nearest_enemy(state: State, unit: Unit) -> Unit | None:
    """The nearest enemy, or None for none."""
    found = ROSTERS.of(state.units).nearest_to(unit)
    return state.units[found[1]] if found else None


def _here(unit: Unit, command: Command, kind: str) -> Option:
    return Option(written(command, "en"), kind, unit.id, target=OrderTarget("stay", point=unit.at))


def _moved(unit: Unit, command: Command, at: tuple[int, int], facing: int, most: int) -> Option:
    act: Any = "stay" if at == unit.at else "move"
    target = OrderTarget(act, point=at, facing=tenths(facing), way=(unit.at, at) if at != unit.at else ())
    return Option(written(command, "en"), "move", unit.id, limits={"most_hcm": most}, exhaustive=False, target=target)


Lister = Callable[[State, Unit], Iterator[Option]]
"""Lists the options of a unit in a step."""
