"""What one unit could be ordered: candidates, put to the same plans that decide.

A move may end anywhere within reach; listed are a few that players want: ahead as far as may be and half as far, to the
edges of ranges, into cover, back, about. `limits` has how far the unit could go at most.
"""

from collections.abc import Callable, Iterator
from typing import Any

from domain.basics.commands import Command
from domain.contract.option import Option, OrderTarget
from domain.games.shot_to_pieces.chapters.able import is_able
from domain.games.shot_to_pieces.chapters.formations import formations_of
from domain.games.shot_to_pieces.chapters.moves import backing, shift_of
from domain.games.shot_to_pieces.chapters.paces import reach
from domain.games.shot_to_pieces.chapters.salvoes import large_mate
from domain.games.shot_to_pieces.chapters.targets import choices, indirect_targets
from domain.games.shot_to_pieces.orders.places import Place
from domain.games.shot_to_pieces.orders.references import is_legal, most_ahead
from domain.games.shot_to_pieces.orders.vicinity import vicinity
from domain.games.shot_to_pieces.orders.writing import written
from domain.games.shot_to_pieces.plane.angles import HALF, bearing, difference
from domain.games.shot_to_pieces.plane.base import faced, moved
from domain.games.shot_to_pieces.plane.contacts import is_behind
from domain.games.shot_to_pieces.plane.gaps import distance, is_closer
from domain.games.shot_to_pieces.plane.zones import firing_range
from domain.games.shot_to_pieces.state.commands import (
    About,
    Back,
    Beside,
    BreakOff,
    Charge,
    Face,
    Fire,
    Form,
    Heading,
    Move,
    Occupy,
    Side,
)
from domain.games.shot_to_pieces.state.figures import figures, weapon_of
from domain.games.shot_to_pieces.state.profiles import MOUNTED
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


def charge_options(state: State, unit: Unit) -> Iterator[Option]:
    """Charges at each enemy in reach, and what else belongs to the step of charges."""
    is_mounted = figures(state, unit).arm in MOUNTED
    most = reach(state, unit, is_on_road=bool(state.terrain)) + (RASH_HCM if is_mounted else 0)
    for enemy in state.enemies(unit):
        if not is_closer(unit.base, enemy.base, most + 1):
            continue
        target = OrderTarget("charge", point=enemy.at, unit=enemy.id, way=(unit.at, enemy.at))
        for command in _charges(unit, enemy, is_mounted=is_mounted):
            if is_legal(state, unit.side, command):
                yield Option(written(command, "en"), "charge", unit.id, target=target, exhaustive=False)
                break
    if unit.engaged and is_mounted and is_legal(state, unit.side, BreakOff(unit.id)):
        yield _here(unit, BreakOff(unit.id), "move")
    foe = _nearest(state, unit)
    if unit.occupies_k == state.k and foe:
        occupy = Occupy(unit.id, Heading("at", unit=foe.id))
        if is_legal(state, unit.side, occupy):
            yield _here(unit, occupy, "form")


def _charges(unit: Unit, enemy: Unit, *, is_mounted: bool) -> Iterator[Charge]:
    yield Charge(unit.id, enemy.id)
    yield Charge(unit.id, enemy.id, Heading("bearing", unit.facing))
    if is_mounted:
        yield Charge(unit.id, enemy.id, mode="rash")


def form_options(state: State, unit: Unit) -> Iterator[Option]:
    """Each formation that it may take on."""
    for formation in formations_of(state, unit):
        command = Form(unit.id, formation)
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
    if not (unit.here and _may_move(state, unit)):
        return
    most, foe = reach(state, unit), _nearest(state, unit)
    farthest = reach(state, unit, is_on_road=bool(state.terrain))
    state = vicinity(state, unit, farthest, foe.id if foe else "")
    seen = set[tuple[Any, int]]()
    for find in (_ahead, _to_enemy, _into_cover, _away, _turns, _to_flanks):
        for command in find(state, unit, most):
            shift = shift_of(state, unit, command)
            if (shift.end.at, shift.end.facing) not in seen:
                seen.add((shift.end.at, shift.end.facing))
                yield _moved(unit, command, shift.end.at, shift.end.facing, most)


def _may_move(state: State, unit: Unit) -> bool:
    """Whether any order to move could be given: who is shaken, engaged or spent has none to look for."""
    return not (unit.shaken or unit.engaged or unit.order_k == state.k or state.corps[unit.corps].broken)


