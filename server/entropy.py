"""Randomness that nobody can guess, of this machine, and the ids and secrets made of it."""

import os
from base64 import b32encode

from replay.writing.entropy import Entropy

BATTLE_BYTES = 10  # sixteen: whoever has the link of a battle may read it
SECRET_BYTES = 16


class SystemEntropy:
    """The operating system's randomness."""

    def bytes(self, count: int) -> bytes:
        """`count` bytes."""
        return os.urandom(count)


def new_battle_id(entropy: Entropy) -> str:
    """Sixteen letters and digits for a battle, which nobody can guess: lower-case base32."""
    return b32encode(entropy.bytes(BATTLE_BYTES)).decode("ascii").lower()


def new_secret(entropy: Entropy) -> str:
    """A token nobody can guess: 128 bits in 32 hex digits, which survive any mail program."""
    return entropy.bytes(SECRET_BYTES).hex()
