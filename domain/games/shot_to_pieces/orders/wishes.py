"""The orders that may lead where a player wishes a unit: candidates, put to the same plans that decide."""

from collections.abc import Callable, Iterator

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.contract.free_ends import WishedEnd
from domain.games.shot_to_pieces.chapters.moves import CRAB_HDEG, SQUARE, backing, heading_of
from domain.games.shot_to_pieces.chapters.paces import reach
from domain.games.shot_to_pieces.chapters.shifts import PROLONGED_HCM
from domain.games.shot_to_pieces.orders.references import farthest, is_legal, most_ahead, resolved
from domain.games.shot_to_pieces.plane.angles import FULL, HALF, SCALE, bearing, difference, turned, vector
from domain.games.shot_to_pieces.plane.base import ahead, beside
from domain.games.shot_to_pieces.plane.gaps import distance_to
from domain.games.shot_to_pieces.state.commands import (
    NONE,
    AttachGeneral,
    Back,
    ByReference,
    Charge,
    DeployAt,
    Face,
    Heading,
    MoveStraight,
    Prolong,
    SendGeneral,
    Side,
)
from domain.games.shot_to_pieces.state.figures import figures
from domain.games.shot_to_pieces.state.state import General, Point, State, Unit, place_of
from domain.mechanics.plane import distance as apart

ROSE = 36
"""The directions in which the reach of a unit is looked for."""
STILL_HCM = 50
"""A wish so near to a unit's own place is one to turn there."""
JOIN_HCM = 200
"""A wish so near to a place beside a friend is one to stand there."""
TARGET_HCM = 150
"""A wish so near to an enemy is one to charge it."""
ASIDE = (500, -500, 1000, -1000, 2000, -2000, 3500, -3500)
"""How far beside the straight way another is looked for, where that one is barred."""
RINGS, SPOKES = (100, 200, 300, 400, 600, 800), 16
"""How far from a place another is looked for, and in how many directions."""
CLOSE_HCM = 100
"""Who can come so near to where they are wished needs no other way."""


def heading_in(tenths: int) -> int:
    """A facing of the scene in 1/100 degree."""
    return tenths * 10 % FULL


def leg(unit: Unit, facing: int, way: int) -> Callable[[int], Command]:
    """A move of any length along a way, with a facing that differs by 22.5 degrees at most (STP-MOV-02)."""
    face = None if facing == unit.facing else Heading("bearing", facing)
    angle = difference(way, facing)
    side: Side = "" if not angle else "right" if (way - facing) % FULL <= HALF else "left"
    return lambda length: MoveStraight(unit.id, length, face, side, angle)


# --- moves


def moves(state: State, unit: Unit, wish: WishedEnd) -> Iterator[Command]:
    """Moves towards a place, each as far as is legal: straight, beside a friend who stands there, back, prolonged; and
    others beside the straight way where that is barred."""
    assert wish.at is not None, "where nothing is wished for, nothing is near it"
    far = apart(unit.at, wish.at)
    if far <= STILL_HCM:
        return
    joins = list(_joins(state, unit, wish.at))
    yield from joins
    way = bearing(unit.at, wish.at)
    most = reach(state, unit, is_on_road=bool(state.terrain))
    straight = _along(state, unit, way, wish, far)
    yield from straight
    is_barred = not any(length + CLOSE_HCM >= min(far, most) for length in map(_length, straight))
    if is_barred and not joins:
        for aside in ASIDE:
            yield from _along(state, unit, turned(way, aside), wish, _shadow(unit.at, wish.at, turned(way, aside)))
    yield from _back(state, unit, wish.at)
    yield from _prolonged(state, unit, way, far)


def _length(command: Command) -> int:
    return command.distance if isinstance(command, MoveStraight) else 0


def _shadow(start: Point, to: Point, way: int) -> int:
    """How far along a way a place is."""
    sine, cosine = vector(way)
    return ((to[0] - start[0]) * sine + (to[1] - start[1]) * cosine) // SCALE


def _along(state: State, unit: Unit, way: int, wish: WishedEnd, far: int) -> list[Command]:
    """As far as may be along a way, facing as wished as nearly as a move allows."""
    order = leg(unit, _facing(unit, way, wish), way)
    found = farthest(state, unit, order, min(far, most_ahead(state, unit, way)))
    return [order(found)] if found else []


def _facing(unit: Unit, way: int, wish: WishedEnd) -> int:
    if wish.facing is None:
        return way
    wanted = heading_in(wish.facing)
    if difference(wanted, way) <= CRAB_HDEG or unit.formation == SQUARE:
        return wanted
    return turned(way, CRAB_HDEG if (wanted - way) % FULL <= HALF else -CRAB_HDEG)


def _joins(state: State, unit: Unit, near: Point) -> Iterator[Command]:
    """The places beside friends that are near a place (STP-GEO-08)."""
    sides: tuple[Side, ...] = ("left", "right")
    for friend in state.of(unit.side):
        if friend.id == unit.id:
            continue
        for side in sides:
            if apart(beside(unit.base, friend.base, is_left=side == "left").at, near) <= JOIN_HCM:
                yield from joined(state, unit, friend, side)


