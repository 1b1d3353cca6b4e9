"""Chapter CAS: stands lost to wounds, and units destroyed."""

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.warmaster_shooting.chapters.cover import cover
from domain.games.warmaster_shooting.chapters.questions import DecisionAsked, put
from domain.games.warmaster_shooting.state.measure import TOUCHING, distance
from domain.games.warmaster_shooting.state.state import COVERS, Stand, State, Unit, stand_in, unit_of, with_unit


class StandRemoved(Event, frozen=True, gc=False):
    """A stand is lost; `left` are still standing."""

    RULE = "WMS-CAS-02"

    unit: str
    stand: str
    left: int


class UnitDestroyed(Event, frozen=True, gc=False):
    """The last stand is lost. `cause` is shooting or counter-charge."""

    RULE = "WMS-CAS-03"
    TOLD_BY = "cause"

    unit: str
    cause: str


def step_losses(judge: Judge[State], *, unit: str, seen_from: str) -> None:
    """As often as the open wounds of a unit suffice, it loses a stand (WMS-CAS-01)."""
    state = judge.state
    loser = state.units[unit]
    if not loser.alive or _open(state, loser) < loser.kind.hits:
        return
    options = tuple(stand.id for stand in qualified(state, loser, seen_from))
    put(judge, DecisionAsked(loser.side, "remove", unit, options), "remove", unit=unit, seen_from=seen_from)


def step_remove(judge: Judge[State], *, unit: str, seen_from: str, answer: str) -> None:
    """A stand goes; the next may follow."""
    loser = judge.state.units[unit]
    left = len(loser.standing) - 1
    judge.emit(StandRemoved(unit, answer, left), loser.side)
    if left:
        judge.push("losses", unit=unit, seen_from=seen_from)
    else:
        cause = "counter-charge" if loser.side == judge.state.active else "shooting"
        judge.emit(UnitDestroyed(unit, cause), loser.side)


def qualified(state: State, unit: Unit, seen_from: str) -> tuple[Stand, ...]:
    """The stands of which the next loss is one: the least protected, among those at the ends of the formation first.

    Rule: WMS-CAS-02, -06, WMS-INT-18: the class as seen from the stand whose dice are settled
    """
    shooters = unit_of(state, seen_from)
    assert shooters is not None, "dice of a stand are settled"
    shooter = stand_in(shooters, seen_from)
    classes = {stand.id: COVERS.index(cover(state, unit, stand, shooter)) for stand in unit.standing}
    least = [stand for stand in unit.standing if classes[stand.id] == min(classes.values())]
    return tuple(stand for stand in least if _is_at_an_end(unit, stand)) or tuple(least)


def _is_at_an_end(unit: Unit, stand: Stand) -> bool:
    return sum(1 for other in unit.standing if other.id != stand.id and distance(stand, other) <= TOUCHING) <= 1


def _open(state: State, unit: Unit) -> int:
    return unit.charge_open if unit.side == state.active else unit.open


# --- evolutions


def on_stand_removed(state: State, event: StandRemoved) -> State:
    """The stand is gone, and uses up the wounds that removed it."""
    unit, used = state.units[event.unit], state.units[event.unit].kind.hits
    stands = tuple(replace(stand, alive=stand.alive and stand.id != event.stand) for stand in unit.stands)
    if unit.side == state.active:
        return with_unit(state, replace(unit, stands=stands, charge_open=unit.charge_open - used))
    return with_unit(state, replace(unit, stands=stands, open=unit.open - used))


def on_unit_destroyed(state: State, event: UnitDestroyed) -> State:
    """Wounds beyond the last stand are lost. Whom a charger alone had touched is free again (WMS-CCF-11)."""
    gone = replace(state.units[event.unit], open=0, charge_open=0, engaged=False)
    state = with_unit(state, gone)
    contacts = {charger: names for charger, names in state.contacts.items() if charger != event.unit}
    held = {name for names in contacts.values() for name in names}
    for name in state.contacts.get(event.unit, ()):
        unit = state.units[name]
        if not unit.fighting and name not in held:
            state = with_unit(state, replace(unit, engaged=False))
    return replace(state, contacts=contacts)


STEPS = {"losses": step_losses, "remove": step_remove}
EVOLUTIONS = {StandRemoved: on_stand_removed, UnitDestroyed: on_unit_destroyed}
