"""The members that a scenario file of Singidunum may have (PRG-SCN-01)."""

from typing import Any, Literal

from domain.basics.data import ScenarioMembers
from domain.games.singidunum.state.board import COLUMNS, ROWS


class HexUnitGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A unit as written."""

    id: str
    type: str
    strength: int
    hex: str = ""
    state: Literal["available", "activated"] = "available"
    abilities: tuple[str, ...] = ()
    no_burn: Literal["", "retreated", "hit"] = ""


class HexSideGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A side as written."""

    name: str = ""
    name_fr: str = ""
    half_vp: int = 0
    held_base: bool = False
    units: tuple[HexUnitGiven, ...] = ()


class HexBoardGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A board as written."""

    layout: str = "standard"
    columns: int = COLUMNS
    rows: int = ROWS


class HexGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """The terrain of a hex, in place of that of the layout."""

    hex: str
    kind: Literal["plain", "scrub", "base", "rampart"]
    side: Literal["", "south", "north"] = ""


class MarkerGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A marker as written."""

    hex: str
    kind: Literal["forest", "hill", "brush", "stakes", "burned"]
    active: bool = True
    side: Literal["", "south", "north"] = ""


class AmbushGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """An ambush as written; without `unit` it is a decoy."""

    hex: str
    side: Literal["south", "north"]
    unit: str = ""


class HexScenarioGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A scenario as written."""

    ruleset: str
    sides: dict[str, HexSideGiven]
    title: str = ""
    title_fr: str = ""
    history: str = ""
    history_fr: str = ""
    first: Literal["", "south", "north"] = ""
    turn: int = 1
    options: dict[str, Any] = {}
    board: HexBoardGiven = HexBoardGiven()
    terrain: tuple[HexGiven, ...] = ()
    marker: tuple[MarkerGiven, ...] = ()
    ambush: tuple[AmbushGiven, ...] = ()
