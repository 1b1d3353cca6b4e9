"""Chapter FIR, resolving fire: which salvo is next, who of it still fires, and what it obliges (S11)."""

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import standing_order
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.able import shots_taken
from domain.games.shot_to_pieces.chapters.decisions import DecisionAsked, put
from domain.games.shot_to_pieces.chapters.exchanges import Volley, kept, reach
from domain.games.shot_to_pieces.chapters.fortunes import salvoes_allowed
from domain.games.shot_to_pieces.chapters.replies import ReplyObliged, repliers, without
from domain.games.shot_to_pieces.chapters.targets import range_to
from domain.games.shot_to_pieces.chapters.visibility import reveal_by_fire
from domain.games.shot_to_pieces.state.figures import weapon_of
from domain.games.shot_to_pieces.state.state import Salvo, State, Unit
from domain.games.shot_to_pieces.state.vocabulary import ASK

ORDER = "STP-SEQ-04"
FIRE_ORDER = "fire-order"


class FireLost(Event, frozen=True, gc=False):
    """A unit does not fire the salvo that it declared: it is destroyed, shaken, has fired, or its target is gone."""

    RULE = ORDER
    TOLD_BY = "reason"

    unit: str
    reason: str


# --- steps


def step_resolve_fire(judge: Judge[State]) -> None:
    """The next salvo: in the order of declaration, those of the side whose phase it is first, or, if it wants to be
    asked, as that side says (STP-SEQ-04, STP-INT-41)."""
    state = judge.state
    if not state.salvoes:
        return
    waiting = sorted(state.salvoes, key=lambda salvo: salvo.side != state.side)
    order = standing_order(state, state.side, FIRE_ORDER)
    judge.push("resolve-fire")
    if len(waiting) > 1 and order and order.value == ASK:
        ids = tuple(salvo.id for salvo in waiting)
        put(judge, DecisionAsked(state.side, FIRE_ORDER, "", ids, set_by=order.n), "salvo")
    else:
        judge.push("salvo", answer=waiting[0].id)


def step_salvo(judge: Judge[State], *, answer: str) -> None:
    """Those of a salvo who still can fire; the others lose their fire."""
    salvo = next(one for one in judge.state.salvoes if one.id == answer)
    for name in salvo.units:
        reason = _lost(judge.state, salvo, judge.state.units[name])
        if reason:
            judge.emit(FireLost(name, reason), salvo.side)
    left = next((one for one in judge.state.salvoes if one.id == answer), None)
    if left is not None:
        _fire(judge, left)


def _lost(state: State, salvo: Salvo, unit: Unit) -> str:
    """Why a unit cannot fire what it declared, or "". An umpire may have put its target out of range."""
    if not unit.here:
        return "destroyed"
    if unit.shaken:
        return "shaken"
    if shots_taken(state, unit) >= salvoes_allowed(state, unit):
        return "fired"
    target, weapon = state.units[salvo.target], weapon_of(state, unit)
    is_reached = target.here and weapon is not None and weapon.band(range_to(unit, target)) != ""
    return "" if is_reached else "target-gone"


def _fire(judge: Judge[State], salvo: Salvo) -> None:
    """Hidden firers are seen; then the reply that the salvo obliges, and the first dice (STP-VIS-02, STP-RES-14)."""
    for name in salvo.units:
        reveal_by_fire(judge, name)
    state = judge.state
    firer, target = state.units[salvo.units[0]], state.units[salvo.target]
    volley = volley_of(state, salvo)
    if volley.band != "short" and _bombards(state, firer):
        judge.push("saturate", **kept(volley))
        return
    reply = repliers(state, firer, target, is_indirect=volley.is_indirect)
    if reply:
        judge.emit(ReplyObliged(target.id, firer.id, reply), target.side)
    judge.push("shot", **kept(replace(volley, reply=reply)))


def volley_of(state: State, salvo: Salvo) -> Volley:
    """A salvo as it is fired: range and band of its reference unit."""
    firer = state.units[salvo.units[0]]
    far, band = reach(state, firer, state.units[salvo.target])
    return Volley(salvo.id, salvo.units, salvo.target, far, band, is_indirect=salvo.mode == "indirect")


def _bombards(state: State, firer: Unit) -> bool:
    weapon = weapon_of(state, firer)
    return weapon is not None and "bombardment" in weapon.marks


# --- evolutions


def on_fire_lost(state: State, event: FireLost) -> State:
    """The first salvo in which the unit was is without it."""
    salvo = next((one for one in state.salvoes if event.unit in one.units), None)
    return state if salvo is None else without(state, salvo, (event.unit,))


STEPS = {"resolve-fire": step_resolve_fire, "salvo": step_salvo}
EVOLUTIONS = {FireLost: on_fire_lost}
