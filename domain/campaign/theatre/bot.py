"""A power that nobody leads marches by itself: towards what is worth having and can be had, home when it is hungry.

It knows what its power knows, chooses among the orders that the power may give, and draws lots only between moves that
it likes as well. Nothing here is a rule.
"""

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.orders import CampaignOrder
from domain.campaign.theatre.aftermath import FOR_STORM
from domain.campaign.theatre.contact import weight
from domain.campaign.theatre.options import movements, recruits
from domain.campaign.theatre.orders import TurnOrders, ordered, with_order
from domain.campaign.theatre.roads import (
    enemies_in,
    forces_in,
    is_besieged,
    is_closed,
    is_free,
    is_own,
    is_supplied,
    neighbours,
)
from domain.campaign.theatre.state import Area, ForceState, Theatre
from domain.contract.campaign_book import CampaignBook

Below = Callable[[int], int]
"""A number from 0 to n - 1."""
PERCENT = 100
"""Worths and shares are in hundredths."""
DIE = 6
NEARER = 2
"""How often less an area is worth that is a march farther away."""
LOOK = 6
"""Marches that a power looks ahead."""
VP, INCOME, SUPPLY, CAPITAL = 300, 40, 200, 900
"""What an area is worth: by each point of victory and of income, if it feeds, if it is a capital."""
DANGER, HUNGER, CROWD = 500, 250, 150
"""What speaks against standing somewhere: a stronger enemy, no supply, a friend who is there already."""
PATIENCE, FILLING = 150, 12
"""What speaks for staying: each turn that a siege has lasted, each point that could be spent on recruits."""
EVEN, STRONGER = 90, 150
"""The weight, in hundredths of the enemy's, from which a force fights, and at which it is frightened."""


def plan_turn(theatre: Theatre, book: CampaignBook, power: str, below: Below) -> tuple[CampaignOrder, ...]:
    """The orders of a power for a turn: a movement for each force, ransoms, recruits. All of them are legal."""
    orders, found = TurnOrders(), list[CampaignOrder]()

    def give(order: CampaignOrder) -> bool:
        nonlocal orders
        try:
            orders = with_order(theatre, orders, book, power, order)
        except Refusal:
            return False
        found.append(order)
        return True

    worths, ends = _worths(theatre, theatre.powers[power].alliance), dict[str, str]()
    own = [force for force in theatre.standing() if force.power == power]
    for force in sorted(own, key=lambda force: (-force.weight, force.id)):
        order = _movement(theatre, worths, ends, force, below)
        give(order)
        ends[force.id] = _end(force, order)
    for force in own:
        for leader in force.captured:
            give(CampaignOrder("ransom", force=force.id, id=leader))
    for force in sorted(own, key=lambda force: (force.weight, force.id)):
        if ends[force.id] == force.area and _may_recruit(theatre, force):
            while (dearest := _dearest(theatre, orders, book, force)) is not None:
                give(dearest)
    return tuple(found)


# --- what is worth having


def _worths(theatre: Theatre, alliance: str) -> dict[str, int]:
    """What each area is worth to an alliance that does not own it, or that an enemy threatens."""
    return {name: _worth(theatre, area, alliance) for name, area in theatre.areas.items()}


def _worth(theatre: Theatre, area: Area, alliance: str) -> int:
    worth = VP * area.vp + INCOME * area.income + SUPPLY * area.supply + CAPITAL * area.capital
    if not is_own(theatre, area, alliance):
        return worth // (1 + area.city // 2)
    is_threatened = any(enemies_in(theatre, name, alliance) for name in (area.id, *neighbours(theatre, area.id)))
    return worth // 2 if is_threatened else 0


def _distances(theatre: Theatre, start: str) -> dict[str, int]:
    """The marches from an area to others, as far as a power looks."""
    found, edge = {start: 0}, [start]
    for far in range(1, LOOK + 1):
        edge = [name for at in edge for name in neighbours(theatre, at) if name not in found]
        found.update(dict.fromkeys(edge, far))
    return found


# --- where to go


def _movement(
    theatre: Theatre, worths: Mapping[str, int], ends: Mapping[str, str], force: ForceState, below: Below
) -> CampaignOrder:
    """The best movement of a force, one of the best by lot."""
    if _should_storm(theatre, force):
        return CampaignOrder("storm", force=force.id)
    rated = [
        (_liking(theatre, worths, ends, force, order), order)
        for order in movements(theatre, force)
        if order.verb in ("hold", "march")
    ]
    best = max(liking for liking, _ in rated)
    liked = [order for liking, order in rated if liking == best]
    chosen = liked[below(len(liked))]
    return _avoiding(theatre, force) if chosen.verb == "hold" else chosen


