"""Generals: they order units to hold, or to attack together (PRG-EXT-GE-01 … -04)."""

from collections.abc import Sequence
from typing import Any, ClassVar

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.singidunum.chapters.decisions import NO, YES, put_question, question
from domain.games.singidunum.chapters.retreats import (
    COMBAT,
    Plain,
    RetreatIgnored,
    flight_hexes,
    loss_of,
    retreat_hexes,
)
from domain.games.singidunum.chapters.units import require_in_play
from domain.games.singidunum.state.state import State, Unit, own
from domain.mechanics import hex as hexes

# --- event


class GeneralOrdered(Event, frozen=True, gc=False):
    """A general gives an order to units: to hold, or to attack together."""

    RULE: ClassVar[str] = "PRG-EXT-GE-02"
    TOLD_BY: ClassVar[str] = "order"

    general: str
    order: str  # hold | double
    units: tuple[str, ...]


# --- who may order


def require_general(general: Unit) -> None:
    """A general who is available; one that has fought, or was hit, orders nobody (PRG-EXT-GE-04)."""
    if general.type != "GE":
        raise Refusal("singidunum.not-a-general", "PRG-EXT-GE-03", unit=general.id)
    if general.activated:
        raise Refusal("singidunum.general-activated", "PRG-EXT-GE-04", unit=general.id)
    require_in_play(general)


def commanded_hexes(state: State, general: Unit) -> tuple[str, ...]:
    """The hexes in which units may get an order of a general (PRG-EXT-GE-01)."""
    return hexes.hexes_within(state.board, general.hex, state.options.general_range)


def require_in_range(state: State, general: Unit, names: tuple[str, ...]) -> None:
    reach = state.options.general_range
    for name in names:
        distance = hexes.distance(general.hex, state.units[name].hex)
        if distance > reach:
            far = {"unit": name, "general": general.id, "distance": distance, "reach": reach}
            raise Refusal("singidunum.general-range", "PRG-EXT-GE-03", **far)


def holding_generals(state: State, unit: Unit, fought: Sequence[str]) -> list[str]:
    """The available generals in range who may cancel the retreats of a unit; none who fought (PRG-EXT-GE-02, -04)."""
    if "general" not in state.options.modules:
        return []
    return [
        general.id
        for general in own(state, unit.side)
        if general.type == "GE"
        and not general.activated
        and general.id not in (unit.id, *fought)
        and hexes.distance(general.hex, unit.hex) <= state.options.general_range
    ]


# --- holding


def step_settle(judge: Judge[State], *, loss: Plain) -> None:
    """A loser applies its retreats; a general may cancel them all, a compelled flight too (PRG-INT-16)."""
    state = judge.state
    lost = loss_of(loss)
    unit = state.units[lost.unit]
    goes = bool(retreat_hexes(state, unit, lost.causes))
    is_due = goes or (lost.cause == COMBAT and bool(flight_hexes(state, unit)))
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


STEPS: dict[str, Any] = {"settle": step_settle, "hold": step_hold}
EVOLUTIONS: dict[Any, Any] = {GeneralOrdered: unchanged}
