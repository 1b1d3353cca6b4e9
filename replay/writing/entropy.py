"""Bytes for secrets and ids, from a source that is always a parameter, so that a simulation can own it."""

from base64 import b32encode
from hashlib import sha256
from typing import Protocol

ID_BYTES = 5  # eight letters of base32
DIGEST_BYTES = 32


class Entropy(Protocol):
    """A source of bytes that nobody can guess."""

    def bytes(self, count: int) -> bytes:
        """`count` bytes."""


class SeededEntropy:
    """Bytes that follow from a seed: everybody who has it can compute them."""

    def __init__(self, seed: str) -> None:
        self._seed = sha256(b"phalera offline 1" + seed.encode()).digest()
        self._given = 0

    def bytes(self, count: int) -> bytes:
        """The next `count` bytes."""
        self._given += 1
        blocks = -(-count // DIGEST_BYTES)
        made = (self._seed + self._given.to_bytes(8) + block.to_bytes(8) for block in range(blocks))
        return b"".join(sha256(one).digest() for one in made)[:count]


def new_id(entropy: Entropy) -> str:
    """Eight letters and digits for a player: lower-case base32."""
    return b32encode(entropy.bytes(ID_BYTES)).decode("ascii").lower()
