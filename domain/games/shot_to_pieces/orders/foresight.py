"""The state at a later step of the phase, as an order of that step would find it (STP-SEQ-07)."""

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.games.shot_to_pieces.adjudication import DECISIONS, EVOLUTIONS, STEPS
from domain.games.shot_to_pieces.state.commands import CloseStep
from domain.games.shot_to_pieces.state.state import State
from domain.log.chance import NoDraw


def at_step(state: State, side: str, step: str) -> State | None:
    """The state when a step opens, closing those before it; None if these cannot be closed without more ado: charges
    have to be resolved, or one is due."""
    if state.step == step:
        return state
    if state.charges:
        return None
    judge: Judge[State] = Judge(state, NoDraw(), EVOLUTIONS, STEPS, {})
    while judge.state.step != step:
        if not may_close(judge, side):
            return None
        judge.run()
    return judge.state


def may_close(judge: Judge[State], side: str) -> bool:
    """Whether a side may close the step that is open; if it may, closing it is on the agenda."""
    try:
        DECISIONS[CloseStep](judge, side, CloseStep())
    except Refusal:
        return False
    return True


def can_be_done(state: State, side: str) -> bool:
    """Whether `done` would be accepted."""
    return may_close(Judge(state, NoDraw(), EVOLUTIONS, STEPS, {}), side)
