"""Chapter RES: markers and destruction, for fire and melee alike.

`settle` turns the difference of two scores into markers and losses. Other chapters mark and destroy units by `mark` and
`destroy`, so that the limit of markers, leaders, and the D20 events that wait for such a moment are never forgotten.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.dice import die, throw
from domain.games.shot_to_pieces.chapters.fortunes import (
    COLOR_GUARD,
    PANIC,
    EventApplied,
    is_guarded,
    panickers,
    rule_of,
)
from domain.games.shot_to_pieces.chapters.leaders import test_fate
from domain.games.shot_to_pieces.state.figures import Use, is_fat, is_skeleton
from domain.games.shot_to_pieces.state.melees import out_of_melee, victor_over
from domain.games.shot_to_pieces.state.profiles import Effect
from domain.games.shot_to_pieces.state.state import Point, Shaken, State, Unit, changed, leader_of, with_corps

Marker = Literal["shaken", "brittle"]
LIMIT, KILL = 2, 3
"""The most markers that a unit may hold, and the difference that destroys (STP-RES-01, -09)."""
CAPPED = 2
"""How many of one marker SHAKEN_ONLY and BRITTLE_ONLY can bring about (STP-RES-03)."""
QUIET = ("evade", "event")
"""The causes of a SHAKEN that no D20 event waits for (STP-EVT-00)."""
TIE, FAT = "STP-RES-10", "STP-RES-11"
CAUSES = {
    "quick-kill": "STP-RES-01",
    "consecutive-shaken": "STP-RES-05",
    "marker-limit": "STP-RES-09",
}
"""Why units are destroyed by results, and the usual rule; other chapters name their own."""
MARKING: dict[Effect, str] = {
    "normal": "STP-RES-01",
    "shaken-only": "STP-RES-02",
    "brittle-only": "STP-RES-02",
    "kills-only-shaken": "STP-RES-02",
    "second-line": "STP-RES-06",
}
"""The rule of the marker that a class of effect brings."""


# --- events


class MarkerAdded(Event, frozen=True, gc=False):
    """A unit has a marker more; SHAKEN lasts to the end of phase `until`, 0 for BRITTLE. `shaken` and `brittle` are the
    numbers held."""

    RULE = "STP-RES-01"
    TOLD_BY = "marker"

    unit: str
    marker: str
    cause: str
    until: int
    shaken: int
    brittle: int


class MarkerCapped(Event, frozen=True, gc=False):
    """A marker more than such fire can bring is dropped."""

    RULE = "STP-RES-03"

    unit: str
    marker: str


class UnitDestroyed(Event, frozen=True, gc=False):
    """A unit is destroyed where it stood."""

    RULE = "STP-RES-01"
    TOLD_BY = "cause"

    unit: str
    cause: str
    at: Point


# --- one result


class Result(Struct, frozen=True, gc=False):
    """A result of two scores, seen from the attacker.

    Shape: `diff` attack less defence; `effect` of the attacker, `reply_effect` of the other, "none" if it does nothing
           (one-way fire); `is_gun`, `is_reply_gun` whether these come from artillery; `wins_ties` is settled before
    """

    attacker: str
    defender: str
    diff: int
    effect: Effect
    reply_effect: Effect | Literal["none"]
    use: Use
    is_gun: bool = False
    is_reply_gun: bool = False
    is_first: bool = True


def settle(judge: Judge[State], result: Result) -> None:
    """Markers and destruction of a result, in the order of STP-RES-14.

    Rule: STP-RES-01, -02 by the class of whoever won, STP-RES-10, -11 ties
    """
    attacker, defender = result.attacker, result.defender
    if result.diff > 0:
        hurt(judge, defender, result.diff, result.effect, result.use, is_gun=result.is_gun)
    elif result.diff == 0:
        _tie(judge, result)
    elif result.reply_effect != "none":
        hurt(judge, attacker, -result.diff, result.reply_effect, result.use, is_gun=result.is_reply_gun)


def hurt(judge: Judge[State], unit: str, diff: int, effect: Effect, cause: str, *, is_gun: bool = False) -> None:
    """What a unit suffers that lost by `diff` (1 or more) to a class of effect (STP-RES-02)."""
    shaken = len(judge.state.units[unit].shaken)
    match effect:
        case "normal" if diff >= KILL:
            destroy(judge, unit, "quick-kill")
        case "kills-only-shaken" if diff >= KILL and shaken:
            destroy(judge, unit, "quick-kill", "STP-RES-02")
        case "brittle-only":
            _capped(judge, unit, "brittle", cause, MARKING[effect])
        case "second-line" if diff < KILL:
            mark(judge, unit, "brittle", cause, MARKING[effect])
        case _:
            _shake(judge, unit, effect, cause, MARKING[effect], is_gun=is_gun)
    limit(judge, unit)


def _shake(judge: Judge[State], unit: str, effect: Effect, cause: str, rule: str, *, is_gun: bool) -> None:
    """A SHAKEN by a class of effect: it is capped, or the second in a row destroys (STP-RES-03, -05, -06)."""
    if effect == "shaken-only" or (effect == "second-line" and is_gun):
        _capped(judge, unit, "shaken", cause, rule)
    elif judge.state.units[unit].shaken:
        destroy(judge, unit, "consecutive-shaken")
    else:
        mark(judge, unit, "shaken", cause, rule)


def _capped(judge: Judge[State], unit: str, marker: Marker, cause: str, rule: str) -> None:
    held = judge.state.units[unit]
    if (len(held.shaken) if marker == "shaken" else held.brittle) >= CAPPED:
        judge.emit(MarkerCapped(unit, marker), held.side)
    else:
        mark(judge, unit, marker, cause, rule)


def _tie(judge: Judge[State], result: Result) -> None:
    """Equal scores: unexpected devastation, then who is FAT or SKELETON, then the limits (STP-RES-10, -11, -14)."""
    state = judge.state
    attacker, defender = state.units[result.attacker], state.units[result.defender]
    is_opposed = result.reply_effect != "none"
    fat = is_fat(state, attacker, "fire" if result.use == "fire" else "melee", is_first=result.is_first)
    fat_reply = is_opposed and is_fat(state, defender, result.use, is_first=result.is_first)
    if is_opposed:
        for unit in (attacker, defender):
            mark(judge, unit.id, "brittle", "tie", TIE)
    if fat or is_skeleton(defender):
        _fatten(judge, defender.id, result.effect, is_gun=result.is_gun)
    if result.reply_effect != "none" and (fat_reply or is_skeleton(attacker)):
        _fatten(judge, attacker.id, result.reply_effect, is_gun=result.is_reply_gun)
    limit(judge, attacker.id)
    limit(judge, defender.id)


def _fatten(judge: Judge[State], unit: str, effect: Effect, *, is_gun: bool) -> None:
    """The one SHAKEN of a tie, by the class of the side that inflicts it (STP-RES-11)."""
    if effect == "brittle-only":
        _capped(judge, unit, "brittle", "fat", FAT)
    elif effect == "second-line":
        mark(judge, unit, "brittle", "fat", FAT)
    else:
        _shake(judge, unit, effect, "fat", FAT, is_gun=is_gun)


# --- what every chapter may do


def mark(judge: Judge[State], unit: str, marker: Marker, cause: str, rule: str) -> None:
    """Add a marker; the limit is the caller's to look at (`limit`), once all markers of one result are placed.

    Rule: STP-RES-04 how long SHAKEN lasts, STP-EVT-01, -08 what waits for it. Markers of an evasion trigger no event
    """
    held = judge.state.units[unit]
    shaken, brittle = len(held.shaken), held.brittle
    if marker == "shaken" and cause not in QUIET and is_guarded(judge.state, held):
        marker, cause, rule = "brittle", "event", rule_of(COLOR_GUARD)
        judge.emit(EventApplied(COLOR_GUARD, (unit,)), judge.state.side, rule)
    if marker == "brittle":
        judge.emit(MarkerAdded(unit, marker, cause, 0, shaken, brittle + 1), held.side, rule)
        return
    judge.emit(MarkerAdded(unit, marker, cause, judge.state.k + 1, shaken + 1, brittle), held.side, rule)
    if cause not in QUIET:
        _panic(judge, held)


def limit(judge: Judge[State], unit: str) -> None:
    """Destroy a unit that holds more than two markers (STP-RES-09)."""
    held = judge.state.units[unit]
    if held.here and held.markers > LIMIT:
        destroy(judge, unit, "marker-limit")


def destroy(judge: Judge[State], unit: str, cause: str, rule: str = "") -> None:
    """A unit is gone; the general with it is tested, and a quick kill may spread panic.

    Rule: STP-GAP-07, STP-EVT-01
    """
    held = judge.state.units[unit]
    if not held.here:
        return
    leader = leader_of(judge.state, held)
    judge.emit(UnitDestroyed(unit, cause, held.at), held.side, rule or CAUSES[cause])
    if leader:
        test_fate(judge, leader)
    if cause == "quick-kill":
        _panic(judge, held)


def _panic(judge: Judge[State], victim: Unit) -> None:
    """A friend near the victim becomes BRITTLE, once (STP-EVT-01)."""
    found = panickers(judge.state, victim)
    if not found:
        return
    side = judge.state.side
    rule = rule_of(PANIC)
    at = 1 if len(found) == 1 else throw(judge, side, die(len(found)), "event-random", rule=rule)
    judge.emit(EventApplied(PANIC, (found[at - 1],)), side, rule)
    mark(judge, found[at - 1], "brittle", "event", rule)
    limit(judge, found[at - 1])


# --- evolutions


def on_marker_added(state: State, event: MarkerAdded) -> State:
    unit = state.units[event.unit]
    if event.marker == "brittle":
        return changed(state, event.unit, brittle=event.brittle)
    return changed(state, event.unit, shaken=(*unit.shaken, Shaken(event.until, event.cause)))


def on_unit_destroyed(state: State, event: UnitDestroyed) -> State:
    """The unit is gone, its loss counts for its own corps, its general is left behind, its melee may be over: whoever
    has won it has taken the ground (STP-BLD-01)."""
    unit = state.units[event.unit]
    victor = victor_over(state, unit)
    state = out_of_melee(state, event.unit)
    if victor:
        state = changed(state, victor, beat=event.unit, beat_k=state.k)
    state = changed(state, event.unit, alive=False)
    home = unit.home or unit.corps
    state = with_corps(state, home, loss_halves=state.corps[home].loss_halves + unit.worth)
    generals = {
        name: replace(one, unit="", at=event.at) if one.unit == event.unit else one
        for name, one in state.generals.items()
    }
    return replace(state, generals=generals)


EVOLUTIONS = {MarkerAdded: on_marker_added, MarkerCapped: unchanged, UnitDestroyed: on_unit_destroyed}
