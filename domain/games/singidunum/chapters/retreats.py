"""Chapter RET: where a unit may go back or flee, and the first retreat.

A loser applies one retreat or two. What it is asked for the first differs after a combat and after a shot.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.engine.judge import Judge
from domain.engine.state import OTHER, unchanged
from domain.events.battle import Event
from domain.games.singidunum.chapters.decisions import FLEE, OFF, STAY, put_question, question
from domain.games.singidunum.chapters.movement import UnitFled
from domain.games.singidunum.chapters.points import eliminate
from domain.games.singidunum.state.board import PLAIN
from domain.games.singidunum.state.state import (
    State,
    Unit,
    is_at_side_edge,
    is_flight_hex,
    is_free,
    is_in_base,
    neighbours,
    terrain_class,
    touching,
    with_unit,
)
from domain.mechanics import hex as hexes

Plain = dict[str, Any]
COMBAT, SHOT, REFUSAL = "combat", "shot", "refusal"
TERRAIN, TAKEN, ZONE, NOT_FARTHER = "other_terrain", "taken", "in_zone", "not_farther"
"""Why a hex is no hex of a retreat."""
TWO = 2


class Loss(Struct, frozen=True, gc=False, kw_only=True):
    """What a unit has to apply: `steps` retreats, away from the hexes in `causes`, for a `combat` or a `shot`.

    `through` is the scrub hex by which it came to attack, `fought` are the units of the combat.
    """

    unit: str
    steps: int
    causes: tuple[str, ...]
    cause: str
    through: str = ""
    fought: tuple[str, ...] = ()

    def plain(self) -> Plain:
        """As plain values, for the agenda."""
        plain: Plain = msgspec.to_builtins(self)
        return plain


def loss_of(plain: Plain) -> Loss:
    """A loss from the plain values of the agenda."""
    return convert(plain, Loss)


# --- events


class UnitRetreated(Event, frozen=True, gc=False, kw_only=True):
    """A unit goes back one hex, also to refuse a combat; it may not burn in this turn (PRG-REA-06, PRG-INT-08)."""

    RULE: ClassVar[str] = "PRG-RET-04"
    TOLD_BY: ClassVar[str] = "cause"

    unit: str
    from_: str = msgspec.field(name="from")
    to: str
    step: int
    cause: str  # combat | shot | refusal


class RetreatIgnored(Event, frozen=True, gc=False):
    """A unit makes no first retreat."""

    RULE: ClassVar[str] = "PRG-SHT-10"
    TOLD_BY: ClassVar[str] = "reason"

    unit: str
    reason: str  # chosen | nowhere | hold


# --- where a unit may go


def retreat_hexes(state: State, unit: Unit, causes: Sequence[str]) -> list[str]:
    """The legal hexes of a retreat, in reading order (PRG-RET-02)."""
    return [hex_ for hex_ in neighbours(state, unit.hex) if not retreat_barred_by(state, unit, causes, hex_)]


def retreat_barred_by(state: State, unit: Unit, causes: Sequence[str], hex_: str) -> str:
    """Why a unit may not retreat to a hex beside it, "" if it may: the first that applies.

    Rule: PRG-RET-02: free, of the same terrain, one hex farther from each cause, but not necessarily nearer home
          (PRG-RET-01), touched by no enemy; PRG-RET-03: never into the enemy base, which is another terrain;
          PRG-RET-11: from a marker also to plain; PRG-RET-12: with the units as they stand now
    """
    here, there = terrain_class(state, unit.hex), terrain_class(state, hex_)
    if there != here and not (there == PLAIN and unit.hex in state.markers):
        return TERRAIN
    if is_flight_hex(state, hex_):
        return TERRAIN
    if not is_free(state, hex_):
        return TAKEN
    if any(hexes.distance(hex_, cause) != hexes.distance(unit.hex, cause) + 1 for cause in causes):
        return NOT_FARTHER
    return ZONE if touching(state, hex_, OTHER[unit.side]) else ""


def flight_hexes(state: State, unit: Unit) -> list[str]:
    """Where a unit on plain may flee: free hexes of its own base and scrub beside it (PRG-RET-05, -09, -12), and over
    the edge where only markers count on scrub (PRG-EXT-TER-04)."""
    if is_in_base(state, unit.hex):
        return []
    near = neighbours(state, unit.hex)
    over = [OFF] if is_at_side_edge(state, unit.hex) else []
    return [
        h for h in near if is_free(state, h) and (is_in_base(state, h, unit.side) or is_flight_hex(state, h))
    ] + over


def flee(judge: Judge[State], unit: Unit, to: str, cause: str, rule: str) -> None:
    """A unit leaves the board; that gives no points (PRG-VP-02)."""
    judge.emit(UnitFled(unit=unit.id, from_=unit.hex, to="" if to == OFF else to, cause=cause), unit.side, rule)


def retreat(judge: Judge[State], unit: Unit, to: str, step: int, cause: str, rule: str) -> None:
    """A unit goes back one hex."""
    judge.emit(UnitRetreated(unit=unit.id, from_=unit.hex, to=to, step=step, cause=cause), unit.side, rule)


# --- the first retreat


def step_first_retreat(judge: Judge[State], *, loss: Plain) -> None:
    """The owner picks a legal hex (PRG-RET-04, PRG-SHT-10); without one the unit is cornered."""
    lost = loss_of(loss)
    unit = judge.state.units[lost.unit]
    legal = retreat_hexes(judge.state, unit, lost.causes)
    if len(legal) > 1:
        put_question(judge, question(unit.side, "retreat", unit.id, legal), "retreat", loss=loss)
    elif legal:
        judge.push("retreat", loss=loss, answer=legal[0])
    elif lost.cause == SHOT:
        _cornered_by_shot(judge, unit, loss)
    else:
        _cornered(judge, unit, lost)


def step_retreat(judge: Judge[State], *, loss: Plain, answer: str) -> None:
    """The first retreat, and then the second if there is one."""
    lost = loss_of(loss)
    rule = "PRG-SHT-10" if lost.cause == SHOT else "PRG-RET-04"
    retreat(judge, judge.state.units[lost.unit], answer, 1, lost.cause, rule)
    if lost.steps == TWO:
        judge.push("second-retreat", loss=loss)


def _cornered(judge: Judge[State], unit: Unit, lost: Loss) -> None:
    """After a combat: it flees, or falls (PRG-RET-05, -06, -07)."""
    if is_in_base(judge.state, unit.hex):
        eliminate(judge, unit, "fall", "PRG-RET-07")
        return
    if lost.through and is_free(judge.state, lost.through):
        flee(judge, unit, lost.through, "retreat", "PRG-RET-06")
        return
    ways = flight_hexes(judge.state, unit)
    if len(ways) > 1:
        options = [f"{FLEE} {way}" for way in ways]
        put_question(judge, question(unit.side, "cornered", unit.id, options), "flee", loss=lost.plain())
    elif ways:
        flee(judge, unit, ways[0], "retreat", "PRG-RET-05")
    else:
        eliminate(judge, unit, COMBAT, "PRG-RET-05")


def step_flee(judge: Judge[State], *, loss: Plain, answer: str) -> None:
    """The owner has chosen among the hexes of a compelled flight (PRG-RET-05)."""
    flee(judge, judge.state.units[loss["unit"]], answer.split()[1], "retreat", "PRG-RET-05")


def _cornered_by_shot(judge: Judge[State], unit: Unit, loss: Plain) -> None:
    """After a shot: it may stay or flee; in a base, and with no flight hex, it stays (PRG-SHT-10, PRG-RET-13,
    PRG-INT-07)."""
    ways = flight_hexes(judge.state, unit)
    if not ways:
        judge.emit(RetreatIgnored(unit.id, "nowhere"), unit.side)
        return
    options = [STAY, *(f"{FLEE} {way}" for way in ways)]
    put_question(judge, question(unit.side, "cornered", unit.id, options), "stay-or-flee", loss=loss)


def step_stay_or_flee(judge: Judge[State], *, loss: Plain, answer: str) -> None:
    """The owner of a unit that was hit stays or flees (PRG-SHT-10)."""
    unit = judge.state.units[loss["unit"]]
    if answer == STAY:
        judge.emit(RetreatIgnored(unit.id, "chosen"), unit.side)
    else:
        flee(judge, unit, answer.split()[1], "choice", "PRG-SHT-10")


# --- evolutions


def on_unit_retreated(state: State, event: UnitRetreated) -> State:
    return with_unit(state, replace(state.units[event.unit], hex=event.to, no_burn="retreated"))


STEPS: dict[str, Any] = {
    "first-retreat": step_first_retreat,
    "retreat": step_retreat,
    "flee": step_flee,
    "stay-or-flee": step_stay_or_flee,
}
EVOLUTIONS: dict[Any, Any] = {UnitRetreated: on_unit_retreated, RetreatIgnored: unchanged}
