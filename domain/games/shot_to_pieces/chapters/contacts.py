"""Chapter CHG, contact: how a charger moves, where it ends, the melee that begins (STP-CHG-04 to -06, -10, -12)."""

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.legs import is_free
from domain.games.shot_to_pieces.chapters.moving import passes_friend, trample
from domain.games.shot_to_pieces.chapters.shifts import PROLONGED_HCM
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.plane.contacts import Edge
from domain.games.shot_to_pieces.plane.strikes import aligned_places, struck_edge
from domain.games.shot_to_pieces.state.figures import figures
from domain.games.shot_to_pieces.state.melees import joined, out_of_melee, with_melee
from domain.games.shot_to_pieces.state.profiles import SKIRMISHERS
from domain.games.shot_to_pieces.state.state import Aspect, DeclaredCharge, Melee, Point, State, Unit, changed, melee_of

ASPECTS: dict[Edge, Aspect] = {"front": "front", "left": "flank", "right": "flank", "rear": "rear"}
RULES = {"contact": "STP-CHG-04", "pursuit": "STP-CHG-05", "short": "STP-CHG-06"}


class ChargeMoved(Event, frozen=True, gc=False, rename={"from_": "from"}):
    """A charger has gone `distance_hcm` along its leg: into contact, after a target that is gone, or falling short."""

    RULE = "STP-CHG-04"
    TOLD_BY = "reason"

    unit: str
    from_: Point
    to: Point
    facing_hdeg: int
    distance_hcm: int
    reason: str


class ContactMade(Event, frozen=True, gc=False):
    """A unit is in contact with an enemy: they fight, for the first time in phase `since`."""

    RULE = "STP-CHG-04"

    unit: str
    target: str
    aspect: Aspect
    melee: str
    since: int


class ChargeFailed(Event, frozen=True, gc=False):
    """A charge has not reached its target."""

    RULE = "STP-CHG-06"
    TOLD_BY = "reason"

    unit: str
    target: str
    reason: str


# --- where a charge strikes


def edge_struck(base: Base, target: Unit) -> Edge:
    """The edge on which a charger aligns: the one that its ray meets, or the front (STP-MEL-08, STP-INT-06)."""
    return struck_edge(base, target.base) or "front"


def aspect_struck(base: Base, target: Unit) -> Aspect:
    """How a target is taken; squares have no flank (STP-MEL-08, STP-ZOC-09)."""
    return "front" if target.formation == "square" else ASPECTS[edge_struck(base, target)]


def place_on(state: State, unit: Unit, base: Base, target: Unit) -> Base | None:
    """Where a charger ends: the middle of the edge struck, or beside it; None if every place is taken (STP-CHG-10).

    Shape: `base` as the charger stands at its start, turned
    """
    places = aligned_places(base, target.base, edge_struck(base, target))
    return next((place for place in places if is_free(state, unit, place)), None)


def friends_passed(state: State, unit: Unit, start: Base, end: Base) -> tuple[Unit, ...]:
    """The friends in close order that a unit in close order passes through; skirmishers are no hindrance, nor who is to
    charge as well (STP-ACT-06, STP-INT-30, STP-MOV-09)."""
    if figures(state, unit).arm in SKIRMISHERS:
        return ()
    charging = {charge.unit for charge in state.charges}
    return tuple(
        friend
        for friend in state.of(unit.side)
        if friend.id != unit.id
        and friend.id not in charging
        and passes_friend(start, end, friend.base)
        and figures(state, friend).arm not in SKIRMISHERS
    )


def trample_all(judge: Judge[State], unit: Unit, start: Base, end: Base) -> None:
    """Shaken militia through which infantry passes is destroyed (STP-AWI-02)."""
    for friend in friends_passed(judge.state, unit, start, end):
        trample(judge, unit, friend.id)


# --- what steps emit


def move_charger(judge: Judge[State], unit: Unit, to: Base, distance: int, reason: str) -> None:
    """A charger goes where it goes."""
    judge.emit(ChargeMoved(unit.id, unit.at, to.at, to.facing, distance, reason), unit.side, RULES[reason])


def make_contact(
    judge: Judge[State], unit: str, target: str, aspect: Aspect, rule: str = "STP-CHG-04", *, since: int = 0
) -> None:
    """Two units fight from now on, in the melee of the target if it has one; `since` another phase than this."""
    state = judge.state
    melee = state.units[target].melee or f"M{state.melees_made + 1}"
    judge.emit(ContactMade(unit, target, aspect, melee, since or state.k), state.units[unit].side, rule)


def charge_of(state: State, unit: str) -> DeclaredCharge | None:
    """The charge that a unit has declared and not yet made, or None."""
    return next((charge for charge in state.charges if charge.unit == unit), None)


# --- evolutions


def on_charge_moved(state: State, event: ChargeMoved) -> State:
    """The charger leaves what cover it had; a pursuit is over with it."""
    unit = state.units[event.unit]
    state = changed(
        state,
        unit.id,
        base=replace(unit.base, at=event.to, facing=event.facing_hdeg),
        moved_k=state.k,
        moved_hcm=event.distance_hcm,
        far_k=state.k if event.distance_hcm > PROLONGED_HCM else unit.far_k,
        cover="",
    )
    return _settled(state, event.unit) if event.reason == "pursuit" else state


def on_contact_made(state: State, event: ContactMade) -> State:
    charge = charge_of(state, event.unit)
    mode = charge.mode if charge else "normal"
    state = _settled(out_of_melee(state, event.unit), event.unit)
    unit, target = state.units[event.unit], state.units[event.target]
    melee = melee_of(state, target)
    if melee:
        melee = joined(melee, state, unit, event.aspect, mode)
    else:
        modes = {unit.id: mode} if charge else {}
        melee = Melee(event.melee, unit.id, target.id, event.since, event.aspect, modes=modes)
    state = with_melee(state, melee)
    for name in (unit.id, target.id):
        state = changed(state, name, melee=melee.id)
    return state


def on_charge_failed(state: State, event: ChargeFailed) -> State:
    return _settled(state, event.unit)


def _settled(state: State, unit: str) -> State:
    """The state in which a unit has no charge to make."""
    return replace(state, charges=tuple(charge for charge in state.charges if charge.unit != unit))


EVOLUTIONS = {
    ChargeMoved: on_charge_moved,
    ContactMade: on_contact_made,
    ChargeFailed: on_charge_failed,
}
