"""TTS-MEL-18 and TTS-ACT-10: elephants that run amok, and artillery that bursts."""

from typing import Any

from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.cards import draw
from domain.games.to_the_strongest.chapters.geometry import is_impassable
from domain.games.to_the_strongest.chapters.losses import destroy_outright, resolve
from domain.games.to_the_strongest.chapters.saves import Strike
from domain.games.to_the_strongest.state.state import State, Unit
from domain.mechanics.square import box_at

AMOK_NEEDED = 8
BACK, ASIDE = 3, 6
"""The highest cards with which they run back, and to a side; above these they do no harm."""


def amok_box(state: State, unit: Unit, box: str, card: int) -> str:
    """The box into which elephants that stood in `box` run; "" if they do no harm (TTS-MEL-18)."""
    if card > ASIDE:
        return ""
    offset = (-1, 0) if card <= BACK else (0, -1 if card % 2 else 1)
    goal = box_at(state.board, box, unit.facing, *offset)
    return "" if goal and is_impassable(state, goal) else goal


class ElephantsRanAmok(Event, frozen=True, gc=False):
    """Dying elephants run into a box, "" if they do no harm."""

    RULE = "TTS-MEL-18"

    unit: str
    card: int
    to: str


def step_amok(judge: Judge[State], *, unit: str, box: str) -> None:
    """Draw where the elephants run; each unit there may be hit, the front one first."""
    elephants = judge.state.units[unit]
    card = draw(judge, elephants.side, "amok", unit)
    goal = amok_box(judge.state, elephants, box, card)
    judge.emit(ElephantsRanAmok(unit, card, goal), elephants.side)
    for name in reversed(judge.state.boxes.get(goal, ())):
        judge.push("trample", unit=unit, target=name, box=goal)


def step_trample(judge: Judge[State], *, unit: str, target: str, box: str) -> None:
    """One unit in the way: a card of the elephants' owner, saved bare."""
    if judge.state.units[target].box == box:
        card = draw(judge, judge.state.units[unit].side, "hit", unit)
        resolve(judge, target, AMOK_NEEDED, card, (), Strike(unit, "amok", "front", box))


def step_burst(judge: Judge[State], *, unit: str) -> None:
    """A cannon that drew an ace for its shot bursts (TTS-ACT-10)."""
    destroy_outright(judge, judge.state.units[unit], "burst")


EVOLUTIONS: dict[Any, Any] = {ElephantsRanAmok: unchanged}
STEPS: dict[str, Any] = {"amok": step_amok, "trample": step_trample, "burst": step_burst}
