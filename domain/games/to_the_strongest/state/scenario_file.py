"""The shape of a scenario file as it is written, and the refusal of one that contradicts the rules (TTS-SCN-02)."""

from typing import Any

import msgspec
from msgspec.structs import replace

from domain.basics.data import ScenarioMembers
from domain.basics.errors import Refusal

RULE = "TTS-SCN-02"
MISSING = -1


# --- the file


class GridUnitGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A unit as written; −1 and "" stand for the default."""

    id: str
    type: str
    quality: str = ""
    box: str = ""
    facing: str = ""
    hero: bool = False
    disorder: int = 0
    ammo: int = MISSING
    lance: int = MISSING
    pilum: int = MISSING
    formation: str = "normal"
    place: str = ""
    extras: tuple[str, ...] = ()


class GridGeneralGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A general as written."""

    id: str
    mounted: bool = False
    attached: str = ""
    box: str = ""
    traits: tuple[str, ...] = ()


class CampGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A camp as written: in `box`, or in all of `boxes`; without either it waits for deployment.

    `boxes` is a number where joined camps wait (TTS-CMP-04).
    """

    box: str = ""
    fortified: tuple[str, ...] = ()
    boxes: int | tuple[str, ...] = 1

    @property
    def places(self) -> tuple[str, ...]:
        """The boxes in which it stands."""
        return self.boxes if isinstance(self.boxes, tuple) else (self.box,) if self.box else ()

    @property
    def size(self) -> int:
        """The number of its boxes."""
        return self.boxes if isinstance(self.boxes, int) else len(self.boxes)


class GridCorpsGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A corps as written."""

    id: str
    name: str = ""
    name_fr: str = ""
    general: GridGeneralGiven | None = None
    camp: CampGiven | None = None
    units: tuple[GridUnitGiven, ...] = ()


class GridSideGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A side as written."""

    name: str
    corps: tuple[GridCorpsGiven, ...]
    name_fr: str = ""
    medals: int | None = None
    stratagems: tuple[str, ...] | None = None


class BoardGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """The size of the board."""

    columns: int = 12
    rows: int = 8


class TerrainGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A box that is not open ground."""

    box: str
    kind: str


class EdgeGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """What lies between two neighbouring boxes."""

    between: tuple[str, str]
    kind: str


class GridScenarioGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A whole scenario file; `history`, `sources` and what ends in `_fr` are for readers."""

    ruleset: str
    title: str
    sides: dict[str, GridSideGiven]
    first: str = "south"
    options: dict[str, Any] = {}
    board: BoardGiven = BoardGiven()
    terrain: tuple[TerrainGiven, ...] | None = None
    edge: tuple[EdgeGiven, ...] = ()
    title_fr: str = ""
    history: str = ""
    history_fr: str = ""
    sources: tuple[str, ...] = ()


# --- reading


def in_capitals(given: GridScenarioGiven) -> GridScenarioGiven:
    """Ids and boxes are case-insensitive and shown in capitals (to-the-strongest.md 2)."""
    sides = {
        side: replace(army, corps=tuple(_corps_in_capitals(c) for c in army.corps))
        for side, army in given.sides.items()
    }
    terrain = None if given.terrain is None else tuple(replace(t, box=t.box.upper()) for t in given.terrain)
    edges = tuple(replace(e, between=(e.between[0].upper(), e.between[1].upper())) for e in given.edge)
    return replace(given, sides=sides, terrain=terrain, edge=edges)


def _corps_in_capitals(corps: GridCorpsGiven) -> GridCorpsGiven:
    general, camp = corps.general, corps.camp
    if general:
        general = replace(general, id=general.id.upper(), attached=general.attached.upper(), box=general.box.upper())
    units = tuple(replace(u, id=u.id.upper(), box=u.box.upper(), facing=u.facing.upper()) for u in corps.units)
    return replace(
        corps,
        id=corps.id.upper(),
        general=general,
        camp=_camp_in_capitals(camp) if camp else None,
        units=units,
    )


def _camp_in_capitals(camp: CampGiven) -> CampGiven:
    boxes = camp.boxes if isinstance(camp.boxes, int) else tuple(box.upper() for box in camp.boxes)
    return replace(camp, box=camp.box.upper(), boxes=boxes)


def bad(key: str, fault: str, **params: Any) -> Refusal:
    """`fault` says what is wrong at `key` and chooses the sentence."""
    return Refusal("tts.bad-scenario", RULE, key=key, fault=fault, **params)


def path_of(error: msgspec.ValidationError) -> str:
    """Where in the file msgspec found the fault: `$.sides.south.corps[0]` without the dollar."""
    return str(error).partition(" - at `$")[2].rstrip("`").lstrip(".") or "the file"
