"""What orders by reference come to: the order with figures that does what they say (STP-ORD-10).

An end is looked for by the plans that decide; where there is none, the refusal has the nearest legal one.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.games.shot_to_pieces.adjudication import DECISIONS, STEP_ORDERS
from domain.games.shot_to_pieces.chapters.checks import own_unit, require_here, target_of
from domain.games.shot_to_pieces.chapters.course import step_for
from domain.games.shot_to_pieces.chapters.moves import CRAB_HDEG, backing, heading_of
from domain.games.shot_to_pieces.chapters.paces import is_on_road, reach
from domain.games.shot_to_pieces.orders.places import PlaceOutline, no_such_place, place_named
from domain.games.shot_to_pieces.plane.angles import FULL, HALF, bearing, difference, turned
from domain.games.shot_to_pieces.plane.base import Base, beside, faced, front_centre, moved
from domain.games.shot_to_pieces.plane.gaps import distance as gap
from domain.games.shot_to_pieces.plane.zones import firing_range
from domain.games.shot_to_pieces.state.commands import (
    NONE,
    Action,
    Back,
    ByReference,
    Charge,
    Face,
    Heading,
    MoveAsGroup,
    MoveStraight,
    Side,
    Together,
)
from domain.games.shot_to_pieces.state.figures import weapon_of
from domain.games.shot_to_pieces.state.state import Point, State, Unit
from domain.games.shot_to_pieces.state.vocabulary import CHARGES
from domain.mechanics.plane import distance as apart

COARSE = 100
"""The steps, in 1/100 cm, in which the farthest legal end is looked for before it is found exactly."""
CLEAR = (0, 1, 2, 5)
"""How far beside a friend a unit is placed, so that rounding does not make them overlap."""


def spelled_out(state: State, side: str, command: Command) -> Command:
    """An order as the log has it: with its figures; one that will be refused as it is given."""
    try:
        return resolved(state, side, command)
    except Refusal:
        return command


def resolved(state: State, side: str, command: Command) -> Command:
    """What an order comes to; an order with figures is itself.

    Raises: Refusal stp.wrong-step, core.unknown-id, core.not-yours, stp.unit-gone, stp.no-such-place-to-go
    """
    if isinstance(command, Together):
        return Together(tuple(cast("Action", _action(state, side, action)) for action in command.actions))
    return _action(state, side, command) if isinstance(command, ByReference) else command


def decide_reference(judge: Judge[State], side: str, command: ByReference) -> None:
    """The order is decided as what it comes to."""
    meant = resolved(judge.state, side, command)
    DECISIONS[type(meant)](judge, side, meant)


def decide_together(judge: Judge[State], side: str, command: Together) -> None:
    """A group whose members have orders by reference is decided as what these come to."""
    DECISIONS[Together](judge, side, resolved(judge.state, side, command))


def _action(state: State, side: str, command: Command) -> Command:
    if not isinstance(command, ByReference):
        return command
    step_for(state, STEP_ORDERS[MoveStraight], command)
    unit = own_unit(state, side, command.unit)
    require_here(unit)
    return _RESOLVERS[command.verb](state, unit, command)


# --- looking for an end


def is_legal(state: State, side: str, command: Command) -> bool:
    """Whether an order may be given, whatever has to be closed before it."""
    order = STEP_ORDERS.get(type(command))
    if order is None:
        return False
    try:
        order.plan(state, side, command)
    except Refusal:
        return False
    return True


def farthest(state: State, unit: Unit, order: Callable[[int], Command], most: int, least: int = 1) -> int:
    """The greatest length from `least` to `most` with which an order is legal; 0 for none.

    It is looked for from above in whole centimetres, and then exactly above the first that is legal.
    """
    if most < least:
        return 0
    if is_legal(state, unit.side, order(most)):
        return most
    too_far = most
    low = (most - 1) // COARSE * COARSE
    while low >= least and not is_legal(state, unit.side, order(low)):
        too_far, low = low, low - COARSE
    if low < least:
        if not is_legal(state, unit.side, order(least)):
            return 0
        low = least
    while too_far - low > 1:
        middle = (low + too_far) // 2
        if is_legal(state, unit.side, order(middle)):
            low = middle
        else:
            too_far = middle
    return low


def _straight(unit: Unit, facing: int) -> Callable[[int], MoveStraight]:
    """A move of any length after turning to a facing."""
    face = None if facing == unit.facing else Heading("bearing", facing)
    return lambda length: MoveStraight(unit.id, length, face)


def most_ahead(state: State, unit: Unit, facing: int) -> int:
    """The longest move that ground and obstacles could allow straight along a facing."""
    length = reach(state, unit)
    end = moved(faced(unit.base, facing), facing, reach(state, unit, is_on_road=True)).at
    return reach(state, unit, is_on_road=True) if is_on_road(state, unit.at, end) else length


def _as_far(state: State, unit: Unit, facing: int, wanted: int = -1) -> MoveStraight:
    """Straight along a facing, so far at most, or as far as may be; at least somewhere."""
    order = _straight(unit, facing)
    most = most_ahead(state, unit, facing)
    found = farthest(state, unit, order, most if wanted < 0 else min(most, wanted))
    if not found:
        raise no_such_place(unit.id, 0)
    return order(found)


def _exactly(state: State, unit: Unit, facing: int, least: int, most: int) -> MoveStraight:
    """Straight along a facing, to an end between two lengths, the farther the better."""
    order = _straight(unit, facing)
    found = farthest(state, unit, order, min(most, most_ahead(state, unit, facing)), max(1, least))
    if not found:
        raise no_such_place(unit.id, farthest(state, unit, order, min(most_ahead(state, unit, facing), max(1, least))))
    return order(found)


# --- each kind of reference


def _ahead(state: State, unit: Unit, command: ByReference) -> Command:
    facing = heading_of(state, unit, command.face)
    return _as_far(state, unit, facing) if command.distance == NONE else _straight(unit, facing)(command.distance)


def _turn(state: State, unit: Unit, command: ByReference) -> Command:
    return Face(unit.id, Heading("left" if command.side == "left" else "right", FULL // 4))


def _wheel(state: State, unit: Unit, command: ByReference) -> Command:
    return MoveAsGroup((unit.id,), wheel=command.side, wheel_angle=command.angle)


def _back(state: State, unit: Unit, command: ByReference) -> Command:
    found = farthest(state, unit, lambda length: Back(unit.id, length), backing(state, unit))
    return Back(unit.id, found or 1)


def _contact(state: State, unit: Unit, command: ByReference) -> Command:
    """A charge, or up to a friend, or as near to an enemy as a move leads."""
    friend = state.units.get(command.place)
    if friend is None or friend.side != unit.side:
        target = target_of(state, unit, command.place)
        charge = Charge(unit.id, target.id)
        if state.step == CHARGES and Charge in STEP_ORDERS:
            return charge
        return _as_far(state, unit, _facing_to(unit, target.at))
    require_here(friend)
    return _as_far(state, unit, _facing_to(unit, friend.at), apart(unit.at, friend.at))


def _range(state: State, unit: Unit, command: ByReference) -> Command:
    """To the outer edge of a band, or as near to it as a move leads; who is there already turns only."""
    target = target_of(state, unit, command.place)
    weapon = weapon_of(state, unit)
    if weapon is None:
        raise no_such_place(unit.id, 0)
    limit = weapon.bands[0] if command.band == "short" else weapon.range
    facing = _facing_to(unit, target.at)
    start = faced(unit.base, facing)
    if firing_range(start, target.base) <= limit:
        return Face(unit.id, Heading("bearing", facing))
    low, high = 0, gap(start, target.base)
    while high - low > 1:
        middle = (low + high) // 2
        if firing_range(moved(start, facing, middle), target.base) <= limit:
            high = middle
        else:
            low = middle
    return _as_far(state, unit, facing, high)


def _towards(state: State, unit: Unit, command: ByReference) -> Command:
    point, _ = place_named(state, command).nearest(unit.at)
    facing = _facing_to(unit, point)
    if command.distance != NONE:
        return _straight(unit, facing)(command.distance)
    return _as_far(state, unit, facing, apart(unit.at, point))


def _into(state: State, unit: Unit, command: ByReference) -> Command:
    """With the centre in the place, as near to its middle as a move leads."""
    place = place_named(state, command)
    facing = _facing_to(unit, place.centre)
    start, most = faced(unit.base, facing), apart(unit.at, place.centre)
    if place.has(unit.at):
        least = 1
    else:
        low, high = 0, most
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if place.has(moved(start, facing, middle).at) else (middle, high)
        least = high
    return _exactly(state, unit, facing, least, most)


def _behind(state: State, unit: Unit, command: ByReference) -> Command:
    """In the shadow of the place, seen from the nearest enemy: on the line from the enemy's centre over that of the
    place, as near behind it as bases allow."""
    place = place_named(state, command)
    enemies = [(gap(unit.base, enemy.base), enemy.id) for enemy in state.enemies(unit)]
    if not enemies:
        raise no_such_place(unit.id, 0)
    seen_from = state.units[min(enemies)[1]].at
    if seen_from == place.centre:
        raise no_such_place(unit.id, 0)
    shadow = bearing(seen_from, place.centre)
    beyond = max(apart(place.centre, point) for point in place.points)
    middle = Base(place.centre, shadow, unit.base.width, unit.base.depth)
    ends = [moved(middle, shadow, length).at for length in _behind_lengths(place, middle, unit.base.width, beyond)]
    nearest = 0
    for end in ends:
        facing = _facing_to(unit, end)
        length = apart(unit.at, end)
        order = _straight(unit, facing)
        if length and is_legal(state, unit.side, order(length)):
            return order(length)
        nearest = nearest or farthest(state, unit, order, min(length, most_ahead(state, unit, facing)))
    raise no_such_place(unit.id, nearest)


def _behind_lengths(place: PlaceOutline, middle: Base, width: int, beyond: int) -> list[int]:
    """How far behind the middle of a place a unit might stand, the nearest first."""
    edge, outside = 0, beyond + 1
    while place.has(place.centre) and outside - edge > 1:
        tried = (edge + outside) // 2
        edge, outside = (tried, outside) if place.has(moved(middle, middle.facing, tried).at) else (edge, tried)
    half = (middle.depth + 1) // 2
    return [edge + half, edge + half + 50, edge + half + 150, edge + max(half, width) + 300]


def _along(state: State, unit: Unit, command: ByReference) -> Command:
    _, (one, other) = place_named(state, command).nearest(unit.at)
    if one == other:
        raise no_such_place(unit.id, 0)
    tangent = bearing(one, other)
    facing = min(tangent, turned(tangent, HALF), key=lambda heading: difference(heading, unit.facing))
    return _as_far(state, unit, facing)


def _level(state: State, unit: Unit, command: ByReference) -> Command:
    """Straight on, or back, until the front edges are in line."""
    friend = own_unit(state, unit.side, command.place)
    require_here(friend)
    here, there = front_centre(unit.base), front_centre(friend.base)
    length = apart(here, there)
    if not length:
        raise no_such_place(unit.id, 0)
    off = difference(bearing(here, there), unit.facing)
    along = _along_facing(unit, here, there)
    order: Callable[[int], Command] = partial(Back, unit.id) if off > HALF // 2 else _straight(unit, unit.facing)
    if not along or not is_legal(state, unit.side, order(along)):
        raise no_such_place(unit.id, farthest(state, unit, order, along))
    return order(along)


def _along_facing(unit: Unit, here: Point, there: Point) -> int:
    """How far apart two points are along a unit's facing, without sign."""
    probe = moved(unit.base, unit.facing, 10_000).at
    ux, uy = probe[0] - unit.at[0], probe[1] - unit.at[1]
    scalar = abs((there[0] - here[0]) * ux + (there[1] - here[1]) * uy)
    return (scalar + 5_000) // 10_000


