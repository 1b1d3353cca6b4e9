"""The orders that a side could give, found by putting candidates to the same plans that decide.

At each step those of the step are listed, and behind them those of later steps that close it (STP-SEQ-07). The last
option lets the battle go on.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Literal

from domain.contract.option import Option, OrderTarget
from domain.engine.state import OTHER
from domain.games.shot_to_pieces.chapters.command import WAYS, plan_order, ways_to_receive
from domain.games.shot_to_pieces.orders.foresight import at_step, can_be_done
from domain.games.shot_to_pieces.orders.group_options import group_options
from domain.games.shot_to_pieces.orders.notation import parse
from domain.games.shot_to_pieces.orders.references import is_legal
from domain.games.shot_to_pieces.orders.setup_options import deployments
from domain.games.shot_to_pieces.orders.unit_options import (
    Lister,
    charge_options,
    fire_options,
    form_options,
    move_options,
)
from domain.games.shot_to_pieces.orders.writing import written
from domain.games.shot_to_pieces.plane.base import ahead
from domain.games.shot_to_pieces.plane.gaps import distance_to
from domain.games.shot_to_pieces.state.commands import (
    AttachGeneral,
    Charge,
    CloseStep,
    CloseTurn,
    Detach,
    OrderCorps,
    SendGeneral,
    Strafe,
)
from domain.games.shot_to_pieces.state.state import Corps, General, Point, State, Unit, place_of
from domain.games.shot_to_pieces.state.vocabulary import (
    CHARGES,
    DEPLOYMENT,
    FIRE,
    FORMING,
    GENERALS,
    MOVES,
    ORDERS,
)
from domain.mechanics.plane import bearing
from domain.mechanics.plane import distance as apart

FOLLOWING = {
    CHARGES: (CHARGES, FORMING, MOVES),
    FORMING: (FORMING, MOVES),
    MOVES: (MOVES, GENERALS, FIRE),
    GENERALS: (GENERALS, FIRE),
    FIRE: (FIRE,),
}
"""Of which steps orders are listed in a step."""
GENERAL_ORDERS: tuple[Literal["advance", "hold"], ...] = ("advance", "hold")
JOURNEY_HCM = 3000
NEAREST_UNITS = 3


def options(state: State, side: str) -> list[Option]:
    """All orders of a side that lead on, from the state as it knows it; the last one lets the battle go on."""
    if state.winner is not None or not state.phase:
        return []
    listed = [Option(f"{word} draw", "draw") for word in ("accept", "decline") if state.draw_offer == OTHER[side]]
    if state.waiting:
        return [*listed, *answers(state)] if state.waiting.side == side else listed
    if state.active != side:
        return listed
    if state.step == DEPLOYMENT:
        return [*listed, *deployments(state, side)]
    if state.step == ORDERS:
        return [*listed, *_general_orders(state, side), Option(written(CloseStep(), "en"), "end")]
    for step in FOLLOWING.get(state.step, ()):
        then = at_step(state, side, step)
        if then is not None and then.active == side:
            listed += _given_now(state, then, side, LISTERS[step](then, side))
    return _closed(state, side, listed)


def _given_now(state: State, then: State, side: str, found: Iterator[Option]) -> Iterator[Option]:
    """Orders of a later step that are legal before it opens, too: that is asked first (STP-SEQ-07). It can differ where
    units have retreated, or standing orders have declared fire."""
    is_same = then.units is state.units and then.salvoes is state.salvoes
    return (one for one in found if is_same or is_legal(state, side, parse(one.order)))


def _closed(state: State, side: str, listed: list[Option]) -> list[Option]:
    """With what closes the step at their end; while a charge is due only charges lead on: the last of them is last."""
    if can_be_done(state, side):
        return [*listed, Option(written(CloseTurn(), "en"), "end"), Option(written(CloseStep(), "en"), "end")]
    charges = [option for option in listed if option.kind == "charge"]
    last = charges[-1:]
    return [*(option for option in listed if option not in last), *last]


def options_of(state: State, unit: str) -> list[Option]:
    """The options of one unit in the step that is open and those listed with it."""
    side = state.units[unit].side
    found = list[Option]()
    for step in FOLLOWING.get(state.step, ()):
        then = at_step(state, side, step)
        if then is not None and step in BY_UNIT:
            found += BY_UNIT[step](then, then.units[unit])
    return found


BY_UNIT: dict[str, Lister] = {
    CHARGES: charge_options,
    FORMING: form_options,
    MOVES: move_options,
    FIRE: fire_options,
}


def _each(lister: Lister) -> Callable[[State, str], Iterator[Option]]:
    def listed(state: State, side: str) -> Iterator[Option]:
        return chain.from_iterable(lister(state, unit) for unit in state.of(side))

    return listed


def _moves(state: State, side: str) -> Iterator[Option]:
    yield from _each(move_options)(state, side)
    yield from group_options(state, side)


def _fire(state: State, side: str) -> Iterator[Option]:
    yield from _each(fire_options)(state, side)
    if not state.strafes.get(side, 0):
        return
    over: dict[int, Unit] = {}
    for enemy in state.of(OTHER[side]):
        over.setdefault(enemy.at[0], enemy)
    for x, enemy in over.items():
        run = Strafe((x, 0), (x, state.board.height))
        if is_legal(state, side, run):
            target = OrderTarget("shoot", point=enemy.at, unit=enemy.id)
            yield Option(written(run, "en"), "strafe", exhaustive=False, target=target)


# --- command


def _general_orders(state: State, side: str) -> Iterator[Option]:
    for corps in state.corps_of(side):
        for order in GENERAL_ORDERS:
            command = OrderCorps(corps.id, order)
            if is_legal(state, side, command):
                sending = plan_order(state, side, command)
                odds = ways_to_receive(sending.needed), WAYS
                yield Option(written(command, "en"), "order", "", sending.needed, sending.factors, odds, how="at-most")
        if state.options.detachment or state.options.army_reserve:
            for units in _detachable(state, corps):
                yield from _detachments(state, side, units)


def _detachable(state: State, corps: Corps) -> dict[tuple[str, ...], None]:
    """Whom a corps could send: each brigade, and from the reserve each unit, which may be a brigade of its own."""
    members = state.under(corps.id)
    brigades = sorted({unit.brigade for unit in members} - {""})
    found = [tuple(unit.id for unit in members if unit.brigade == brigade) for brigade in brigades]
    if state.options.army_reserve:
        found += [(unit.id,) for unit in members]
    return dict.fromkeys(found)


def _detachments(state: State, side: str, units: tuple[str, ...]) -> Iterator[Option]:
    for corps in state.corps_of(side):
        command = Detach(units, corps.id)
        if is_legal(state, side, command):
            yield Option(written(command, "en"), "detach")


def _generals(state: State, side: str) -> Iterator[Option]:
    for general in state.generals.values():
        if general.side == side and general.alive and general.placed:
            yield from journeys(state, general)


def journeys(state: State, general: General) -> Iterator[Option]:
    """To the nearest units of their corps, to its middle, or away from their unit."""
    here, units = place_of(state, general), state.under(general.corps)
    near = sorted((distance_to(unit.base, here), unit.id) for unit in units if unit.id != general.unit)
    for _, name in near[:NEAREST_UNITS]:
        command = AttachGeneral(general.id, name)
        if is_legal(state, general.side, command):
            unit = state.units[name]
            target = OrderTarget("join", point=unit.at, unit=name)
            yield Option(written(command, "en"), "general", general.id, exhaustive=False, target=target)
    if general.unit and is_legal(state, general.side, AttachGeneral(general.id)):
        target = OrderTarget("stay", point=here)
        yield Option(written(AttachGeneral(general.id), "en"), "general", general.id, target=target)
    to = _middle(state, general, here)
    if to and is_legal(state, general.side, SendGeneral(general.id, to)):
        target = OrderTarget("move", point=to, way=(here, to))
        yield Option(written(SendGeneral(general.id, to), "en"), "general", general.id, exhaustive=False, target=target)


def _middle(state: State, general: General, here: Point) -> Point | None:
    """The middle of a corps, or as near to it as a general goes; None for a general who is there."""
    units = state.under(general.corps)
    if not units:
        return None
    middle = sum(unit.at[0] for unit in units) // len(units), sum(unit.at[1] for unit in units) // len(units)
    if apart(here, middle) <= JOURNEY_HCM:
        return middle if middle != here else None
    return ahead(here, bearing(here, middle, 36000), JOURNEY_HCM - 1)


LISTERS: dict[str, Callable[[State, str], Iterator[Option]]] = {
    CHARGES: _each(charge_options),
    FORMING: _each(form_options),
    MOVES: _moves,
    GENERALS: _generals,
    FIRE: _fire,
}


# --- answers


VERBS = {"fire-order": "resolve"}
"""The word of an answer, where that is not its kind."""


def answers(state: State) -> Iterator[Option]:
    """The answers to the question that waits, the quiet one last."""
    waiting = state.waiting
    assert waiting is not None, "only a question has answers"
    verb = VERBS.get(waiting.kind, waiting.kind)
    unit = state.units.get(waiting.unit)
    for answer in waiting.options:
        named = state.units.get(answer) or unit
        target = OrderTarget("stay", point=named.at) if named else None
        yield Option(f"{verb} {answer}", "answer", waiting.unit, target=target)


def tried(state: State, unit: str, place: str) -> tuple[str, ...]:
    """What a unit without orders may have been meant to do, by the step that is open."""
    one = state.units.get(unit)
    if one is None:
        return ()
    enemies = [(apart(one.at, enemy.at), enemy.id) for enemy in state.enemies(one)]
    if not enemies:
        return (f"{unit} ahead",)
    nearest = min(enemies)[1]
    if state.step == CHARGES:
        return (written(Charge(unit, nearest), "en"), f"{unit} ahead")
    return (f"{unit} fire {nearest}",) if state.step == FIRE else (f"{unit} ahead", f"{unit} fire {nearest}")
