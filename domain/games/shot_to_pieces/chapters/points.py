"""Chapter ACT, points: what an order costs, who may pay it, and the one place where it is paid (STP-ACT-03 to -10)."""

from collections.abc import Iterable

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.shot_to_pieces.plane.gaps import distance_to
from domain.games.shot_to_pieces.state.state import Corps, State, Unit, general_of, place_of, with_corps
from domain.games.shot_to_pieces.state.vocabulary import ADVANCE, HOLD

RADIUS_HCM = 5000
"""Within it an order costs one point (STP-GEO-10)."""
NEAR, ELSE, FREE = "near", "else", "free"
"""What the points of an order count as: for an advancing move or charge, for another order, in no quota."""


class PointsSpent(Event, frozen=True, gc=False):
    """Points are paid. `quota` says what they count as: `near`, `else` or `free` (STP-CMD-03, -04)."""

    RULE = "STP-ACT-03"
    TOLD_BY = "why"

    corps: str
    unit: str
    why: str
    cost: int
    left: int
    quota: str


class Payment(Struct, frozen=True, gc=False):
    """What an order will cost: `unit` is who is named, a general for their own move."""

    corps: str
    unit: str
    why: str
    cost: int
    quota: str = ELSE


def price(state: State, units: Iterable[Unit]) -> int:
    """What one order to a unit or group costs: one point within the radius of command, two beyond it, none in a
    strategic move (STP-ACT-03, -10); of a corps without general always two (STP-SCN-02)."""
    units = tuple(units)
    corps = state.corps[units[0].corps]
    if corps.strategic:
        return 0
    general = general_of(state, corps)
    if general is None:
        return 2
    place = place_of(state, general)
    return 1 if any(distance_to(unit.base, place) <= RADIUS_HCM for unit in units) else 2


def require_payable(state: State, payment: Payment) -> None:
    """Refuse an order for which the points are missing, or that the general order does not allow.

    Raises: Refusal stp.insufficient-points, stp.order-quota
    """
    corps = state.corps[payment.corps]
    if not payment.cost:
        return
    if payment.cost > corps.ap:
        raise Refusal(
            "stp.insufficient-points", "STP-ACT-03", unit=payment.unit, corps=corps.id, cost=payment.cost, left=corps.ap
        )
    spent, allowed = quota_of(corps, payment.quota)
    if spent + payment.cost > allowed:
        rule = "STP-CMD-03" if corps.order == ADVANCE else "STP-CMD-04"
        params = {"order": corps.order, "cost": payment.cost, "spent": spent, "allowed": allowed}
        raise Refusal("stp.order-quota", rule, unit=payment.unit, corps=corps.id, **params)


def is_payable(state: State, payment: Payment) -> bool:
    """Whether an order could be paid for."""
    try:
        require_payable(state, payment)
    except Refusal:
        return False
    return True


def quota_of(corps: Corps, quota: str) -> tuple[int, int]:
    """The points spent so far on what counts alike, and how many may be (STP-CMD-03, -04)."""
    if corps.order == ADVANCE and quota == ELSE:
        return corps.spent_else, -(-corps.rolled // 2) - 1
    if corps.order == HOLD and quota == NEAR:
        return corps.spent_near, -(-corps.rolled // 3)
    return 0, corps.rolled


def pay(judge: Judge[State], side: str, payment: Payment) -> None:
    """Pay for an order; in a strategic move there is nothing to pay (STP-ACT-10)."""
    corps = judge.state.corps[payment.corps]
    if corps.strategic:
        return
    left = corps.ap - payment.cost
    judge.emit(PointsSpent(corps.id, payment.unit, payment.why, payment.cost, left, payment.quota), side)


def on_points_spent(state: State, event: PointsSpent) -> State:
    corps = state.corps[event.corps]
    if event.quota == NEAR:
        return with_corps(state, corps.id, ap=event.left, spent_near=corps.spent_near + event.cost)
    if event.quota == ELSE:
        return with_corps(state, corps.id, ap=event.left, spent_else=corps.spent_else + event.cost)
    return with_corps(state, corps.id, ap=event.left)


EVOLUTIONS = {PointsSpent: on_points_spent}
