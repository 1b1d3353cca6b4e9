"""What an event is, and the values that several events have."""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from msgspec import Struct, UnsetType

Text = str | UnsetType
V = TypeVar("V")


class Keys(Struct, frozen=True, gc=False):
    """The host's first chains of keys: the anchor (hex) of each, and how many keys it has (fairness.md 2)."""

    anchors: dict[str, str]
    length: int


class Seen(Struct, frozen=True, gc=False):
    """The head that a player has answered: number and hash (hex) of its event."""

    hash: str
    n: int


class Event(Struct, frozen=True, gc=False):
    """Base of all facts. `RULE` is the rule ID unless the decision that emits it names another;
    `TOLD_BY` names the field that chooses between sentences (`cause`, `how` …)."""

    RULE: ClassVar[str] = ""
    TOLD_BY: ClassVar[str] = ""


class Fact(Struct, frozen=True, gc=False):
    """An event with its author: `by` is a side or `server`, `rule` the rule that caused it."""

    by: str
    rule: str
    event: Event


def of_core(table: Mapping[type[Any], V], kind: type[Event]) -> V | None:
    """What a table has for a type of events, or for the core event that a game extends by it; None if nothing."""
    return next((table[base] for base in kind.__mro__ if base in table), None)
