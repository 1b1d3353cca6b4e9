"""What replay adds to a game: its play aids, and its army lists in words.

Those of our own games stand in a package below `replay/games` with the name of the game's package below `domain/games`,
by which it is found. A game from outside imports nothing of replay: its sheets are data, `data/aids/NAME.toml`
(`replay.aids.packaged`).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from msgspec import Struct

from domain.basics.data import package_of
from replay.aids.packaged import packaged_sheet, sheet_names
from replay.aids.sheet import Sheet
from replay.drafts import Drafted
from replay.telling.words import LANGUAGES

GAMES = "replay.games"


class ArmyTables(Struct, frozen=True):
    """The armies of a game as text tables, in a language."""

    lists: Callable[[Iterable[Any], str], list[str]]
    """Army lists, one to a line."""
    army_list: Callable[[Any, str], list[str]]
    """A list with its troops."""
    bill: Callable[[Any, str], list[str]]
    """What an army costs; the last line is the sum."""
    draft: Callable[[Any, Any, Any, str], Drafted]
    """An army that is being made: the army, its list (None without one) and its bill."""


class GameShown(Struct, frozen=True):
    """What one game has of these: its sheets by name, the languages they are printed in, its armies."""

    sheets: Mapping[str, Callable[[str], Sheet]] = {}
    languages: tuple[str, ...] = ()
    armies: ArmyTables | None = None


def shown_of(ruleset: str) -> GameShown:
    """`SHOWN` of the game's package below `replay/games`; for a game without one the sheets among its data."""
    package = package_of(ruleset)
    name = f"{GAMES}.{package}"
    if not package or find_spec(name) is None:
        return _packaged(ruleset)
    shown: GameShown = import_module(name).SHOWN
    return shown


def _packaged(ruleset: str) -> GameShown:
    sheets = {name: partial(packaged_sheet, ruleset, name) for name in sheet_names(ruleset)}
    return GameShown(sheets=sheets, languages=LANGUAGES if sheets else ())
