"""The lines of a battle file: header, events and checkpoint, and the chain of their hashes.

A battle file is JSON Lines: a header, one line per event, a checkpoint (docs/record-format.md).
Lines are canonical (`domain.log.canonical`) and chained: the event line *without* `hash` is what is hashed and what
the store keeps; the line of the file is the same bytes with `hash` spliced in. Nothing is ever re-encoded on its way
into a file.

The limits of the format bind both ways (`domain.log.limits`), and one function judges both: `encode` gives no line
that `require_event_line` and `decode` would refuse.
Files of earlier versions are read for ever (decision 33), under the limits that their time had.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct

from domain.basics.decoding import convert, decoder
from domain.basics.errors import BrokenInvariant
from domain.events.battle import Event, Fact
from domain.log.canonical import (
    ENCODER,
    FileFault,
    canonical,
    decoder_of,
    read_canonical,
    read_shape,
    typed,
)
from domain.log.limits import EVENTS_LIMIT, is_battle, is_host, is_player, is_time
from domain.log.sealing import content_of, opened, sealed, seat_of

__all__ = [
    "FIRST_VERSION",
    "FORMAT",
    "KEYS",
    "OPENED",
    "PBEM_2",
    "PBEM_2_1",
    "UPCASTS",
    "VERSION",
    "EventLine",
    "FileFault",
    "FileLines",
    "Header",
    "Recorded",
    "Upcast",
    "canonical",
    "checkpoint_line",
    "checkpoint_note",
    "content_of",
    "decode",
    "decode_header",
    "encode",
    "encode_header",
    "first_hash",
    "is_time",
    "next_hash",
    "opened",
    "read_canonical",
    "require_event_line",
    "sealed",
    "seat_of",
    "splice_hash",
    "split_file",
    "split_hash",
    "time_of",
    "type_name",
    "version_of",
]

FORMAT = "phalera-battle"
FIRST_VERSION, PBEM_2, PBEM_2_1, OPENED, VERSION = 1, 2, 3, 3, 3
"""Versions: PBEM-1, PBEM-2, PBEM-2.1; the one that battles are opened under by default (decision 47); the newest."""
KEYS = ("at", "by", "data", "hash", "n", "rule", "type")  # of an event line of a file, in this order

Upcast = Callable[[dict[str, Any]], tuple[str, dict[str, Any]]]
"""Converts the data of an old type to (newer type, its data)."""

UPCASTS: Mapping[str, Upcast] = MappingProxyType({})
"""Old types of this package and their conversions: none yet."""

_EVENT_START = b'{"at":"'
_AFTER_TIME = len(_EVENT_START) + len('YYYY-MM-DDTHH:MM:SS.mmmZ"')
CHECKPOINT_START = b'{"checkpoint":'
_BEFORE_N = b',"n":'
_HASH_MEMBER = len(',"hash":""') + 64
_ANY_HASH = bytes(32)
_FIRST_MOMENT = "2000-01-01T00:00:00.000Z"


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line. `key` is the verifier key of the host's notes, `rules` the version of the ruleset."""

    battle: str
    created: str
    format: str
    host: str
    key: str
    rules: str
    ruleset: str
    version: int


class Recorded(Struct, frozen=True, gc=False):
    """One event as the log holds it: its number, time, author (a side or `server`) and the rule that caused it."""

    n: int
    at: str
    by: str
    rule: str
    type: str
    event: Event


class EventLine(Struct, forbid_unknown_fields=True):
    """An event line of a file."""

    at: str
    by: str
    data: dict[str, Any]
    hash: str
    n: int
    rule: str
    type: str


class FileLines(Struct, frozen=True):
    """A battle file cut at its line feeds; `checkpoint` is None if the battle is unfinished."""

    header: bytes
    events: tuple[bytes, ...]
    checkpoint: bytes | None


class _Version(Struct):
    """What a header of any version has."""

    format: str = ""
    version: int = 0


class _Envelope(Struct, gc=False):
    at: str
    by: str
    data: msgspec.Raw
    n: int
    rule: str
    type: str


class _Checkpoint(Struct, forbid_unknown_fields=True):
    checkpoint: str


_HEADER = decoder(Header)
_VERSION = decoder(_Version)
_EVENT_LINE = decoder_of(EventLine)
_ENVELOPE = decoder(_Envelope)
_CHECKPOINT = decoder(_Checkpoint)

# --- lines


def encode_header(header: Header) -> bytes:
    """The header line, without line feed.

    Raises:  BrokenInvariant for what `decode_header` would refuse
    """
    wrong = _wrong_header(header)
    if wrong:
        raise BrokenInvariant(f"{wrong[0]} in a header: {wrong[1]}")
    return canonical(header)


