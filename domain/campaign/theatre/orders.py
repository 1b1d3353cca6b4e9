"""Orders to forces, judged by what their power knows when it gives them (CAM-ORD-02, -03), and what they come to when
the orders of a turn are closed."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.orders import MAP, CampaignOrder
from domain.campaign.theatre.order_events import ForceOrdered, OrderedUnit
from domain.campaign.theatre.roads import forces_in, is_closed, is_land, link
from domain.campaign.theatre.state import ROAD, ForceState, Theatre
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

    Raises:  Refusal as `ordered`
    """
    return after_ordered(theatre, orders, ordered(theatre, orders, book, power, order))


# --- what an order says


def ordered(theatre: Theatre, orders: TurnOrders, book: CampaignBook, power: str, order: CampaignOrder) -> ForceOrdered:
    """What a force is ordered to do.

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
        path = tuple(filter(None, (order.area, order.onward)))
        return ForceOrdered(force=force.id, do=order.verb, path=path)
    return _ARMY[order.verb](theatre, orders, book, force, order)


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


def _recruit(
    theatre: Theatre, orders: TurnOrders, book: CampaignBook, force: ForceState, order: CampaignOrder
) -> ForceOrdered:
    if order.group not in {each.element.group for each in force.elements.values()}:
        raise _unknown(order.group)
    coming = [each.element for each in orders.recruits if each.force == force.id]
    here = [each.element for each in force.units] + coming
    unit = book.recruit(force.army, here, Recruit(order.group, order.troop, order.quality, order.id))
    if order.id in force.elements or any(each.id == order.id for each in coming):
        raise Refusal("campaign.id-taken", RULE, id=order.id)
    left = _left(theatre, orders, force.power)
    if unit.points > left:
        raise _cannot_afford(unit.points, left)
    wanted = OrderedUnit(unit.id, unit.group, unit.troop, unit.label, unit.points)
    return ForceOrdered(force=force.id, do=order.verb, unit=wanted)


def _dismiss(
    theatre: Theatre, orders: TurnOrders, book: CampaignBook, force: ForceState, order: CampaignOrder
) -> ForceOrdered:
    return ForceOrdered(force=force.id, do=order.verb, path=(_unit(force, order.id),))


def _rest(
    theatre: Theatre, orders: TurnOrders, book: CampaignBook, force: ForceState, order: CampaignOrder
) -> ForceOrdered:
    return ForceOrdered(force=force.id, do=order.verb, path=tuple(_unit(force, name) for name in order.ids))


def _ransom(
    theatre: Theatre, orders: TurnOrders, book: CampaignBook, force: ForceState, order: CampaignOrder
) -> ForceOrdered:
    leader = force.elements.get(order.id)
    if leader is None or leader.element.kind == UNIT:
        raise _unknown(order.id)
    price, left = RANSOM * leader.element.points, _left(theatre, orders, force.power)
    if price > left:
        raise _cannot_afford(price, left)
    if leader.now != CAPTURED or (force.id, order.id) in orders.ransomed:
        raise Refusal("campaign.not-captured", "CAM-CAR-05", leader=order.id)
    return ForceOrdered(force=force.id, do=order.verb, path=(order.id,))


def _left(theatre: Theatre, orders: TurnOrders, power: str) -> int:
    """What a power can still spend beside what it has ordered."""
    bought = (
        theatre.forces[force].elements[leader] for force, leader in orders.ransomed if _owns(theatre, power, force)
    )
    return theatre.powers[power].treasury - orders.spent(power) - sum(RANSOM * each.element.points for each in bought)


def _owns(theatre: Theatre, power: str, force: str) -> bool:
    return theatre.forces[force].power == power


def _unit(force: ForceState, name: str) -> str:
    each = force.elements.get(name)
    if each is None or each.element.kind != UNIT or not each.is_here:
        raise _unknown(name)
    return name


def _unknown(name: str) -> Refusal:
    return Refusal("core.unknown-id", "CORE-ID", id=name)


def _cannot_afford(points: int, left: int) -> Refusal:
    return Refusal("campaign.cannot-afford", RULE, points=points, left=left)


_ARMY: Mapping[str, Callable[[Theatre, TurnOrders, CampaignBook, ForceState, CampaignOrder], ForceOrdered]] = {
    "recruit": _recruit,
    "dismiss": _dismiss,
    "rest": _rest,
    "field": _rest,
    "ransom": _ransom,
}


# --- folding


def after_ordered(theatre: Theatre, orders: TurnOrders, event: ForceOrdered) -> TurnOrders:
    """The orders of a turn after a force was ordered something: facts are copied, and no rule is asked. What is still
    sealed changes nothing.

    Rule:    CAM-ORD-02
    """
    if event.force is UNSET or event.do is UNSET:
        return orders
    force, path = theatre.forces[event.force], event.path or ()
    if event.do in MAP:
        area, onward = (*path, "", "")[:2]
        order = CampaignOrder(event.do, force=force.id, area=area, onward=onward)
        return replace(orders, movements={**orders.movements, force.id: order})
    if event.unit is not UNSET:
        unit = event.unit
        element = Element(unit.id, UNIT, unit.group, unit.troop, unit.quality, unit.points)
        return replace(orders, recruits=(*orders.recruits, RecruitOrder(force.power, force.id, element)))
    if event.do in ("rest", "field"):
        rests = orders.rests.get(force.id, force.rests)
        rests = rests | {*path} if event.do == "rest" else rests - {*path}
        return replace(orders, rests={**orders.rests, force.id: rests})
    named = tuple((force.id, name) for name in path)
    if event.do == "dismiss":
        return replace(orders, dismissed=_with(orders.dismissed, named))
    return replace(orders, ransomed=_with(orders.ransomed, named))


def _with(before: tuple[tuple[str, str], ...], named: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Elements and those named now, each once."""
    return tuple(dict.fromkeys((*before, *named)))


def stormers(theatre: Theatre, orders: TurnOrders, area: str, alliance: str) -> Iterator[ForceState]:
    """The forces of an alliance that storm in an area, by id."""
    return (force for force in forces_in(theatre, area, alliance) if orders.storms(force.id))
