"""Chapter CMD: general orders, from the army commander to the generals of corps (STP-CMD-01 to -04, -07)."""

from msgspec import UNSET, Struct, UnsetType

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.checks import own_corps
from domain.games.shot_to_pieces.chapters.course import StepOrder
from domain.games.shot_to_pieces.chapters.dice import die, throw
from domain.games.shot_to_pieces.plane.gaps import distance_to
from domain.games.shot_to_pieces.state.commands import OrderCorps
from domain.games.shot_to_pieces.state.state import Corps, Point, State, commander_of, general_of, with_corps
from domain.games.shot_to_pieces.state.vocabulary import ADVANCE, HOLD, ORDERS
from domain.mechanics.modifiers import Factor, Factors, total

SENT = "STP-CMD-02"
VALUES = {"lamentable": 2, "bad": 2, "normal": 3, "good": 4, "excellent": 4}
"""What a general counts in the transmission of orders (STP-INT-02)."""
WAYS = 36
"""How many ways two dice can fall."""
OCCUPIED_HCM = 500
"""How near a unit must stand to the point of its order (STP-CMD-07)."""


class GeneralOrderAttempted(Event, frozen=True, gc=False):
    """An order is on its way: it is received with at most `needed` on two dice."""

    RULE = SENT

    corps: str
    order: str
    attempt: int
    needed: int
    factors: Factors


class GeneralOrderReceived(Event, frozen=True, gc=False):
    """The corps has a new order, perhaps with a point to reach."""

    RULE = SENT

    corps: str
    order: str
    total: int
    needed: int
    goal: Point | UnsetType = UNSET


class GeneralOrderFailed(Event, frozen=True, gc=False):
    """The order did not arrive: the one before stands."""

    RULE = SENT

    corps: str
    order: str
    total: int
    needed: int


class GeneralOrderChanged(Event, frozen=True, gc=False, rename={"from_": "from"}):
    """An order is fulfilled, and becomes another."""

    RULE = "STP-CMD-07"
    TOLD_BY = "cause"

    corps: str
    from_: str
    to: str
    cause: str


class Sending(Struct, frozen=True, gc=False):
    """An order that may be sent."""

    corps: str
    order: str
    goal: Point | None
    attempt: int
    factors: Factors
    needed: int


def plan_order(state: State, side: str, command: OrderCorps) -> Sending:
    """An order to a corps (STP-CMD-02).

    Raises: Refusal stp.corps-broken, stp.order-already-tried, stp.same-order, stp.no-general
    """
    corps = own_corps(state, side, command.corps)
    if corps.broken:
        raise Refusal("stp.corps-broken", "STP-MOR-03", corps=corps.id)
    if corps.tried_turn == state.turn:
        raise Refusal("stp.order-already-tried", SENT, corps=corps.id, turn=state.turn)
    if command.general_order == corps.order and command.goal in (None, corps.goal):
        raise Refusal("stp.same-order", SENT, corps=corps.id, order=corps.order)
    sender, receiver = commander_of(state, side), general_of(state, corps)
    if sender is None or receiver is None:
        raise Refusal("stp.no-general", SENT, corps=corps.id)
    attempt = corps.tries + 1 if corps.tried == command.general_order else 1
    factors = []
    if sender.nation != receiver.nation:
        factors.append(Factor(SENT, "nation", -1))
    if attempt > 1:
        factors.append(Factor(SENT, "second-try", 1) if attempt == 2 else Factor(SENT, "later-try", 2))
    needed = VALUES[sender.quality] + VALUES[receiver.quality] + total(factors)
    return Sending(corps.id, command.general_order, command.goal, attempt, tuple(factors), needed)


def ways_to_receive(needed: int) -> int:
    """In how many of the `WAYS` two dice make at most a number."""
    faces = die(6).values
    return sum(1 for one in faces for other in faces if one + other <= needed)


def send_order(judge: Judge[State], side: str, sending: Sending) -> None:
    """Two dice decide whether it arrives (STP-CMD-02)."""
    corps, order, needed = sending.corps, sending.order, sending.needed
    judge.emit(GeneralOrderAttempted(corps, order, sending.attempt, needed, sending.factors), side)
    rolled = sum(throw(judge, side, die(6), "order", corps, SENT) for _ in range(2))
    if rolled > needed:
        judge.emit(GeneralOrderFailed(corps, order, rolled, needed), side)
        return
    goal = UNSET if sending.goal is None else sending.goal
    judge.emit(GeneralOrderReceived(corps, order, rolled, needed, goal), side)


def fulfil(judge: Judge[State], corps: Corps) -> None:
    """A corps that has reached the point of its ADVANCE holds it; without a point the order lasts (STP-CMD-03, -07,
    STP-INT-37)."""
    if corps.order != ADVANCE or corps.goal is None or corps.broken:
        return
    if any(distance_to(unit.base, corps.goal) <= OCCUPIED_HCM for unit in judge.state.under(corps.id)):
        judge.emit(GeneralOrderChanged(corps.id, ADVANCE, HOLD, "occupied"), corps.side)


# --- evolutions


def on_attempted(state: State, event: GeneralOrderAttempted) -> State:
    return with_corps(state, event.corps, tried=event.order, tries=event.attempt, tried_turn=state.turn)


def on_received(state: State, event: GeneralOrderReceived) -> State:
    goal = None if event.goal is UNSET else event.goal
    return with_corps(state, event.corps, order=event.order, goal=goal, tried="", tries=0)


def on_changed(state: State, event: GeneralOrderChanged) -> State:
    return with_corps(state, event.corps, order=event.to, goal=None)


def on_failed(state: State, event: GeneralOrderFailed) -> State:
    return state


STEP_ORDERS = {OrderCorps: StepOrder((ORDERS,), plan_order, send_order)}
EVOLUTIONS = {
    GeneralOrderAttempted: on_attempted,
    GeneralOrderReceived: on_received,
    GeneralOrderFailed: on_failed,
    GeneralOrderChanged: on_changed,
}
