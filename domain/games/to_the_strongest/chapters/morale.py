"""Chapter MOR: rout tests after a unit is destroyed."""

from typing import Any

from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.armed import armed_with, fire
from domain.games.to_the_strongest.chapters.cards import draw
from domain.games.to_the_strongest.state.roster import rout_number
from domain.games.to_the_strongest.state.state import State, Unit, generals_in, kind
from domain.mechanics.modifiers import Factor, Factors, total
from domain.mechanics.square import VECTOR, box_by

# --- rules


def rout_tests(state: State, lost: Unit) -> list[list[str]]:
    """The units that test for a unit about to be destroyed: [unit, lost unit] in order.

    Rule: TTS-MOR-01 own and orthogonal boxes, -03 only lights for lights, -04 N E S W own, front
          before rear
    """
    boxes = [box_by(state.board, lost.box, *vector) for vector in VECTOR.values()]
    if state.options.rout_same_box:
        boxes.append(lost.box)
    only_lights = kind(lost).light
    return [
        [name, lost.id]
        for box in boxes
        for name in state.boxes.get(box, ())
        if name != lost.id
        and state.units[name].side == lost.side
        and (not only_lights or kind(state.units[name]).light)
    ]


def rout_reckoning(state: State, unit: Unit) -> tuple[int, Factors]:
    """The number a rout test needs (TTS-MOR-01), a general in the box helping (TTS-MOR-05)."""
    helped = generals_in(state, unit.box, unit.side)
    factors = (Factor("TTS-MOR-05", "general", -1),) if helped else ()
    return rout_number(unit.quality) + total(factors), factors


def is_routed(state: State, unit: Unit) -> bool:
    """Whether a failed rout test destroys the unit rather than disorders it (TTS-MOR-02)."""
    if kind(unit).light or unit.losses + 1 >= unit.steps:
        return True
    return state.options.rout_strict and unit.losses > 0


def later_tests(judge: Judge[State], tests: list[list[str]]) -> None:
    """Put rout tests behind those that are already queued (TTS-MEL-18, TTS-MOR-04)."""
    queue = next(arguments for name, arguments in reversed(judge.agenda) if name == "rout")
    queue["tests"] = [*queue["tests"], *tests]


# --- events


class _MoraleTested(Event, frozen=True, gc=False):
    RULE = "TTS-MOR-01"

    unit: str
    needed: int
    cards: tuple[int, ...]  # one, or two if the first failed
    factors: Factors
    lost: str


class MoralePassed(_MoraleTested, frozen=True, gc=False):
    """A rout test for the loss of `lost` is passed, by the first card or the second."""


class MoraleFailed(_MoraleTested, frozen=True, gc=False):
    """Both cards of a rout test failed."""


# --- steps


def step_rout(judge: Judge[State], *, tests: list[list[str]]) -> None:
    """Make the first test of the queue; the rest waits behind what it causes (TTS-MOR-04)."""
    if not tests:
        return
    (name, lost), *rest = tests
    judge.push("rout", tests=rest)
    unit = judge.state.units[name]
    if not unit.box:
        return
    holding = armed_with(judge.state, unit.side, "hold", name)
    if holding:  # TTS-STR-09
        fire(judge, unit.side, holding, name)
        return
    needed, factors = rout_reckoning(judge.state, unit)
    cards = [draw(judge, unit.side, "rout", name)]
    if cards[0] < needed:
        cards.append(draw(judge, unit.side, "rout", name))
    if cards[-1] >= needed:
        judge.emit(MoralePassed(name, needed, tuple(cards), factors, lost), unit.side)
        return
    judge.emit(MoraleFailed(name, needed, tuple(cards), factors, lost), unit.side)
    judge.push("rout-loss", unit=name)


# --- evolutions

EVOLUTIONS: dict[Any, Any] = {MoralePassed: unchanged, MoraleFailed: unchanged}
STEPS: dict[str, Any] = {"rout": step_rout}