def _join(state: State, unit: Unit, command: ByReference) -> Command:
    """Side by side with a friend, facing as it does: on the side named, or on the one that a move leads to."""
    friend = own_unit(state, unit.side, command.place)
    require_here(friend)
    sides: tuple[Side, ...] = (command.side,) if command.side else ("left", "right")
    places = sorted((apart(unit.at, beside(unit.base, friend.base, is_left=side == "left").at), side) for side in sides)
    for _, side in places:
        end = beside(unit.base, friend.base, is_left=side == "left")
        outward = turned(friend.facing, -FULL // 4 if side == "left" else FULL // 4)
        for clear in CLEAR:
            order = _slanted(unit, friend.facing, moved(end, outward, clear).at)
            if order and is_legal(state, unit.side, order):
                return order
    facing = _facing_to(unit, friend.at)
    most = min(most_ahead(state, unit, facing), apart(unit.at, friend.at))
    raise no_such_place(unit.id, farthest(state, unit, _straight(unit, facing), most))


def _slanted(unit: Unit, facing: int, to: Point) -> MoveStraight | None:
    """A move to a point with a facing, at an angle of at most 22.5 degrees to it; None if that leads not there."""
    length = apart(unit.at, to)
    if not length:
        return None
    heading = bearing(unit.at, to)
    angle = difference(heading, facing)
    if angle > CRAB_HDEG:
        return None
    face = None if facing == unit.facing else Heading("bearing", facing)
    if not angle:
        return MoveStraight(unit.id, length, face)
    return MoveStraight(unit.id, length, face, "right" if (heading - facing) % FULL <= HALF else "left", angle)


def _facing_to(unit: Unit, to: Point) -> int:
    return unit.facing if to == unit.at else bearing(unit.at, to)


_RESOLVERS: Mapping[str, Callable[[State, Unit, ByReference], Command]] = {
    "ahead": _ahead,
    "contact": _contact,
    "range": _range,
    "towards": _towards,
    "behind": _behind,
    "into": _into,
    "along": _along,
    "wheel": _wheel,
    "turn": _turn,
    "back": _back,
    "level": _level,
    "join": _join,
}
REFERRING = {ByReference: decide_reference, Together: decide_together}
"""The decide functions of orders that name no figures, for the table of all."""
