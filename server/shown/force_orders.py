"""The orders to the forces of a power on a map, in words: what may be chosen, and what has been."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from msgspec import Struct

from domain.campaign.notation import write_order
from domain.campaign.orders import CampaignOrder
from domain.campaign.state import CampaignState
from domain.campaign.theatre.map_scene import MapScene
from domain.campaign.theatre.options import movements
from replay.drawing.atlas.text import COLUMNS
from server.words import say

BAR = 4
"""Columns that whoever shows a line may put before it."""


class ForceChoice(Struct, frozen=True):
    """A movement that a force may be ordered: its line, in words, and the area where it ends ("" for none)."""

    line: str
    words: str
    area: str


class ForceOrders(Struct, frozen=True):
    """A force of a power: where it stands, its strength, what it may do, the line that counts so far ("" for none)."""

    force: str
    area: str
    strength: int
    choices: tuple[ForceChoice, ...]
    given: str


def force_orders(state: CampaignState, scene: MapScene, power: str, lang: str) -> Iterator[ForceOrders]:
    """The forces of a power with their movements, by id; none while no orders are taken."""
    names = {place.id: place.name for place in scene.places}
    for force in state.theatre.standing() if state.takes_orders else ():
        if force.power == power:
            given = state.ordering.turn.movements.get(force.id)
            yield ForceOrders(
                force.id,
                names[force.area],
                force.weight,
                tuple(_choice(order, force.area, names, lang) for order in movements(state.theatre, force)),
                write_order(given) if given else "",
            )


def _choice(order: CampaignOrder, here: str, names: dict[str, str], lang: str) -> ForceChoice:
    area, onward = names.get(order.area or here, ""), names.get(order.onward, "")
    kind = "onward" if order.onward else order.verb
    words = say(lang, f"campaigns.map.{kind}", area=area, onward=onward)
    return ForceChoice(write_order(order), words, order.onward or order.area)


def names_ready(state: CampaignState) -> list[str]:
    """The names of the powers that are ready, in the order of the file."""
    return [state.entrants[name].name for name in state.theatre.powers if name in state.ordering.ready]


def march_lines(orders: Sequence[ForceOrders], most: int) -> Iterator[str]:
    """The movements of each force that end in an area, as lines to copy: one word of each area; `most` of a force."""
    for one in orders:
        ways = [choice.line.removeprefix(f"march {one.force} ") for choice in one.choices if choice.area]
        ways = [way for way in ways if not way.startswith("avoid")]  # it has the same areas once more
        yield from wrap(f"march {one.force} {' | '.join(ways)}", COLUMNS - BAR, subsequent_indent="    ")[:most]