def _first(state: State, unit: Unit, orders: Iterator[Command]) -> Iterator[Any]:
    """The first of some orders that is legal."""
    for order in orders:
        if is_legal(state, unit.side, order):
            yield order
            return


def _parts(unit: Unit, most: int, face: Heading | None = None) -> Iterator[Command]:
    for part in PARTS:
        length = most * part // 4
        if length:
            yield Move(unit.id, length, face)


def _ahead(state: State, unit: Unit, most: int) -> Iterator[Any]:
    yield from _first(state, unit, _parts(unit, most_ahead(state, unit, unit.facing)))
    yield from _first(state, unit, iter((Move(unit.id, most // 2),)))


def _to_enemy(state: State, unit: Unit, most: int) -> Iterator[Any]:
    """Towards the nearest enemy: to the edge of the range, of its short band, or as far as may be."""
    foe, weapon = _nearest(state, unit), weapon_of(state, unit)
    if foe is None or foe.at == unit.at:
        return
    facing = bearing(unit.at, foe.at)
    if difference(facing, unit.facing) > 100:
        heading = Heading("bearing", facing)
        yield from _first(state, unit, _parts(unit, most, heading))
        yield from _first(state, unit, iter((Face(unit.id, heading),)))
    for limit in (weapon.range, weapon.bands[0]) if weapon else ():
        length = _until_in_range(unit, foe, facing, limit)
        if 0 < length <= most:
            face = None if facing == unit.facing else Heading("bearing", facing)
            yield from _first(state, unit, iter((Move(unit.id, length, face),)))


def _until_in_range(unit: Unit, foe: Unit, facing: int, limit: int) -> int:
    """How far a unit goes straight at an enemy until it is in a range; 0 if it is already."""
    start = faced(unit.base, facing)
    return max(0, firing_range(start, foe.base) - limit)


def _into_cover(state: State, unit: Unit, most: int) -> Iterator[Any]:
    """Into the nearest ground that gives cover."""
    near = [
        (apart(unit.at, place.centre), ground.id, place)
        for ground in state.terrain
        if ground.cover and ground.outline and not (place := Place(ground.outline)).has(unit.at)
    ]
    for length, _, place in sorted(near)[:1]:
        facing = bearing(unit.at, place.centre)
        heading = Heading("bearing", facing)
        lengths = [one for one in (length, most * 3 // 4, most // 2) if one <= most]
        inside = (
            Move(unit.id, one, heading) for one in lengths if place.has(moved(faced(unit.base, facing), facing, one).at)
        )
        yield from _first(state, unit, iter(inside))


def _away(state: State, unit: Unit, most: int) -> Iterator[Any]:
    far = backing(state, unit)
    yield from _first(state, unit, (Back(unit.id, length) for length in (far, far // 2) if length))
    for side in SIDES if figures(state, unit).arm in MOUNTED else NO_SIDE:
        yield from _first(state, unit, (About(unit.id, side, length) for length in (most, most // 2)))


def _turns(state: State, unit: Unit, most: int) -> Iterator[Any]:
    for way in (-1, 1):
        heading = Heading("bearing", (unit.facing + way * ASIDE) % (2 * HALF))
        yield from _first(state, unit, (Move(unit.id, length, heading) for length in (most, most // 2) if length))


def _to_flanks(state: State, unit: Unit, most: int) -> Iterator[Any]:
    """From behind a friend to its flanks (STP-MOV-04)."""
    for friend in state.of(unit.side):
        if friend.id != unit.id and is_behind(unit.base, friend.base):
            for side in SIDES:
                yield from _first(state, unit, iter((Beside(unit.id, friend.id, side),)))


# --- how they are shown


def _nearest(state: State, unit: Unit) -> Unit | None:
    enemies = [(distance(unit.base, enemy.base), enemy.id) for enemy in state.enemies(unit)]
    return state.units[min(enemies)[1]] if enemies else None


def _here(unit: Unit, command: Command, kind: str) -> Option:
    return Option(written(command, "en"), kind, unit.id, target=OrderTarget("stay", point=unit.at))


def _moved(unit: Unit, command: Command, at: tuple[int, int], facing: int, most: int) -> Option:
    act: Any = "stay" if at == unit.at else "move"
    target = OrderTarget(act, point=at, facing=(facing + 5) // 10 % 3600, way=(unit.at, at) if at != unit.at else ())
    return Option(written(command, "en"), "move", unit.id, limits={"most_hcm": most}, exhaustive=False, target=target)


Lister = Callable[[State, Unit], Iterator[Option]]
"""Lists the options of a unit in a step."""
