"""Armies of points, for any game that has them.

Command line and API know no more of a game's armies than its `ArmyBook`, which comes with its ruleset.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct


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
