"""Lines to forces, given in secret from the beginning of a round until all are ready (CAM-ORD-02)."""

from domain.basics.errors import Refusal
from domain.campaign.config import LINKED
from domain.campaign.forces.marches import march_out
from domain.campaign.forces.nodes import fight_node
from domain.campaign.judge import CampaignJudge
from domain.campaign.known import known
from domain.campaign.orders import MAP, CampaignOrder
from domain.campaign.refusals import require_begun
from domain.campaign.state import CampaignState
from domain.campaign.theatre.order_events import OrdersClosed, OrdersDefaulted, ReadySet
from domain.campaign.theatre.orders import ordered

READY, WAIT = "ready", "wait"


def require_force_line(judge: CampaignJudge, order: CampaignOrder, entrant: str) -> None:
    """Refuse a line to a force that may not be given now, or that the force could not obey.

    Raises: Refusal campaign.ended, campaign.not-begun, campaign.orders-closed, campaign.no-such-area, and as `ordered`
    """
    state = judge.state
    require_begun(state)
    if not state.takes_orders:
        raise Refusal("campaign.orders-closed", "CAM-ORD-02")
    if order.verb in (READY, WAIT):
        return
    if order.verb in MAP and state.settings.kind == LINKED:
        _require_own(state, order, entrant)
        raise Refusal("campaign.no-such-area", "CAM-ORD-03", area=order.area)
    seen = known(state, entrant)
    ordered(seen.theatre, seen.ordering.turn, judge.book, entrant, order)


def _require_own(state: CampaignState, order: CampaignOrder, entrant: str) -> None:
    """Raises: Refusal campaign.no-such-force, campaign.not-your-force"""
    force = state.theatre.forces.get(order.force)
    if force is None or force.is_lost:
        raise Refusal("campaign.no-such-force", "CAM-ORD-03", force=order.force)
    if force.power != entrant:
        raise Refusal("campaign.not-your-force", "CAM-ORD-03", force=order.force, power=force.power)


def decide_force_line(judge: CampaignJudge, order: CampaignOrder, entrant: str) -> None:
    """What a force is to do is private; who is ready is public, and a later order takes it back. When all are, orders
    are closed."""
    if order.verb == READY:
        if entrant not in judge.state.ordering.ready:
            judge.emit(ReadySet(entrant, True), by=entrant)
        close_if_ready(judge)
        return
    if order.verb != WAIT:
        state = judge.state
        judge.emit(ordered(state.theatre, state.ordering.turn, judge.book, entrant, order), by=entrant)
    if entrant in judge.state.ordering.ready:
        judge.emit(ReadySet(entrant, False), by=entrant)


def close_if_ready(judge: CampaignJudge) -> None:
    """Close the orders of a round when everybody who competes is ready; where nobody does, the clock closes them."""
    state = judge.state
    if state.takes_orders and any(state.competing()) and not waited_for(state):
        close_orders(judge)


def waited_for(state: CampaignState) -> tuple[str, ...]:
    """The entrants without whom the orders are not closed yet: who is not ready, on a map also who has not contributed
    to the chance of the round: nothing is drawn before.

    Rule: CAM-ORD-02, CAM-LOG-03
    """
    done = state.ordering.ready & state.ordering.came if state.theatre.areas else state.ordering.ready
    return tuple(entrant.id for entrant in state.competing() if entrant.id not in done)


def default_orders(judge: CampaignJudge, late: tuple[str, ...]) -> None:
    """Orders that were given without `ready` count as they stand; of an entrant without any it is noted.

    Rule: CAM-TIM-07
    """
    before = judge.state.ordering
    gave = (before.gave | before.ready) & before.came if judge.state.theatre.areas else before.gave
    for entrant in late:
        if entrant not in gave:
            _default(judge, entrant)
    close_orders(judge)


def _default(judge: CampaignJudge, entrant: str) -> None:
    judge.emit(OrdersDefaulted(entrant, judge.state.ordering.rows.get(entrant, 0) + 1))


def close_orders(judge: CampaignJudge) -> None:
    """Open the orders of a round, and do them; under fog they stay sealed. Of a power that nobody holds it is noted
    that it has none.

    Rule: CAM-ORD-02, CAM-MAP-04, CAM-LNK-01, CAM-LOG-03, CAM-FOG-01
    """
    state = judge.state
    for power in state.theatre.powers if state.theatre.areas else ():
        if power not in state.entrants or state.entrants[power].left:
            _default(judge, power)
    orders = judge.state.ordering.turn
    opens = () if state.is_foggy else judge.state.sealed
    judge.emit(OrdersClosed(judge.state.round, opens))
    (march_out if judge.state.theatre.areas else fight_node)(judge, orders)
