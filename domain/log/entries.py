"""The entries of a host's Merkle log, and the checkpoints over it (docs/witnesses.md).

An entry is canonical JSON: which head a battle had. The battle is named by a hash, so that a private id stays private.
A checkpoint is the text of a C2SP tlog-checkpoint: the origin, the number of entries, the base64 of the root.
"""

from base64 import b64decode, b64encode
from hashlib import sha256
from typing import Literal

from msgspec import Struct

from domain.basics.decoding import decode
from domain.log.canonical import canonical
from domain.log.merkle import HASH_BYTES

__all__ = ["ENDED", "HEAD", "KEY", "OPENED", "STOPPED", "Checkpoint", "LogEntry", "battle_name", "log_origin"]

OPENED, HEAD, ENDED, STOPPED, KEY = "opened", "head", "ended", "stopped", "key"
MOST_SIZE = 1 << 53
MOST_ORIGIN = 300


class LogEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """That a battle had a hash (hex) at event `n`, and why it was entered."""

    battle: str
    hash: str
    n: int
    what: Literal["opened", "head", "ended", "stopped", "key"]

    def content(self) -> bytes:
        """The entry as it is hashed."""
        return canonical(self)

    @classmethod
    def read(cls, content: bytes) -> "LogEntry":
        """An entry from its bytes.

        Raises:  ValueError for anything but the canonical form of an entry
        """
        found = decode(content, cls)  # msgspec's errors are ValueErrors
        if found.content() != content or found.n < 1 or not (_is_hash(found.battle) and _is_hash(found.hash)):
            raise ValueError("not an entry")
        return found


def battle_name(first: bytes) -> str:
    """The name of a battle in the log, from the hash of its first event: hex."""
    return sha256(b"phalera/tlog" + first).hexdigest()


def log_origin(host: str) -> str:
    """The name of a host's log, and of the key that signs it."""
    return f"{host}/phalera"


class Checkpoint(Struct, frozen=True):
    """A state of a log: how many entries it has, and the root over them (32 bytes)."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode('ascii')}\n"

    @classmethod
    def read(cls, text: str) -> "Checkpoint":
        """A checkpoint from its text; lines of extensions are no part of ours.

        Raises:  ValueError
        """
        origin, size, encoded, end = text.split("\n")
        found = cls(origin, int(size), b64decode(encoded, validate=True))
        is_bounded = 0 <= found.size <= MOST_SIZE and 0 < len(origin) <= MOST_ORIGIN
        if end or not is_bounded or len(found.root) != HASH_BYTES or found.text() != text:
            raise ValueError("not a checkpoint")
        return found


def _is_hash(text: str) -> bool:
    return len(text) == 2 * HASH_BYTES and all(mark in "0123456789abcdef" for mark in text)
