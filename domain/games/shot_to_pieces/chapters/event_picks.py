"""Chapter EVT: whom an event is for, by a die of four, by chance, by place (STP-EVT-SEL, STP-GEN-05)."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.dice import die, throw
from domain.games.shot_to_pieces.chapters.fortunes import EventApplied, rule_of
from domain.games.shot_to_pieces.plane.gaps import distance
from domain.games.shot_to_pieces.state.figures import figures, fire_value
from domain.games.shot_to_pieces.state.state import Point, State, Unit, general_of, place_of


class EventWithoutEffect(Event, frozen=True, gc=False):
    """Nobody is there whom an event could be for."""

    RULE = "STP-EVT-00"

    number: int


def apply(judge: Judge[State], number: int, units: tuple[str, ...], **more: Any) -> None:
    """The event has found whom it is for."""
    judge.emit(EventApplied(number, units, **more), judge.state.side, rule_of(number))


def find_nobody(judge: Judge[State], number: int) -> None:
    """The event has nobody whom it could be for."""
    judge.emit(EventWithoutEffect(number), judge.state.side, rule_of(number))


# --- picking


def ahead_of(side: str, at: Point) -> int:
    """How far forward a place is on a side's axis (STP-EVT-SEL)."""
    return at[1] if side == "south" else -at[1]


def aside_of(side: str, at: Point) -> int:
    """How far to the right it is."""
    return at[0] if side == "south" else -at[0]


def by_chance(judge: Judge[State], names: Iterable[str], number: int) -> str:
    """One of some candidates; a single one without a die (STP-GEN-05, STP-EVT-00)."""
    found = sorted(names)
    if len(found) == 1:
        return found[0]
    return found[throw(judge, judge.state.side, die(len(found)), "event-random", rule=rule_of(number)) - 1]


def of_four(judge: Judge[State], places: dict[str, Point], number: int) -> str:
    """The most forward, rearward, leftmost or rightmost of some, by a D4; ties by chance (STP-EVT-SEL)."""
    side = judge.state.side
    face = throw(judge, side, die(4), "event-pick", rule=rule_of(number))
    measure = ahead_of if face <= 2 else aside_of
    wanted = max if face in (1, 4) else min
    best = wanted(measure(side, at) for at in places.values())
    return by_chance(judge, (name for name, at in places.items() if measure(side, at) == best), number)


def batteries(state: State) -> list[Unit]:
    """The batteries of the side whose phase it is."""
    return [unit for unit in state.of(state.side) if figures(state, unit).arm == "art"]


def shooters(state: State) -> list[Unit]:
    """Its units with real fire."""
    return [unit for unit in state.of(state.side) if fire_value(state, unit)]


def gap_to(unit: Unit, enemies: Sequence[Unit]) -> int:
    """How far a unit is from the nearest of some."""
    return min(distance(unit.base, enemy.base) for enemy in enemies)


def generals_of(state: State) -> dict[str, Point]:
    """Where the generals of the corps of the side are, by corps."""
    found = ((corps.id, general_of(state, corps)) for corps in state.corps_of(state.side))
    return {corps: place_of(state, general) for corps, general in found if general and general.placed}


def pick(judge: Judge[State], number: int, units: Sequence[Unit], then: Callable[[str], None]) -> None:
    """One of some units by a D4, if there is any."""
    if units:
        then(of_four(judge, {unit.id: unit.at for unit in units}, number))
    else:
        find_nobody(judge, number)


EVOLUTIONS = {EventWithoutEffect: unchanged}
