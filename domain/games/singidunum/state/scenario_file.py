"""The members that a scenario file of Singidunum may have (PRG-SCN-01)."""

from typing import Any, Literal

from msgspec import Struct

from domain.games.singidunum.state.board import COLUMNS, ROWS


class _Given(Struct, frozen=True, forbid_unknown_fields=True):
    """The members that a scenario file may have; unknown keys are refused by name."""


class UnitGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A unit as written."""

    id: str
    type: str
    strength: int
    hex: str = ""
    state: Literal["available", "activated"] = "available"
    abilities: tuple[str, ...] = ()
    no_burn: Literal["", "retreated", "hit"] = ""


class SideGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A side as written."""

    name: str = ""
    name_fr: str = ""
    half_vp: int = 0
    held_base: bool = False
    units: tuple[UnitGiven, ...] = ()


class BoardGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A board as written."""

    layout: str = "standard"
    columns: int = COLUMNS
    rows: int = ROWS


class TerrainGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """The terrain of a hex, in place of that of the layout."""

    hex: str
    kind: Literal["plain", "scrub", "base", "rampart"]
    side: Literal["", "south", "north"] = ""


class MarkerGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A marker as written."""

    hex: str
    kind: Literal["forest", "hill", "brush", "stakes", "burned"]
    active: bool = True
    side: Literal["", "south", "north"] = ""


class AmbushGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """An ambush as written; without `unit` it is a decoy."""

    hex: str
    side: Literal["south", "north"]
    unit: str = ""


class ScenarioGiven(_Given, frozen=True, forbid_unknown_fields=True):
    """A scenario as written."""

    ruleset: str
    sides: dict[str, SideGiven]
    title: str = ""
    title_fr: str = ""
    history: str = ""
    history_fr: str = ""
    first: Literal["", "south", "north"] = ""
    turn: int = 1
    options: dict[str, Any] = {}
    board: BoardGiven = BoardGiven()
    terrain: tuple[TerrainGiven, ...] = ()
    marker: tuple[MarkerGiven, ...] = ()
    ambush: tuple[AmbushGiven, ...] = ()
