"""Armies of points, for any game that has them.

A game whose players bring armies of points has an `ArmyBook`; command line and API know no more of its
armies than this. A book is found here by the ruleset's code.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from domain.engine.errors import Refusal
from domain.games.to_the_strongest.armies import army as tts_armies
from domain.games.to_the_strongest.armies import checks as tts_checks
from domain.games.to_the_strongest.armies import lists as tts_lists
from domain.games.to_the_strongest.armies import making as tts_making
from domain.games.to_the_strongest.armies import points_battle as tts_battle


class ArmyBook(Struct, frozen=True):
    """The armies of one game. A list has key, name, name_fr, about, about_fr, first, last, region, sources, corps,
    generals, camps and troops; an army has a ruleset, a list, a name, a size and corps; a bill is made of corps and
    their items. What a type, an extra or a trait means is the game's own."""

    usual_size: int
    lists: Callable[[], Mapping[str, Any]]
    """Every list by its key, in the order in which they are shown."""
    army_list: Callable[[str], Any]
    """One list; refuses a key that there is not."""
    read: Callable[[Mapping[str, Any]], Any]
    """An army from parsed TOML or JSON; refuses what is none, with the key at fault."""
    price: Callable[[Any], Any]
    """What an army costs, item by item, and what it is worth."""
    findings: Callable[[Any], tuple[Any, ...]]
    """Everything against an army: code, rule and params of each."""
    new: Callable[[Any, int, Callable[[int], int]], Any]
    """A legal army of a list at a size, by chance (a function that gives a number below another)."""
    battle: Callable[[Any, Any, Mapping[str, Any]], dict[str, Any]]
    """The scenario between two armies, south and north, with options."""


ARMY_BOOKS: Mapping[str, ArmyBook] = {
    "tts": ArmyBook(
        usual_size=tts_lists.USUAL_SIZE,
        lists=tts_lists.army_lists,
        army_list=tts_lists.army_list,
        read=tts_armies.read_army,
        price=tts_armies.price,
        findings=tts_checks.findings,
        new=tts_making.new_army,
        battle=tts_battle.points_battle,
    )
}


def army_book(ruleset: str) -> ArmyBook:
    """The armies of a game.

    Raises: Refusal core.no-armies, with the games that have some
    """
    book = ARMY_BOOKS.get(ruleset)
    if book is None:
        raise Refusal("core.no-armies", "CORE-OPEN", ruleset=ruleset, known=sorted(ARMY_BOOKS))
    return book
