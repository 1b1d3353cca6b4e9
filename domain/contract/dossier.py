"""What a player wants to know beside the picture: of one unit its values and fields, of a side the way to victory.

A game fills it from what a side knows (`Presentation.table`), by the same functions as its rules. The title of the
unit's token says what it is and how it does; a dossier has what no title has room for.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

from domain.basics.message import Message
from domain.contract.heraldry import Shield
from domain.contract.scene import Arc

FieldKind = Literal["control", "shoot", "command"]


class Field(Struct, frozen=True, gc=False):
    """What a unit controls, shoots at or commands: `cells` of the scene, or on a table of free measure `arcs`."""

    kind: FieldKind
    cells: tuple[str, ...] = ()
    arcs: tuple[Arc, ...] = ()


class Dossier(Struct, frozen=True, gc=False):
    """The values of a unit, each as a short message, and its fields; both empty for a unit that has none."""

    values: tuple[Message, ...] = ()
    fields: tuple[Field, ...] = ()


class Troops(Struct, frozen=True, gc=False):
    """Units of a side that are alike: the game's word for what they are (`type.HI` in the catalogue), how many, and
    what else there is to say of each: quality, extras, traits."""

    type: str
    count: int = 1
    rank: tuple[str, ...] = ()


class ForcePart(Struct, frozen=True, gc=False):
    """A part of an army by its id and name, or all of it ("")."""

    id: str
    name: str
    troops: tuple[Troops, ...]


class Force(Struct, frozen=True, gc=False):
    """The army of a side, also while nothing of it is placed; `points` are what it costs, 0 in a game without."""

    side: str
    name: str
    points: int
    parts: tuple[ForcePart, ...]


class Coins(Struct, frozen=True, gc=False):
    """What a side has left of that which decides the battle, where it is counted in coins: `left` of `full`."""

    left: int
    full: int


NO_DOSSIER = Dossier()


def _no_dossier(state: Any, unit: str) -> Dossier:
    return NO_DOSSIER


def _nothing_to_win(state: Any, side: str) -> Message | None:
    return None


def _as_on_the_table(state: Any) -> tuple[Force, ...] | None:
    return None


def _no_coins(state: Any) -> Mapping[str, Coins]:
    return {}


def _no_shields(state: Any) -> tuple[Shield, ...]:
    return ()


def _no_shield(army_list: str) -> Shield | None:
    return None


def _no_names(state: Any) -> Mapping[str, str]:
    return {}


class TableState(Struct, frozen=True, kw_only=True):
    """What a game tells beside the picture, all of it from the state as a side knows it."""

    dossier: Callable[[Any, str], Dossier] = _no_dossier
    """What there is to know of a unit by its name; empty for an unknown one."""
    fields: tuple[FieldKind, ...] = ()
    """The kinds of fields that the dossiers of the game have."""
    to_win: Callable[[Any, str], Message | None] = _nothing_to_win
    """What a side still has to do to win; None where there is nothing to say."""
    coins: Callable[[Any], Mapping[str, Coins]] = _no_coins
    """What each side has left, where it is counted in coins."""
    names: Callable[[Any], Mapping[str, str]] = _no_names
    """What the army of each side is called; nothing for one without a name."""
    forces: Callable[[Any], tuple[Force, ...] | None] = _as_on_the_table
    """The armies as both sides may know them; None where the scene has all of them."""
    shields: Callable[[Any], tuple[Shield, ...]] = _no_shields
    """The shields of both sides, the southern one first; () where there are none (yet). The scene has the same."""
    shield_of: Callable[[str], Shield | None] = _no_shield
    """The shield of the people of an army list, by the list's key."""
