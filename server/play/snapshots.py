"""Snapshots of battles, so that one comes back into memory without folding its whole log.

A snapshot is what a recording goes on from at an event (`recording.Position`). It is a cache: written now and then
behind the orders, in a file of its own, and thrown away without a word if it does not fit. It fits if its digest is
right, which is taken over its content, the battle, the version of the rules, and the text of all modules and tables of
`domain`; and if the store has its event with its hash. So a fold by any other program is never taken over. `verify`
and the audit read logs alone and know nothing of snapshots.

A state that does not come back equal from its bytes is not kept: a game with values of its own kind in its state is
folded from its log each time, and nothing is wrong.
"""

import asyncio
import logging
import threading
import zlib
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.basics.decoding import packed_decoder
from domain.basics.errors import Refusal
from domain.contract.ruleset import Ruleset
from domain.engine.event_map import EventMap
from domain.engine.positions import freeze, thaw
from domain.run.seats import Battle
from domain.run.timeline import Milestone
from domain.time.clock import Clocks
from replay.writing.recording import Recording, RecordingPosition
from server.store.cache_file import CacheFile

log = logging.getLogger(__name__)

EVERY = 128
"""Events of a battle from one snapshot to the next: about as many are folded when it comes back into memory."""
FILE = "snapshots.db"
DIGEST_BYTES = 32


class _Content(Struct, frozen=True, array_like=True):
    """A position as bytes: `battle` without its game, which is plain data (`domain.engine.positions`)."""

    battle: Battle
    game: dict[str, Any]
    runs: tuple[tuple[int, int], ...]
    run_start: int
    head: bytes
    clocks: Clocks | None
    rules_changed: int
    streams: tuple[tuple[int, str, bytes, int], ...]
    written: int


def _plain(value: Any) -> Any:
    if isinstance(value, EventMap):
        return list(value.items())
    raise NotImplementedError(type(value))


def _read(kind: type, value: Any) -> Any:
    if kind is not EventMap:
        raise NotImplementedError(kind)
    made = EventMap()
    for n, number in value:
        made = made.with_event(n, number)
    return made


_ENCODER = msgspec.msgpack.Encoder(enc_hook=_plain)
_DECODER = packed_decoder(_Content, dec_hook=_read)


def encoded(battle: str, ruleset: Ruleset, position: RecordingPosition) -> bytes | None:
    """A position as a snapshot; None if its state does not come back equal."""
    milestone = position.milestone
    game = milestone.battle.game
    try:
        content = _Content(
            replace(milestone.battle, game=None),
            freeze(game),
            milestone.runs,
            milestone.run_start,
            position.head,
            position.clocks,
            position.rules_changed,
            position.streams,
            position.written,
        )
        packed = zlib.compress(_ENCODER.encode(content), 1)
        snapshot = _digest(battle, ruleset, packed) + packed
        found = decoded(battle, ruleset, snapshot)
        return snapshot if found is not None and replace(found, size=position.size) == position else None
    except (msgspec.MsgspecError, NotImplementedError, TypeError, Refusal):
        return None


def decoded(battle: str, ruleset: Ruleset, snapshot: bytes) -> RecordingPosition | None:
    """The position in a snapshot; None if it is damaged, or not of this battle, these rules, this program."""
    packed = snapshot[DIGEST_BYTES:]
    if snapshot[:DIGEST_BYTES] != _digest(battle, ruleset, packed):
        return None
    unpacked = zlib.decompress(packed)
    content = _DECODER.decode(unpacked)
    game = thaw(type(ruleset.rules.initial), ruleset.asked, content.game)
    milestone = Milestone(replace(content.battle, game=game), content.runs, content.run_start)
    return RecordingPosition(
        milestone,
        content.head,
        content.clocks,
        content.rules_changed,
        content.streams,
        content.written,
        len(unpacked),
    )


def _digest(battle: str, ruleset: Ruleset, packed: bytes) -> bytes:
    of = msgspec.json.encode([battle, ruleset.code, ruleset.version])
    return sha256(program() + of + packed).digest()


@cache
def program() -> bytes:
    """A digest of all that a fold depends on: the modules and tables of `domain`."""
    digest = sha256()
    for path, file in _texts("", files("domain")):
        content = file.read_bytes()
        digest.update(b"%b %d\n%b" % (path.encode(), len(content), content))
    return digest.digest()


def _texts(path: str, folder: Traversable) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = f"{path}/{entry.name}"
        if entry.is_dir():
            found += _texts(name, entry)
        elif name.endswith((".py", ".toml")):
            found.append((name, entry))
    return found


class Snapshots:
    """The snapshots of a server's battles. They are written by a thread of its own, which is started by the first."""

    def __init__(self, folder: Path) -> None:
        self._file = CacheFile(folder / FILE)
        self._waiting: dict[str, tuple[Ruleset, RecordingPosition]] = {}
        self._changed = threading.Condition()
        self._closing = False
        self._thread: threading.Thread | None = None

    def find(self, battle: str, ruleset: Ruleset) -> RecordingPosition | None:
        """The newest position kept of a battle, if it fits; not for the event loop."""
        with self._changed:
            waiting = self._waiting.get(battle)
        if waiting is not None:
            return waiting[1]
        snapshot = self._file.get(battle)
        try:
            return decoded(battle, ruleset, snapshot) if snapshot else None
        except (msgspec.MsgspecError, zlib.error, Refusal):
            log.exception("a snapshot of battle %s has the right digest and cannot be read", battle)
            return None

    def follow(self, recording: Recording) -> None:
        """Have a snapshot of a recording written soon, if it has gone on far enough since the last one."""
        if recording.battle.n < recording.snapshot_n + EVERY:
            return
        recording.snapshot_n = recording.battle.n
        with self._changed:
            if self._closing:
                return
            self._waiting[recording.gid] = recording.ruleset, recording.position
            if self._thread is None:
                self._thread = threading.Thread(target=self._write, name="snapshots", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _write(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if not self._waiting:
                    return
                taken = dict(self._waiting)
            made = {battle: encoded(battle, *of) for battle, of in taken.items()}
            self._file.put({battle: content for battle, content in made.items() if content})
            with self._changed:
                for battle, of in taken.items():
                    if self._waiting.get(battle) is of:
                        del self._waiting[battle]

    async def close(self) -> None:
        """Write what waits, and close the file."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
        self._file.close()