def joined(state: State, unit: Unit, friend: Unit, side: Side) -> Iterator[Command]:
    """The move that ends beside a friend, if there is one."""
    try:
        yield resolved(state, unit.side, ByReference(unit.id, "join", place=friend.id, side=side))
    except Refusal:
        return


def _back(state: State, unit: Unit, to: Point) -> Iterator[Command]:
    """Back, facing the enemy, where the place is behind."""
    far = _shadow(unit.at, to, turned(unit.facing, HALF))
    found = farthest(state, unit, lambda length: Back(unit.id, length), min(far, backing(state, unit)))
    if found:
        yield Back(unit.id, found)


def _prolonged(state: State, unit: Unit, way: int, far: int) -> Iterator[Command]:
    """A gun by hand, its facing kept (STP-MOV-15)."""
    if figures(state, unit).arm == "art":
        found = farthest(state, unit, lambda length: Prolong(unit.id, length, way), min(far, PROLONGED_HCM))
        if found:
            yield Prolong(unit.id, found, way)


def all_round(state: State, unit: Unit) -> Iterator[tuple[int, int]]:
    """How far a unit comes in each direction of the rose, going straight: (way, length), 0 for nowhere."""
    for at in range(ROSE):
        way = turned(unit.facing, at * FULL // ROSE)
        yield way, farthest(state, unit, leg(unit, way, way), most_ahead(state, unit, way))


# --- turns and charges


def turns(state: State, unit: Unit, wish: WishedEnd) -> Iterator[Command]:
    """To the facing wished for, on the spot (STP-ORD-02)."""
    if wish.facing is None or wish.at is None or apart(unit.at, wish.at) > STILL_HCM:
        return
    command = Face(unit.id, Heading("bearing", heading_in(wish.facing)))
    if heading_of(state, unit, command.heading) != unit.facing and is_legal(state, unit.side, command):
        yield command


def charges(state: State, unit: Unit, wish: WishedEnd) -> Iterator[Command]:
    """A charge at the enemy where the unit is wished, in the first way that is legal."""
    assert wish.at is not None, "where nothing is wished for, nobody stands there"
    for enemy in state.enemies(unit):
        if distance_to(enemy.base, wish.at) <= TARGET_HCM:
            tried = (Charge(unit.id, enemy.id), Charge(unit.id, enemy.id, Heading("bearing", unit.facing)))
            yield from [one for one in tried if is_legal(state, unit.side, one)][:1]


# --- generals and the deployment


def journeys_to(state: State, general: General, wish: WishedEnd) -> Iterator[Command]:
    """To the unit that stands where a general is wished, and to the place, as near as may be."""
    assert wish.at is not None, "where nothing is wished for, nobody goes"
    side, here = general.side, place_of(state, general)
    for unit in state.under(general.corps):
        command = AttachGeneral(general.id, unit.id)
        if distance_to(unit.base, wish.at) <= TARGET_HCM and is_legal(state, side, command):
            yield command
    if is_legal(state, side, SendGeneral(general.id, wish.at)):
        yield SendGeneral(general.id, wish.at)
        return
    low, high = 0, FULL
    while high - low > 1:
        middle = (low + high) // 2
        is_near = is_legal(state, side, SendGeneral(general.id, part_way(here, wish.at, middle)))
        low, high = (middle, high) if is_near else (low, middle)
    if low:
        yield SendGeneral(general.id, part_way(here, wish.at, low))


def part_way(start: Point, to: Point, part: int) -> Point:
    """The place at so many parts of `FULL` of the way, rounded towards the start."""
    return start[0] + _part(to[0] - start[0], part), start[1] + _part(to[1] - start[1], part)


def _part(length: int, part: int) -> int:
    return length * part // FULL if length >= 0 else -(-length * part // FULL)


def strip_of(state: State, side: str) -> tuple[int, int]:
    """From where to where to the north a side deploys (STP-GAP-02)."""
    depth, north = state.options.deploy_depth_hcm, state.board.height
    return (0, depth) if side == "south" else (north - depth, north)


def deployments_at(state: State, one: Unit | General, wish: WishedEnd) -> Iterator[Command]:
    """At the place, or at the nearest free one that is looked for around it."""
    assert wish.at is not None, "where nothing is wished for, nobody is placed"
    facing = NONE if wish.facing is None or isinstance(one, General) else heading_in(wish.facing)
    least, most = strip_of(state, one.side)
    half = 0 if isinstance(one, General) else (max(one.base.width, one.base.depth) + 1) // 2
    x = min(max(wish.at[0], half), state.board.width - half)
    y = min(max(wish.at[1], least + half), most - half)
    formation = one.formation if isinstance(one, Unit) and one.placed else ""
    for at in (wish.at, *_around((x, y))):
        command = DeployAt(one.id, at, facing, formation)
        if is_legal(state, one.side, command):
            yield command
            return


def _around(middle: Point) -> Iterator[Point]:
    """A place, and others about it, ever farther away."""
    yield middle
    for far in RINGS:
        for at in range(SPOKES):
            yield ahead(middle, at * FULL // SPOKES, far)
