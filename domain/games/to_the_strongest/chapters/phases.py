"""TTS-TRN-01: the order of the phases, and who has finished their part of one.

Terrain, scouting and deployment come before the turns, as far as the scenario leaves them open. Anything that
draws cards there waits until both sides have contributed to chance (fairness.md 2): `proceed`.
"""

from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import SIDES
from domain.events import battle as events
from domain.events.battle import Event, Text
from domain.games.to_the_strongest.chapters.ambushes import ambush_of
from domain.games.to_the_strongest.chapters.hands import waited_for
from domain.games.to_the_strongest.chapters.turns import begin_turn
from domain.games.to_the_strongest.sequence import PHASES, SEQUENCE
from domain.games.to_the_strongest.state.state import Army, Camp, Corps, State, Unit, camps_of, enemy

FIRST_TO_PLACE = "south"


# --- events


class PhaseBegan(events.PhaseBegan, frozen=True, gc=False, kw_only=True):
    """The battle enters a phase; `active` orders first in it, if any side does. `opens` are the sealed
    events of a blind deployment that is over."""

    RULE = "TTS-TRN-01"

    active: Text = UNSET
    opens: tuple[int, ...] | UnsetType = UNSET


class SideDone(Event, frozen=True, gc=False):
    """A side has closed its part of a phase; `active` orders next, "" if neither does."""

    RULE = "TTS-TRN-01"
    TOLD_BY = "phase"

    side: str
    phase: str
    active: str


# --- rules


def is_placed(state: State) -> bool:
    """Whether every unit, general and camp has its place, so that the turns can begin."""
    return not any(is_unplaced(state, side, corps) for side in SIDES for corps in state.armies[side].corps.values())


def is_unplaced(state: State, side: str, corps: Corps) -> bool:
    """Whether something of a corps waits for its place: a unit, the detached general, or the camp."""
    return bool(missing_of(state, side, corps))


def standing_box(state: State, unit: Unit) -> str:
    """The box where a unit has been placed, openly or in ambush; "" if it waits."""
    ambush = ambush_of(state, unit.id)
    return ambush.box if ambush else unit.box


def camp_of(state: State, side: str, corps: str) -> Camp | None:
    """The camp of a corps, if it stands; of joined camps the first box."""
    return next(iter(camps_of(state, side, corps)), None)


def missing_of(state: State, side: str, corps: Corps) -> list[str]:
    """The pieces of a corps that still wait for their place: ids of units and the general, `camp`."""
    missing = [name for name in corps.units if not standing_box(state, state.units[name])]
    general = state.generals.get(corps.general)
    if general and not general.attached and not general.box:
        missing.append(general.id)
    if corps.camp_sides >= 0 and camp_of(state, side, corps.id) is None:
        missing.append("camp")
    return missing


def is_to_deploy(state: State, side: str, corps: Corps) -> bool:
    """Whether a corps of a side is not deployed yet: it is being deployed, or still open (TTS-DEP-01).
    One on a flank march is not (TTS-DEP-06)."""
    army = state.armies[side]
    if corps.id in army.deployed or any(flank.corps == corps.id for flank in army.flanks):
        return False
    return corps.id == army.opened or is_unplaced(state, side, corps)


def to_deploy(state: State, side: str) -> list[Corps]:
    """The corps of a side that are not deployed yet: the one being deployed, and those still open."""
    return [corps for corps in state.armies[side].corps.values() if is_to_deploy(state, side, corps)]


def next_to_deploy(state: State, first: str, other: str) -> str:
    """The side whose step of deployment it is: `first`, if it has a corps left; "" if neither has (TTS-DEP-01)."""
    return next((side for side in (first, other) if to_deploy(state, side)), "")


# --- the course of the phases


def begin(judge: Judge[State]) -> None:
    """Both sides are there: the first phase that the scenario leaves open (TTS-TRN-01)."""
    _enter(judge, next(phase.name for phase in SEQUENCE if is_left_open(judge.state, phase.name)))


def is_left_open(state: State, phase: str) -> bool:
    """Whether a scenario leaves a phase to the players (TTS-TRN-01, TTS-SCN-03)."""
    if phase == "turns":
        return True
    if is_placed(state):
        return False
    return phase != "terrain" or (state.options.terrain_phase and not state.terrain_given)


def enter_next(judge: Judge[State]) -> None:
    """A phase is over: the next one of the sequence begins."""
    _enter(judge, PHASES[judge.state.phase].next)


def _enter(judge: Judge[State], phase: str) -> None:
    BEGINNINGS[phase](judge)


def push_steps(judge: Judge[State]) -> None:
    """The steps of this phase are next, in their order; those that still have to wait end at once."""
    for step in reversed(PHASES[judge.state.phase].steps):
        judge.push(step)


def proceed(judge: Judge[State]) -> None:
    """Both sides have contributed: stratagems and scouting cards fall, if their phase has begun."""
    phase = PHASES.get(judge.state.phase)
    if phase and phase.at_once:
        push_steps(judge)


def _begin_terrain(judge: Judge[State]) -> None:
    judge.emit(PhaseBegan("terrain", active=FIRST_TO_PLACE))


def _begin_scouting(judge: Judge[State]) -> None:
    """The scouting begins; it waits for whoever holds a stratagem to be played before its cards (TTS-SCT-04)."""
    waiting = waited_for(replace(judge.state, done=()))  # who was done with the terrain is not with this
    judge.emit(PhaseBegan("scouting", active=waiting[0] if waiting else UNSET))


def _begin_deployment(judge: Judge[State]) -> None:
    """The deployment begins, with the loser of scouting (TTS-DEP-01)."""
    winner = judge.state.first
    judge.emit(PhaseBegan("deployment", active=next_to_deploy(judge.state, enemy(winner), winner)))


def _begin_turns(judge: Judge[State]) -> None:
    """The turns begin, with the side that the scenario names or the winner of scouting (TTS-TRN-03)."""
    veiled = tuple(veil.n for veil in judge.state.veiled)
    judge.emit(PhaseBegan("turns", opens=veiled or UNSET))
    begin_turn(judge, judge.state.first)


BEGINNINGS = {
    "terrain": _begin_terrain,
    "scouting": _begin_scouting,
    "deployment": _begin_deployment,
    "turns": _begin_turns,
}
"""What begins a phase."""


# --- evolutions


def on_phase_began(state: State, event: PhaseBegan) -> State:
    """Start a phase with no part closed and no corps open."""
    armies: dict[str, Army] = state.armies
    if event.phase == "turns":
        armies = {side: replace(army, opened="", deployed=()) for side, army in armies.items()}
    active = "" if event.active is UNSET else event.active
    return replace(state, active=active, done=(), armies=armies, veiled=())


def on_side_done(state: State, event: SideDone) -> State:
    return replace(state, active=event.active, done=(*state.done, event.side))


EVOLUTIONS: dict[Any, Any] = {PhaseBegan: on_phase_began, SideDone: on_side_done}
