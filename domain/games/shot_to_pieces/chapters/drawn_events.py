"""Chapter EVT: the D20 event of a phase is drawn, finds whom it is for, and does at once what it does at once.

What events in force do to rolls, results, charges and points stands where these are decided (`chapters.fortunes`).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.decisions import DecisionAsked, put
from domain.games.shot_to_pieces.chapters.dice import die, throw
from domain.games.shot_to_pieces.chapters.fortunes import AT_ONCE, EventApplied, rule_of
from domain.games.shot_to_pieces.chapters.paces import allowance
from domain.games.shot_to_pieces.chapters.results import limit, mark
from domain.games.shot_to_pieces.chapters.runs import leave_building, run_home
from domain.games.shot_to_pieces.plane.gaps import distance, is_closer
from domain.games.shot_to_pieces.state.figures import figures, fire_value
from domain.games.shot_to_pieces.state.ground import grounds_at
from domain.games.shot_to_pieces.state.state import EventInForce, Point, State, Unit, general_of, place_of, units_here

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

Found = tuple[str, ...]


# --- events


class EventDrawn(Event, frozen=True, gc=False):
    """The D20 of a phase."""

    RULE = SWITCHED
    TOLD_BY = "number"

    side: str
    number: int
    name: str


class EventWithoutEffect(Event, frozen=True, gc=False):
    """Nobody is there whom an event could be for."""

    RULE = SWITCHED

    number: int


class EventExpired(Event, frozen=True, gc=False):
    """The phase is over, and an event has waited in vain."""

    RULE = SWITCHED

    number: int


class BuildingClosed(Event, frozen=True, gc=False):
    """A building burns, and nobody enters it any more."""

    RULE = "STP-EVT-15"

    building: str


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
    _apply(judge, 11, (answer,))


def _take_effect(judge: Judge[State], number: int) -> None:
    _ENTRIES[number](judge, number)


def _apply(judge: Judge[State], number: int, units: Found, **more: Any) -> None:
    judge.emit(EventApplied(number, units, **more), judge.state.side, rule_of(number))


def _nobody(judge: Judge[State], number: int) -> None:
    judge.emit(EventWithoutEffect(number), judge.state.side, rule_of(number))


# --- picking


def _ahead(side: str, at: Point) -> int:
    """How far forward a place is on a side's axis (STP-EVT-SEL)."""
    return at[1] if side == "south" else -at[1]


def _aside(side: str, at: Point) -> int:
    """How far to the right it is."""
    return at[0] if side == "south" else -at[0]


def _by_chance(judge: Judge[State], names: Iterable[str], number: int) -> str:
    """One of some candidates; a single one without a die (STP-GEN-05, STP-EVT-00)."""
    found = sorted(names)
    if len(found) == 1:
        return found[0]
    return found[throw(judge, judge.state.side, die(len(found)), "event-random", rule=rule_of(number)) - 1]


def _of_four(judge: Judge[State], places: dict[str, Point], number: int) -> str:
    """The most forward, rearward, leftmost or rightmost of some, by a D4; ties by chance (STP-EVT-SEL)."""
    side = judge.state.side
    face = throw(judge, side, die(4), "event-pick", rule=rule_of(number))
    measure = _ahead if face <= 2 else _aside
    wanted = max if face in (1, 4) else min
    best = wanted(measure(side, at) for at in places.values())
    return _by_chance(judge, (name for name, at in places.items() if measure(side, at) == best), number)


def _batteries(state: State) -> list[Unit]:
    return [unit for unit in state.of(state.side) if figures(state, unit).arm == "art"]


def _shooters(state: State) -> list[Unit]:
    return [unit for unit in state.of(state.side) if fire_value(state, unit)]


def _gap(unit: Unit, enemies: Sequence[Unit]) -> int:
    return min(distance(unit.base, enemy.base) for enemy in enemies)


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
        _nobody(judge, number)
        return
    least = min(_ahead(state.side, unit.at) for unit in units)
    rearmost = [unit.id for unit in units if _ahead(state.side, unit.at) == least]
    _shake(judge, _by_chance(judge, rearmost, number), number)


def _shake(judge: Judge[State], unit: str, number: int) -> None:
    _apply(judge, number, (unit,))
    mark(judge, unit, "shaken", EVENT, rule_of(number))
    limit(judge, unit)


def _rash(judge: Judge[State], number: int) -> None:
    """The cavalry nearest to the enemy, of those that could reach one, must charge (STP-EVT-03)."""
    state = judge.state
    found = [
        (_gap(unit, state.enemies(unit)), unit.id)
        for unit in state.of(state.side)
        if figures(state, unit).arm == "cav"
        and not unit.shaken
        and not unit.engaged
        and any(is_closer(unit.base, one.base, allowance(state, unit) + 1) for one in state.enemies(unit))
    ]
    if found:
        _apply(judge, number, (min(found)[1],))
    else:
        _nobody(judge, number)


def _caisson(judge: Judge[State], number: int) -> None:
    """A battery is shaken (STP-EVT-05)."""
    _pick(judge, number, _batteries(judge.state), lambda name: _shake(judge, name, number))


def _devastation(judge: Judge[State], number: int) -> None:
    """A battery fires better once (STP-EVT-07)."""
    _pick(judge, number, _batteries(judge.state), lambda name: _apply(judge, number, (name,), amount=1))


