"""Where a unit or general may end, for whoever drags it over the board: what the plans that decide let it do."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.contract.free_ends import Apart, FreeEnd, FreeEnds, WishedEnd
from domain.contract.option import Act
from domain.engine.judge import not_yours, unknown_id
from domain.engine.state import OTHER
from domain.games.shot_to_pieces.adjudication import STEP_ORDERS
from domain.games.shot_to_pieces.chapters.charges import Onset
from domain.games.shot_to_pieces.chapters.contacts import place_on
from domain.games.shot_to_pieces.chapters.deployment import Placing
from domain.games.shot_to_pieces.chapters.generals import Journey, limit
from domain.games.shot_to_pieces.chapters.moves import CRAB_HDEG
from domain.games.shot_to_pieces.chapters.moving import Movement, StraightMove
from domain.games.shot_to_pieces.chapters.paces import reach
from domain.games.shot_to_pieces.orders import wishes
from domain.games.shot_to_pieces.orders.foresight import at_step
from domain.games.shot_to_pieces.orders.notation import parse
from domain.games.shot_to_pieces.orders.options import FOLLOWING, journeys
from domain.games.shot_to_pieces.orders.references import is_legal
from domain.games.shot_to_pieces.orders.setup_options import places
from domain.games.shot_to_pieces.orders.unit_options import SIDES, charge_options, may_move, move_options, nearest_enemy
from domain.games.shot_to_pieces.orders.vicinity import vicinity
from domain.games.shot_to_pieces.orders.writing import written
from domain.games.shot_to_pieces.plane.angles import FULL, difference, tenths
from domain.games.shot_to_pieces.plane.base import Base, ahead, corners, faced, rounded
from domain.games.shot_to_pieces.plane.contacts import abuts
from domain.games.shot_to_pieces.plane.gaps import distance, is_closer
from domain.games.shot_to_pieces.state.commands import Charge
from domain.games.shot_to_pieces.state.state import General, Point, State, Unit, place_of
from domain.games.shot_to_pieces.state.vocabulary import CHARGES, DEPLOYMENT, GENERALS, MOVES
from domain.mechanics.plane import distance as apart

MOST_ENDS = 6
"""Of those that fit a wish."""
NEAREST = 3
"""So many enemies are told for each end."""
LISTED = 3
"""One in so many directions of the rose is listed where nothing is wished for."""
TURN_HCM = 10
"""What one degree away from the facing wished for counts as."""
CORNERS = 24
"""Of the outline of what a general reaches."""


class _FreeOrder(NamedTuple):
    """An order that may be given, in the state of its step."""

    state: State
    command: Command


def free_ends(state: State, side: str, name: str, wish: WishedEnd) -> FreeEnds:
    """The legal ends of a unit or general that fit a wish (STP-ORD-10), from the state as the side knows it.

    Raises: Refusal core.unknown-id, core.not-yours
    """
    one = _own(state, side, name)
    here, facing = (place_of(state, one), None) if isinstance(one, General) else (one.at, tenths(one.facing))
    if state.winner is not None or state.waiting or state.active != side:
        return FreeEnds(name, here, facing)
    found, outline = list[_FreeOrder](), tuple[Point, ...]()
    for then in _stages(state, side):
        more, reached = _placed(then, one, wish) if then.step == DEPLOYMENT else _found(then, one, wish)
        found += [_FreeOrder(then, each) for each in more if _holds_now(state, then, side, each)]
        outline = outline or reached
    ends = _distinct([end for each in found if (end := _end(each, side)) and wish.act in ("", end.act)])
    if wish.at is not None:
        ends = sorted(ends, key=lambda end: _misfit(end, wish))[:MOST_ENDS]
    return FreeEnds(name, here, facing, tuple(ends), outline if wish.at is None else ())


def _own(state: State, side: str, name: str) -> Unit | General:
    one: Unit | General | None = state.units.get(name) or state.generals.get(name)
    if one is None:
        raise unknown_id(name)
    if one.side != side:
        raise not_yours(name, one.side)
    return one


def _stages(state: State, side: str) -> Iterator[State]:
    """The state at each step of which orders may be given now (STP-SEQ-07)."""
    if state.step == DEPLOYMENT:
        yield state
    for step in FOLLOWING.get(state.step, ()):
        then = at_step(state, side, step)
        if then is not None and then.active == side:
            yield then


def _holds_now(state: State, then: State, side: str, command: Command) -> bool:
    """Whether an order of a later step is legal before it opens, too: that is asked first (STP-SEQ-07)."""
    is_same = then.units is state.units and then.salvoes is state.salvoes
    return is_same or is_legal(state, side, command)


# --- what there is at each step


def _found(then: State, one: Unit | General, wish: WishedEnd) -> tuple[list[Command], tuple[Point, ...]]:
    """The orders of a step that fit a wish, and the outline of what they reach."""
    if isinstance(one, General):
        return _of_general(then, one, wish) if then.step == GENERALS else ([], ())
    if not one.here:
        return [], ()
    unit = then.units[one.id]
    if then.step == CHARGES:
        if wish.at is not None:
            return [*wishes.charges(then, unit, wish), *wishes.turns(then, unit, wish)], ()
        return [parse(option.order) for option in charge_options(then, unit)], ()
    if then.step == MOVES and may_move(then, unit):
        return _moves(then, unit, wish)
    return [], ()


def _moves(then: State, unit: Unit, wish: WishedEnd) -> tuple[list[Command], tuple[Point, ...]]:
    """Moves of a unit, looked for among those who are near."""
    foe, most = nearest_enemy(then, unit), reach(then, unit, is_on_road=bool(then.terrain))
    near = vicinity(then, unit, most, foe.id if foe else "")
    if wish.at is not None:
        return [*wishes.moves(near, unit, wish), *wishes.turns(near, unit, wish)], ()
    rose = list(wishes.all_round(near, unit))
    listed: list[Command] = [parse(option.order) for option in move_options(then, unit)]
    for friend in near.of(unit.side):
        if friend.id != unit.id and is_closer(unit.base, friend.base, most):
            listed += [move for side in SIDES for move in wishes.joined(near, unit, friend, side)]
    for way, length in rose[::LISTED]:
        order = wishes.leg(unit, way, way)
        listed += [order(part) for part in (length, length // 2) if part and is_legal(near, unit.side, order(part))]
    outline = tuple(ahead(unit.at, way, length) for way, length in rose)
    return listed, outline if any(length for _, length in rose) else ()


def _of_general(then: State, general: General, wish: WishedEnd) -> tuple[list[Command], tuple[Point, ...]]:
    if not (general.alive and general.placed):
        return [], ()
    if wish.at is not None:
        return list(wishes.journeys_to(then, general, wish)), ()
    listed = [parse(option.order) for option in journeys(then, general)]
    here, far = place_of(then, general), limit(then, general)
    circle = (ahead(here, at * FULL // CORNERS, far) for at in range(CORNERS))
    return listed, tuple(_on_table(then, point) for point in circle) if listed else ()


def _on_table(state: State, point: Point) -> Point:
    return min(max(point[0], 0), state.board.width), min(max(point[1], 0), state.board.height)


def _placed(state: State, one: Unit | General, wish: WishedEnd) -> tuple[list[Command], tuple[Point, ...]]:
    """Places of the own strip (STP-GAP-25)."""
    if wish.at is not None:
        return list(wishes.deployments_at(state, one, wish)), ()
    least, most = wishes.strip_of(state, one.side)
    east = state.board.width
    listed = [parse(option.order) for option in places(state, one.side, one.id)]
    return listed, ((0, least), (east, least), (east, most), (0, most))


# --- ends


def _end(found: _FreeOrder, side: str) -> FreeEnd | None:
    """Where an order leads, as its plan says."""
    state, command = found
    try:
        plan = STEP_ORDERS[type(command)].plan(state, side, command)
    except Refusal:
        return None
    words = written(command, "en")
    if isinstance(plan, Movement):
        shift = plan.shifts[0]
        return _ended(state, side, words, _act(state, shift), shift.end, shift.distance, plan.payment.cost)
    if isinstance(plan, Onset) and isinstance(command, Charge):
        return _contact(state, side, words, plan)
    if isinstance(plan, Placing):
        return _ended(state, side, words, "place", plan.base, 0, 0)
    return _journey(state, side, words, plan) if isinstance(plan, Journey) else None


def _act(state: State, shift: StraightMove) -> Act:
    """What a move is: to stand beside a friend (STP-GEO-08), to turn on the spot, or to go somewhere."""
    unit = state.units[shift.unit]
    if shift.end.at == unit.at:
        return "stay"
    friends = (friend for friend in state.of(unit.side) if friend.id != unit.id)
    return "join" if any(abuts(shift.end, friend.base) for friend in friends) else "move"


def _contact(state: State, side: str, words: str, onset: Onset) -> FreeEnd | None:
    """A charge ends on the edge that it strikes (STP-CHG-10)."""
    declared = onset.declared
    unit, target = state.units[declared.unit], state.units[declared.target]
    base = place_on(state, unit, faced(unit.base, declared.facing_hdeg), target)
    if base is None:
        return None
    return _ended(state, side, words, "charge", base, declared.distance_hcm, onset.payment.cost)


def _journey(state: State, side: str, words: str, journey: Journey) -> FreeEnd:
    here = place_of(state, journey.general)
    act: Act = "move" if journey.to is not None else "join" if journey.unit else "stay"
    to = journey.to or (state.units[journey.unit].at if journey.unit else here)
    return _ended(state, side, words, act, Base(to, 0, 0, 0), apart(here, to), journey.payment.cost)


def _ended(state: State, side: str, words: str, act: Act, base: Base, far: int, cost: int) -> FreeEnd:
    """An end; who has no base, a general, faces nowhere."""
    is_base = base.width > 0
    outline = tuple(rounded(corner) for corner in corners(base)) if is_base else ()
    facing = tenths(base.facing) if is_base else None
    told = Message("stp.end", {"distance_hcm": far, "cost": cost or "", "act": act})
    return FreeEnd(words, act, base.at, facing, outline, far, cost, told, _nearest(state, side, base))


def _nearest(state: State, side: str, base: Base) -> tuple[Apart, ...]:
    enemies = sorted((distance(base, enemy.base), enemy.id) for enemy in state.of(OTHER[side]))
    return tuple(Apart(name, far) for far, name in enemies[:NEAREST])


def _distinct(ends: Sequence[FreeEnd]) -> list[FreeEnd]:
    """The first of those that end alike."""
    seen = dict[tuple[object, ...], FreeEnd]()
    for end in ends:
        seen.setdefault((end.act, end.at, end.facing), end)
    return list(seen.values())


def _misfit(end: FreeEnd, wish: WishedEnd) -> tuple[int, int]:
    """How far an end is from what was wished, in 1/100 cm; whom the unit was put to, friend or enemy, comes first."""
    assert wish.at is not None, "only a wish for a place is fitted"
    off = 0
    if wish.facing is not None and end.facing is not None:
        off = difference(end.facing * 10, wish.facing * 10)
    is_with = end.act in ("charge", "join") and off <= CRAB_HDEG
    return 0 if is_with else 1, apart(end.at, wish.at) + off * TURN_HCM // 100
