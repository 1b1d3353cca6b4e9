"""What a player wants to know of one unit: its values, and what it controls, shoots at or commands.

A game fills it from what a side knows (`Presentation.dossier`), by the same functions as its rules. The title of the
unit's token says what it is and how it does; a dossier has what no title has room for.
"""

from typing import Literal

from msgspec import Struct

from domain.engine.message import Message
from domain.scene import Arc

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


NO_DOSSIER = Dossier()


def no_dossier(state: object, unit: str) -> Dossier:
    """That of a game that says nothing more of its units."""
    return NO_DOSSIER
