"""Chapter TRN: a side's standing orders still in force, as lines (TTS-TRN-11)."""

from domain.basics.commands import Standing
from domain.engine.state import StandingOrder
from domain.games.to_the_strongest.chapters.decisions import HERO
from domain.games.to_the_strongest.chapters.standing import Instruction, instruction
from domain.games.to_the_strongest.orders.notation import write
from domain.games.to_the_strongest.state.state import State

SHIFTING = ("", "terrain")
"""The phases in which a piece of terrain may still be shifted."""


def standing_orders(state: State, side: str, lang: str = "en") -> tuple[str, ...]:
    """The standing orders of a side as order lines, in the order in which they were given.

    Rule:  TTS-TRN-11: an order lapses with the unit or general it is for, and with the last that it names
    Shape: `state` as the side knows it; an order that a later one replaced, and an `ask` that takes nothing back,
           are not in it
    """
    own = [order for order in state.standing if order.side == side]
    return tuple(
        write(Standing(order.topic, order.unit, order.value), lang)
        for order in sorted(own, key=lambda order: order.n)
        if _serves(state, order) and (order.value != "ask" or _is_exception(order, own))
    )


def _is_exception(order: StandingOrder, own: list[StandingOrder]) -> bool:
    """Whether an `ask` exempts a unit from an order for all."""
    others = (other for other in own if other.topic == order.topic and not other.unit and other.value != "ask")
    return order.unit != "" and next(others, None) is not None


def _serves(state: State, order: StandingOrder) -> bool:
    said = instruction(order.topic, order.value)
    if order.topic == "shift":
        return state.phase in SHIFTING
    if order.topic == "join":
        return _is_alive(state, order.unit) and (not said.answers or any(state.units[u].alive for u in said.answers))
    return _is_alive(state, order.unit) and _has_a_source(state, said)


def _is_alive(state: State, name: str) -> bool:
    """Whether the recipient of an order still exists; all of a side always do."""
    if not name:
        return True
    return state.units[name].alive if name in state.units else state.generals[name].alive


def _has_a_source(state: State, said: Instruction) -> bool:
    return not said.sources or any(name == HERO or state.generals[name].alive for name in said.sources)