def decode_header(line: bytes) -> Header:
    """The header of a file; its line must be canonical byte for byte.

    Raises:  FileFault on line 1: as `read_canonical`, or `later-version`, `not-a-header`, `other-format`, `bad-time`,
             `bad-battle`, `bad-host`, `key-of-another` (the NAME of the key is not the host)
    """
    read_canonical(line, 1)
    if version_of(line) > VERSION:  # its header may have other members
        raise FileFault(1, "later-version", version=version_of(line), known=VERSION)
    header = typed(_HEADER, line, 1, "not-a-header")
    wrong = _wrong_header(header)
    if wrong:
        raise FileFault(1, wrong[0], **wrong[1])
    return header


def version_of(line: bytes) -> int:
    """The version of battle files that a header names; 0 if the line is no header."""
    try:
        named = _VERSION.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return 0
    return named.version if named.format == FORMAT else 0


def _wrong_header(header: Header) -> tuple[str, dict[str, Any]] | None:
    """What a header may not say, as a fault with its details; None if all is well."""
    if header.format != FORMAT or not FIRST_VERSION <= header.version <= VERSION:
        return "other-format", {"format": header.format, "version": header.version}
    if not is_time(header.created):
        return "bad-time", {"found": header.created}
    if not is_battle(header.battle):
        return "bad-battle", {"found": header.battle}
    if header.version == FIRST_VERSION:
        return None if header.host.isprintable() and header.host.split() else ("bad-host", {"found": header.host})
    if not is_host(header.host):
        return "bad-host", {"found": header.host}
    name = header.key.partition("+")[0]
    return None if name == header.host else ("key-of-another", {"expected": header.host, "found": name})


def encode(n: int, at: str, fact: Fact, above: str = _FIRST_MOMENT) -> bytes:
    """The line of event `n` that is hashed and stored: canonical, without `hash` and line feed.

    Shape:   `fact.event` in its public form (`sealed`, if a part of it is private); `above` as `require_event_line`
    Raises:  BrokenInvariant if a reader would refuse the line
    """
    event = fact.event
    data = ENCODER.encode(event)
    line = b'%b%b","by":%b,"data":%b,"n":%d,"rule":%b,"type":%b}' % (
        _EVENT_START,
        at.encode("utf-8", "surrogatepass"),
        _text_json(fact.by),
        data,
        n,
        _text_json(fact.rule),
        _type_json(type(event)),
    )
    try:
        require_event_line(splice_hash(line, _ANY_HASH), n, above)
        _event_decoder(type(event)).decode(data)
    except FileFault as fault:
        raise BrokenInvariant(f"event {n} would be refused by its reader: {fault.what}") from fault
    except msgspec.MsgspecError as reason:
        raise BrokenInvariant(f"event {n} would be refused by its reader: wrong-data ({reason})") from reason
    return line


def require_event_line(file_line: bytes, n: int, above: str, version: int = VERSION) -> EventLine:
    """An event line of a file: spelled canonically, whole, in its place and within the limits of its version.

    Shape:   `above` is the `at` of the event before it, the header's `created` for the first
    Raises:  FileFault on line n + 1: as `read_shape`, or `wrong-keys`, `not-an-event`, `wrong-number`, `bad-time`,
             `time-goes-back`, `bad-player`; `too-many-events` on line 0
    """
    if n > EVENTS_LIMIT:
        raise FileFault(0, "too-many-events", most=EVENTS_LIMIT)
    try:
        line = read_shape(_EVENT_LINE, file_line, n + 1)
    except msgspec.ValidationError as reason:
        found = tuple(read_canonical(file_line, n + 1))
        if found != KEYS:
            raise FileFault(n + 1, "wrong-keys", expected=KEYS, found=found) from None
        raise FileFault(n + 1, "not-an-event", reason=str(reason)) from None
    if line.n != n:
        raise FileFault(n + 1, "wrong-number", expected=n, found=line.n)
    at = line.at
    if not is_time(at):
        raise FileFault(n + 1, "bad-time", found=at)
    if version == FIRST_VERSION:
        return line
    if at < above:  # both have one form, so that their order is that of time
        raise FileFault(n + 1, "time-goes-back", above=above, found=at)
    if "player" in line.data:
        player = line.data["player"]
        if not (isinstance(player, str) and is_player(player)):
            raise FileFault(n + 1, "bad-player", found=player)
    return line


