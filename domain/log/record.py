"""The exact bytes of a battle, written and read.

A battle file is JSON Lines: a header, one line per event, a checkpoint (docs/record-format.md).
Lines are canonical (RFC 8785 with ASCII keys, integers below 2^53, NFC strings) and chained: the
event line *without* `hash` is what is hashed and what the store keeps; the line of the file is the
same bytes with `hash` spliced in. Nothing is ever re-encoded on its way into a file.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Any, TypeVar
from unicodedata import is_normalized

import msgspec
from msgspec import UNSET, Struct

from domain.engine.errors import BrokenInvariant
from domain.engine.events import Event, Fact

FORMAT = "phalera-battle"
VERSION = 1
KEYS = ("at", "by", "data", "hash", "n", "rule", "type")  # of an event line of a file, in this order
INTEGER_LIMIT = 1 << 53

Upcast = Callable[[dict[str, Any]], tuple[str, dict[str, Any]]]
"""Converts the data of an old type to (newer type, its data)."""

UPCASTS: Mapping[str, Upcast] = MappingProxyType({})
"""Old types of this package and their conversions: none yet."""

_TIME = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z", re.A)
_EVENT_START = b'{"at":"'
_AFTER_TIME = len(_EVENT_START) + len('YYYY-MM-DDTHH:MM:SS.mmmZ"')
_CHECKPOINT_START = b'{"checkpoint":'
_BEFORE_N = b',"n":'
_HASH_MEMBER = len(',"hash":""') + 64
# A float, an integer of 16 digits, or what looks like one. Searching each line would cost as much as
# encoding it, so every digit first becomes 0 and every . e E a point.
_SUSPECT = re.compile(rb"[:,\[]-?(?:\d{16}|\d+[.eE])")
_MARKS = bytes.maketrans(b"123456789eE", b"000000000..")
_FRACTION, _SIXTEEN_DIGITS = b"0.", b"0" * 16

_Line = TypeVar("_Line")


class FileFault(Exception):
    """A battle file, or one line of it, that is malformed.

    `line` counts from 1 (event n is line n + 1; 0: the file as a whole), `what` is a stable code,
    `details` are plain values: expected, found, reason.
    """

    def __init__(self, line: int, what: str, **details: Any) -> None:
        super().__init__(line, what, details)
        self.line = line
        self.what = what
        self.details = details


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


class FileLines(Struct, frozen=True):
    """A battle file cut at its line feeds; `checkpoint` is None if the battle is unfinished."""

    header: bytes
    events: tuple[bytes, ...]
    checkpoint: bytes | None


class _Envelope(Struct, gc=False):
    at: str
    by: str
    data: msgspec.Raw
    n: int
    rule: str
    type: str


class _Checkpoint(Struct, forbid_unknown_fields=True):
    checkpoint: str


class _FloatFound(Exception):
    """A number with a decimal point or exponent, which this format does not allow."""


def _no_float(text: str) -> float:
    raise _FloatFound(text)


_ENCODER = msgspec.json.Encoder(order="sorted")  # sorted keys and its escapes are those of RFC 8785
_DECODER = msgspec.json.Decoder(float_hook=_no_float)
_HEADER = msgspec.json.Decoder(Header)
_ENVELOPE = msgspec.json.Decoder(_Envelope)
_CHECKPOINT = msgspec.json.Decoder(_Checkpoint)

# --- canonical bytes


def canonical(value: Any) -> bytes:
    """The one spelling of plain data in JSON (RFC 8785, with this format's limits).

    Shape:   an object, array or struct
    Raises:  BrokenInvariant for a float, an integer of 2^53 or more, a string not NFC or a key not ASCII
    """
    encoded = _ENCODER.encode(value)
    _require_plain(encoded, 0)
    return encoded


def read_canonical(line: bytes, number: int) -> dict[str, Any]:
    """The object in a line of a file, which must be spelled exactly as we would write it.

    Raises:  FileFault `not-utf-8`, `not-json`, `not-canonical` (spaces, order, escapes, double keys …),
             `not-plain` (float, large integer, string not NFC, key not ASCII)
    """
    try:
        value = _DECODER.decode(line)
        again = _ENCODER.encode(value)
    except UnicodeDecodeError as reason:
        raise FileFault(number, "not-utf-8", reason=reason.reason) from None
    except _FloatFound:
        raise FileFault(number, "not-plain", reason="float") from None
    except (msgspec.MsgspecError, RecursionError, ValueError) as reason:
        raise FileFault(number, "not-json", reason=str(reason)) from None
    if again != line or not isinstance(value, dict):
        raise FileFault(number, "not-canonical")
    if not line.isascii() or _SIXTEEN_DIGITS in line.translate(_MARKS):
        unfit = _unfit(value)
        if unfit:
            raise FileFault(number, "not-plain", reason=unfit)
    return value


def require_time(at: str) -> None:
    """Refuse a time stamp that is not `YYYY-MM-DDTHH:MM:SS.mmmZ`.

    Raises:  BrokenInvariant
    """
    if not is_time(at):
        raise BrokenInvariant(f"not a time stamp: {at!r}")


@lru_cache(256)
def is_time(at: str) -> bool:
    """Whether a text is a time stamp of the log: UTC, with milliseconds."""
    return _TIME.fullmatch(at) is not None


# --- lines


def encode_header(header: Header) -> bytes:
    """The header line, without line feed."""
    require_time(header.created)
    return canonical(header)


def decode_header(line: bytes) -> Header:
    """The header of a file; its line must be canonical byte for byte.

    Raises:  FileFault on line 1: as `read_canonical`, or `not-a-header`, `other-format`, `bad-time`
    """
    read_canonical(line, 1)
    header = _typed(_HEADER, line, 1, "not-a-header")
    if (header.format, header.version) != (FORMAT, VERSION):
        raise FileFault(1, "other-format", format=header.format, version=header.version)
    if not is_time(header.created):
        raise FileFault(1, "bad-time", found=header.created)
    return header


def encode(n: int, at: str, fact: Fact) -> bytes:
    """The line of event `n` that is hashed and stored: canonical, without `hash` and line feed.

    Shape:   `fact.event` in its public form (`sealed`, if a part of it is private)
    Raises:  BrokenInvariant if it cannot be written in this format
    """
    require_time(at)
    event = fact.event
    line = b'%b%b","by":%b,"data":%b,"n":%d,"rule":%b,"type":%b}' % (
        _EVENT_START,
        at.encode("ascii"),
        _ENCODER.encode(fact.by),
        _ENCODER.encode(event),
        n,
        _ENCODER.encode(fact.rule),
        _type_json(type(event)),
    )
    _require_plain(line, _AFTER_TIME)
    return line


def decode(line: bytes, catalogue: Mapping[str, type[Event]], upcasts: Mapping[str, Upcast] = UPCASTS) -> Recorded:
    """Decode an event line, with or without `hash`; `type` stays the one named in the log.

    Shape:   `catalogue` has every type of the ruleset and the core; `upcasts` the old ones
    Raises:  FileFault `not-an-event`, `unknown-type` or `wrong-data`, on line n + 1
    """
    envelope = _typed(_ENVELOPE, line, 0, "not-an-event")
    name, old = envelope.type, None
    try:
        if name in upcasts:
            old = msgspec.json.decode(envelope.data)
            while name in upcasts:
                name, old = upcasts[name](old)
        shape = catalogue.get(name)
        if shape is None:
            raise FileFault(envelope.n + 1, "unknown-type", type=name)
        event = _event_decoder(shape).decode(envelope.data) if old is None else msgspec.convert(old, shape)
    except msgspec.MsgspecError as reason:
        raise FileFault(envelope.n + 1, "wrong-data", type=name, reason=str(reason)) from None
    return Recorded(envelope.n, envelope.at, envelope.by, envelope.rule, envelope.type, event)


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
    return _typed(_CHECKPOINT, line, number, "not-a-checkpoint").checkpoint


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

    Raises:  FileFault `empty`, `no-final-newline`, `empty-line`, `checkpoint-not-last`
    """
    if not content:
        raise FileFault(0, "empty")
    lines = content.split(b"\n")
    if lines.pop():
        raise FileFault(len(lines) + 1, "no-final-newline")
    for number, line in enumerate(lines, 1):
        if not line:
            raise FileFault(number, "empty-line")
        if line.startswith(_CHECKPOINT_START) and 1 < number < len(lines):
            raise FileFault(number, "checkpoint-not-last")
    header, *events = lines
    checkpoint = events.pop() if events and events[-1].startswith(_CHECKPOINT_START) else None
    return FileLines(header, tuple(events), checkpoint)


# --- private members


def content_of(event: Event, private: Iterable[str]) -> bytes:
    """The canonical JSON object of the private members of an event: the content of its commitment.

    Shape:   `private` are attribute names; members left out of the event are left out here
    """
    names = _member_names(type(event))
    members = {names[field]: getattr(event, field) for field in private}
    return canonical({name: value for name, value in members.items() if value is not UNSET})


def sealed(event: Event, private: Iterable[str], commitment: bytes) -> Event:
    """The public form of an event: without its private members, with `sealed` in their place."""
    return msgspec.structs.replace(event, **dict.fromkeys(private, UNSET), sealed=commitment.hex())


def opened(event: Event, content: Mapping[str, Any]) -> Event:
    """Restore the whole event from its public form and the content disclosed by an `Unsealed`.

    Raises:  msgspec.ValidationError if the content does not fit the event
    """
    members = {**msgspec.to_builtins(event), **content}
    members.pop("sealed", None)
    return msgspec.convert(members, type(event))


def sealed_under(event: Event, by: str, newest_t: int) -> tuple[int, str]:
    """The (t, seat) that enters the commitment to an event's private members.

    t is the event's own, else that of the newest `OrderAccepted` of the log (0 before the first);
    the seat is the event's `side`, else the one its scope names (`hand:north`), else `by`.
    """
    t = getattr(event, "t", newest_t)
    side = getattr(event, "side", "")
    if not side:
        scope = getattr(event, "scope", "")
        side = scope.partition(":")[2].partition("/")[0] or by
    return t, side


# --- ways of reading


def _typed(decoder: msgspec.json.Decoder[_Line], line: bytes, number: int, what: str) -> _Line:
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as reason:
        raise FileFault(number, what, reason=str(reason)) from None


def _require_plain(line: bytes, start: int) -> None:
    marks = line[start:].translate(_MARKS)
    odd = (_FRACTION in marks or _SIXTEEN_DIGITS in marks) and _SUSPECT.search(line, start)
    if odd or not line.isascii():
        unfit = _unfit(msgspec.json.decode(line))
        if unfit:
            raise BrokenInvariant(f"{unfit} in {line!r}")


def _unfit(value: Any) -> str:
    """Why a value cannot stand in a log; "" if it can."""
    if isinstance(value, str):
        return "" if is_normalized("NFC", value) else "string-not-nfc"
    if isinstance(value, float):
        return "float"
    if isinstance(value, int):
        return "" if -INTEGER_LIMIT < value < INTEGER_LIMIT else "integer-too-large"
    if isinstance(value, dict):
        if not all(key.isascii() for key in value):
            return "key-not-ascii"
        value = value.values()
    elif not isinstance(value, list):
        return ""
    return next((reason for reason in map(_unfit, value) if reason), "")


@cache
def _event_decoder(shape: type[Event]) -> msgspec.json.Decoder[Event]:
    return msgspec.json.Decoder(shape)


@cache
def _type_json(event: type[Event]) -> bytes:
    return _ENCODER.encode(type_name(event))


@cache
def _member_names(event: type[Event]) -> dict[str, str]:
    return {field.name: field.encode_name for field in msgspec.structs.fields(event)}
