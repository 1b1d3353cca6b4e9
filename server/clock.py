"""Time and entropy, handed in so that a simulation can own them.

Both enter the server as parameters (design.md 14), so that a simulation can own them.
"""

import os
from base64 import b32encode
from datetime import UTC, datetime, timedelta
from typing import Protocol

ID_BYTES = 5  # eight letters of base32
SECRET_BYTES = 16


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> str:
        """The time as the log writes it: `YYYY-MM-DDTHH:MM:SS.mmmZ`."""


class Entropy(Protocol):
    """Gives bytes that nobody can guess."""

    def bytes(self, count: int) -> bytes:
        """So many of them."""


class SystemClock:
    """The time of this machine."""

    def now(self) -> str:
        """The time as the log writes it."""
        return written(datetime.now(UTC))


class SystemEntropy:
    """The operating system's randomness."""

    def bytes(self, count: int) -> bytes:
        """So many bytes."""
        return os.urandom(count)


def written(moment: datetime) -> str:
    """A moment as the log writes it, to the millisecond."""
    return f"{moment.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def later(at: str, seconds: float) -> str:
    """A time so many seconds after another."""
    return written(datetime.fromisoformat(at) + timedelta(seconds=seconds))


def new_id(entropy: Entropy) -> str:
    """Eight letters and digits for a battle or a player: lower-case base32."""
    return b32encode(entropy.bytes(ID_BYTES)).decode("ascii").lower()


def new_secret(entropy: Entropy) -> str:
    """A token nobody can guess: 128 bits in 32 hex digits, which survive any mail program."""
    return entropy.bytes(SECRET_BYTES).hex()
