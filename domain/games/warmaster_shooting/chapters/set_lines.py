"""The lines by which an umpire sets something of this game, read and written (docs/corrections.md).

Lengths are typed in centimetres and angles in degrees with at most one decimal, and kept in millimetres and tenths.
"""

from typing import Any

from domain.contract.settable import Setting, read_count
from domain.games.warmaster_shooting.chapters.charges import KEPT_FACING
from domain.mechanics.notation import Reader, decimal_text

CENTIMETRES, DEGREES = 1, 1
"""Decimals of a length and of an angle."""
MARKS = ("confused", "steady", "shot", "ready", "engaged", "free")
"""What a unit may be, in pairs of opposites."""
PHASES = ("command", "shooting")
FRENCH = {
    "at": "en",
    "confused": "confuse",
    "steady": "ferme",
    "shot": "tiré",
    "ready": "prête",
    "engaged": "engagée",
    "free": "libre",
    "wounds": "blessures",
    "phase": "phase",
    "command": "commandement",
    "shooting": "tir",
}


class SetStandPlace(Setting, frozen=True, gc=False):
    """`set R1 at 12,-3.5 facing 90`: the middle of the front of a stand, or of the first standing stand of a unit,
    which goes there as a block. A stand that was lost is back."""

    name: str
    x: int
    y: int
    facing: int = KEPT_FACING


class RemoveStand(Setting, frozen=True, gc=False):
    """`set R1 removed`, `set R1-2 removed`: a unit or a stand."""

    name: str


class SetMark(Setting, frozen=True, gc=False):
    """`set R1 confused`, and the other `MARKS`."""

    unit: str
    mark: str


class SetWounds(Setting, frozen=True, gc=False):
    """`set R1 wounds 1`: those not yet used up."""

    unit: str
    number: int


class SetPhase(Setting, frozen=True, gc=False):
    """`set phase shooting`."""

    phase: str


def read(reader: Reader) -> Setting:
    """A line behind `set`."""
    if reader.take("phase"):
        return SetPhase(reader.need(PHASES))
    name = reader.id("the id of a unit or a stand, `phase`, `turn` or `decision`")
    what = reader.need(("at", "removed", *MARKS, "wounds"))
    if what == "at":
        x, y = reader.point(CENTIMETRES)
        return SetStandPlace(name, x, y, reader.degrees(DEGREES) if reader.take("facing") else KEPT_FACING)
    if what == "removed":
        return RemoveStand(name)
    return SetWounds(name, read_count(reader)) if what == "wounds" else SetMark(name, what)


def write(setting: Any) -> list[str]:
    """The words behind `set`."""
    match setting:
        case SetStandPlace(name, x, y, facing):
            place = f"{decimal_text(x, CENTIMETRES)},{decimal_text(y, CENTIMETRES)}"
            turned = [] if facing == KEPT_FACING else ["facing", decimal_text(facing, DEGREES)]
            return [name, "at", place, *turned]
        case RemoveStand(name):
            return [name, "removed"]
        case SetMark(unit, mark):
            return [unit, mark]
        case SetWounds(unit, number):
            return [unit, "wounds", str(number)]
        case _:
            return ["phase", setting.phase]
