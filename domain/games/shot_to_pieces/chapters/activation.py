"""Chapter ACT, activation: one die for each corps at the start of its side's phase (STP-ACT-01, -02)."""

from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.dice import die, throw
from domain.games.shot_to_pieces.state.state import Corps, State, general_of, with_corps
from domain.games.shot_to_pieces.state.vocabulary import QUALITIES

BONUSES = {"lamentable": -1, "bad": 0, "normal": 1, "good": 2, "excellent": 3}
"""What the quality of a leader adds (STP-ACT-02)."""
DRUNK, GENIUS = 9, 14
"""The D20 events that take or give points (STP-EVT-09, -14)."""


class ActivationRolled(Event, frozen=True, gc=False):
    """A corps has points for this phase."""

    RULE = "STP-ACT-02"

    corps: str
    units: int
    sides: int
    face: int
    quality: str
    bonus: int
    ap: int


class ActivationSkipped(Event, frozen=True, gc=False):
    """A corps rolls nothing: it moves strategically, or its corps is broken."""

    TOLD_BY = "reason"

    corps: str
    reason: str


def sides_for(units: int) -> int:
    """The die of a corps with so many units (STP-ACT-01, STP-GAP-03)."""
    return 6 if units > 10 else 5 if units > 8 else 4 if units > 6 else 3 if units > 4 else 2


def quality_of(state: State, corps: Corps) -> str:
    """The quality of who leads a corps: bad without a general (STP-SCN-02); where one has fallen bad in that turn, and
    one step below theirs afterwards (STP-GAP-07)."""
    general = general_of(state, corps)
    if general:
        return general.quality
    fallen = state.generals.get(corps.general)
    if fallen is None or corps.weak_turn == state.turn:
        return "bad"
    return QUALITIES[max(0, QUALITIES.index(fallen.quality) - 1)]


def activate(judge: Judge[State], side: str) -> None:
    """Every corps of a side, in the order of the scenario."""
    for corps in judge.state.corps_of(side):
        if corps.broken:
            judge.emit(ActivationSkipped(corps.id, "broken"), side, "STP-MOR-04")
        elif corps.strategic:
            judge.emit(ActivationSkipped(corps.id, "strategic"), side, "STP-MOV-12")
        elif units := len(judge.state.under(corps.id)):
            _roll(judge, corps, units)


def _roll(judge: Judge[State], corps: Corps, units: int) -> None:
    state, sides = judge.state, sides_for(units)
    quality = quality_of(state, corps)
    bonus = BONUSES[quality] + sum(
        event.amount for event in state.events if event.number in (DRUNK, GENIUS) and event.corps == corps.id
    )
    face = throw(judge, corps.side, die(sides), "activation", corps.id, "STP-ACT-01")
    judge.emit(ActivationRolled(corps.id, units, sides, face, quality, bonus, max(0, face + bonus)), corps.side)


def on_activation_rolled(state: State, event: ActivationRolled) -> State:
    return with_corps(state, event.corps, ap=event.ap, rolled=event.ap, spent_near=0, spent_else=0)


def on_activation_skipped(state: State, event: ActivationSkipped) -> State:
    return with_corps(state, event.corps, ap=0, rolled=0, spent_near=0, spent_else=0)


EVOLUTIONS = {ActivationRolled: on_activation_rolled, ActivationSkipped: on_activation_skipped}
