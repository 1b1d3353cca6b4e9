"""The message id of a fact and the values its sentence may name.

Nothing here is a sentence: those are made outside the rules, in the reader's language (design.md 4,
"Words"). An id is `<ruleset>.<event>`, with the value of the field that chooses between sentences
(`TOLD_BY`) behind it, `branch` for the opening of a branch, and `sealed` where a part of the event is hidden. What all
games share has its sentence under `core`, also when a ruleset has added fields to it.
"""

from typing import Any

import msgspec
from msgspec import UNSET

from domain.basics.message import Message
from domain.events.battle import CORE_EVENTS, Event, Fact
from domain.log.record import type_name

CORE = "core"
UNTOLD = frozenset({"pending", "position", "sealed"})
"""Members that no sentence names: the agenda of a decision, a whole position, and commitments."""


def message_of(fact: Fact, code: str) -> Message:
    """The default message of a fact: its id, and all it says as plain values, with `by` and `rule`.

    Shape: `code` is that of the ruleset (`tts`)
    """
    event = fact.event
    values = {name: value for name, value in _members(event).items() if name not in UNTOLD}
    return Message(message_id(event, code), {**values, "by": fact.by, "rule": fact.rule})


def message_id(event: Event, code: str) -> str:
    """The id of the sentence that tells an event."""
    kind = type(event)
    name = type_name(kind).partition("@")[0]
    parts = [CORE if name in CORE_EVENTS else code, name]
    chosen = getattr(event, kind.TOLD_BY) if kind.TOLD_BY else UNSET
    if chosen is not UNSET and chosen != "":
        parts.append(str(chosen))
    if getattr(event, "branch", UNSET) is not UNSET:
        parts.append("branch")
    if getattr(event, "sealed", UNSET) is not UNSET:
        parts.append("sealed")
    return ".".join(parts)


def _members(event: Event) -> dict[str, Any]:
    members: dict[str, Any] = msgspec.to_builtins(event)
    return members
