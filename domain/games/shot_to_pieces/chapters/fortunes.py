"""Chapter EVT, as other chapters ask it: what the D20 event of this phase does to a roll or a result ."""

from msgspec.structs import replace

from domain.events.battle import Event
from domain.games.shot_to_pieces.plane.gaps import distance, distance_to
from domain.games.shot_to_pieces.state.state import EventInForce, State, Unit, general_of, place_of

PANIC, NO_QUARTER, OUT_OF_AMMUNITION, DEVASTATION, COLOR_GUARD = 1, 4, 6, 7, 8
BEST_BATTERY, SODDEN, SUPERIOR, RAIN, CHARISMA = 11, 12, 16, 17, 19
PANIC_REACH, CHARISMA_REACH = 1500, 1000


AT_ONCE = (PANIC, NO_QUARTER, COLOR_GUARD)
"""The events that have had their effect as soon as they have found whom it is for."""


class EventApplied(Event, frozen=True, gc=False):
    """A D20 event has found whom or what it is for."""

    RULE = "STP-EVT-00"
    TOLD_BY = "number"

    number: int
    units: tuple[str, ...] = ()
    corps: str = ""
    building: str = ""
    amount: int = 0


def rule_of(number: int) -> str:
    """The rule ID of an event of the D20."""
    return f"STP-EVT-{number:02}"


def in_force(state: State, number: int) -> EventInForce | None:
    """The event of a number that is in force in this phase and not used; None for none."""
    return next((one for one in state.events if one.number == number and one.k == state.k and not one.used), None)


def concerns(state: State, number: int, unit: Unit) -> bool:
    """Whether an event in force is for this unit."""
    event = in_force(state, number) if state.events else None
    return event is not None and unit.id in event.units


def is_raining(state: State) -> bool:
    """Whether all fire is worse (STP-EVT-17)."""
    return in_force(state, RAIN) is not None


def dice_to_roll(state: State, unit: Unit, purpose: str) -> int:
    """How many D4 a unit rolls, of which it keeps the best.

    Rule: STP-EVT-16 its next fire, STP-EVT-19 closer than 10 cm to the general, in fire, resilience and melee
    """
    if purpose == "fire" and concerns(state, SUPERIOR, unit):
        return 2
    event = in_force(state, CHARISMA)
    if event is None or event.side != unit.side or event.corps not in state.corps:
        return 1
    general = general_of(state, state.corps[event.corps])
    if general is None:
        return 1
    return 2 if distance_to(unit.base, place_of(state, general)) < CHARISMA_REACH else 1


def salvoes_allowed(state: State, unit: Unit) -> int:
    """How often a unit may fire in this phase (STP-SEQ-02, STP-EVT-11)."""
    return 2 if concerns(state, BEST_BATTERY, unit) else 1


def is_stuck(state: State, unit: Unit) -> bool:
    """Whether sodden ground keeps a battery from firing: it had to move at least 10 cm, so it does not fire either way
    (STP-EVT-12)."""
    return concerns(state, SODDEN, unit)


def panickers(state: State, victim: Unit) -> tuple[str, ...]:
    """The friends of a victim whom a panic may seize, by id (STP-EVT-01)."""
    if in_force(state, PANIC) is None:
        return ()
    near = (
        one.id for one in state.of(victim.side) if one.id != victim.id and distance(one.base, victim.base) < PANIC_REACH
    )
    return tuple(sorted(near))


def is_guarded(state: State, unit: Unit) -> bool:
    """Whether a unit takes a BRITTLE in place of a SHAKEN: the next of the side that drew the event (STP-EVT-08)."""
    event = in_force(state, COLOR_GUARD)
    return event is not None and event.side == unit.side


# --- evolutions


def on_event_applied(state: State, event: EventApplied) -> State:
    """The event in force knows whom it is for, one that was chosen is in force now; some are over with finding it."""
    drawn = next((one for one in state.events if one.number == event.number), None)
    found = replace(
        drawn or EventInForce(event.number, state.k, state.side),
        units=event.units,
        corps=event.corps,
        building=event.building,
        amount=event.amount,
        used=event.number in AT_ONCE and event.units != (),
    )
    others = tuple(one for one in state.events if one.number != event.number)
    return replace(state, events=(*others, found))


def used_up(state: State, number: int, unit: str) -> State:
    """The state in which an event that was for the next roll of a unit has had its effect."""
    events = tuple(
        replace(one, used=True) if one.number == number and unit in one.units else one for one in state.events
    )
    return replace(state, events=events) if events != state.events else state


EVOLUTIONS = {EventApplied: on_event_applied}
