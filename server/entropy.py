"""Randomness that nobody can guess, and the ids and secrets made of it.

Entropy is always a parameter, so that a simulation can own it.
"""

import os
from base64 import b32encode
from hashlib import sha256
from typing import Protocol

ID_BYTES = 5  # eight letters of base32
BATTLE_BYTES = 10  # sixteen: whoever has the link of a battle may read it
SECRET_BYTES = 16
DIGEST_BYTES = 32


class Entropy(Protocol):
    """A source of bytes that nobody can guess."""

    def bytes(self, count: int) -> bytes:
        """`count` bytes."""


class SystemEntropy:
    """The operating system's randomness."""

    def bytes(self, count: int) -> bytes:
        """`count` bytes."""
        return os.urandom(count)


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


def new_battle_id(entropy: Entropy) -> str:
    """Sixteen letters and digits for a battle, which nobody can guess: lower-case base32."""
    return b32encode(entropy.bytes(BATTLE_BYTES)).decode("ascii").lower()


def new_secret(entropy: Entropy) -> str:
    """A token nobody can guess: 128 bits in 32 hex digits, which survive any mail program."""
    return entropy.bytes(SECRET_BYTES).hex()
