"""Read a battle file: its log, its events, and the battle at any of them.

The way in for every command that reads a file: bytes and chain are checked on the way, what the
events claim is not (replay.proof.verify does that). Whatever is wrong is said in one sentence.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct

from domain.catalogue import RULESETS
from domain.engine.events import Event, RulesChanged
from domain.engine.timeline import Timeline, catalogue_of, vault_of
from domain.log import record
from domain.log.record import FileFault, Recorded
from domain.ruleset import Ruleset
from replay.proof import chain
from replay.proof.chain import Log
from replay.proof.faults import line_sentence
from replay.telling.words import ENGLISH, phrase

STANDARD_INPUT = "-"


class UnreadableFile(Exception):
    """A file that cannot be read as a battle; the text is a sentence."""


class NotThere(UnreadableFile):
    """There is nothing to read."""


class BattleFile(Struct, frozen=True):
    """A battle read from a file. `timeline` has been fed all of it, with what the log itself opens."""

    log: Log
    ruleset: Ruleset
    events: tuple[Recorded, ...]
    timeline: Timeline

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self.events)

    def require_event(self, n: int, least: int = 1, lang: str = ENGLISH) -> int:
        """An event number that somebody typed.

        Raises:  Unreadable
        """
        if not least <= n <= self.last:
            raise UnreadableFile(phrase("file.no-event", {"n": n, "last": self.last}, lang))
        return n


def read_bytes(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`.

    Raises:  NotThere
    """
    try:
        return sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
    except OSError as reason:
        raise NotThere(f"Cannot read {name}: {(reason.strerror or str(reason)).lower()}.") from None
    except ValueError as reason:  # a name with a null byte
        raise NotThere(f"Cannot read {name!r}: {reason}.") from None


def load(name: str, lang: str = ENGLISH) -> BattleFile:
    """The battle in a file, finished or not; what is wrong with it is said in a language.

    Raises:  Unreadable
    """
    return parse(read_bytes(name), "standard input" if name == STANDARD_INPUT else name, lang=lang)


def parse(
    content: bytes, name: str = "the file", rulesets: Mapping[str, Ruleset] = RULESETS, lang: str = ENGLISH
) -> BattleFile:
    """The battle in the bytes of a file, whose chain and signature must hold.

    Raises:  Unreadable
    """
    try:
        log = chain.open_file(content, allow_unfinished=True)
        ruleset = rulesets.get(log.header.ruleset)
        if ruleset is None:
            raise UnreadableFile(f"{name}: {unknown_ruleset(log.header.ruleset, rulesets, lang)}")
        events = decode_events(log, ruleset)
    except FileFault as fault:
        raise UnreadableFile(f"{name}: {line_sentence(fault.line, fault.what, fault.details, lang)}") from None
    timeline = Timeline(ruleset, vault_of(events), log.header.rules)
    for recorded in events:
        try:
            timeline.feed(recorded)
        except Exception as reason:  # a signed log may claim anything, and folding trusts what it claims
            details = {"type": recorded.type, "reason": f"{type(reason).__name__}: {reason}"}
            raise UnreadableFile(f"{name}: {line_sentence(recorded.n + 1, 'not-foldable', details, lang)}") from None
    return BattleFile(log, ruleset, tuple(events), timeline)


def unknown_ruleset(code: str, rulesets: Mapping[str, Ruleset], lang: str = ENGLISH) -> str:
    """The sentence for a game that this release does not have."""
    return phrase("file.unknown-ruleset", {"ruleset": code, "known": ", ".join(sorted(rulesets))}, lang)


def decode_events(log: Log, ruleset: Ruleset) -> list[Recorded]:
    """The events of a checked log. While the rules of another version judge, events of a shape that
    this release does not know keep the members that the protocol looks at, and no others.

    Raises:  FileFault `unknown-type`, `wrong-data`
    """
    catalogue = catalogue_of(ruleset)
    rules = log.header.rules
    events: list[Recorded] = []
    for n, line in enumerate(log.lines, 1):
        try:
            recorded = record.decode(line, catalogue)
        except FileFault:
            if rules == ruleset.version:
                raise
            recorded = _foreign_event(n, line)
        if isinstance(recorded.event, RulesChanged):
            rules = recorded.event.to
        events.append(recorded)
    return events


# --- events of other versions

PROTOCOL_MEMBERS = ("card", "scope", "sealed", "shown", "side", "t", "value")
"""What commitments and looks at coming cards are checked by, whatever the event is."""


def _foreign_event(n: int, line: bytes) -> Recorded:
    members = msgspec.json.decode(line)
    data = members["data"] if isinstance(members["data"], dict) else {}
    kept = {name: data[name] for name in PROTOCOL_MEMBERS if name in data}
    event = _foreign_shape(tuple(kept))(**kept)
    return Recorded(n, members["at"], str(members["by"]), str(members["rule"]), str(members["type"]), event)


@cache
def _foreign_shape(members: Sequence[str]) -> type[Event]:
    fields: list[tuple[str, Any]] = [(name, Any) for name in members]
    shape = msgspec.defstruct("ForeignEvent", fields, bases=(Event,), frozen=True)
    return cast("type[Event]", shape)
