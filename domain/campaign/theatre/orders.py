"""Orders to forces, judged by what their power knows when it gives them (CAM-ORD-02, -03), and what they come to when
the orders of a turn are closed."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.orders import MAP, CampaignOrder
from domain.campaign.theatre.roads import forces_in, is_closed, is_land, link
from domain.campaign.theatre.state import ROAD, ElementState, ForceState, Theatre
from domain.contract.campaign_book import CAPTURED, UNIT, CampaignBook, Element, Recruit

RULE = "CAM-ORD-03"
RANSOM = 2
"""How often the points of a captured leader are paid for them (CAM-CAR-05)."""


class RecruitOrder(Struct, frozen=True):
    """A unit that a power has ordered for a force."""

    power: str
    force: str
    element: Element


class TurnOrders(Struct, frozen=True):
    """What has been ordered in a turn so far: the newest movement of each force, and all else in the order in which it
    was given. What is dismissed and ransomed is by (force, element)."""

    movements: Mapping[str, CampaignOrder] = {}
    recruits: tuple[RecruitOrder, ...] = ()
    dismissed: tuple[tuple[str, str], ...] = ()
    ransomed: tuple[tuple[str, str], ...] = ()
    rests: Mapping[str, frozenset[str]] = {}

    def spent(self, power: str) -> int:
        """The points of what a power has ordered to be raised."""
        return sum(each.element.points for each in self.recruits if each.power == power)

    def path(self, force: str) -> tuple[str, ...]:
        """The areas through which a force is to march."""
        order = self.movements.get(force)
        return tuple(filter(None, (order.area, order.onward))) if order and order.verb == "march" else ()

    def avoids(self, force: str) -> str:
        """The area to which a force is to slip away, "" for none."""
        order = self.movements.get(force)
        return order.area if order and order.verb == "avoid" else ""

    def storms(self, force: str) -> bool:
        """Whether a force is to storm the city before it."""
        order = self.movements.get(force)
        return order is not None and order.verb == "storm"


def with_order(
    theatre: Theatre, orders: TurnOrders, book: CampaignBook, power: str, order: CampaignOrder
) -> TurnOrders:
    """The orders of a turn with one more.

    Rule:    CAM-ORD-02, CAM-ORD-03
    Raises:  Refusal campaign.no-such-force, campaign.not-your-force, campaign.no-such-area, campaign.no-link,
             campaign.too-far, campaign.nothing-to-storm, core.unknown-id, campaign.not-on-list,
             campaign.too-many-of-line, campaign.id-taken, campaign.cannot-afford, campaign.not-captured
    """
    force = theatre.forces.get(order.force)
    if force is None or force.is_lost:
        raise Refusal("campaign.no-such-force", RULE, force=order.force)
    if force.power != power:
        raise Refusal("campaign.not-your-force", RULE, force=order.force, power=force.power)
    if order.verb in MAP:
        _require_way(theatre, force, order)
        return replace(orders, movements={**orders.movements, force.id: order})
    return _ARMY[order.verb](theatre, orders, book, force, order)


# --- movement


def _require_way(theatre: Theatre, force: ForceState, order: CampaignOrder) -> None:
    """Refuse a way that there is not."""
    way = [name for name in (order.area, order.onward) if name]
    for name in way:
        if name not in theatre.areas:
            raise Refusal("campaign.no-such-area", RULE, area=name)
    for at, to in zip([force.area, *way], way, strict=False):
        if not link(theatre, at, to) or (order.verb == "avoid" and not is_land(theatre, at, to)):
            raise Refusal("campaign.no-link", "CAM-MAP-05", **{"from": at, "to": to})
    if len(way) > 1 and {link(theatre, force.area, way[0]), link(theatre, *way)} != {ROAD}:
        raise Refusal("campaign.too-far", "CAM-MAP-05", force=force.id, area=way[1])
    if order.verb == "storm" and not is_closed(theatre, theatre.areas[force.area], theatre.alliance_of_force(force)):
        raise Refusal("campaign.nothing-to-storm", "CAM-MAP-13", force=force.id, area=force.area)


# --- the army


def _on_recruit(
    theatre: Theatre, orders: TurnOrders, book: CampaignBook, force: ForceState, order: CampaignOrder
) -> TurnOrders:
    if order.group not in {each.element.group for each in force.elements.values()}:
        raise _unknown(order.group)
    ordered = [each.element for each in orders.recruits if each.force == force.id]
    here = [each.element for each in force.units] + ordered
    element = book.recruit(force.army, here, Recruit(order.group, order.troop, order.quality, order.id))
    if order.id in force.elements or any(each.id == order.id for each in ordered):
        raise Refusal("campaign.id-taken", RULE, id=order.id)
    left = theatre.powers[force.power].treasury - orders.spent(force.power)
    if element.points > left:
        raise _cannot_afford(element.points, left)
    return replace(orders, recruits=(*orders.recruits, RecruitOrder(force.power, force.id, element)))


def _on_dismiss(
    theatre: Theatre, orders: TurnOrders, book: CampaignBook, force: ForceState, order: CampaignOrder
) -> TurnOrders:
    _unit(force, order.id)
    if (force.id, order.id) in orders.dismissed:
        return orders
    return replace(orders, dismissed=(*orders.dismissed, (force.id, order.id)))


def _on_rest(
    theatre: Theatre, orders: TurnOrders, book: CampaignBook, force: ForceState, order: CampaignOrder
) -> TurnOrders:
    named = {_unit(force, name).element.id for name in order.ids}
    rests = orders.rests.get(force.id, force.rests)
    rests = rests | named if order.verb == "rest" else rests - named
    return replace(orders, rests={**orders.rests, force.id: rests})


def _on_ransom(
    theatre: Theatre, orders: TurnOrders, book: CampaignBook, force: ForceState, order: CampaignOrder
) -> TurnOrders:
    leader = force.elements.get(order.id)
    if leader is None or leader.element.kind == UNIT:
        raise _unknown(order.id)
    price, left = RANSOM * leader.element.points, theatre.powers[force.power].treasury - orders.spent(force.power)
    if price > left:
        raise _cannot_afford(price, left)
    if leader.now != CAPTURED or (force.id, order.id) in orders.ransomed:
        raise Refusal("campaign.not-captured", "CAM-CAR-05", leader=order.id)
    return replace(orders, ransomed=(*orders.ransomed, (force.id, order.id)))


def _unit(force: ForceState, name: str) -> ElementState:
    each = force.elements.get(name)
    if each is None or each.element.kind != UNIT or not each.is_here:
        raise _unknown(name)
    return each


def _unknown(name: str) -> Refusal:
    return Refusal("core.unknown-id", "CORE-ID", id=name)


def _cannot_afford(points: int, left: int) -> Refusal:
    return Refusal("campaign.cannot-afford", RULE, points=points, left=left)


_ARMY: Mapping[str, Callable[[Theatre, TurnOrders, CampaignBook, ForceState, CampaignOrder], TurnOrders]] = {
    "recruit": _on_recruit,
    "dismiss": _on_dismiss,
    "rest": _on_rest,
    "field": _on_rest,
    "ransom": _on_ransom,
}


def stormers(theatre: Theatre, orders: TurnOrders, area: str, alliance: str) -> Iterator[ForceState]:
    """The forces of an alliance that storm in an area, by id."""
    return (force for force in forces_in(theatre, area, alliance) if orders.storms(force.id))
