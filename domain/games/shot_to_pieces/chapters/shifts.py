"""Chapter MOV, what has moved: the events of orientation, movement and leaving, and what they do."""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.events.battle import Event
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.state.melees import out_of_melee
from domain.games.shot_to_pieces.state.state import NEVER, Point, State, changed, leader_of, with_general

PROLONGED_HCM = 500
"""A move up to this length counts as prolonging (STP-MOV-15)."""


class UnitOriented(Event, frozen=True, gc=False):
    """A unit has turned on the spot; `at` is its centre; with `occupies` in what it took, free (STP-ORD-09)."""

    RULE = "STP-MOV-02"

    unit: str
    from_hdeg: int
    to_hdeg: int
    at: Point
    occupies: bool | UnsetType = UNSET


class UnitMoved(Event, frozen=True, gc=False, rename={"from_": "from"}):
    """A unit has moved; `from` is where it stood before the whole order."""

    RULE = "STP-MOV-02"
    TOLD_BY = "cause"

    unit: str
    from_: Point
    to: Point
    facing_hdeg: int
    distance_hcm: int
    cause: str
    engages: str


class UnitLeftTable(Event, frozen=True, gc=False):
    """A unit has left the table, with whoever leads it."""

    TOLD_BY = "cause"

    unit: str
    cause: str


def on_unit_oriented(state: State, event: UnitOriented) -> State:
    unit = state.units[event.unit]
    base = replace(unit.base, facing=event.to_hdeg)
    if event.occupies is UNSET:
        return changed(state, unit.id, base=base, order_k=state.k)
    return changed(state, unit.id, base=base, occupies_k=NEVER)


def on_unit_moved(state: State, event: UnitMoved) -> State:
    """Lengths of one phase add up: an order of two parts is one move. Cover of its own stays where it was, and
    its melee is over: only a burning building moves who fights."""
    unit = state.units[event.unit]
    state = out_of_melee(state, unit.id) if unit.melee else state
    length = event.distance_hcm + (unit.moved_hcm if unit.moved_k == state.k else 0)
    return changed(
        state,
        unit.id,
        base=Base(event.to, event.facing_hdeg, unit.base.width, unit.base.depth),
        order_k=state.k,
        moved_k=state.k,
        moved_hcm=length,
        far_k=state.k if length > PROLONGED_HCM else unit.far_k,
        engages=event.engages,
        cover="",
    )


def on_unit_left_table(state: State, event: UnitLeftTable) -> State:
    unit = state.units[event.unit]
    leader = leader_of(state, unit)
    gone = changed(out_of_melee(state, unit.id), unit.id, off=True)
    return with_general(gone, leader.id, placed=False, unit="", at=unit.at) if leader else gone


EVOLUTIONS = {
    UnitOriented: on_unit_oriented,
    UnitMoved: on_unit_moved,
    UnitLeftTable: on_unit_left_table,
}
