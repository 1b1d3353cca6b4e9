"""Make, read and pair armies, for the command line and the API.

The functions are the same for both, and for every game that has an army book; the callers differ in what they
show. Chance is seeded: the same list, size and seed produce the same army.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from domain.basics.toml_text import to_toml
from domain.catalogue import army_book
from domain.log.fairness import Stream


class OwnArmy(Struct, frozen=True):
    """An army that a player brings: a list by its key, with size (0: the usual one) and seed, or the table of a whole
    army."""

    list: str = ""
    size: int = 0
    seed: int = 0
    table: Mapping[str, Any] | None = None


def army_of(ruleset: str, own: OwnArmy) -> Any:
    """The army that a player brings.

    Raises: Refusal of the ruleset for what is none; core.no-armies
    """
    book = army_book(ruleset)
    if own.table is not None:
        return book.read({**own.table, "ruleset": ruleset})
    return new_army(ruleset, own.list, own.size or book.usual_size, own.seed)


def new_army(ruleset: str, key: str, size: int, seed: int, purpose: str = "") -> Any:
    """A legal army of a list; `purpose` tells two of the same seed apart.

    Raises: Refusal of the ruleset; core.no-armies
    """
    book = army_book(ruleset)
    return book.new(book.army_list(key), size, _chance(f"{ruleset} {key} {size} {seed} {purpose}"))


def battle_between(
    ruleset: str, south: Any, north: Any, size: int, seed: int, options: Mapping[str, Any]
) -> dict[str, Any]:
    """The scenario between two armies, each the key of a list or an army read as a table.

    Raises: Refusal of the ruleset; core.no-armies
    """
    book = army_book(ruleset)
    ready = {
        side: new_army(ruleset, given, size, seed, side) if isinstance(given, str) else book.read(given)
        for side, given in (("south", south), ("north", north))
    }
    return book.battle(ready["south"], ready["north"], options)


def army_toml(army: Any) -> str:
    """An army as the file that a player keeps."""
    return to_toml(plain(army))


def scenario_toml(scenario: Mapping[str, Any]) -> str:
    """A scenario as the file that `POST /api/v1/battles` and `phalera` take."""
    return to_toml(scenario)


def plain(value: Any) -> Any:
    """A struct as the plain values that a file or an answer has."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _chance(seed: str) -> Any:
    return Stream(sha256(b"phalera army 1 " + seed.encode()).digest()).below
