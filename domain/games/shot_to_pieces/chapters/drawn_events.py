"""Chapter EVT: the D20 event of a phase is drawn, finds whom it is for, and does at once what it does at once.

What events in force do to rolls, results, charges and points stands where these are decided (`chapters.fortunes`).
"""

from collections.abc import Callable

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.decisions import DecisionAsked, put
from domain.games.shot_to_pieces.chapters.dice import die, throw
from domain.games.shot_to_pieces.chapters.event_picks import (
    ahead_of,
    apply,
    aside_of,
    batteries,
    by_chance,
    find_nobody,
    gap_to,
    generals_of,
    of_four,
    pick,
    shooters,
)
from domain.games.shot_to_pieces.chapters.fortunes import AT_ONCE, EventApplied, rule_of
from domain.games.shot_to_pieces.chapters.paces import allowance
from domain.games.shot_to_pieces.chapters.results import limit, mark
from domain.games.shot_to_pieces.chapters.runs import burn, run_home
from domain.games.shot_to_pieces.plane.gaps import is_closer
from domain.games.shot_to_pieces.state.figures import figures
from domain.games.shot_to_pieces.state.state import EventInForce, State, units_here

SWITCHED = "STP-EVT-00"
NAMES = (
    *("panic-spreads", "looting", "rash", "no-quarter", "caisson-explodes", "out-of-ammunition"),
    *("unexpected-devastation", "color-guard", "bestially-drunk", "nice-shot", "best-battery", "sodden-ground"),
    *("bloody-hospital", "stroke-of-genius", "fire", "superior-shooter", "torrential-rain", "here-comes-the-enemy"),
    *("charismatic-leader", "tumble"),
)
CHOSEN = 20
"""The entry with which the side chooses another."""
EVENT = "event"
OWN_PHASES = 2
"""From one phase of a side to its next."""

# --- events


class EventDrawn(Event, frozen=True, gc=False):
    """The D20 of a phase."""

    RULE = SWITCHED
    TOLD_BY = "number"

    side: str
    number: int
    name: str


class EventExpired(Event, frozen=True, gc=False):
    """The phase is over, and an event has waited in vain."""

    RULE = SWITCHED

    number: int


# --- drawing


def step_draw_event(judge: Judge[State]) -> None:
    """One D20 for the side whose phase begins (STP-EVT-00, STP-GAP-09)."""
    side = judge.state.side
    number = throw(judge, side, die(20), EVENT, rule=SWITCHED)
    judge.emit(EventDrawn(side, number, NAMES[number - 1]), side, rule_of(number))
    _take_effect(judge, number)


def step_event_chosen(judge: Judge[State], *, answer: str) -> None:
    """The entry that a side has chosen (STP-EVT-20)."""
    _take_effect(judge, int(answer))


def step_battery_chosen(judge: Judge[State], *, answer: str) -> None:
    """The battery that may fire twice (STP-EVT-11)."""
    apply(judge, 11, (answer,))


def _take_effect(judge: Judge[State], number: int) -> None:
    _ENTRIES[number](judge, number)


# --- the entries


def _waits(judge: Judge[State], number: int) -> None:
    """It is in force, and finds whom it is for later (STP-EVT-01, -04, -08)."""
    state = judge.state
    if all(one.number != number for one in state.events):
        judge.emit(EventApplied(number), state.side, rule_of(number))


def _rearmost_shaken(judge: Judge[State], number: int) -> None:
    """The unit farthest back is shaken (STP-EVT-02, -13)."""
    state = judge.state
    units = state.of(state.side)
    if not units:
        find_nobody(judge, number)
        return
    least = min(ahead_of(state.side, unit.at) for unit in units)
    rearmost = [unit.id for unit in units if ahead_of(state.side, unit.at) == least]
    _shake(judge, by_chance(judge, rearmost, number), number)


def _shake(judge: Judge[State], unit: str, number: int) -> None:
    apply(judge, number, (unit,))
    mark(judge, unit, "shaken", EVENT, rule_of(number))
    limit(judge, unit)


def _rash(judge: Judge[State], number: int) -> None:
    """The cavalry nearest to the enemy, of those that could reach one, must charge (STP-EVT-03)."""
    state = judge.state
    found = [
        (gap_to(unit, state.enemies(unit)), unit.id)
        for unit in state.of(state.side)
        if figures(state, unit).arm == "cav"
        and not unit.shaken
        and not unit.engaged
        and any(is_closer(unit.base, one.base, allowance(state, unit) + 1) for one in state.enemies(unit))
    ]
    if found:
        apply(judge, number, (min(found)[1],))
    else:
        find_nobody(judge, number)


def _caisson(judge: Judge[State], number: int) -> None:
    """A battery is shaken (STP-EVT-05)."""
    pick(judge, number, batteries(judge.state), lambda name: _shake(judge, name, number))


def _devastation(judge: Judge[State], number: int) -> None:
    """A battery fires better once (STP-EVT-07)."""
    pick(judge, number, batteries(judge.state), lambda name: apply(judge, number, (name,), amount=1))


def _superior(judge: Judge[State], number: int) -> None:
    """A unit takes the best of two dice once (STP-EVT-16)."""
    pick(judge, number, shooters(judge.state), lambda name: apply(judge, number, (name,)))


