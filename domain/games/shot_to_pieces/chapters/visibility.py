"""Chapter VIS: hidden units are seen when they fire, and when an enemy ends a move near them (STP-VIS-01 to -03)."""

from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.shot_to_pieces.plane.gaps import is_closer
from domain.games.shot_to_pieces.state.state import State, changed

SPOTTED_HCM = 1000
"""A hidden unit is spotted by an enemy that is closer."""
NEAR, FIRED = "STP-VIS-01", "STP-VIS-02"


class UnitRevealed(Event, frozen=True, gc=False):
    """A hidden unit has been seen, by an enemy unit or with "" by all."""

    RULE = NEAR

    unit: str
    to: str


def reveal_by_fire(judge: Judge[State], name: str) -> None:
    """A hidden unit that fires is revealed to every enemy (STP-VIS-02)."""
    unit = judge.state.units[name]
    if unit.hidden:
        judge.emit(UnitRevealed(name, ""), unit.side, FIRED)


def reveal_near(judge: Judge[State], name: str) -> None:
    """Reveal the hidden enemies closer than 10 cm to where a unit has ended its move (STP-VIS-03)."""
    state = judge.state
    mover = state.units[name]
    if not mover.here:
        return
    for enemy in state.enemies(mover):
        if enemy.hidden and is_closer(enemy.base, mover.base, SPOTTED_HCM):
            judge.emit(UnitRevealed(enemy.id, name), enemy.side, NEAR)


def on_unit_revealed(state: State, event: UnitRevealed) -> State:
    return changed(state, event.unit, hidden=False)


EVOLUTIONS = {UnitRevealed: on_unit_revealed}
