"""Chapter RET: retreats, flights, and the generals who cancel them.

A loser applies one retreat or two. What it is asked for the first differs after a combat and after a shot; a second is
proposed and may be refused.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.engine.events import Event
from domain.engine.judge import Judge
from domain.engine.state import OTHER, unchanged
from domain.games.singidunum.chapters.decisions import FLEE, NO, OFF, STAY, YES, put_question, question
from domain.games.singidunum.chapters.movement import UnitFled
from domain.games.singidunum.chapters.points import eliminate
from domain.games.singidunum.state.board import FOREST, PLAIN, in_order
from domain.games.singidunum.state.roster import is_barred_from_forest
from domain.games.singidunum.state.state import (
    State,
    Unit,
    is_at_side_edge,
    is_flight_hex,
    is_free,
    is_in_base,
    neighbours,
    own,
    terrain_class,
    touching,
    with_unit,
)
from domain.mechanics import hex as hexes

Plain = dict[str, Any]
COMBAT, SHOT, REFUSAL = "combat", "shot", "refusal"
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
    return msgspec.convert(plain, Loss)


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


class SecondRetreatProposed(Event, frozen=True, gc=False):
    """The owner names the hex of a second retreat."""

    RULE: ClassVar[str] = "PRG-RET-08"

    unit: str
    hex: str


class SecondRetreatRefused(Event, frozen=True, gc=False):
    """The opponent does not allow it; no other hex is proposed."""

    RULE: ClassVar[str] = "PRG-RET-08"

    unit: str
    hex: str


class SecondRetreatIgnored(Event, frozen=True, gc=False):
    """A unit makes no second retreat."""

    RULE: ClassVar[str] = "PRG-RET-10"
    TOLD_BY: ClassVar[str] = "reason"

    unit: str
    reason: str  # chosen | rampart | enemy-base | nowhere


class GeneralOrdered(Event, frozen=True, gc=False):
    """A general gives an order to units: to hold, or to attack together."""

    RULE: ClassVar[str] = "PRG-EXT-GE-02"
    TOLD_BY: ClassVar[str] = "order"

    general: str
    order: str  # hold | double
    units: tuple[str, ...]


# --- where a unit may go


def retreat_hexes(state: State, unit: Unit, causes: Sequence[str]) -> list[str]:
    """The legal hexes of a retreat, in reading order.

    Rule: PRG-RET-02: adjacent, free, of the same terrain, touched by no enemy, one hex farther from each cause, but not
          necessarily nearer home (PRG-RET-01); PRG-RET-03: never into the enemy base; PRG-RET-11: from a marker also to
          plain; PRG-RET-12: with the units as they stand now
    """
    here = terrain_class(state, unit.hex)
    allowed = {here, PLAIN} if unit.hex in state.markers else {here}
    return [
        hex_
        for hex_ in in_order(neighbours(state, unit.hex))
        if terrain_class(state, hex_) in allowed
        and is_free(state, hex_)
        and not is_flight_hex(state, hex_)
        and not (terrain_class(state, hex_) == FOREST and is_barred_from_forest(unit.type))
        and not touching(state, hex_, OTHER[unit.side])
        and all(hexes.distance(hex_, cause) == hexes.distance(unit.hex, cause) + 1 for cause in causes)
        and not (is_in_base(state, hex_, OTHER[unit.side]) and not is_in_base(state, unit.hex))
    ]


def flight_hexes(state: State, unit: Unit) -> list[str]:
    """Where a unit on plain may flee: free hexes of its own base and scrub beside it (PRG-RET-05, -09, -12), and over
    the edge where only markers count on scrub (PRG-EXT-TER-04)."""
    if is_in_base(state, unit.hex):
        return []
    near = in_order(neighbours(state, unit.hex))
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


# --- generals who hold


def holding_generals(state: State, unit: Unit, fought: Sequence[str]) -> list[str]:
    """The available generals in range who may cancel the retreats of a unit; none who fought (PRG-EXT-GE-02, -04)."""
    if "general" not in state.options.modules:
        return []
    return [
        general.id
        for general in own(state, unit.side)
        if general.type == "GE"
        and general.hex
        and not general.activated
        and general.id not in (unit.id, *fought)
        and hexes.distance(general.hex, unit.hex) <= state.options.general_range
    ]


def step_settle(judge: Judge[State], *, loss: Plain) -> None:
    """A loser applies its retreats; a general may cancel them all, a compelled flight too (PRG-INT-16)."""
    state = judge.state
    lost = loss_of(loss)
    unit = state.units[lost.unit]
    goes = bool(retreat_hexes(state, unit, lost.causes))
    is_due = goes or (lost.cause == COMBAT and bool(lost.through or flight_hexes(state, unit)))
    generals = holding_generals(state, unit, lost.fought) if is_due else []
    if generals:
        asked = question(unit.side, "hold", unit.id, (YES, NO), generals)
        put_question(judge, asked, "hold", loss=loss)
    else:
        judge.push("first-retreat", loss=loss)


def step_hold(judge: Judge[State], *, loss: Plain, answer: str, with_: str = "") -> None:
    """The general cancels the retreats and is activated, or they are made (PRG-EXT-GE-02)."""
    if answer == NO:
        judge.push("first-retreat", loss=loss)
        return
    unit = judge.state.units[loss["unit"]]
    judge.emit(GeneralOrdered(with_, "hold", (unit.id,)), unit.side)
    judge.emit(RetreatIgnored(unit.id, "hold"), unit.side, "PRG-EXT-GE-02")
    judge.push("activate", units=[with_], cause="order", rule="PRG-EXT-GE-02")


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


# --- the second retreat


def step_second_retreat(judge: Judge[State], *, loss: Plain) -> None:
    """The owner proposes a legal hex (PRG-RET-08); cornered, the owner ignores the retreat or flees (PRG-RET-09), or
    it is ignored by rule (PRG-RET-10, -13)."""
    state = judge.state
    lost = loss_of(loss)
    unit = state.units[lost.unit]
    legal, ways = retreat_hexes(state, unit, lost.causes), flight_hexes(state, unit)
    if len(legal) > 1:
        put_question(judge, question(unit.side, "second", unit.id, legal), "propose", loss=loss)
    elif legal:
        judge.push("propose", loss=loss, answer=legal[0])
    elif ways:
        options = [STAY, *(f"{FLEE} {way}" for way in ways)]
        put_question(judge, question(unit.side, "cornered", unit.id, options), "second-or-flee", loss=loss)
    else:
        judge.emit(SecondRetreatIgnored(unit.id, _reason(state, unit)), unit.side)


def _reason(state: State, unit: Unit) -> str:
    """Why a second retreat is ignored by rule (PRG-RET-13, PRG-INT-06)."""
    if is_in_base(state, unit.hex):
        return "rampart"
    backed = any(is_in_base(state, hex_, OTHER[unit.side]) for hex_ in neighbours(state, unit.hex))
    return "enemy-base" if backed else "nowhere"


def step_propose(judge: Judge[State], *, loss: Plain, answer: str) -> None:
    """The opponent is asked to allow the hex proposed."""
    unit = judge.state.units[loss["unit"]]
    judge.emit(SecondRetreatProposed(unit.id, answer), unit.side)
    put_question(judge, question(OTHER[unit.side], "allow", unit.id, (YES, NO)), "allow", loss=loss, hex=answer)


def step_allow(judge: Judge[State], *, loss: Plain, hex: str, answer: str) -> None:
    """The second retreat is made or refused."""
    unit = judge.state.units[loss["unit"]]
    if answer == YES:
        retreat(judge, unit, hex, TWO, loss["cause"], "PRG-RET-08")
    else:
        judge.emit(SecondRetreatRefused(unit.id, hex), OTHER[unit.side])


def step_second_or_flee(judge: Judge[State], *, loss: Plain, answer: str) -> None:
    """The owner ignores the second retreat or flees (PRG-RET-09)."""
    unit = judge.state.units[loss["unit"]]
    if answer == STAY:
        judge.emit(SecondRetreatIgnored(unit.id, "chosen"), unit.side, "PRG-RET-09")
    else:
        flee(judge, unit, answer.split()[1], "choice", "PRG-RET-09")


# --- evolutions


def on_unit_retreated(state: State, event: UnitRetreated) -> State:
    return with_unit(state, replace(state.units[event.unit], hex=event.to, no_burn="retreated"))


STEPS: dict[str, Any] = {
    "settle": step_settle,
    "hold": step_hold,
    "first-retreat": step_first_retreat,
    "retreat": step_retreat,
    "flee": step_flee,
    "stay-or-flee": step_stay_or_flee,
    "second-retreat": step_second_retreat,
    "propose": step_propose,
    "allow": step_allow,
    "second-or-flee": step_second_or_flee,
}
EVOLUTIONS: dict[Any, Any] = {
    UnitRetreated: on_unit_retreated,
    RetreatIgnored: unchanged,
    SecondRetreatProposed: unchanged,
    SecondRetreatRefused: unchanged,
    SecondRetreatIgnored: unchanged,
    GeneralOrdered: unchanged,
}
