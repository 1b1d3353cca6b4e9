"""Chapter GSC, impetuous troops: under fire or in melee they may have to charge (STP-GSC-04, STP-INT-40)."""

from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.dice import die, throw
from domain.games.shot_to_pieces.state.figures import has
from domain.games.shot_to_pieces.state.state import State, Unit, changed, phase_of

RULE = "STP-GSC-04"
MUST = 5
"""From this face on it charges."""


class ImpetuousTested(Event, frozen=True, gc=False):
    """Whether a unit must charge in its next own phase."""

    RULE = RULE

    unit: str
    face: int
    must: bool


def is_roused(state: State, unit: Unit) -> bool:
    """Whether a unit has fired, was fired at or fought in either phase of this turn (STP-INT-40)."""
    first = phase_of(state, state.first, state.turn)
    return max(unit.fired_k, unit.target_k, unit.fought_k) >= first


def test_impetuous(judge: Judge[State]) -> None:
    """Every impetuous unit that was engaged in this turn, by id."""
    for name in sorted(judge.state.units):
        unit = judge.state.units[name]
        if unit.here and has(judge.state, unit, "impetuous") and is_roused(judge.state, unit):
            face = throw(judge, unit.side, die(6), "impetuous", name, RULE)
            judge.emit(ImpetuousTested(name, face, face >= MUST), unit.side)


def on_impetuous_tested(state: State, event: ImpetuousTested) -> State:
    if not event.must:
        return state
    return changed(state, event.unit, due_k=phase_of(state, state.units[event.unit].side, state.turn + 1))


EVOLUTIONS = {ImpetuousTested: on_impetuous_tested}
