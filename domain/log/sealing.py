"""Take the private members out of an event, and put them back.

What one side alone may know is not in the log until it is opened; in its place stands `sealed`, a commitment to the
canonical JSON of what was taken out (docs/record-format.md).
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import UNSET

from domain.basics.decoding import convert
from domain.basics.errors import BrokenInvariant
from domain.events.battle import Event
from domain.log.canonical import canonical
from domain.log.limits import LINE_LIMIT, NESTING_LIMIT, is_deeper

ROOM = 1 << 12
"""Bytes of a line that are not the content which an `Unsealed` opens."""
LEVELS = 2
"""Levels of nesting around that content."""


def content_of(event: Event, private: Iterable[str]) -> bytes:
    """The canonical JSON object of the private members of an event: the content of its commitment.

    Shape:   `private` are attribute names; members left out of the event are left out here
    Raises:  BrokenInvariant if a line of the log could not hold it, when it is opened
    """
    names = _member_names(type(event))
    members = {names[field]: getattr(event, field) for field in private}
    content = canonical({name: value for name, value in members.items() if value is not UNSET})
    if len(content) > LINE_LIMIT - ROOM or is_deeper(content, NESTING_LIMIT - LEVELS):
        raise BrokenInvariant(f"too long or too deep to be opened again: {content[:200]!r}")
    return content


def sealed(event: Event, private: Iterable[str], commitment: bytes) -> Event:
    """The public form of an event: without its private members, with `sealed` in their place."""
    return msgspec.structs.replace(event, **dict.fromkeys(private, UNSET), sealed=commitment.hex())


def opened(event: Event, content: Mapping[str, Any]) -> Event:
    """Restore the whole event from its public form and the content disclosed by an `Unsealed`.

    Raises:  msgspec.ValidationError if the content does not fit the event, or names a member that stands open
    """
    members = msgspec.to_builtins(event)
    members.pop("sealed", None)
    if not members.keys().isdisjoint(content):
        raise msgspec.ValidationError(f"what stands open is opened again: {sorted(members.keys() & content)}")
    return convert({**members, **content}, type(event))


def seat_of(event: Event, by: str) -> str:
    """The seat whose secret the private members of an event are: its `side`, else the one its scope names
    (`hand:north`), else `by`."""
    side: str = getattr(event, "side", "")
    if side:
        return side
    scope: str = getattr(event, "scope", "")
    return scope.partition(":")[2].partition("/")[0] or by


@cache
def _member_names(event: type[Event]) -> dict[str, str]:
    return {field.name: field.encode_name for field in msgspec.structs.fields(event)}
