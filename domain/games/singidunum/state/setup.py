"""The event that opens a battle, and the state it makes: the scenario with all defaults resolved."""

from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.events import battle as events
from domain.events.battle import Event, Text
from domain.games.singidunum.state.board import Ground
from domain.games.singidunum.state.state import AmbushMarker, Marker, Options, State, Unit, with_unit


class UnitAtStart(Struct, frozen=True, gc=False):
    """A unit of the scenario; `hex` is "" if it waits for deployment, or lies in ambush."""

    id: str
    type: str
    strength: int
    hex: str
    activated: bool
    abilities: tuple[str, ...]
    no_burn: str


class SideAtStart(Struct, frozen=True, gc=False):
    """A side: its name, its points so far in halves, whether it has held an enemy base hex, and its units."""

    name: str
    half_vp: int
    held_base: bool
    units: tuple[UnitAtStart, ...]


class AmbushSetUp(Struct, frozen=True, gc=False):
    """An ambush of the scenario; `unit` is "" for a decoy."""

    hex: str
    side: str
    unit: str


class BattleOpened(events.BattleOpened, frozen=True, gc=False, kw_only=True):
    """The scenario. `terrain` has every hex that is not plain; `ambushes` are known to nobody until each is laid."""

    RULE: ClassVar[str] = "PRG-SEQ-01"

    title: str
    first: str
    options: Options
    board: dict[str, Any]
    terrain: dict[str, Ground]
    edges: tuple[str, ...] = ()
    sides: dict[str, SideAtStart]
    turn: int = 1
    markers: dict[str, Marker] = {}
    burned: tuple[str, ...] = ()
    ambushes: tuple[AmbushSetUp, ...] | UnsetType = UNSET
    sealed: Text = UNSET


class AmbushPlaced(Event, frozen=True, gc=False, kw_only=True):
    """A marker is laid on a forest hex; what lies under it (`unit`, "" for a decoy) is known to its side alone.
    `lifted` is the hex from which the marker of this unit is taken back."""

    RULE: ClassVar[str] = "PRG-EXT-TER-01"

    side: str
    hex: str
    unit: Text = UNSET
    lifted: Text = UNSET
    sealed: Text = UNSET


def lay_ambushes(judge: Judge[State]) -> None:
    """Lay the ambushes of the scenario, one event each, so that each side knows its own (PRG-EXT-TER-05)."""
    for ambush in judge.state.given:
        judge.emit(AmbushPlaced(side=ambush.side, hex=ambush.hex, unit=ambush.unit), ambush.side)


def on_battle_opened(state: State, event: BattleOpened) -> State:
    state = replace(
        state,
        title=event.title,
        first=event.first,
        start_turn=event.turn,
        options=event.options,
        board=(event.board["columns"], event.board["rows"]),
        terrain=event.terrain,
        markers=event.markers,
        burned=frozenset(event.burned),
        names={side: army.name for side, army in event.sides.items()},
        half_vp={side: army.half_vp for side, army in event.sides.items()},
        given=tuple(AmbushMarker(given.hex, given.side, given.unit, 0) for given in event.ambushes or ()),
    )
    for side, army in event.sides.items():
        for given in army.units:
            unit = Unit(
                given.id,
                side,
                given.type,
                given.strength,
                given.hex,
                given.activated,
                abilities=given.abilities,
                no_burn=given.no_burn,
            )
            state = with_unit(state, unit)
    return replace(state, held=state.held | {side for side, army in event.sides.items() if army.held_base})


def on_ambush_placed(state: State, event: AmbushPlaced) -> State:
    """A unit that is laid in ambush stands on no hex any more."""
    unit = event.unit or ""
    if unit and state.units[unit].hex:
        state = with_unit(state, replace(state.units[unit], hex=""))
    others = (old for old in state.ambushes if old.hex not in (event.hex, event.lifted))
    laid = (*others, AmbushMarker(event.hex, event.side, unit, state.n + 1))
    return replace(state, ambushes=laid, given=state.given[1:])


EVOLUTIONS: dict[Any, Any] = {BattleOpened: on_battle_opened, AmbushPlaced: on_ambush_placed}
