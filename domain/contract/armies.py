"""Armies of points, for any game that has them.

Command line and API know no more of a game's armies than its `ArmyBook`, which comes with its ruleset.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct


class BattleChoice(Struct, frozen=True):
    """An option of a scenario that a form offers: a box to tick if `usual` is a truth value, else a number from 0 to
    `most`. `title` is a msgid."""

    option: str
    title: str
    usual: bool | int
    most: int = 1


class ArmyBook(Struct, frozen=True):
    """The armies of one game. A list has key, name, name_fr, about, about_fr, first, last, region and sources; an army
    has a ruleset, a list, a name and a size; a bill has the points of the army. All else of them is the game's own."""

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
    """A legal army of a list at a size, by chance (a function that returns a number below another)."""
    battle: Callable[[Any, Any, Mapping[str, Any]], dict[str, Any]]
    """The scenario between two armies, south and north, with options."""
    change: Callable[[Any, str, str, str], Any]
    """An army after a change: verb (add, drop, grade, extras, name, size), subject, value; refuses what is not
    there."""
    bring: Callable[[Any, str, Any], Any]
    """The first event of a battle of points with another army (the event, whole; a side; the army) in place of a side's
    own; refuses a battle whose armies are those of a scenario."""
    is_of_points: Callable[[Any], bool]
    """Whether the first event of a battle is that of a battle of points."""
    about: str = ""
    """How such a battle begins (a msgid)."""
    choices: tuple[BattleChoice, ...] = ()
    """The options that players are asked for."""