def decode(line: bytes, catalogue: Mapping[str, type[Event]], upcasts: Mapping[str, Upcast] = UPCASTS) -> Recorded:
    """Decode an event line, with or without `hash`; `type` stays the one named in the log.

    Shape:   `catalogue` has every type of the ruleset and the core; `upcasts` the old ones
    Raises:  FileFault `not-an-event`, `unknown-type` or `wrong-data`, on line n + 1
    """
    envelope = typed(_ENVELOPE, line, 0, "not-an-event")
    name, old = envelope.type, None
    try:
        if name in upcasts:
            old = msgspec.json.decode(envelope.data)
            while name in upcasts:
                name, old = upcasts[name](old)
        shape = catalogue.get(name)
        if shape is None:
            raise FileFault(envelope.n + 1, "unknown-type", type=name)
        event = _event_decoder(shape).decode(envelope.data) if old is None else convert(old, shape)
    except msgspec.MsgspecError as reason:
        raise FileFault(envelope.n + 1, "wrong-data", type=name, reason=str(reason)) from None
    return Recorded(envelope.n, envelope.at, envelope.by, envelope.rule, envelope.type, event)


def time_of(line: bytes) -> str:
    """The `at` of an event line, with or without `hash`, that has been read or written before."""
    return line[len(_EVENT_START) : _AFTER_TIME - 1].decode("ascii")


@cache
def type_name(event: type[Event]) -> str:
    """The `type` of an event in the log: the class name, or the class's own `TYPE` (`UnitMoved@2`)."""
    return getattr(event, "TYPE", "") or event.__name__


def checkpoint_line(note: str) -> bytes:
    """The last line of a file, from the signed note over its head."""
    return canonical({"checkpoint": note})


def checkpoint_note(line: bytes, number: int) -> str:
    """The note in a checkpoint line.

    Raises:  FileFault as `read_canonical`, or `not-a-checkpoint`
    """
    read_canonical(line, number)
    return typed(_CHECKPOINT, line, number, "not-a-checkpoint").checkpoint


# --- chain


def first_hash(header_line: bytes) -> bytes:
    """hash_0: 32 bytes."""
    return sha256(header_line).digest()


def next_hash(previous: bytes, line: bytes) -> bytes:
    """hash_n from hash_(n-1) and the event line without `hash`: 32 bytes."""
    return sha256(previous + line).digest()


def splice_hash(line: bytes, line_hash: bytes) -> bytes:
    """The event line as the file has it: the same bytes with `hash` between `data` and `n`.

    The last `,"n":` is the envelope's own: only two strings follow it, and their quotes are escaped.
    """
    place = line.rfind(_BEFORE_N)
    return b'%b,"hash":"%b"%b' % (line[:place], line_hash.hex().encode("ascii"), line[place:])


def split_hash(file_line: bytes, number: int) -> tuple[bytes, bytes]:
    """The event line that was hashed, and the `hash` member cut out of it: `,"hash":"…"`.

    Raises:  FileFault `no-hash`
    """
    end = file_line.rfind(_BEFORE_N)
    start = end - _HASH_MEMBER
    if start < 0 or not file_line.startswith(b',"hash":"', start):
        raise FileFault(number, "no-hash")
    return file_line[:start] + file_line[end:], file_line[start:end]


def split_file(content: bytes) -> FileLines:
    """Cut a battle file into its lines, at byte 0x0A only; their content is not checked.

    Raises:  FileFault `empty`, `too-many-events`, `no-final-newline`, `empty-line`, `checkpoint-not-last`, `no-events`
    """
    if not content:
        raise FileFault(0, "empty")
    if content.count(b"\n") > EVENTS_LIMIT + 2:  # counted first: millions of empty lines are not even cut
        raise FileFault(0, "too-many-events", most=EVENTS_LIMIT)
    lines = content.split(b"\n")
    if lines.pop():
        raise FileFault(len(lines) + 1, "no-final-newline")
    for number, line in enumerate(lines, 1):
        if not line:
            raise FileFault(number, "empty-line")
        if line.startswith(CHECKPOINT_START) and 1 < number < len(lines):
            raise FileFault(number, "checkpoint-not-last")
    header, *events = lines
    checkpoint = events.pop() if events and events[-1].startswith(CHECKPOINT_START) else None
    if not events:
        raise FileFault(0, "no-events")
    if len(events) > EVENTS_LIMIT:
        raise FileFault(0, "too-many-events", most=EVENTS_LIMIT)
    return FileLines(header, tuple(events), checkpoint)


@cache
def _event_decoder(shape: type[Event]) -> msgspec.json.Decoder[Event]:
    return decoder(shape)


@lru_cache(1024)
def _text_json(text: str) -> bytes:
    """A side or the id of a rule: there are few, and each line has both."""
    return ENCODER.encode(text)


@cache
def _type_json(event: type[Event]) -> bytes:
    return ENCODER.encode(type_name(event))
