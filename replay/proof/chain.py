"""Check that a file is, byte for byte, one unbroken log signed by its host.

Needs no rules: every line is canonical and hashed onto the one before it, and the last
line is a note over the last hash. The content of events is not examined here, except a change of
the host's key, which determines who must have signed.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.log import record
from domain.log.limits import EVENTS_LIMIT
from domain.log.record import FileFault, FileLines, Header
from replay.proof import notes
from replay.proof.notes import BadNote, Head, Verifier
from replay.proof.stored import StoredFile, followed_by, stored_hashes, stored_lines

_KEY_CHANGED = b'"type":"KeyChanged"}'


class Log(Struct, frozen=True):
    """A checked log.

    `lines[i]` is event i + 1 as it was hashed and is stored (without `hash`); `hashes[n]` is
    hash_n, with `hashes[0]` that of the header; `checkpoint` the note, None while unfinished;
    `keys` the host's verifier keys in force, each from its event number on.
    """

    header: Header
    header_line: bytes
    lines: Sequence[bytes]
    hashes: Sequence[bytes]
    checkpoint: str | None
    keys: tuple[tuple[int, Verifier], ...]

    @property
    def origin(self) -> str:
        """The origin of this log's heads."""
        return notes.origin(self.header.host, self.header.battle)

    def key_at(self, n: int) -> Verifier:
        """The key that signs the head of event `n`."""
        return next(key for since, key in reversed(self.keys) if since <= n)


class HeadedLog(Protocol):
    """A checked log of a battle or a campaign, as whoever compares heads asks for it: see `Log`."""

    @property
    def lines(self) -> Sequence[bytes]: ...
    @property
    def hashes(self) -> Sequence[bytes]: ...
    @property
    def checkpoint(self) -> str | None: ...
    @property
    def keys(self) -> tuple[tuple[int, Verifier], ...]: ...
    @property
    def origin(self) -> str: ...
    def key_at(self, n: int) -> Verifier: ...


class LogKind(Struct, frozen=True):
    """The origin of the heads of a log, and the version of its protocol."""

    origin: str
    version: int


class Chained(Struct, frozen=True):
    """What of a log does not depend on its header: as `Log` has it."""

    lines: tuple[bytes, ...]
    hashes: tuple[bytes, ...]
    checkpoint: str | None
    keys: tuple[tuple[int, Verifier], ...]


def open_file(content: bytes, allow_unfinished: bool = False, trusted_key: str | None = None) -> Log:
    """Check bytes, chain and signature of a battle file.

    Shape:   `trusted_key` is a verifier key from another source; without it the file vouches for its own
    Raises:  FileFault for the first invalid line; `unfinished` if the checkpoint is missing and
             `allow_unfinished` is not set; `other-key` if the header does not name `trusted_key`
    """
    parts = record.split_file(content)
    header = record.decode_header(parts.header)
    chained = read_chain(parts, header.key, header.created, _kind(header), trusted_key)
    if chained.checkpoint is None and not allow_unfinished:
        raise FileFault(0, "unfinished", n=len(chained.lines))
    return Log(header, parts.header, chained.lines, chained.hashes, chained.checkpoint, chained.keys)


def read_chain(parts: FileLines, key: str, created: str, kind: LogKind, trusted_key: str | None = None) -> Chained:
    """Check the chain and the signature of a log whose header is read; `key` and `created` are the header's.

    Raises:  FileFault as `open_file`
    """
    if trusted_key is not None and key != trusted_key:
        raise FileFault(1, "other-key", expected=trusted_key, found=key)
    keys = [(0, _verifier(key, 1))]
    first = record.first_hash(parts.header)
    lines, following = _chained(parts.events, 1, (first, created), keys, kind)
    hashes = (first, *following)
    note = None
    if parts.checkpoint is not None:
        number = len(parts.events) + 2
        note = record.checkpoint_note(parts.checkpoint, number)
        _require_checkpoint(keys[-1][1], note, Head(kind.origin, len(lines), hashes[-1]), number)
    return Chained(tuple(lines), hashes, note, tuple(keys))


def _kind(header: Header) -> LogKind:
    return LogKind(notes.origin(header.host, header.battle), header.version)


def reopened(content: bytes, count: int, keys: Sequence[tuple[int, Verifier]]) -> Log:
    """The log in bytes that `open_file` has found right before, with the `count` of its events and the `keys` that it
    found; nothing is checked, and lines are cut when they are asked for.

    Raises:  FileFault
    """
    file = StoredFile(content, count)
    note = record.checkpoint_note(file.note, count + 2) if file.note else None
    header = record.decode_header(file.header)
    return Log(header, file.header, stored_lines(file), stored_hashes(file), note, tuple(keys))