def _sodden(judge: Judge[State], number: int) -> None:
    """An unlimbered battery must move, or is stuck: one that has moved 5 cm at most since its last own phase began
    (STP-EVT-12, STP-MOV-16, STP-INT-34)."""
    state = judge.state
    unlimbered = [unit for unit in batteries(state) if not unit.engaged and unit.far_k < state.k - OWN_PHASES]
    pick(judge, number, unlimbered, lambda name: apply(judge, number, (name,)))


def _out_of_ammunition(judge: Judge[State], number: int) -> None:
    """The shooters nearest to the enemy (STP-EVT-06)."""
    state = judge.state
    found = [(gap_to(unit, state.enemies(unit)), unit.id) for unit in shooters(state) if state.enemies(unit)]
    if found:
        apply(judge, number, (min(found)[1],), amount=-1)
    else:
        find_nobody(judge, number)


def _nice_shot(judge: Judge[State], number: int) -> None:
    """The enemy nearest to a unit with real fire is brittle (STP-EVT-10, STP-INT-39)."""
    state = judge.state
    firing = shooters(state)
    found = [(gap_to(enemy, firing), enemy.id) for enemy in units_here(state) if enemy.side != state.side and firing]
    if not found:
        find_nobody(judge, number)
        return
    name = min(found)[1]
    apply(judge, number, (name,))
    mark(judge, name, "brittle", EVENT, rule_of(number))
    limit(judge, name)


def _drunk(judge: Judge[State], number: int) -> None:
    """A corps, by the place of its general, has two points fewer (STP-EVT-09)."""
    places = generals_of(judge.state)
    if places:
        apply(judge, number, (), corps=of_four(judge, places, number), amount=-2)
    else:
        find_nobody(judge, number)


def _genius(judge: Judge[State], number: int) -> None:
    """A corps has two points more (STP-EVT-14)."""
    _one_general(judge, number, amount=2)


def _charisma(judge: Judge[State], number: int) -> None:
    """Units near a general roll two dice (STP-EVT-19)."""
    _one_general(judge, number)


def _one_general(judge: Judge[State], number: int, *, amount: int = 0) -> None:
    state = judge.state
    leads = {corps.general: corps.id for corps in state.corps_of(state.side) if corps.id in generals_of(state)}
    if leads:
        apply(judge, number, (), corps=leads[by_chance(judge, leads, number)], amount=amount)
    else:
        find_nobody(judge, number)


def _best_battery(judge: Judge[State], number: int) -> None:
    """The side names a battery (STP-EVT-11)."""
    options = tuple(sorted(unit.id for unit in batteries(judge.state)))
    if options:
        put(judge, DecisionAsked(judge.state.side, EVENT, "", options), "battery-chosen")
    else:
        find_nobody(judge, number)


def _rain(judge: Judge[State], number: int) -> None:
    """Everybody fires worse (STP-EVT-17)."""
    apply(judge, number, ())


def _here_comes_the_enemy(judge: Judge[State], number: int) -> None:
    """A unit at one end of the line makes for home (STP-EVT-18)."""
    state = judge.state
    units = [unit for unit in state.of(state.side) if not unit.engaged]
    if not units:
        find_nobody(judge, number)
        return
    face = throw(judge, state.side, die(2), "event-pick", rule=rule_of(number))
    sign = 1 if face == 1 else -1
    name = min((sign * aside_of(state.side, unit.at), unit.id) for unit in units)[1]
    apply(judge, number, (name,))
    run_home(judge, name, rule_of(number))


def _tumble(judge: Judge[State], number: int) -> None:
    """The side chooses an entry (STP-EVT-20)."""
    options = tuple(str(entry) for entry in range(1, CHOSEN))
    put(judge, DecisionAsked(judge.state.side, EVENT, "", options), "event-chosen")


_ENTRIES: dict[int, Callable[[Judge[State], int], None]] = {
    1: _waits,
    2: _rearmost_shaken,
    3: _rash,
    4: _waits,
    5: _caisson,
    6: _out_of_ammunition,
    7: _devastation,
    8: _waits,
    9: _drunk,
    10: _nice_shot,
    11: _best_battery,
    12: _sodden,
    13: _rearmost_shaken,
    14: _genius,
    15: burn,
    16: _superior,
    17: _rain,
    18: _here_comes_the_enemy,
    19: _charisma,
    CHOSEN: _tumble,
}


# --- the end of the phase


def expire_events(judge: Judge[State]) -> None:
    """Events that have waited for a moment that did not come (STP-EVT-00)."""
    for event in judge.state.events:
        if event.number in AT_ONCE and not event.used:
            judge.emit(EventExpired(event.number))


# --- evolutions


def on_event_drawn(state: State, event: EventDrawn) -> State:
    """It is in force, except the entry that chooses another."""
    if event.number == CHOSEN:
        return state
    return replace(state, events=(*state.events, EventInForce(event.number, state.k, event.side)))


STEPS = {
    "draw-event": step_draw_event,
    "event-chosen": step_event_chosen,
    "battery-chosen": step_battery_chosen,
}
EVOLUTIONS = {
    EventDrawn: on_event_drawn,
    EventExpired: unchanged,
}
