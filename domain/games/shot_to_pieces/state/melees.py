"""The melees that go on: who is against whom, and what happens to a melee when somebody joins or leaves it.

`charger` and `others` are on one side or, where somebody has charged the charger, on both (STP-MEL-06, -15): side by
side of a unit tells who is whose friend.
"""

from msgspec.structs import replace

from domain.games.shot_to_pieces.state.state import Aspect, Melee, Mode, State, Unit, changed, melee_of

WORST: tuple[Aspect, ...] = ("front", "flank", "rear")
"""The aspects at which a unit may be taken, the worst last (STP-MEL-15)."""


def opponent_of(melee: Melee, state: State, unit: Unit) -> Unit:
    """The unit that fights for the other side of a melee."""
    charger = state.units[melee.charger]
    return charger if charger.side != unit.side else state.units[melee.target]


def fighter_of(melee: Melee, state: State, side: str) -> Unit:
    """The unit that fights for a side: the reference unit or the target (STP-MEL-15)."""
    charger = state.units[melee.charger]
    return charger if charger.side == side else state.units[melee.target]


def aspect_of(melee: Melee, unit: Unit) -> Aspect:
    """The aspect at which the target, or the reference unit, is taken."""
    return melee.aspect if unit.id == melee.target else melee.charger_aspect


def fights_square(state: State, unit: Unit) -> bool:
    """Whether a unit is in melee with a square (STP-MEL-10)."""
    melee = melee_of(state, unit)
    return melee is not None and opponent_of(melee, state, unit).formation == "square"


def victor_over(state: State, unit: Unit) -> str:
    """The side of a melee that fights against the reference unit or target of a melee, "" if a unit is neither."""
    melee = melee_of(state, unit)
    if melee is None or unit.id not in (melee.charger, melee.target):
        return ""
    return melee.charger if unit.id == melee.target else melee.target


def joined(melee: Melee, state: State, unit: Unit, aspect: Aspect, mode: Mode) -> Melee:
    """A melee that a unit has joined by a charge: the worst aspect counts (STP-MEL-15, STP-INT-35)."""
    modes, others = {**melee.modes, unit.id: mode}, (*melee.others, unit.id)
    if unit.side == state.units[melee.charger].side:
        worst = max(melee.aspect, aspect, key=WORST.index)
        return replace(melee, aspect=worst, others=others, modes=modes)
    worst = max(melee.charger_aspect, aspect, key=WORST.index)
    return replace(melee, charger_aspect=worst, others=others, modes=modes)


def with_melee(state: State, melee: Melee) -> State:
    """The state with a melee as it is now, at its place or as the last."""
    if not any(one.id == melee.id for one in state.melees):
        return replace(state, melees=(*state.melees, melee), melees_made=state.melees_made + 1)
    return replace(state, melees=tuple(melee if one.id == melee.id else one for one in state.melees))


def out_of_melee(state: State, name: str) -> State:
    """The state with a unit out of its melee: without anybody on one side it is over; in the place of a reference unit
    or target comes the next of its side (STP-MEL-15)."""
    melee = next((one for one in state.melees if name in one.units), None)
    if melee is None:
        return state
    side = state.units[name].side
    next_one = next((one for one in melee.others if one != name and state.units[one].side == side), "")
    if name in (melee.charger, melee.target) and not next_one:
        freed = {unit: replace(state.units[unit], melee="") for unit in melee.units}
        left = tuple(one for one in state.melees if one.id != melee.id)
        return replace(state, melees=left, units={**state.units, **freed})
    if name == melee.charger:
        melee = replace(melee, charger=next_one, charger_aspect="front")
    elif name == melee.target:
        melee = replace(melee, target=next_one, aspect="front")
    others = tuple(one for one in melee.others if one not in (name, melee.charger, melee.target))
    return changed(with_melee(state, replace(melee, others=others)), name, melee="")
