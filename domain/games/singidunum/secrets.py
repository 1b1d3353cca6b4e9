"""What a side may keep hidden: standing orders, its army and its deployment until both are revealed, its ambushes."""

from collections.abc import Callable, Mapping

from msgspec import UNSET
from msgspec.structs import replace

from domain.contract.ruleset import Breach
from domain.contract.sealed_rows import SealedRow
from domain.engine.state import SIDES
from domain.events.battle import Event, StandingOrderSet
from domain.games.singidunum.chapters.ambushes import AmbushRevealed
from domain.games.singidunum.chapters.decisions import SECRET_PHASES
from domain.games.singidunum.chapters.deployment import UnitDeployed
from domain.games.singidunum.chapters.muster import ArmyComposed
from domain.games.singidunum.state.setup import AmbushPlaced, BattleOpened
from domain.games.singidunum.state.state import AmbushMarker, Laid, State
from domain.log.record import seat_of

HIDDEN: dict[type[Event], tuple[str, ...]] = {
    StandingOrderSet: ("unit", "value"),
    ArmyComposed: ("units", "cost"),
    UnitDeployed: ("unit", "hex"),
    AmbushPlaced: ("unit",),
}
"""The members that only the side of an event may see (PRG-ARM-06, -08, PRG-EXT-TER-01)."""
ROWS: Mapping[str, tuple[SealedRow, ...]] = {
    "BattleOpened": (SealedRow(("ambushes",)),),
    "ArmyComposed": (SealedRow(("cost", "units")),),
    "UnitDeployed": (SealedRow(("hex", "unit")),),
    "AmbushPlaced": (SealedRow(("unit",)),),
}
"""The closed table of what a file may seal (fairness.md 2)."""
FOUNDING = frozenset({"ArmyComposed"})
"""What the turns cannot be folded without: the units that there are (PRG-ARM-08)."""


def private_fields(state: State, event: Event) -> tuple[str, ...]:
    """The fields of an event that only its side may see, in the state before it."""
    if isinstance(event, BattleOpened):
        return () if event.ambushes is UNSET else ("ambushes",)
    return HIDDEN.get(type(event), ())


# --- what something sealed may explain


def excuse(state: State, breach: Breach, hidden: Mapping[int, Event]) -> int:
    """The event still sealed that may explain a breach, by n; 0 if none does (fairness.md 8).

    - Before the turns a list, or what is placed in secret, explains what its side does with it.
    - An ambush explains what happens on its hex, and that a unit of its side comes out of it.
    - An ambush that the scenario lays explains, at the start, that the unit in it need not be deployed.
    """
    if not state.phase:
        return _newest(hidden, lambda event: isinstance(event, AmbushPlaced) and breach.what == "event-differs")
    if state.phase in SECRET_PHASES:
        return _newest(hidden, lambda event: type(event) in HIDDEN and type(event) is not StandingOrderSet)
    return _newest(hidden, lambda event: isinstance(event, AmbushPlaced) and _explains(state, event, breach))


def _newest(hidden: Mapping[int, Event], explains: Callable[[Event], bool]) -> int:
    return max((n for n, event in hidden.items() if explains(event)), default=0)


def _explains(state: State, event: AmbushPlaced, breach: Breach) -> bool:
    """Whether the block shows what lies there, or was ordered by its side to a unit that may lie there."""
    shown = [fact for fact in breach.block if isinstance(fact, AmbushRevealed)]
    if any(fact.hex == event.hex for fact in shown):
        return True
    return breach.what == "not-allowed" and breach.side == seat_of(event, "")


# --- knowing


def known(state: State, side: str) -> State:
    """The state without what only the other side may know; `side` "" is a stranger, who knows neither side's."""
    for other in SIDES:
        if other != side:
            state = _without_secrets(state, other)
    return state


def _without_secrets(state: State, side: str) -> State:
    standing = tuple(order for order in state.standing if order.side != side)
    ambushes = tuple(_covered(ambush) if ambush.side == side else ambush for ambush in state.ambushes)
    state = replace(state, standing=standing, ambushes=ambushes, given=())
    return _without_army(state, side) if state.phase in SECRET_PHASES else state


def _covered(ambush: AmbushMarker) -> AmbushMarker:
    return replace(ambush, unit="")


def _without_army(state: State, side: str) -> State:
    """An army that is being mustered or deployed: its list is unknown, or where the units of the scenario stand."""
    units = {
        name: replace(unit, hex="") if unit.side == side else unit
        for name, unit in state.units.items()
        if unit.side != side or side not in state.lists
    }
    places = {hex_: name for hex_, name in state.places.items() if name in units and units[name].hex}
    laid = tuple(Laid("", "", entry.n) if entry.side == side else entry for entry in state.laid)
    return replace(state, units=units, places=places, laid=laid)
