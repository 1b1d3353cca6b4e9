"""A side's standing orders in force, as lines, and those that most players would give (STP-DEC-02, STP-ORD-11)."""

from domain.basics.commands import Standing
from domain.engine.state import StandingOrder
from domain.games.shot_to_pieces.chapters.decisions import USUAL, in_force
from domain.games.shot_to_pieces.orders.notation import write
from domain.games.shot_to_pieces.state.state import State
from domain.games.shot_to_pieces.state.vocabulary import ASK, FIRE, ORDERS

DEFAULTS = {"fire-order": "declared"}
"""What counts without a standing order, where that is not to be asked."""


def standing_orders(state: State, side: str, lang: str = "en") -> tuple[str, ...]:
    """The standing orders of a side as order lines, in the order in which they were given.

    Shape: `state` as the side knows it; an order lapses with its unit, and what counts anyhow is not told
    """
    own = sorted((order for order in state.standing if order.side == side), key=lambda order: order.n)
    return tuple(
        write(Standing(order.topic, order.unit, order.value), lang) for order in own if _serves(state, order, own)
    )


def _serves(state: State, order: StandingOrder, own: list[StandingOrder]) -> bool:
    if order.unit and not state.units[order.unit].here:
        return False
    if order.value != DEFAULTS.get(order.topic, ASK):
        return True
    return bool(order.unit) and any(
        one.topic == order.topic and not one.unit and one.value != ASK for one in own
    )  # it exempts a unit from an order for all


def spared_by(state: State, side: str) -> str:
    """What would order the fire of a side in the phase of the other, or keep its general orders; "" in its own phase,
    and for units that are to ask although the others do not (STP-DEC-02)."""
    if state.active != side:
        return ""
    if state.step == FIRE and state.side != side:
        return "" if in_force(state, side, FIRE) else "standing fire all nearest"
    return "standing orders keep" if state.step == ORDERS else ""


def usual(state: State, side: str) -> tuple[str, ...]:
    """The usual standing orders as lines (STP-ORD-11); `ask` takes nothing back, so it is not among them."""
    return tuple(write(Standing(topic, "", value), "en") for topic, value in USUAL if value not in (ASK, "declared"))
