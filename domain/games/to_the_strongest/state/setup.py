"""The event that opens a battle, and the state it makes.

`BattleOpened` has the scenario with all defaults resolved, so that the state folds from the log alone,
independently of later changes to catalogues and files.
"""

from collections.abc import Collection, Iterator
from typing import Any

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from domain.engine.state import SIDES
from domain.events import battle as events
from domain.events.battle import Text
from domain.games.to_the_strongest.state.state import Army, Camp, Corps, General, Options, State, Unit
from domain.mechanics.cards import Deck
from domain.mechanics.square import outer_sides

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
    """A camp in its box; one without waits for deployment, `fortified` are then the sides granted.

    Of joined camps (TTS-CMP-04), `boxes` has each box with its fortified sides, once they stand; `size` is the
    number of boxes of those that wait.
    """

    box: str
    fortified: tuple[str, ...]
    boxes: dict[str, tuple[str, ...]] | UnsetType = UNSET
    size: int | UnsetType = UNSET


def camp_parts(boxes: Collection[str], fortified: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Each box of a camp with its fortified sides, N E S W: those named of the whole outline (TTS-CMP-04)."""
    return {box: tuple(side for side in outer_sides(box, boxes) if side in fortified) for box in boxes}


def camp_boxes(camp: CampSetUp | None) -> tuple[str, ...]:
    """The boxes in which a camp stands; () if it waits, or there is none."""
    if camp is None or not camp.box:
        return ()
    return tuple(camp.boxes or (camp.box,))


def camp_size(camp: CampSetUp) -> int:
    """The number of boxes of a camp, standing or waiting: each counts (TTS-CMP-01, -04)."""
    return len(camp_boxes(camp)) or camp.size or 1


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
    """The state at the opening, exactly as in the event."""
    entries = [(side, entry) for side in SIDES for entry in event.sides[side].corps]
    units = {unit.id: _as_unit(unit, side, entry.id) for side, entry in entries for unit in entry.units}
    boxes: dict[str, tuple[str, ...]] = {unit.box: (unit.id,) for unit in units.values() if unit.box}
    return State(
        title=event.title,
        first=event.first,
        options=event.options,
        board=(event.board["columns"], event.board["rows"]),
        terrain=event.terrain,
        edges={(edge.partition("/")[0], edge.partition("/")[2]): ground for edge, ground in event.edges.items()},
        armies={side: _as_army(side, event) for side in SIDES},
        units=units,
        generals={one.id: one for side, entry in entries for one in _generals(side, entry)},
        camps={box: camp for side, entry in entries for box, camp in _standing_camps(side, entry)},
        boxes={**boxes, **event.boxes},
        terrain_given=event.terrain_given,
    )


def _as_army(side: str, event: BattleOpened) -> Army:
    given = event.sides[side]
    return Army(
        side=side,
        name=given.name,
        medals=given.medals,
        medals_full=given.medals,
        deck=Deck(),
        corps={entry.id: _as_corps(entry) for entry in given.corps},
        ammo=given.ammo,
        lance=given.lance,
        pilum=given.pilum,
        given=(event.stratagems or {}).get(side, ()),
        draws=given.stratagems is UNSET,
    )


def _as_corps(entry: CorpsSetUp) -> Corps:
    name = entry.general.id if entry.general else ""
    corps = Corps(entry.id, entry.name, name, tuple(unit.id for unit in entry.units))
    if entry.camp and not entry.camp.box:
        return replace(corps, camp_sides=len(entry.camp.fortified), camp_boxes=entry.camp.size or 1)
    return corps


def _generals(side: str, entry: CorpsSetUp) -> Iterator[General]:
    """The general of a corps, if it has one."""
    general = entry.general
    if general:
        yield General(
            id=general.id,
            side=side,
            corps=entry.id,
            mounted=general.mounted,
            traits=frozenset(general.traits),
            attached=general.attached,
            box=general.box,
            placing=not (general.attached or general.box),
        )


def _standing_camps(side: str, entry: CorpsSetUp) -> Iterator[tuple[str, Camp]]:
    """The boxes of a corps' camp that stands, each with its part of it."""
    camp = entry.camp
    if camp and camp.box:
        for box, sides in (camp.boxes or {camp.box: camp.fortified}).items():
            yield box, Camp(side, entry.id, box, sides)


def _as_unit(unit: UnitSetUp, side: str, corps: str) -> Unit:
    return Unit(
        id=unit.id,
        side=side,
        corps=corps,
        type=unit.type,
        quality=unit.quality,
        extras=unit.extras,
        hero=unit.hero,
        steps=unit.steps,
        box=unit.box,
        facing=unit.facing,
        losses=unit.disorder,
        ammo=unit.ammo,
        ammo_full=unit.ammo_full,
        lance=unit.lance,
        lance_full=unit.lance_full,
        pilum=unit.pilum,
        pilum_full=unit.pilum_full,
        formation=unit.formation,
    )


EVOLUTIONS: dict[Any, Any] = {BattleOpened: on_battle_opened}
