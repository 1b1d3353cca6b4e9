"""The lines by which an umpire sets something of this game, read and written (docs/corrections.md)."""

from typing import Any

from domain.contract.settable import Setting, facing_word, read_count, read_facing
from domain.engine.state import SIDES
from domain.games.to_the_strongest.state.state import FORMATIONS, MARKERS
from domain.mechanics.notation import Reader

PLACES = ("front", "rear")
WOUNDS = ("none", "light", "serious")
"""How a general may be; `none` is written "" in the state."""
FRENCH = {
    "box": "case",
    "front": "devant",
    "rear": "derrière",
    "losses": "pertes",
    "ammo": "munitions",
    "pilum": "pilum",
    "lance": "lance",
    "formation": "formation",
    "shieldwall": "mur",
    "tortoise": "tortue",
    "dismounted": "pied",
    "normal": "normale",
    "general": "général",
    "with": "avec",
    "attached": "attaché",
    "wound": "blessure",
    "none": "aucune",
    "light": "légère",
    "serious": "grave",
    "medals": "médailles",
}


class SetBox(Setting, frozen=True, gc=False):
    """`set R1 box E4 facing east front`: a unit stands there; one that was lost, or had left, is back."""

    unit: str
    box: str
    facing: str = ""  # "" for the one it has
    place: str = ""  # "" for the one it has, else behind whoever is there


class SetNumber(Setting, frozen=True, gc=False):
    """`set R1 losses 0`, `set R1 ammo 2`."""

    unit: str
    what: str  # losses | ammo | lance | pilum
    number: int


class SetFormation(Setting, frozen=True, gc=False):
    """`set R1 formation shieldwall`."""

    unit: str
    formation: str


class Remove(Setting, frozen=True, gc=False):
    """`set R1 removed`, `set general R-G1 removed`."""

    id: str
    is_general: bool = False


class SetGeneral(Setting, frozen=True, gc=False):
    """`set general R-G1 box E4`, `with R1` (rides along) or `attached R1`; one who was lost is back."""

    general: str
    where: str  # box | with | attached
    to: str


class SetWound(Setting, frozen=True, gc=False):
    """`set general R-G1 wound light`."""

    general: str
    wound: str


class SetMedals(Setting, frozen=True, gc=False):
    """`set medals south 5`: the medals that a side has left."""

    side: str
    number: int


def read(reader: Reader) -> Setting:
    """A line behind `set`."""
    if reader.take("medals"):
        return SetMedals(reader.need(SIDES), read_count(reader))
    if reader.take("general"):
        return _read_general(reader)
    unit = reader.id("the id of a unit, `general`, `medals`, `turn` or `decision`")
    what = reader.need(("box", "losses", *MARKERS, "formation", "removed"))
    if what == "box":
        box = reader.box()
        facing = read_facing(reader) if reader.take("facing") else ""
        return SetBox(unit, box, facing, reader.take(*PLACES))
    if what == "removed":
        return Remove(unit)
    if what == "formation":
        return SetFormation(unit, reader.need(FORMATIONS))
    return SetNumber(unit, what, read_count(reader))


def _read_general(reader: Reader) -> Setting:
    general = reader.id("the id of a general")
    what = reader.need(("box", "with", "attached", "wound", "removed"))
    if what == "removed":
        return Remove(general, True)
    if what == "wound":
        return SetWound(general, reader.need(WOUNDS))
    return SetGeneral(general, what, reader.box() if what == "box" else reader.id("the id of a unit"))


def write(setting: Any) -> list[str]:
    """The words behind `set`."""
    match setting:
        case SetBox(unit, box, facing, place):
            return [unit, "box", box, *(["facing", facing_word(facing)] if facing else []), *filter(None, [place])]
        case SetNumber(unit, what, number):
            return [unit, what, str(number)]
        case SetFormation(unit, formation):
            return [unit, "formation", formation]
        case Remove(name, is_general):
            return [*(["general"] if is_general else []), name, "removed"]
        case SetGeneral(general, where, to):
            return ["general", general, where, to]
        case SetWound(general, wound):
            return ["general", general, "wound", wound]
        case _:
            return ["medals", setting.side, str(setting.number)]