def begun(log: Log, n: int) -> Log:
    """The first `n` events of a log, without a note."""
    keys = tuple(key for key in log.keys if key[0] <= n)
    return replace(log, lines=log.lines[:n], hashes=log.hashes[: n + 1], checkpoint=None, keys=keys)


def extended(log: Log, file_lines: Sequence[bytes]) -> Log:
    """The log with the lines that were added to it since, as a file has them; no note closes it any more.

    Raises:  FileFault for the first line that does not go on from the one before it
    """
    keys, n = list(log.keys), len(log.lines)
    above = msgspec.json.decode(log.lines[-1])["at"] if n else log.header.created
    lines, hashes = _chained(file_lines, n + 1, (log.hashes[-1], above), keys, _kind(log.header))
    if n + len(lines) > EVENTS_LIMIT:
        raise FileFault(0, "too-many-events", most=EVENTS_LIMIT)
    longer, known = followed_by(log.lines, lines), followed_by(log.hashes, hashes)
    return replace(log, lines=longer, hashes=known, checkpoint=None, keys=tuple(keys))


def closed(log: Log, note: str) -> Log:
    """The log with the host's note over its last event.

    Raises:  FileFault as `open_file` of its checkpoint
    """
    n = len(log.lines)
    _require_checkpoint(log.keys[-1][1], note, Head(log.origin, n, log.hashes[-1]), n + 2)
    return replace(log, checkpoint=note)


def _chained(
    file_lines: Sequence[bytes], first: int, before: tuple[bytes, str], keys: list[tuple[int, Verifier]], of: LogKind
) -> tuple[list[bytes], list[bytes]]:
    """The lines of the events from `first` on as they were hashed, and their hashes; a change of the host's key enters
    `keys`. `before` are hash and time before them.

    Raises:  FileFault
    """
    lines: list[bytes] = []
    hashes: list[bytes] = []
    head, above = before
    for n, file_line in enumerate(file_lines, first):
        event = record.require_event_line(file_line, n, above, of.version)
        above = event.at
        line, hash_member = record.split_hash(file_line, n + 1)
        chained = sha256(head + line)
        if hash_member != b',"hash":"%b"' % chained.hexdigest().encode("ascii"):
            raise FileFault(n + 1, "wrong-hash", expected=chained.hexdigest())
        head = chained.digest()
        lines.append(line)
        hashes.append(head)
        if file_line.endswith(_KEY_CHANGED):
            keys.append((n, _new_key(keys[-1][1], of.origin, event.data, n + 1)))
    return lines, hashes


def require_prefix(log: HeadedLog, note: str) -> Head:
    """The head in a note, if it is an earlier (or the same) head of this very log.

    Raises:  BadNote (`other-battle` …) if it is not a head of this battle by its host; FileFault `other-history` on the
             line of its event, or `shorter-than-head` if the file ends before it
    """
    claimed = notes.unverified_head(note)
    if claimed.origin != log.origin:
        raise BadNote("other-battle")
    # A head beyond the end of this file is signed by the last key we know, or proves nothing here.
    notes.open_head(log.key_at(min(claimed.n, len(log.lines))), note)
    if claimed.n > len(log.lines):
        raise FileFault(0, "shorter-than-head", head=claimed.n, n=len(log.lines))
    if log.hashes[claimed.n] != claimed.hash:
        found = log.hashes[claimed.n].hex()
        raise FileFault(claimed.n + 1, "other-history", expected=claimed.hash.hex(), found=found)
    return claimed


def file_bytes(header_line: bytes, lines: Sequence[bytes], note: str | None) -> bytes:
    """A battle file from its stored lines: concatenation and hashes only, no line is re-encoded."""
    out = [header_line]
    head = record.first_hash(header_line)
    for line in lines:
        head = record.next_hash(head, line)
        out.append(record.splice_hash(line, head))
    if note is not None:
        out.append(record.checkpoint_line(note))
    out.append(b"")
    return b"\n".join(out)


def _verifier(key: str, number: int) -> Verifier:
    try:
        return Verifier(key)
    except BadNote as fault:
        raise FileFault(number, fault.what) from None


def _new_key(old: Verifier, log_origin: str, data: dict[str, Any], number: int) -> Verifier:
    try:
        new = notes.require_new_key(old, log_origin, data["key"], data["signature"])
    except BadNote as fault:
        raise FileFault(number, fault.what) from None
    except (KeyError, TypeError, AttributeError):
        raise FileFault(number, "wrong-data", type="KeyChanged") from None
    if new.name != old.name:
        raise FileFault(number, "other-name", expected=old.name, found=new.name)
    return new


def _require_checkpoint(verifier: Verifier, note: str, expected: Head, number: int) -> None:
    try:
        head = notes.open_head(verifier, note)
    except BadNote as fault:
        raise FileFault(number, fault.what) from None
    if head != expected:
        raise FileFault(number, "other-head", expected=(expected.origin, expected.n), found=(head.origin, head.n))
