"""What replay adds to each game: play aids, and its army lists in words. The only list of games in this package."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from replay.aids.sheet import Sheet
from replay.games.to_the_strongest import aids, army_tables


class ArmyTables(Struct, frozen=True):
    """The armies of a game as text tables, in a language."""

    lists: Callable[[Iterable[Any], str], list[str]]
    """Army lists, one to a line."""
    army_list: Callable[[Any, str], list[str]]
    """A list with its troops."""
    bill: Callable[[Any, str], list[str]]
    """What an army costs; the last line is the sum."""


class GameShown(Struct, frozen=True):
    """What one game has of these: its sheets by name, the languages that they speak, its armies."""

    sheets: Mapping[str, Callable[[str], Sheet]] = {}
    languages: tuple[str, ...] = ()
    armies: ArmyTables | None = None


GAMES: Mapping[str, GameShown] = {
    "tts": GameShown(
        aids.SHEETS,
        tuple(aids.LANGUAGES),
        ArmyTables(army_tables.told_lists, army_tables.told_list, army_tables.told_bill),
    ),
}
"""By the code of the ruleset."""
