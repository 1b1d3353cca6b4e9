"""Chapter DIS: disorder and destruction from unsaved hits, and their consequences.

An unsaved hit costs a step; then, in this order: medals, the saves of the generals of the box,
homeless generals join, elephants run amok, rout tests (TTS-DIS-05).
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.cards import draw
from domain.games.to_the_strongest.chapters.medals import pay_for_unit
from domain.games.to_the_strongest.chapters.morale import is_routed, later_tests, rout_tests
from domain.games.to_the_strongest.chapters.saves import Strike, save_reckoning
from domain.games.to_the_strongest.state.state import State, Unit, generals_in, kind, with_unit, with_unit_in
from domain.mechanics.modifiers import Factors

NO_ROUT_TESTS = frozenset({"spent", "strayed"})
"""Causes of a loss that frightens nobody (TTS-MOR-06)."""
CAUSE_OF_DEATH = {
    "charge": "melee",
    "second": "melee",
    "reply": "melee",
    "shot": "shot",
    "closing": "shot",
    "amok": "amok",
    "rout": "rout",
}
"""How a hit of a kind destroys (TTS-DIS-03)."""


RULE_OF_HIT = {
    "charge": "TTS-MEL-05",
    "second": "TTS-MEL-05",
    "reply": "TTS-MEL-10",
    "shot": "TTS-SHT-02",
    "closing": "TTS-MEL-16",
    "amok": "TTS-MEL-18",
}


# --- decisions


def resolve(judge: Judge[State], target: str, needed: int, card: int, factors: Factors, blow: Strike) -> None:
    """Compare the final card of a blow with the number it needs; a hit goes on the agenda."""
    result = HitScored if card >= needed else HitMissed
    striker = judge.state.units[blow.attacker]
    judge.emit(result(striker.id, target, needed, card, factors, blow.kind), striker.side, RULE_OF_HIT[blow.kind])
    if card >= needed:
        judge.push("hit", target=target, strike=msgspec.to_builtins(blow))


def lose_step(judge: Judge[State], unit: Unit, cause: str) -> list[list[str]]:
    """Take one step off a unit; return the rout tests that its destruction calls for.

    Rule: TTS-DIS-01, -03
    """
    if unit.losses + 1 >= unit.steps:
        return destroy(judge, unit, CAUSE_OF_DEATH[cause])
    judge.emit(UnitDisordered(unit.id, unit.losses + 1, unit.steps, cause), unit.side)
    return []


def destroy(judge: Judge[State], unit: Unit, cause: str) -> list[list[str]]:
    """A unit is lost and paid for; return the rout tests this calls for, in their order.

    The consequences for generals and corps are the step `bereave`, which the caller puts on the agenda.
    """
    tests = [] if cause in NO_ROUT_TESTS else rout_tests(judge.state, unit)
    judge.emit(UnitDestroyed(unit.id, unit.box, cause), unit.side)
    pay_for_unit(judge, unit)
    return tests


def destroy_outright(judge: Judge[State], unit: Unit, cause: str) -> None:
    """A unit is lost without a hit: bereaved generals and rout tests go on the agenda."""
    tests = destroy(judge, unit, cause)
    judge.push("rout", tests=tests)
    judge.push("bereave", unit=unit.id)


# --- events


class _HitCompared(Event, frozen=True, gc=False):
    RULE = "TTS-MEL-05"
    TOLD_BY = "kind"

    attacker: str
    target: str
    needed: int
    card: int
    factors: Factors
    kind: str  # charge second reply shot closing amok


class HitScored(_HitCompared, frozen=True, gc=False):
    """The final hit card suffices."""


class HitMissed(_HitCompared, frozen=True, gc=False):
    """The final hit card does not suffice."""


class _SaveCompared(Event, frozen=True, gc=False):
    RULE = "TTS-SAV-01"

    unit: str
    needed: int
    card: int
    factors: Factors
    kind: str  # of the hit


class SaveMade(_SaveCompared, frozen=True, gc=False):
    """The save card suffices."""


class SaveFailed(_SaveCompared, frozen=True, gc=False):
    """The save card does not suffice: a step is lost."""


class UnitDisordered(Event, frozen=True, gc=False):
    """A step is lost; `losses` of `steps` so far."""

    RULE = "TTS-DIS-01"
    TOLD_BY = "cause"

    unit: str
    losses: int
    steps: int
    cause: str


class UnitDestroyed(Event, frozen=True, gc=False):
    """A unit is gone for good; `box` is where it stood."""

    RULE = "TTS-DIS-03"
    TOLD_BY = "cause"

    unit: str
    box: str
    cause: str


# --- steps


def step_hit(judge: Judge[State], *, target: str, strike: dict[str, Any]) -> None:
    """A hit: save, loss and medals, then what the agenda holds for generals, elephants, routs."""
    state = judge.state
    unit, blow = state.units[target], Strike(**strike)
    generals = [general.id for general in generals_in(state, unit.box, unit.side)]
    needed, factors = save_reckoning(state, unit, blow)
    card = draw(judge, unit.side, "save", unit.id)
    saved = card >= needed
    save = SaveMade if saved else SaveFailed
    judge.emit(save(unit.id, needed, card, factors, blow.kind), unit.side)
    tests = [] if saved else lose_step(judge, unit, blow.kind)
    lost = not judge.state.units[target].alive
    if lost:
        later_tests(judge, tests) if blow.kind == "amok" else judge.push("rout", tests=tests)
        if kind(unit).elephant and blow.kind != "amok" and state.options.run_amok:
            judge.push("amok", unit=target, box=unit.box)
        judge.push("bereave", unit=target)
    for general in reversed(generals):
        judge.push("general-save", general=general)


def step_rout_loss(judge: Judge[State], *, unit: str) -> None:
    """A failed rout test: destroyed, or one step lost; new tests join the end of the queue."""
    failed = judge.state.units[unit]
    if is_routed(judge.state, failed):
        tests = destroy(judge, failed, "rout")
    else:
        tests = lose_step(judge, failed, "rout")
    later_tests(judge, tests)
    if not judge.state.units[unit].alive:
        judge.push("bereave", unit=unit)


# --- evolutions


def on_unit_disordered(state: State, event: UnitDisordered) -> State:
    return with_unit(state, replace(state.units[event.unit], losses=event.losses))


def on_unit_destroyed(state: State, event: UnitDestroyed) -> State:
    """The unit leaves the board; a general riding with it stays in the box, if it had one."""
    unit = state.units[event.unit]
    riders = {
        g.id: replace(g, riding="", box=unit.box) for g in state.generals.values() if g.riding == unit.id and unit.box
    }
    if riders:
        state = replace(state, generals={**state.generals, **riders})
    return with_unit_in(state, replace(unit, alive=False, losses=unit.steps, off_turns=0), "")


EVOLUTIONS: dict[Any, Any] = {
    HitScored: unchanged,
    HitMissed: unchanged,
    SaveMade: unchanged,
    SaveFailed: unchanged,
    UnitDisordered: on_unit_disordered,
    UnitDestroyed: on_unit_destroyed,
}
STEPS: dict[str, Any] = {"hit": step_hit, "rout-loss": step_rout_loss}
