"""The lines by which an umpire sets something of this game, read and written (docs/corrections.md).

Lengths are typed in centimetres and angles in degrees with at most two decimals, and kept in hundredths.
"""

from typing import Any, Literal

from domain.contract.settable import Setting, read_count
from domain.games.shot_to_pieces.state.vocabulary import FORMATIONS
from domain.mechanics.notation import Reader, decimal_text

DECIMALS = 2
KEPT = -1
"""A facing that stays as it is."""
STATES = ("shaken", "steady")
ORDERS = ("advance", "hold")
FRENCH = {
    "at": "en",
    "shaken": "ébranlée",
    "steady": "ferme",
    "brittle": "fragile",
    "points": "points",
    "advance": "avancer",
    "hold": "tenir",
    "formation": "formation",
    "battle": "bataille",
    "column": "colonne",
    "line": "ligne",
    "square": "carré",
    "closed-column": "colonne-serrée",
    "march": "marche",
    "skirmish": "tirailleurs",
    "extended": "étendue",
    "mounted": "monté",
    "dismounted": "démonté",
}


class SetPlace(Setting, frozen=True, gc=False):
    """`set U1 at 90,45.5 facing 90`: the centre of the base of a unit, or of the disc of a general."""

    name: str
    x: int
    y: int
    facing: int = KEPT


class LoseUnit(Setting, frozen=True, gc=False):
    """`set U1 removed`: the unit is lost."""

    unit: str


class SetShaken(Setting, frozen=True, gc=False):
    """`set U1 shaken`, until the end of the next phase; `set U1 steady`."""

    unit: str
    state: str


class SetBrittle(Setting, frozen=True, gc=False):
    """`set U1 brittle 1`."""

    unit: str
    number: int


class SetUnitFormation(Setting, frozen=True, gc=False):
    """`set U1 formation line`."""

    unit: str
    formation: str


class SetOrderPoints(Setting, frozen=True, gc=False):
    """`set I points 3`: those left to a corps in this phase."""

    corps: str
    number: int


class SetOrder(Setting, frozen=True, gc=False):
    """`set I hold`: the general order of a corps."""

    corps: str
    order: Literal["advance", "hold"]


def read(reader: Reader) -> Setting:
    """A line behind `set`."""
    name = reader.id("the id of a unit, a general or a corps, `turn` or `decision`")
    what = reader.need(("at", "removed", *STATES, "brittle", "formation", "points", *ORDERS))
    match what:
        case "at":
            x, y = reader.point(DECIMALS)
            return SetPlace(name, x, y, reader.degrees(DECIMALS) if reader.take("facing") else KEPT)
        case "removed":
            return LoseUnit(name)
        case "brittle":
            return SetBrittle(name, read_count(reader))
        case "formation":
            return SetUnitFormation(name, reader.need(FORMATIONS))
        case "points":
            return SetOrderPoints(name, read_count(reader))
        case "advance":
            return SetOrder(name, "advance")
        case "hold":
            return SetOrder(name, "hold")
    return SetShaken(name, what)


def write(setting: Any) -> list[str]:
    """The words behind `set`."""
    match setting:
        case SetPlace(name, x, y, facing):
            place = f"{decimal_text(x, DECIMALS)},{decimal_text(y, DECIMALS)}"
            turned = [] if facing == KEPT else ["facing", decimal_text(facing, DECIMALS)]
            return [name, "at", place, *turned]
        case LoseUnit(unit):
            return [unit, "removed"]
        case SetShaken(unit, state):
            return [unit, state]
        case SetBrittle(unit, number):
            return [unit, "brittle", str(number)]
        case SetUnitFormation(unit, formation):
            return [unit, "formation", formation]
        case SetOrderPoints(corps, number):
            return [corps, "points", str(number)]
        case _:
            return [setting.corps, setting.order]
