"""The orders to the armies of a power, for whoever chooses from lists: whom to raise, to send home, to spare, to buy
back."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.campaign.notation import write_order
from domain.campaign.orders import ARMY, CampaignOrder
from domain.campaign.state import CampaignState
from domain.campaign.theatre.orders import RANSOM, TurnOrders, ordered
from domain.campaign.theatre.state import ForceState
from domain.contract.campaign_book import CampaignBook
from replay.telling.service import ServiceTeller
from server.shown.ledger import service_teller
from server.shown.linked import army_orders_given
from server.words import say

PARTS = {"recruit": ("recruit",), "rest": ("rest", "field"), "dismiss": ("dismiss",), "ransom": ("ransom",)}
"""The lists of a force, each with the verbs of its orders."""


class ArmyChoice(Struct, frozen=True):
    """An order as a line, and in words."""

    line: str
    words: str


class ArmyPart(Struct, frozen=True):
    """A list of orders of one kind: the field of a form that has it."""

    name: str
    field: str
    choices: tuple[ArmyChoice, ...]


class ArmyForm(Struct, frozen=True):
    """A force with what its army may be ordered, and the lines about it that count so far."""

    force: str
    parts: tuple[ArmyPart, ...]
    given: tuple[str, ...]


def field_names(forces: Iterable[str]) -> Iterator[str]:
    """The fields of the forms of these forces."""
    return (_field(force, part) for force in forces for part in PARTS)


def army_forms(
    state: CampaignState, book: CampaignBook, entrant: str, options: Sequence[CampaignOrder], lang: str
) -> Iterator[ArmyForm]:
    """The forces of an entrant with what may be ordered of their armies; () where nothing may.

    Shape: `options` the legal orders of the entrant (`domain.campaign.theatre.options`), `book` on tables
    """
    teller, turn = service_teller(state, lang), state.ordering.turn
    own = [order for order in options if order.verb in ARMY]
    given = army_orders_given(state, entrant, lang)
    for force in dict.fromkeys(order.force for order in own):
        told = _Telling(state.theatre.forces[force], state, book, turn, teller, lang)
        parts = []
        for name, verbs in PARTS.items():
            orders = [order for order in own if order.force == force and order.verb in verbs]
            if orders:
                parts.append(ArmyPart(name, _field(force, name), tuple(map(told.choice, orders))))
        yield ArmyForm(force, tuple(parts), given.get(force, ()))


def _field(force: str, part: str) -> str:
    return f"army-{force}-{part}"


class _Telling(Struct, frozen=True):
    """Tells the orders to a force."""

    force: ForceState
    state: CampaignState
    book: CampaignBook
    turn: TurnOrders
    teller: ServiceTeller
    lang: str

    def choice(self, order: CampaignOrder) -> ArmyChoice:
        """An order as a line, and in words."""
        name = order.id or order.ids[0]
        if order.verb == "recruit":
            troop, group, points = order.troop, order.group, self._price(order)
        else:
            element = self.force.elements[name].element
            troop, group, points = element.troop, element.group, RANSOM * element.points
        told = {"troop": self.teller.troop(troop), "group": group, "points": points}
        return ArmyChoice(write_order(order), say(self.lang, f"campaigns.army.{order.verb}", id=name, **told))

    def _price(self, order: CampaignOrder) -> int:
        try:
            event = ordered(self.state.theatre, self.turn, self.book, self.force.power, order)
        except Refusal:  # the options were made a moment ago
            return 0
        return event.unit.points if event.unit else 0
