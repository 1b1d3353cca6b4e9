"""Pursuit: a winner who attacked may step into the hex that the loser left (PRG-CBT-07, -11)."""

from typing import Any, ClassVar

from msgspec import field
from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.singidunum.chapters.decisions import YES, put_question, question
from domain.games.singidunum.chapters.fight import Plain, fight_of
from domain.games.singidunum.chapters.movement import is_closed
from domain.games.singidunum.state.state import State, with_unit

# --- events


class UnitPursued(Event, frozen=True, gc=False, kw_only=True):
    """A winner steps into the hex that the loser left first."""

    RULE: ClassVar[str] = "PRG-CBT-07"

    unit: str
    from_: str = field(name="from")
    to: str


class PursuitDeclined(Event, frozen=True, gc=False):
    """The winner stays where it is."""

    RULE: ClassVar[str] = "PRG-CBT-07"

    unit: str


# --- steps


def step_may_pursue(judge: Judge[State], *, fight: Plain) -> None:
    """The side that attacked and won by three or more may follow the loser, who has left (PRG-CBT-11, PRG-INT-12)."""
    fought = fight_of(fight)
    state = judge.state
    if fought.hex in state.places:
        return
    units = [state.units[name] for name in fought.attackers]
    able = [unit.id for unit in units if not is_closed(state, unit.type, fought.hex)]
    if able:
        asked = question(fought.side, "pursuit", able[0], (YES, "no"), able if len(fought.attackers) > 1 else ())
        put_question(judge, asked, "pursue", fight=fight, unit=able[0])


def step_pursue(judge: Judge[State], *, fight: Plain, unit: str, answer: str, with_: str = "") -> None:
    """A winner steps into the hex left, with no further attack (PRG-CBT-07)."""
    pursuer = judge.state.units[with_ or unit]
    if answer == YES:
        judge.emit(UnitPursued(unit=pursuer.id, from_=pursuer.hex, to=fight["hex"]), pursuer.side)
    else:
        judge.emit(PursuitDeclined(pursuer.id), pursuer.side)


# --- evolutions


def on_unit_pursued(state: State, event: UnitPursued) -> State:
    return with_unit(state, replace(state.units[event.unit], hex=event.to))


STEPS: dict[str, Any] = {"pursuit?": step_may_pursue, "pursue": step_pursue}
EVOLUTIONS: dict[Any, Any] = {UnitPursued: on_unit_pursued, PursuitDeclined: unchanged}
