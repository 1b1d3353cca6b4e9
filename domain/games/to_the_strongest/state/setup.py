"""The event that opens a battle, and the state it makes.

`BattleOpened` has the scenario with all defaults resolved, so that the state folds from the log alone,
whatever becomes of catalogues and files.
"""

from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

from domain.engine import events
from domain.engine.events import Text
from domain.engine.judge import SIDES
from domain.games.to_the_strongest.state.state import Army, Camp, Corps, General, Options, State, Unit
from domain.mechanics.cards import Deck

# --- the event


class UnitSetUp(Struct, frozen=True, gc=False):
    """A unit with all defaults resolved; `ammo_full` and the like bound what can be replenished."""

    id: str
    type: str
    quality: str
    box: str
    facing: str
    hero: bool
    disorder: int
    steps: int
    ammo: int
    ammo_full: int
    lance: int
    lance_full: int
    pilum: int
    pilum_full: int
    formation: str
    extras: tuple[str, ...]


class GeneralSetUp(Struct, frozen=True, gc=False):
    """A general with implied traits; `attached` or `box`, the other is ""."""

    id: str
    mounted: bool
    attached: str
    box: str
    traits: tuple[str, ...]


class CampSetUp(Struct, frozen=True, gc=False):
    """A camp in its box; one without waits for deployment, `fortified` are then the sides granted."""

    box: str
    fortified: tuple[str, ...]


class CorpsSetUp(Struct, frozen=True, gc=False):
    """A corps."""

    id: str
    name: str
    general: GeneralSetUp | None
    camp: CampSetUp | None
    units: tuple[UnitSetUp, ...]


class SideSetUp(Struct, frozen=True, gc=False):
    """A side: medals, reserves of markers (TTS-SHT-12, -13), corps, and how many stratagems the
    scenario lists for it, if it does (TTS-STR-01)."""

    name: str
    medals: int
    ammo: int
    lance: int
    pilum: int
    corps: tuple[CorpsSetUp, ...]
    stratagems: int | UnsetType = UNSET


class BattleOpened(events.BattleOpened, frozen=True, gc=False, kw_only=True):
    """The scenario with all defaults resolved: the state folds from this event.

    `terrain` maps boxes to kinds; `edges` maps "D4/D5" (alphabetical) to kinds; `boxes` lists the
    units of every box that holds two, the front one first. `terrain_given` is false if the players
    place the terrain (TTS-SCN-03). `stratagems`, the cards that the scenario lists by side, are private.
    """

    RULE = "TTS-TRN-01"

    title: str
    first: str
    options: Options
    board: dict[str, int]
    terrain: dict[str, str]
    edges: dict[str, str]
    sides: dict[str, SideSetUp]
    boxes: dict[str, tuple[str, str]] = field(default_factory=dict)
    terrain_given: bool = True
    stratagems: dict[str, tuple[str, ...]] | UnsetType = UNSET
    sealed: Text = UNSET


# --- evolution


def on_battle_opened(state: State, event: BattleOpened) -> State:
    """The state at the opening: everything as the event has it."""
    listed = event.stratagems or {}
    units: dict[str, Unit] = {}
    generals: dict[str, General] = {}
    camps: dict[str, Camp] = {}
    armies: dict[str, Army] = {}
    for side in SIDES:
        given = event.sides[side]
        corps: dict[str, Corps] = {}
        for entry in given.corps:
            units |= {unit.id: _as_unit(unit, side, entry.id) for unit in entry.units}
            if entry.general:
                general = entry.general
                generals[general.id] = General(
                    general.id,
                    side,
                    entry.id,
                    general.mounted,
                    frozenset(general.traits),
                    general.attached,
                    "",
                    general.box,
                    placing=not (general.attached or general.box),
                )
            if entry.camp and entry.camp.box:
                camps[entry.camp.box] = Camp(side, entry.id, entry.camp.box, entry.camp.fortified)
            name = entry.general.id if entry.general else ""
            waits = entry.camp is not None and not entry.camp.box
            sides = len(entry.camp.fortified) if entry.camp and waits else -1
            corps[entry.id] = Corps(entry.id, entry.name, name, tuple(unit.id for unit in entry.units), sides)
        armies[side] = Army(
            side,
            given.name,
            given.medals,
            given.medals,
            Deck(),
            corps,
            given.ammo,
            given.lance,
            given.pilum,
            given=listed.get(side, ()),
            draws=given.stratagems is UNSET,
        )
    boxes: dict[str, tuple[str, ...]] = {unit.box: (unit.id,) for unit in units.values() if unit.box}
    return State(
        title=event.title,
        first=event.first,
        options=event.options,
        board=(event.board["columns"], event.board["rows"]),
        terrain=event.terrain,
        edges={(edge.partition("/")[0], edge.partition("/")[2]): ground for edge, ground in event.edges.items()},
        armies=armies,
        units=units,
        generals=generals,
        camps=camps,
        boxes={**boxes, **event.boxes},
        terrain_given=event.terrain_given,
    )


def _as_unit(unit: UnitSetUp, side: str, corps: str) -> Unit:
    return Unit(
        unit.id,
        side,
        corps,
        unit.type,
        unit.quality,
        unit.extras,
        unit.hero,
        unit.steps,
        unit.box,
        unit.facing,
        unit.disorder,
        unit.ammo,
        unit.ammo_full,
        unit.lance,
        unit.lance_full,
        unit.pilum,
        unit.pilum_full,
        unit.formation,
    )


EVOLUTIONS: dict[Any, Any] = {BattleOpened: on_battle_opened}
