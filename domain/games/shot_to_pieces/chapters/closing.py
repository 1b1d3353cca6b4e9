"""Chapters RES, MOR and WIN at the end of a phase: markers change, corps break, battles end."""

from domain.engine.judge import Judge
from domain.engine.state import OTHER, SIDES
from domain.events.battle import BattleEnded, Event
from domain.games.shot_to_pieces.chapters.command import fulfil
from domain.games.shot_to_pieces.chapters.detachments import send_home
from domain.games.shot_to_pieces.state.state import Corps, Shaken, State, Unit, changed, with_corps
from domain.games.shot_to_pieces.state.vocabulary import RETREAT

LIFE = "STP-RES-07"
VANISHING = ("evade", "event")
"""The causes of a SHAKEN that leaves no BRITTLE behind."""


class MarkerConverted(Event, frozen=True, gc=False, rename={"from_": "from"}):
    """A SHAKEN has lasted its time and is a BRITTLE now; `shaken` and `brittle` are the numbers held."""

    RULE = LIFE

    unit: str
    from_: str
    to: str
    shaken: int
    brittle: int


class MarkerRemoved(Event, frozen=True, gc=False):
    """A SHAKEN from an evasion or an event is over."""

    RULE = LIFE

    unit: str
    marker: str


class CorpsBroken(Event, frozen=True, gc=False):
    """A corps has lost too much: it retreats from now on."""

    RULE = "STP-MOR-03"

    corps: str
    loss_halves: int
    threshold_halves: int


def age_markers(judge: Judge[State]) -> None:
    """Every SHAKEN that lasts to the end of this phase, unit by unit in the order of ids (STP-RES-07)."""
    for name in sorted(judge.state.units):
        unit = judge.state.units[name]
        for marker in unit.shaken if unit.here else ():
            if marker.until <= judge.state.k:
                _age(judge, judge.state.units[name], marker)


def _age(judge: Judge[State], unit: Unit, marker: Shaken) -> None:
    if marker.cause in VANISHING:
        judge.emit(MarkerRemoved(unit.id, "shaken"), unit.side)
        return
    left, brittle = len(unit.shaken) - 1, unit.brittle + 1
    judge.emit(MarkerConverted(unit.id, "shaken", "brittle", left, brittle), unit.side)


def judge_corps(judge: Judge[State]) -> None:
    """Each corps, in the order of the scenario: it breaks, or has reached the point of its order (STP-MOR-03)."""
    for corps in tuple(judge.state.corps.values()):
        threshold = corps.threshold_halves
        if not corps.broken and corps.loss_halves >= threshold:
            judge.emit(CorpsBroken(corps.id, corps.loss_halves, threshold), corps.side)
            send_home(judge, corps)
        else:
            fulfil(judge, corps)


def end_if_broken(judge: Judge[State], side: str) -> None:
    """A side more than half of whose corps are broken has lost; the side whose phase it was is judged first
    (STP-WIN-01, STP-GAP-08)."""
    for one in (side, OTHER[side]):
        corps = judge.state.corps_of(one)
        if 2 * sum(1 for each in corps if each.broken) > len(corps):
            judge.emit(BattleEnded(OTHER[one], "broken"), rule="STP-WIN-01")


def end_if_over(judge: Judge[State]) -> None:
    """After the last turn who has lost less wins (STP-WIN-02, STP-GAP-08)."""
    limit = judge.state.options.turn_limit
    if not limit or judge.state.turn < limit:
        return
    south, north = (lost_halves(judge.state, side) for side in SIDES)
    winner = "" if south == north else "south" if south < north else "north"
    judge.emit(BattleEnded(winner, "turn-limit"), rule="STP-WIN-02")


def lost_halves(state: State, side: str) -> int:
    """The loss points of a side, in halves."""
    return sum(corps.loss_halves for corps in state.corps_of(side))


def is_lost(corps: Corps) -> bool:
    """Whether a corps would break at the end of the phase."""
    return corps.loss_halves >= corps.threshold_halves


# --- evolutions


def on_marker_converted(state: State, event: MarkerConverted) -> State:
    kept = _without(state, event.unit, is_vanishing=False)
    return changed(state, event.unit, shaken=kept, brittle=event.brittle)


def on_marker_removed(state: State, event: MarkerRemoved) -> State:
    return changed(state, event.unit, shaken=_without(state, event.unit, is_vanishing=True))


def _without(state: State, unit: str, *, is_vanishing: bool) -> tuple[Shaken, ...]:
    """The SHAKEN markers of a unit without the first that is over and of this sort."""
    held = state.units[unit].shaken
    gone = next(at for at, one in enumerate(held) if one.until <= state.k and (one.cause in VANISHING) == is_vanishing)
    return held[:gone] + held[gone + 1 :]


def on_corps_broken(state: State, event: CorpsBroken) -> State:
    return with_corps(state, event.corps, broken=True, order=RETREAT, goal=None, ap=0)


EVOLUTIONS = {
    MarkerConverted: on_marker_converted,
    MarkerRemoved: on_marker_removed,
    CorpsBroken: on_corps_broken,
}
