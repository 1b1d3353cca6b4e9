"""Find what an event is about on the board: who does something, to whom, and where.

No game is known here: a member of an event that has the name of a token or a cell of the board means it.
"""

from collections.abc import Iterator

from msgspec import Struct

from domain.contract.scene import Scene
from domain.events.battle import Event

AIMS = frozenset({"target", "other", "passing"})
"""The members that name whom something is done to."""


class Subjects(Struct, frozen=True):
    """Ids of tokens, those that act and those aimed at, and of cells."""

    doers: tuple[str, ...]
    aims: tuple[str, ...]
    spots: tuple[str, ...]


def subjects_of(event: Event, *scenes: Scene) -> Subjects:
    """What an event names of the boards before and after it.

    Shape: `event` as the reader may know it, and so are the scenes
    """
    units = set().union(*map(units_of, scenes))
    cells = {cell.id for scene in scenes for cell in scene.cells}
    named = list(members_of(event))
    aims = tuple(dict.fromkeys(name for member, name in named if member in AIMS and name in units))
    doers = tuple(dict.fromkeys(name for member, name in named if name in units and name not in aims))
    spots = tuple(dict.fromkeys(name for _, name in named if name in cells and name not in units))
    return Subjects(doers, aims, spots)


def units_of(scene: Scene) -> frozenset[str]:
    """The names of all that stands on a board: of tokens, and of what counts as one."""
    return frozenset({token.id for token in scene.tokens} | {group.label for group in scene.groups})


def members_of(event: Struct) -> Iterator[tuple[str, str]]:
    """The texts in an event, and in the order that it may hold, with the members they stand in."""
    for member in event.__struct_fields__:
        value = getattr(event, member)
        if isinstance(value, str):
            yield member, value
        elif isinstance(value, tuple):
            yield from ((member, one) for one in value if isinstance(one, str))
        elif isinstance(value, Struct):
            yield from members_of(value)
