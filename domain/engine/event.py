"""What an event is, and the values that several events have."""

from typing import ClassVar

from msgspec import Struct, UnsetType

Text = str | UnsetType


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