def _liking(
    theatre: Theatre, worths: Mapping[str, int], ends: Mapping[str, str], force: ForceState, order: CampaignOrder
) -> int:
    """How a power likes a force to stand where an order leads it."""
    alliance, end = theatre.alliance_of_force(force), _end(force, order)
    stopped = _stopped(theatre, force, order)
    enemies = enemies_in(theatre, stopped, alliance)
    friends = [one for one in forces_in(theatre, stopped, alliance) if one.id != force.id]
    strength = force.weight + weight([one for one in friends if ends.get(one.id, one.area) == stopped])
    liking: int = max(worths[name] // NEARER**far for name, far in _distances(theatre, stopped).items())
    if enemies and PERCENT * strength < EVEN * weight(enemies):
        liking -= 2 * DANGER
    elif _is_frightening(theatre, force, stopped, strength):
        liking -= DANGER
    if sum(1 for name, at in ends.items() if at == end and theatre.forces[name].power == force.power):
        liking -= CROWD
    if order.verb == "hold":
        liking += PATIENCE * theatre.areas[force.area].siege + FILLING * _room(theatre, force)
    there = theatre.with_force(replace(force, area=stopped))
    return liking if is_supplied(there, there.forces[force.id]) else liking - HUNGER * (1 + force.hungry)


def _room(theatre: Theatre, force: ForceState) -> int:
    """The points for which a force could take recruits where it stands, up to what fits into a battle."""
    if not _may_recruit(theatre, force):
        return 0
    return max(0, min(theatre.terms.size - force.weight, theatre.powers[force.power].treasury))


def _end(force: ForceState, order: CampaignOrder) -> str:
    """Where an order leads a force."""
    return (order.onward or order.area or force.area) if order.verb == "march" else force.area


def _stopped(theatre: Theatre, force: ForceState, order: CampaignOrder) -> str:
    """Where a force comes to if all others hold: a march ends where an enemy or a closed city is in its way."""
    alliance = theatre.alliance_of_force(force)
    if order.onward and not is_free(theatre, order.area, alliance):
        return order.area
    return _end(force, order)


def _is_frightening(theatre: Theatre, force: ForceState, at: str, strength: int) -> bool:
    """Whether enemies who are a march away are much stronger than who would stand there."""
    alliance = theatre.alliance_of_force(force)
    near = [enemy for name in neighbours(theatre, at) for enemy in enemies_in(theatre, name, alliance)]
    return bool(near) and PERCENT * weight(near) >= STRONGER * strength


def _avoiding(theatre: Theatre, force: ForceState) -> CampaignOrder:
    """A force that stays slips away before a much stronger enemy, where it has somewhere to go that is its own."""
    alliance = theatre.alliance_of_force(force)
    friends = forces_in(theatre, force.area, alliance)
    if _is_frightening(theatre, force, force.area, weight(friends)):
        for order in movements(theatre, force):
            is_way = order.verb == "avoid" and is_free(theatre, order.area, alliance)
            if is_way and is_own(theatre, theatre.areas[order.area], alliance):
                return order
    return CampaignOrder("hold", force=force.id)


def _should_storm(theatre: Theatre, force: ForceState) -> bool:
    """Whether a storm would rather succeed, and to wait would not."""
    area, alliance = theatre.areas[force.area], theatre.alliance_of_force(force)
    if not is_closed(theatre, area, alliance) or enemies_in(theatre, area.id, alliance):
        return False
    least = 4 + 2 * area.city - (area.siege + 1)
    chances = [sum(die >= least - more for die in range(1, DIE + 1)) for more in (0, FOR_STORM)]
    return 2 * chances[0] < DIE <= 2 * chances[1] and len(force.units) > 2


# --- recruits


def _may_recruit(theatre: Theatre, force: ForceState) -> bool:
    """Whether a force stands where a unit would come, as things are (CAM-MAP-16)."""
    area, alliance = theatre.areas[force.area], theatre.alliance_of_force(force)
    is_home = area.city > 0 and is_own(theatre, area, alliance) and not is_besieged(theatre, area)
    return is_home and is_supplied(theatre, force)


def _dearest(theatre: Theatre, orders: TurnOrders, book: CampaignBook, force: ForceState) -> CampaignOrder | None:
    """The dearest unit that a force can have, of equals the first; None if it can have none."""
    priced = list(_priced(theatre, orders, book, force))
    return max(priced, key=lambda row: row[0])[1] if priced else None


def _priced(
    theatre: Theatre, orders: TurnOrders, book: CampaignBook, force: ForceState
) -> Iterator[tuple[int, CampaignOrder]]:
    for order in recruits(orders, force):
        try:
            unit = ordered(theatre, orders, book, force.power, order).unit
        except Refusal:
            continue
        if unit:
            yield unit.points, order
