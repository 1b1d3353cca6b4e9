"""Chapter CMP: an enemy ends its move in a camp."""

from typing import Any

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.medals import pay_for_camp
from domain.games.to_the_strongest.state.state import State, Unit


class CampTaken(Event, frozen=True, gc=False):
    """`side` loses the camp of a corps; its box is open ground from now on (TTS-CMP-06)."""

    RULE = "TTS-CMP-06"

    side: str
    corps: str
    box: str
    unit: str


def take_camp(judge: Judge[State], unit: Unit) -> None:
    """A unit that has ended a move in an enemy camp takes it."""
    camp = judge.state.camps.get(unit.box)
    if camp and camp.side != unit.side:
        judge.emit(CampTaken(camp.side, camp.corps, camp.box, unit.id), unit.side)
        pay_for_camp(judge, camp.side, camp.corps)


def on_camp_taken(state: State, event: CampTaken) -> State:
    return replace(state, camps={box: camp for box, camp in state.camps.items() if box != event.box})


EVOLUTIONS: dict[Any, Any] = {CampTaken: on_camp_taken}
