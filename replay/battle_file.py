"""Read a battle file: its log, its events, and the battle at any of them.

The way in for every command that reads a file: bytes and chain are checked on the way, what the
events claim is not (replay.proof.verify does that). Whatever is wrong is said in one sentence.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.log.record import FileFault, Recorded
from domain.run.branching import require_playable
from domain.run.timeline import Timeline, vault_of
from replay.proof import chain, shapes
from replay.proof.chain import Log
from replay.proof.faults import line_sentence
from replay.telling.words import ENGLISH, phrase, refusal

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

        Raises:  UnreadableFile
        """
        if not least <= n <= self.last:
            raise UnreadableFile(phrase("file.no-event", {"n": n, "last": self.last}, lang))
        return n


def called(name: str) -> str:
    """What a file is called in a sentence."""
    return "standard input" if name == STANDARD_INPUT else name


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

    Raises:  UnreadableFile
    """
    return parse(read_bytes(name), called(name), lang=lang)


def parse(
    content: bytes, name: str = "the file", rulesets: Mapping[str, Ruleset] = RULESETS, lang: str = ENGLISH
) -> BattleFile:
    """The battle in the bytes of a file, whose chain and signature must hold.

    Raises:  UnreadableFile
    """
    try:
        log = chain.open_file(content, allow_unfinished=True)
        ruleset = rulesets.get(log.header.ruleset)
        if ruleset is None:
            raise UnreadableFile(f"{name}: {unknown_ruleset(log.header.ruleset, rulesets, lang)}")
        events = decode_events(log, ruleset)
    except FileFault as fault:
        raise UnreadableFile(f"{name}: {line_sentence(fault.line, fault.what, fault.details, lang)}") from None
    timeline = Timeline(ruleset, vault_of(events), log.header.rules, log.header.version)
    _fold(timeline, events, name, lang)
    return BattleFile(log, ruleset, tuple(events), timeline)


def extended(battle: BattleFile, file_lines: Sequence[bytes], note: str, name: str, lang: str = ENGLISH) -> BattleFile:
    """The battle with the lines that were added to its log since, and with the host's note over the last of them, if
    there is one (""); it goes on with the same timeline.

    Raises:  UnreadableFile; the timeline may then have some of the events already
    """
    try:
        log = chain.extended(battle.log, file_lines)
        log = chain.closed(log, note) if note else log
        rules = battle.timeline.now.rules
        lines, version = log.lines[battle.last :], log.header.version
        events = shapes.read_events(lines, rules, battle.ruleset, battle.last + 1, version)
    except FileFault as fault:
        raise UnreadableFile(f"{name}: {line_sentence(fault.line, fault.what, fault.details, lang)}") from None
    _fold(battle.timeline, events, name, lang)
    return replace(battle, log=log, events=(*battle.events, *events))


def _fold(timeline: Timeline, events: Sequence[Recorded], name: str, lang: str) -> None:
    for recorded in events:
        try:
            battle = timeline.feed(recorded)
            if recorded.n == 1 and battle.branch is not None:
                require_playable(timeline.ruleset, battle.game)
        except Exception as reason:  # a signed log may claim anything, and folding trusts what it claims
            details = {"type": recorded.type, "reason": _sentence(reason, lang)}
            raise UnreadableFile(f"{name}: {line_sentence(recorded.n + 1, 'not-foldable', details, lang)}") from None


def _sentence(reason: Exception, lang: str) -> str:
    if isinstance(reason, Refusal):
        return refusal(reason.code, reason.rule, reason.params, lang)
    return f"{type(reason).__name__}: {reason}"


def unknown_ruleset(code: str, rulesets: Mapping[str, Ruleset], lang: str = ENGLISH) -> str:
    """The sentence for a game that this release does not have."""
    return phrase("file.unknown-ruleset", {"ruleset": code, "known": ", ".join(sorted(rulesets))}, lang)


def decode_events(log: Log, ruleset: Ruleset) -> list[Recorded]:
    """The events of a checked log (`replay.proof.shapes`).

    Raises:  FileFault `unknown-type`, `wrong-data`
    """
    return shapes.read_events(log.lines, log.header.rules, ruleset, version=log.header.version)
