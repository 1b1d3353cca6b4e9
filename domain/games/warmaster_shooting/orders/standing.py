"""A side's standing orders still in force, as lines (WMS-SEQ-11)."""

from domain.basics.commands import Standing
from domain.games.warmaster_shooting.chapters.questions import ASK
from domain.games.warmaster_shooting.orders.notation import write
from domain.games.warmaster_shooting.state.state import State, stand_in


def standing_orders(state: State, side: str, lang: str = "en") -> tuple[str, ...]:
    """The standing orders of a side as order lines, in the order in which they were given.

    Shape: `state` as the side knows it; an order lapses with its unit, and with the last that it names
    """
    own = sorted((order for order in state.standing if order.side == side), key=lambda order: order.n)
    return tuple(
        write(Standing(order.topic, order.unit, order.value), lang)
        for order in own
        if order.value != ASK and _serves(state, order.topic, order.unit, order.value.split())
    )


def _serves(state: State, topic: str, name: str, named: list[str]) -> bool:
    if topic == "drive":
        return any(state.units[unit].alive for unit in named)
    unit = state.units[name]
    if topic == "remove":
        return any(stand_in(unit, stand).alive for stand in named)
    return unit.alive
