"""The messages of the army API.

What an army, a list or a bill is made of is the game's own and stands in `docs/armies.md`; here it is an object.
"""

from typing import Any

from msgspec import Struct


class ArmyListed(Struct, frozen=True):
    """An army list in the list of lists. Years before our era are negative."""

    ruleset: str
    key: str
    name: str
    name_fr: str
    first: int
    last: int
    region: str


class ArmyLists(Struct, frozen=True):
    """All army lists, the oldest people first."""

    armies: tuple[ArmyListed, ...]


class ArmyListView(Struct, frozen=True):
    """A list as its file has it."""

    ruleset: str
    list: dict[str, Any]


class CheckArmy(Struct, frozen=True, forbid_unknown_fields=True):
    """An army, in the form of its file."""

    army: dict[str, Any]


class FindingView(Struct, frozen=True):
    """A fault of an army: `code` and `params` as in a refusal, and the sentence."""

    code: str
    rule: str
    params: dict[str, Any]
    sentence: str


class ArmyChecked(Struct, frozen=True):
    """What an army costs, with the bill of its game, and everything that speaks against it."""

    legal: bool
    points: int
    size: int
    bill: dict[str, Any]
    findings: tuple[FindingView, ...]


class NewArmy(Struct, frozen=True, forbid_unknown_fields=True):
    """Make an army from a list. The same seed produces the same army. `ruleset` may be left out where only one game has
    armies; a `size` of 0 is its usual one."""

    list: str
    ruleset: str = ""
    size: int = 0
    seed: int = 1


class ArmyMade(Struct, frozen=True):
    """An army, as an object and as the text of its file."""

    army: dict[str, Any]
    army_toml: str
    points: int
    bill: dict[str, Any]


class ArmiesMeet(Struct, frozen=True, forbid_unknown_fields=True):
    """A battle between two armies: each the key of a list, from which one is made, or an army of your own.
    `ruleset` and `size` as in making one."""

    south: str | dict[str, Any]
    north: str | dict[str, Any]
    ruleset: str = ""
    size: int = 0
    seed: int = 1
    options: dict[str, bool | int | str | dict[str, int]] = {}


class PointsBattle(Struct, frozen=True):
    """The scenario, and its text as `scenario_toml` of a battle to open."""

    scenario: dict[str, Any]
    scenario_toml: str
