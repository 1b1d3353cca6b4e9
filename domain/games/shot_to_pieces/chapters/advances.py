"""Chapter MEL, after a victory: an advance onto the ground of the loser, and a realignment (STP-MEL-11, -13)."""

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.contacts import aspect_struck, make_contact
from domain.games.shot_to_pieces.chapters.decisions import NO, YES, DecisionAsked, put
from domain.games.shot_to_pieces.chapters.legs import first_met, is_free, stopping_short
from domain.games.shot_to_pieces.chapters.visibility import reveal_near
from domain.games.shot_to_pieces.plane.angles import SCALE
from domain.games.shot_to_pieces.plane.base import FINE_BITS, Base, corners, frame, local, moved
from domain.games.shot_to_pieces.plane.contacts import are_opposite_ways_side_by_side
from domain.games.shot_to_pieces.plane.strikes import aligned_places
from domain.games.shot_to_pieces.state.melees import with_melee
from domain.games.shot_to_pieces.state.state import Melee, Point, State, Unit, changed
from domain.mechanics.plane import nearest

ADVANCE, REALIGNED = "STP-GAP-06", "STP-MEL-13"


class UnitAdvanced(Event, frozen=True, gc=False, rename={"from_": "from"}):
    """The winner of a melee goes onto the ground of the loser."""

    RULE = ADVANCE

    unit: str
    from_: Point
    to: Point
    distance_hcm: int


class UnitsRealigned(Event, frozen=True, gc=False):
    """The first of two units goes in front of the other: they fight from the next phase on."""

    RULE = REALIGNED

    units: tuple[str, str]
    melee: str
    at: Point
    facing_hdeg: int


# --- advances


def offer_advance(judge: Judge[State], melee: Melee) -> None:
    """Its charger has destroyed the enemy in the first round: it may go on (STP-MEL-11, STP-INT-33).

    Shape: `melee` as it was before the round
    """
    state = judge.state
    charger, target = state.units[melee.charger], state.units[melee.target]
    has_won = charger.here and not target.alive and not charger.shaken and not charger.engaged
    is_charger = charger.side == state.side and charger.id in melee.modes
    if melee.rounds == 0 and has_won and is_charger and _length(state, charger, target):
        question = DecisionAsked(charger.side, "advance", charger.id, (YES, NO))
        put(judge, question, "advancing", unit=charger.id, loser=target.id)


def _length(state: State, unit: Unit, loser: Unit) -> int:
    """How far a unit advances: straight on until its front edge reaches the far edge of the loser's base, or up to
    somebody (STP-GAP-06)."""
    seen_from = frame(unit.base)
    farthest = max(local(seen_from, corner)[1] for corner in corners(loser.base))
    length = max(0, nearest(farthest - seen_from.half_depth, SCALE << FINE_BITS))
    met = first_met(state, unit, unit.base, unit.facing, length)
    return stopping_short(state, unit, unit.base, unit.facing, met[0] if met else length)[0]


def step_advancing(judge: Judge[State], *, unit: str, loser: str, answer: str) -> None:
    """The unit goes on, if it is wished; it may come upon an enemy, whom it fights in the next phase."""
    if answer == NO:
        return
    state = judge.state
    winner = state.units[unit]
    length = _length(state, winner, state.units[loser])
    there = moved(winner.base, winner.facing, length)
    judge.emit(UnitAdvanced(unit, winner.at, there.at, length), winner.side)
    reveal_near(judge, unit)
    met = first_met(judge.state, judge.state.units[unit], there, winner.facing, TOUCH_HCM)
    if met and not met[1].engaged:
        make_contact(judge, unit, met[1].id, aspect_struck(there, met[1]), ADVANCE, since=state.k + 1)


TOUCH_HCM = 10
"""An enemy this near to a front is in contact with it (STP-GEO-08)."""


# --- enemies side by side


def realign_victors(judge: Judge[State]) -> None:
    """A victor and an unengaged enemy beside it that faces the other way come front to front: that of the active side
    moves (STP-SEQ-06, STP-MEL-13, -17)."""
    for name in judge.state.units:
        state = judge.state
        victor = state.units[name]
        if not victor.here or victor.engaged or victor.beat_k != state.k:
            continue
        for enemy in state.enemies(victor):
            if not enemy.engaged and are_opposite_ways_side_by_side(victor.base, enemy.base):
                _realign(judge, victor, enemy)
                break


def _realign(judge: Judge[State], victor: Unit, enemy: Unit) -> None:
    state = judge.state
    mover, other = (victor, enemy) if victor.side == state.side else (enemy, victor)
    places = aligned_places(mover.base, other.base, "front")
    place = next((one for one in places if is_free(state, mover, one)), None)
    if place:
        melee = f"M{state.melees_made + 1}"
        gone = UnitsRealigned((mover.id, other.id), melee, place.at, place.facing)
        judge.emit(gone, state.side)


# --- evolutions


def on_unit_advanced(state: State, event: UnitAdvanced) -> State:
    unit = state.units[event.unit]
    return changed(state, unit.id, base=replace(unit.base, at=event.to), cover="")


def on_units_realigned(state: State, event: UnitsRealigned) -> State:
    mover, other = (state.units[name] for name in event.units)
    base = Base(event.at, event.facing_hdeg, mover.base.width, mover.base.depth)
    state = changed(state, mover.id, base=base, melee=event.melee, cover="")
    state = changed(state, other.id, melee=event.melee)
    return with_melee(state, Melee(event.melee, mover.id, other.id, state.k + 1))


STEPS = {"advancing": step_advancing}
EVOLUTIONS = {UnitAdvanced: on_unit_advanced, UnitsRealigned: on_units_realigned}
