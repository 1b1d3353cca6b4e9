"""The shape of a scenario file (STP-SCN-01). Keys that it does not have are refused by name."""

from typing import Literal

from domain.basics.data import ScenarioMembers
from domain.games.shot_to_pieces.state.state import Aspect, Cover, Mode, Options, Point

Side = Literal["south", "north"]
Period = Literal["ww1", "acw", "awi", "emp", "gsc", "alg", "f70"]
Status = Literal["elite", "veteran", "line", "reserve", "militia"]
Quality = Literal["lamentable", "bad", "normal", "good", "excellent"]
Kind = Literal["wood", "building", "hill", "rough", "road", "impassable", "water", "wall", "hedge", "stream"]
LINES = ("wall", "hedge", "stream")
"""The kinds of ground that are a line."""
UNSAID = -1
"""A number that was not given."""


class TableGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """The size of the table (STP-GAP-02)."""

    width: int = 18000
    height: int = 12000


class StartGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """Where play begins, for cases and problems (STP-SCN-03)."""

    turn: int
    side: Side
    step: Literal["orders", "activation", "charges", "formations", "moves", "generals", "fire", "melee"]


class GroundGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A piece of terrain as written: an outline, or a line of two points."""

    id: str
    kind: Kind
    outline: tuple[Point, ...] = ()
    line: tuple[Point, ...] = ()
    cover: Cover = ""
    level: int = 0
    name: str = ""
    name_fr: str = ""


class UnitGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A unit as written: type, status, traits and weapon are the scenario's (STP-GAP-10); without `at` it is
    deployed."""

    id: str
    type: str
    status: Status = "line"
    at: Point | None = None
    facing: int = UNSAID
    formation: str = ""
    weapon: str = ""
    traits: tuple[str, ...] = ()
    cover: Cover = ""
    brittle: int = 0
    shaken: int = 0
    shaken_before: bool = False
    fired_before: bool = False
    brigade: str = ""
    charges: int = 0
    name: str = ""
    name_fr: str = ""


class GeneralGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True, rename={"with_": "with"}):
    """A general as written: at a place, or with a unit."""

    id: str
    at: Point | None = None
    with_: str = ""
    quality: Quality = "normal"
    nation: str = ""
    commander: bool = False
    name: str = ""
    name_fr: str = ""


class CorpsGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A corps as written. Its first `order` is chosen, and not thrown for (STP-GAP-11). `loss_halves` are the half
    points that it has lost before."""

    id: str
    units: tuple[UnitGiven, ...]
    general: GeneralGiven | None = None
    order: Literal["advance", "hold"] = "advance"
    goal: Point | None = None
    ap: int = 0
    size: int = 0
    threshold_shift: int = 0
    loss_halves: int = 0
    strategic: bool = False
    name: str = ""
    name_fr: str = ""


class SideGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A side as written; `strafes` are the aircraft that it has (STP-WW1-12)."""

    name: str
    corps: tuple[CorpsGiven, ...]
    strafes: int = 0
    name_fr: str = ""


class MeleeGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A melee that goes on at the start: charger and target."""

    units: tuple[str, str]
    since: int = UNSAID
    aspect: Aspect = "front"
    mode: Mode = "normal"


class ScenarioGiven(ScenarioMembers, frozen=True, forbid_unknown_fields=True):
    """A whole scenario file; `history`, `sources` and what ends in `_fr` are for readers. `first` is player A for the
    whole battle (STP-SEQ-05, STP-GAP-05)."""

    ruleset: str
    title: str
    period: Period
    sides: dict[Side, SideGiven]
    first: Side = "south"
    options: Options = Options()
    table: TableGiven = TableGiven()
    start: StartGiven | None = None
    terrain: tuple[GroundGiven, ...] = ()
    melee: tuple[MeleeGiven, ...] = ()
    title_fr: str = ""
    history: str = ""
    history_fr: str = ""
    sources: tuple[str, ...] = ()
