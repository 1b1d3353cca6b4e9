"""Read the lines of a checked log as events, also where other rules have judged or nobody here knows the game.

The events of the protocol have one shape in every game and version, and a line that does not fit it is a fault. Of a
game's own events, in a version that is not installed here, only the members are kept that the protocol looks at.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

import msgspec

from domain.contract.ruleset import Ruleset
from domain.events.battle import CORE_EVENTS, Event, NonceDisclosed, RulesChanged
from domain.log import record
from domain.log.record import FileFault, Recorded
from domain.run.timeline import catalogue_of

PROTOCOL_MEMBERS = ("opens", "scope", "sealed", "set_by", "shown", "side")
"""What commitments, openings and looks at coming cards are checked by, whatever the event is."""
_ONLY_IN_SHAPES = ("face", "opens", "sealed", "set_by", "shown")
"""What the protocol acts upon where it stands: in an event whose shape has no such member it would be passed over."""


_TYPE = re.compile(r"(?P<name>[A-Z][A-Za-z0-9]{0,63})(?:@[1-9][0-9]{0,3})?", re.A)


class _Foreign(Event, frozen=True):
    """An event of rules that are not ours."""


PROTOCOL_EVENTS: Mapping[str, type[Event]] = CORE_EVENTS
"""The events of every game, those included that no release writes yet."""


def read_events(
    lines: Sequence[bytes],
    rules: str,
    ruleset: Ruleset | None,
    first: int = 1,
    version: int = record.VERSION,
) -> list[Recorded]:
    """The events of a log from number `first` on; `rules` is the version that judges there, for the first that which
    the header names; `ruleset` is None if nobody here knows the game; `version` is that of the file.

    Raises:  FileFault `unknown-type`, `wrong-data`, `may-not-be-sealed`
    """
    catalogue = PROTOCOL_EVENTS if ruleset is None else {**PROTOCOL_EVENTS, **catalogue_of(ruleset)}
    events: list[Recorded] = []
    for n, line in enumerate(lines, first):
        try:
            recorded = record.decode(line, catalogue)
        except FileFault:
            if ruleset is not None and rules == ruleset.version:
                raise
            recorded = _foreign_event(n, line)
        if version != record.FIRST_VERSION and isinstance(recorded.event, NonceDisclosed):
            raise FileFault(n + 1, "unknown-type", type=recorded.type)
        _require_no_stray(recorded, line)
        if isinstance(recorded.event, RulesChanged):
            rules = recorded.event.to
        events.append(recorded)
    return events


def _require_no_stray(recorded: Recorded, line: bytes) -> None:
    """Refuse a member that means something to the protocol in an event that cannot have it."""
    kind = type(recorded.event)
    stray = [name for name, spelled in _strays(kind) if spelled in line]  # they may stand in a text
    if not stray or issubclass(kind, _Foreign):
        return
    members = msgspec.json.decode(line)["data"]
    for name in stray:
        if name in members:
            what = "may-not-be-sealed" if name == "sealed" else "wrong-data"
            raise FileFault(recorded.n + 1, what, type=recorded.type, reason=f"unexpected member {name}")


@cache
def _strays(kind: type[Event]) -> tuple[tuple[str, bytes], ...]:
    """The members that events of a shape cannot have, and how they are spelled."""
    return tuple((name, b'"%b":' % name.encode()) for name in _ONLY_IN_SHAPES if name not in kind.__struct_fields__)


def _foreign_event(n: int, line: bytes) -> Recorded:
    """An event of rules that are not ours: whole if it is of the protocol, else what the protocol looks at."""
    members = msgspec.json.decode(line)
    if members["type"] in PROTOCOL_EVENTS:
        return record.decode(line, PROTOCOL_EVENTS)
    name = _TYPE.fullmatch(members["type"])
    if name is None or name["name"] in PROTOCOL_EVENTS:  # the types of the protocol have no later shape
        raise FileFault(n + 1, "unknown-type", type=members["type"])
    data = members["data"] if isinstance(members["data"], dict) else {}
    kept = {name: data[name] for name in PROTOCOL_MEMBERS if name in data}
    event = _foreign_shape(tuple(kept))(**kept)
    return Recorded(n, members["at"], str(members["by"]), str(members["rule"]), str(members["type"]), event)


@cache
def _foreign_shape(members: Sequence[str]) -> type[Event]:
    fields: list[tuple[str, Any]] = [(name, Any) for name in members]
    shape = msgspec.defstruct("ForeignEvent", fields, bases=(_Foreign,), frozen=True)
    return cast("type[Event]", shape)
