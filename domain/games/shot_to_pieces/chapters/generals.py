"""Chapter ACT, generals: they move last, go to units and leave them (STP-ACT-04, STP-MOV-11, STP-CMD-06)."""

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.checks import own_general, own_unit, require_here
from domain.games.shot_to_pieces.chapters.course import StepOrder
from domain.games.shot_to_pieces.chapters.points import FREE, Payment, pay, require_payable
from domain.games.shot_to_pieces.plane.angles import half_again
from domain.games.shot_to_pieces.plane.base import ahead
from domain.games.shot_to_pieces.plane.gaps import distance_to
from domain.games.shot_to_pieces.state.commands import AttachGeneral, MoveGeneralBy, SendGeneral
from domain.games.shot_to_pieces.state.figures import period_of
from domain.games.shot_to_pieces.state.state import General, Point, State, place_of, with_general
from domain.games.shot_to_pieces.state.vocabulary import GENERALS
from domain.mechanics.plane import distance as apart

RULE = "STP-ACT-04"


class GeneralMoved(Event, frozen=True, gc=False, rename={"from_": "from"}):
    """A general has moved alone."""

    RULE = RULE

    general: str
    from_: Point
    to: Point
    distance_hcm: int


class LeaderAttached(Event, frozen=True, gc=False):
    """A general goes with a unit from now on, or with "" leaves it."""

    RULE = "STP-CMD-06"

    general: str
    unit: str


class Journey(Struct, frozen=True, gc=False):
    """Where a general may go: to a place, or to a unit, "" to stand alone."""

    general: General
    payment: Payment
    to: Point | None = None
    unit: str | None = None


def _able(state: State, side: str, name: str) -> General:
    general = own_general(state, side, name)
    if not (general.alive and general.placed):
        raise Refusal("stp.general-gone", "STP-GAP-07", general=name)
    return general


def limit(state: State, general: General) -> int:
    """How far a general goes for a point: the figure of the period, half as far again in a strategic move (STP-ACT-04,
    STP-GAP-24)."""
    length = period_of(state).switches.general_move
    return half_again(length) if state.corps[general.corps].strategic else length


def _payment(state: State, general: General, cost: int = 1) -> Payment:
    if state.corps[general.corps].strategic:
        cost = 0
    payment = Payment(general.corps, general.id, "general", cost, FREE)
    require_payable(state, payment)
    return payment


def plan_move(state: State, side: str, command: MoveGeneralBy) -> Journey:
    """So far in a direction.

    Raises: Refusal stp.general-gone, stp.too-far, stp.leaves-table, stp.insufficient-points
    """
    general = _able(state, side, command.general)
    allowed = limit(state, general)
    if command.distance > allowed:
        raise Refusal("stp.too-far", RULE, general=general.id, distance=command.distance, allowed=allowed)
    to = ahead(place_of(state, general), command.bearing, command.distance)
    return _to(state, general, to)


def plan_send(state: State, side: str, command: SendGeneral) -> Journey:
    """To a place.

    Raises: Refusal stp.general-gone, stp.too-far, stp.leaves-table, stp.insufficient-points
    """
    general = _able(state, side, command.general)
    distance, allowed = apart(place_of(state, general), command.to), limit(state, general)
    if distance > allowed:
        raise Refusal("stp.too-far", RULE, general=general.id, distance=distance, allowed=allowed)
    return _to(state, general, command.to)


def _to(state: State, general: General, to: Point) -> Journey:
    """Anywhere on the table: nothing stops a general, and their disc stops nobody (STP-GAP-26)."""
    if not (0 <= to[0] <= state.board.width and 0 <= to[1] <= state.board.height):
        raise Refusal("stp.leaves-table", "STP-GEO-01", general=general.id, to=list(to))
    return Journey(general, _payment(state, general), to=to)


def plan_attach(state: State, side: str, command: AttachGeneral) -> Journey:
    """To a unit of their corps, or away from it, which is free.

    Raises: Refusal stp.general-gone, stp.not-attached, stp.not-his-corps, stp.too-far, stp.insufficient-points
    """
    general = _able(state, side, command.general)
    if not command.unit:
        if not general.unit:
            raise Refusal("stp.not-attached", "STP-CMD-06", general=general.id)
        return Journey(general, _payment(state, general, 0), unit="")
    unit = own_unit(state, side, command.unit)
    require_here(unit)
    if unit.corps != general.corps:
        raise Refusal("stp.not-his-corps", "STP-CMD-06", general=general.id, unit=unit.id, corps=unit.corps)
    distance, allowed = distance_to(unit.base, place_of(state, general)), limit(state, general)
    if distance > allowed:
        raise Refusal("stp.too-far", RULE, general=general.id, distance=distance, allowed=allowed)
    return Journey(general, _payment(state, general), unit=unit.id)


def go(judge: Judge[State], side: str, journey: Journey) -> None:
    """A general goes; who leaves a unit to move leaves it first."""
    general = journey.general
    if journey.unit == "":
        judge.emit(LeaderAttached(general.id, ""), side)
        return
    pay(judge, side, journey.payment)
    if journey.unit:
        judge.emit(LeaderAttached(general.id, journey.unit), side)
        return
    assert journey.to is not None, "a general who joins nobody goes to a place"
    start = place_of(judge.state, general)
    if general.unit:
        judge.emit(LeaderAttached(general.id, ""), side)
    judge.emit(GeneralMoved(general.id, start, journey.to, apart(start, journey.to)), side, RULE)


def on_general_moved(state: State, event: GeneralMoved) -> State:
    return with_general(state, event.general, at=event.to, moved_k=state.k)


def on_leader_attached(state: State, event: LeaderAttached) -> State:
    """A general who leaves a unit stands where it is."""
    place = place_of(state, state.generals[event.general])
    return with_general(state, event.general, unit=event.unit, at=place)


STEP_ORDERS = {
    MoveGeneralBy: StepOrder((GENERALS,), plan_move, go),
    SendGeneral: StepOrder((GENERALS,), plan_send, go),
    AttachGeneral: StepOrder((GENERALS,), plan_attach, go),
}
EVOLUTIONS = {GeneralMoved: on_general_moved, LeaderAttached: on_leader_attached}
