"""PRG-EXT-TER-02: what lies in ambush is shown when it acts, or when infantry enters or attacks its hex."""

from typing import Any, ClassVar

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.singidunum.state.state import AmbushMarker, State, ambush_of, with_unit

# --- event


class AmbushRevealed(Event, frozen=True, gc=False, kw_only=True):
    """What lies under a marker is shown: a unit, or nothing but a decoy."""

    RULE: ClassVar[str] = "PRG-EXT-TER-02"

    side: str
    hex: str
    unit: str
    opens: tuple[int, ...] | UnsetType = UNSET


# --- showing


def show_own(judge: Judge[State], units: tuple[str, ...]) -> None:
    """Units that act come out of their ambush (PRG-EXT-TER-02)."""
    for name in units:
        ambush = ambush_of(judge.state, name)
        if ambush:
            reveal(judge, ambush)


def reveal(judge: Judge[State], ambush: AmbushMarker) -> None:
    """Show what lies under a marker; the event that laid it is opened."""
    opens = (ambush.n,) if ambush.n else UNSET
    judge.emit(AmbushRevealed(side=ambush.side, hex=ambush.hex, unit=ambush.unit, opens=opens), ambush.side)


# --- evolutions


def on_ambush_revealed(state: State, event: AmbushRevealed) -> State:
    state = replace(state, ambushes=tuple(ambush for ambush in state.ambushes if ambush.hex != event.hex))
    return with_unit(state, replace(state.units[event.unit], hex=event.hex)) if event.unit else state


EVOLUTIONS: dict[Any, Any] = {AmbushRevealed: on_ambush_revealed}
