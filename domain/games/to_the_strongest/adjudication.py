"""Merge the chapters: which function decides a command, runs a step, folds an event.

The tables of the chapters are merged here; `plan_unit_order` and `plan_group_order` make the checks
that orders to units have in common (to-the-strongest.md 3), so that decisions, options and previews ask the
same functions.
"""

from typing import Any

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.contract.chapters import merged
from domain.engine.judge import Judge, not_yours, off_board, unknown_id
from domain.games.to_the_strongest.chapters import (
    activation,
    aftermath,
    ambushes,
    armed,
    camps,
    charges,
    corrections,
    decisions,
    decks,
    deployment,
    elephants,
    evade,
    field,
    generals,
    groups,
    hands,
    losses,
    medals,
    melee,
    morale,
    movement,
    phases,
    placing,
    plays,
    plays_in_turns,
    rally,
    replays,
    scouting,
    shooting,
    stratagems,
    terrain,
    turning,
    turns,
    wounds,
)
from domain.games.to_the_strongest.chapters.activation import ActivationPlan, begin_action, require_possible
from domain.games.to_the_strongest.chapters.ambushes import ambushes_of, show, with_shown
from domain.games.to_the_strongest.chapters.decisions import own_unit
from domain.games.to_the_strongest.chapters.targets import require_known_target, require_target_on_board
from domain.games.to_the_strongest.chapters.turns import open_corps, require_corps_open
from domain.games.to_the_strongest.state import setup
from domain.games.to_the_strongest.state.state import State, Unit, is_on_board

CHAPTERS: tuple[Any, ...] = (
    setup,
    phases,
    terrain,
    hands,
    scouting,
    deployment,
    placing,
    ambushes,
    armed,
    stratagems,
    plays,
    plays_in_turns,
    turns,
    decks,
    activation,
    decisions,
    generals,
    wounds,
    replays,
    movement,
    turning,
    groups,
    field,
    shooting,
    charges,
    melee,
    aftermath,
    losses,
    elephants,
    rally,
    evade,
    morale,
    medals,
    camps,
    corrections,
)


PLANS: dict[type[Command], activation.Planner] = merged(CHAPTERS, "PLANS")
STEPS = merged(CHAPTERS, "STEPS")
"""The steps of the agenda (TTS-TRN-08)."""
EVOLUTIONS = merged(CHAPTERS, "EVOLUTIONS")


# --- checks that all orders to units share, in the order of to-the-strongest.md 3


def plan_unit_order(state: State, side: str, command: Any) -> ActivationPlan:
    """Check an order to one unit and make its plan; a `Refusal` with the first code that applies, before
    any card is drawn (TTS-ACT-05)."""
    if command.unit in state.units and hasattr(command, "target"):
        require_known_target(state, command.target)
    unit = own_unit(state, side, command.unit)
    state = with_shown(state, (unit.id,))
    unit = state.units[unit.id]
    require_known_places(state, command)
    require_present(unit, isinstance(command, field.Return))
    require_corps_open(state, unit)
    return require_possible(PLANS[type(command)](state, unit, command))


def plan_group_order(state: State, side: str, command: groups.MoveGroup) -> ActivationPlan:
    """Check an order to a group and make its plan; each code over all members before the next."""
    for name in command.units:
        if name not in state.units:
            raise unknown_id(name)
    for name in command.units:
        if state.units[name].side != side:
            raise not_yours(name, side)
    require_known_places(state, command)
    state = with_shown(state, command.units)
    units = [state.units[name] for name in command.units]
    for unit in units:
        require_present(unit)
    army = state.armies[side]
    for unit in units:
        if unit.corps in army.ended:
            require_corps_open(state, unit)
    opened = army.opened or units[0].corps
    for unit in units:
        if unit.corps != opened:
            raise Refusal("tts.not-current-corps", turns.CORPS, unit=unit.id, corps=unit.corps, open=opened)
    return require_possible(groups.plan_group(state, units, command))


def require_known_places(state: State, command: Any) -> None:
    """Refuse boxes that this board does not have."""
    for name in ("box", "via"):
        box = getattr(command, name, "")
        if box and not is_on_board(state, box):
            raise off_board(box)
    if hasattr(command, "target"):
        require_target_on_board(state, command.target)


def require_present(unit: Unit, returning: bool = False) -> None:
    """Refuse orders to a unit that is destroyed, or off the field (TTS-DIS-03)."""
    if not unit.alive or (not unit.box and not returning):
        raise Refusal("tts.unit-gone", "TTS-DIS-03", unit=unit.id, off=unit.alive)


# --- decisions


def decide_unit_order(judge: Judge[State], side: str, command: Any) -> None:
    """An order to one unit opens its corps by itself, then draws (TTS-TRN-04, TTS-ACT-01)."""
    _begin(judge, side, plan_unit_order(judge.state, side, command), (command.unit,))


def decide_group_order(judge: Judge[State], side: str, command: groups.MoveGroup) -> None:
    """A group draws one card (TTS-GRP-03)."""
    _begin(judge, side, plan_group_order(judge.state, side, command), command.units)


def _begin(judge: Judge[State], side: str, plan: ActivationPlan, named: tuple[str, ...]) -> None:
    judge.push("endcheck")
    for ambush in ambushes_of(judge.state, named):
        show(judge, ambush)
    open_corps(judge, side, plan.unit.corps)
    begin_action(judge, plan)


def decide_done(judge: Judge[State], side: str, command: turns.Done) -> None:
    """Close the open corps, or one's part of a phase before the turns."""
    DONE[judge.state.phase](judge, side)


DONE = {
    "terrain": terrain.decide_done,
    "scouting": scouting.decide_done,
    "deployment": deployment.decide_done,
    "turns": turns.decide_done,
}


DECISIONS: dict[type[Command], Any] = {
    **merged(CHAPTERS, "DECISIONS"),
    **dict.fromkeys(PLANS, decide_unit_order),
    groups.MoveGroup: decide_group_order,
    turns.Done: decide_done,
}
