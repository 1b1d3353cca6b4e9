"""The tables of a game's chapters as one.

A chapter of the rules is a module; what it decides, its steps and its evolutions stand in tables at its end. The tables
of one name are merged here, and a key that two chapters have is a fault of the game.
"""

from collections.abc import Iterable
from typing import Any

from domain.basics.errors import BrokenInvariant


def merged(chapters: Iterable[Any], name: str) -> dict[Any, Any]:
    """The tables of this name in all chapters; chapters without one add nothing.

    Raises: BrokenInvariant for a key that two chapters have
    """
    found: dict[Any, Any] = {}
    for chapter in chapters:
        table = getattr(chapter, name, {})
        twice = found.keys() & table.keys()
        if twice:
            raise BrokenInvariant(f"{name}: two chapters have {', '.join(map(str, twice))}")
        found |= table
    return found
