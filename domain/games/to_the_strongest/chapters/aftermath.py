"""Chapter MEL, aftermath: what fighting costs the units that fought."""

from typing import Any

from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.cards import draw
from domain.games.to_the_strongest.chapters.losses import destroy, lose_step
from domain.games.to_the_strongest.state.state import State, kind

EXERTION_NEEDED = 3


# --- events


class ExertionPassed(Event, frozen=True, gc=False):
    """Cataphracts are still in order after their effort."""

    RULE = "TTS-MEL-17"

    unit: str
    needed: int
    card: int


class ExertionFailed(Event, frozen=True, gc=False):
    """Cataphracts fall into disorder after their effort."""

    RULE = "TTS-MEL-17"

    unit: str
    needed: int
    card: int


# --- steps


def step_after(judge: Judge[State], *, unit: str) -> None:
    """Exertion, and scythed chariots that have attacked are gone (TTS-MEL-17, -19)."""
    judge.push("spent", unit=unit)
    judge.push("exertion", units=[unit])


def step_spent(judge: Judge[State], *, unit: str) -> None:
    """Scythed chariots are removed after the first charge in which they have attacked."""
    charger = judge.state.units[unit]
    if charger.alive and charger.attacked and "scythed" in kind(charger).flags:
        destroy(judge, charger, "spent")
        judge.push("bereave", unit=unit)


def step_exertion(judge: Judge[State], *, units: list[str]) -> None:
    """Cataphracts that have charged or moved two boxes test, in the order of moving (TTS-MEL-17)."""
    for name in units:
        unit = judge.state.units[name]
        if not judge.state.options.exertion or "exertion" not in kind(unit).flags or unit.losses:
            continue
        card = draw(judge, unit.side, "exertion", name)
        if card >= EXERTION_NEEDED:
            judge.emit(ExertionPassed(name, EXERTION_NEEDED, card), unit.side)
        else:
            judge.emit(ExertionFailed(name, EXERTION_NEEDED, card), unit.side)
            lose_step(judge, unit, "exertion")


# --- evolutions

EVOLUTIONS: dict[Any, Any] = {
    ExertionPassed: unchanged,
    ExertionFailed: unchanged,
}
STEPS: dict[str, Any] = {
    "after": step_after,
    "spent": step_spent,
    "exertion": step_exertion,
}
