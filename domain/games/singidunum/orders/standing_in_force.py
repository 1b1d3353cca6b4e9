"""A side's standing orders still in force, as lines (PRG-SEQ-12)."""

from domain.basics.commands import Standing
from domain.games.singidunum.chapters.decisions import ASK
from domain.games.singidunum.orders.notation import write
from domain.games.singidunum.state.state import State


def standing_orders(state: State, side: str, lang: str = "en") -> tuple[str, ...]:
    """The standing orders of a side that may still answer, in the order in which they were given."""
    serving = [order for order in state.standing if order.side == side and order.value != ASK]
    return tuple(
        write(Standing(order.topic, order.unit, order.value), lang)
        for order in sorted(serving, key=lambda order: order.n)
        if not order.unit or (order.unit in state.units and state.units[order.unit].in_play)
    )
