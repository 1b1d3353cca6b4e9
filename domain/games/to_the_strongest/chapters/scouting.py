"""Chapter SCT: scouting points and cards decide who deploys last and moves first."""

from typing import Any

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import SIDES, unchanged
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.cards import draw
from domain.games.to_the_strongest.chapters.hands import waited_for
from domain.games.to_the_strongest.chapters.phases import SideDone, enter_next, push_steps
from domain.games.to_the_strongest.state.state import State, army_units, enemy, kind, with_army

QUARTERS = 4
"""Quarter points for each pip of a card (TTS-SCT-01)."""


# --- rules


def scouting_points(state: State, side: str) -> int:
    """The quarter points of a side before its card: its units, raw ones half, and a stratagem.

    Rule: TTS-SCT-01, TTS-STR-12
    """
    points = sum(kind(unit).scouting // (2 if unit.quality == "raw" else 1) for unit in army_units(state, side))
    return points + state.armies[side].scouts


# --- decisions


def decide_done(judge: Judge[State], side: str) -> None:
    """A side plays nothing (more) before the cards."""
    push_steps(judge)
    waiting = (other for other in waited_for(judge.state) if other != side)
    judge.emit(SideDone(side, "scouting", next(waiting, "")), side)


# --- events


class ScoutingDrawn(Event, frozen=True, gc=False):
    """A side's scouting card; points and total are quarter points."""

    RULE = "TTS-SCT-02"

    side: str
    points: int
    card: int
    total: int


class ScoutingTied(Event, frozen=True, gc=False):
    """Both totals are equal: both draw again."""

    RULE = "TTS-SCT-03"

    total: int


class ScoutingWon(Event, frozen=True, gc=False):
    """The higher total: this side deploys last and moves first."""

    RULE = "TTS-SCT-03"

    side: str
    total: int
    against: int


# --- steps


def step_scout(judge: Judge[State]) -> None:
    """Both draw, once no side is waited for; then deployment begins, or the rest of it (TTS-SCT-02, -04)."""
    if waited_for(judge.state):
        return
    totals = {}
    for side in SIDES:
        points = scouting_points(judge.state, side)
        card = draw(judge, side, "scouting", "")
        totals[side] = points + QUARTERS * card
        judge.emit(ScoutingDrawn(side, points, card, totals[side]), side)
    if totals["south"] == totals["north"]:
        judge.emit(ScoutingTied(totals["south"]))
        judge.push("scout")
        return
    winner = max(SIDES, key=totals.__getitem__)
    judge.emit(ScoutingWon(winner, totals[winner], totals[enemy(winner)]))
    enter_next(judge)


# --- evolutions


def on_scouting_won(state: State, event: ScoutingWon) -> State:
    """The stratagem's points are spent; the winner moves first."""
    army = replace(state.armies[event.side], scouts=0)
    return replace(with_army(state, army), first=event.side)


EVOLUTIONS: dict[Any, Any] = {
    ScoutingDrawn: unchanged,
    ScoutingTied: unchanged,
    ScoutingWon: on_scouting_won,
}
STEPS: dict[str, Any] = {"scout": step_scout}
