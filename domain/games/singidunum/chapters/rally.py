"""Heavy infantry that would be eliminated may rally on a plain die (PRG-CBT-09, PRG-SHT-14)."""

from typing import Any, ClassVar

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.singidunum.chapters.dice import roll_plain
from domain.games.singidunum.chapters.retreats import COMBAT
from domain.games.singidunum.state.state import State, with_unit

# --- event


class RallyRolled(Event, frozen=True, gc=False):
    """Heavy infantry tries to rally, after a `combat` or a `shot`; then it counts as hit."""

    RULE: ClassVar[str] = "PRG-CBT-09"

    unit: str
    needed: int
    value: int
    success: bool
    cause: str


# --- the throw


def rally(judge: Judge[State], name: str, cause: str) -> bool:
    """Whether heavy infantry rallies on the plain die (PRG-CBT-09)."""
    unit = judge.state.units[name]
    needed = judge.state.options.rally_target
    value = roll_plain(judge, unit.side, "rally", name)
    judge.emit(RallyRolled(name, needed, value, value >= needed, cause), unit.side)
    return value >= needed


# --- evolutions


def on_rally_rolled(state: State, event: RallyRolled) -> State:
    """A unit that rallied from a shot counts as hit (PRG-SHT-14, PRG-INT-04): it may not burn."""
    unit = state.units[event.unit]
    if event.cause == COMBAT or not event.success:
        return state
    return with_unit(state, replace(unit, no_burn=unit.no_burn or "hit"))


EVOLUTIONS: dict[Any, Any] = {RallyRolled: on_rally_rolled}