def _superior(judge: Judge[State], number: int) -> None:
    """A unit takes the best of two dice once (STP-EVT-16)."""
    _pick(judge, number, _shooters(judge.state), lambda name: _apply(judge, number, (name,)))


def _sodden(judge: Judge[State], number: int) -> None:
    """An unlimbered battery must move, or is stuck (STP-EVT-12, STP-MOV-16)."""
    state = judge.state
    unlimbered = [unit for unit in _batteries(state) if not unit.engaged and unit.far_k < state.k - OWN_PHASES]
    _pick(judge, number, unlimbered, lambda name: _apply(judge, number, (name,)))


def _pick(judge: Judge[State], number: int, units: Sequence[Unit], then: Callable[[str], None]) -> None:
    """One of some units by a D4, if there is any."""
    if units:
        then(_of_four(judge, {unit.id: unit.at for unit in units}, number))
    else:
        _nobody(judge, number)


def _out_of_ammunition(judge: Judge[State], number: int) -> None:
    """The shooters nearest to the enemy (STP-EVT-06)."""
    state = judge.state
    found = [(_gap(unit, state.enemies(unit)), unit.id) for unit in _shooters(state) if state.enemies(unit)]
    if found:
        _apply(judge, number, (min(found)[1],), amount=-1)
    else:
        _nobody(judge, number)


def _nice_shot(judge: Judge[State], number: int) -> None:
    """The enemy nearest to a unit with real fire is brittle (STP-EVT-10, STP-INT-39)."""
    state = judge.state
    shooters = _shooters(state)
    found = [(_gap(enemy, shooters), enemy.id) for enemy in units_here(state) if enemy.side != state.side and shooters]
    if not found:
        _nobody(judge, number)
        return
    name = min(found)[1]
    _apply(judge, number, (name,))
    mark(judge, name, "brittle", EVENT, rule_of(number))
    limit(judge, name)


def _drunk(judge: Judge[State], number: int) -> None:
    """A corps, by the place of its general, has two points fewer (STP-EVT-09)."""
    places = _generals(judge.state)
    if places:
        _apply(judge, number, (), corps=_of_four(judge, places, number), amount=-2)
    else:
        _nobody(judge, number)


def _genius(judge: Judge[State], number: int) -> None:
    """A corps has two points more (STP-EVT-14)."""
    _one_general(judge, number, amount=2)


def _charisma(judge: Judge[State], number: int) -> None:
    """Units near a general roll two dice (STP-EVT-19)."""
    _one_general(judge, number)


def _one_general(judge: Judge[State], number: int, *, amount: int = 0) -> None:
    state = judge.state
    leads = {corps.general: corps.id for corps in state.corps_of(state.side) if corps.id in _generals(state)}
    if leads:
        _apply(judge, number, (), corps=leads[_by_chance(judge, leads, number)], amount=amount)
    else:
        _nobody(judge, number)


def _generals(state: State) -> dict[str, Point]:
    """Where the generals of the corps of the side are, by corps."""
    found = ((corps.id, general_of(state, corps)) for corps in state.corps_of(state.side))
    return {corps: place_of(state, general) for corps, general in found if general and general.placed}


def _best_battery(judge: Judge[State], number: int) -> None:
    """The side names a battery (STP-EVT-11)."""
    options = tuple(sorted(unit.id for unit in _batteries(judge.state)))
    if options:
        put(judge, DecisionAsked(judge.state.side, EVENT, "", options), "battery-chosen")
    else:
        _nobody(judge, number)


def _fire(judge: Judge[State], number: int) -> None:
    """A building is left at once, and closed (STP-EVT-15)."""
    state = judge.state
    buildings = [one.id for one in state.terrain if one.kind == "building" and one.id not in state.closed]
    if not buildings:
        _nobody(judge, number)
        return
    name = _by_chance(judge, buildings, number)
    inside = tuple(
        unit.id for unit in units_here(state) if any(ground.id == name for ground in grounds_at(state, unit.at))
    )
    _apply(judge, number, inside, building=name)
    judge.emit(BuildingClosed(name))
    for unit in inside:
        leave_building(judge, unit, name, rule_of(number))


def _rain(judge: Judge[State], number: int) -> None:
    """Everybody fires worse (STP-EVT-17)."""
    _apply(judge, number, ())


def _here_comes_the_enemy(judge: Judge[State], number: int) -> None:
    """A unit at one end of the line makes for home (STP-EVT-18)."""
    state = judge.state
    units = [unit for unit in state.of(state.side) if not unit.engaged]
    if not units:
        _nobody(judge, number)
        return
    face = throw(judge, state.side, die(2), "event-pick", rule=rule_of(number))
    sign = 1 if face == 1 else -1
    name = min((sign * _aside(state.side, unit.at), unit.id) for unit in units)[1]
    _apply(judge, number, (name,))
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
    15: _fire,
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


def on_building_closed(state: State, event: BuildingClosed) -> State:
    return replace(state, closed=state.closed | {event.building})


STEPS = {
    "draw-event": step_draw_event,
    "event-chosen": step_event_chosen,
    "battery-chosen": step_battery_chosen,
}
EVOLUTIONS = {
    EventDrawn: on_event_drawn,
    EventWithoutEffect: unchanged,
    EventExpired: unchanged,
    BuildingClosed: on_building_closed,
}
