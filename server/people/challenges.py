"""What a device has to sign before it lets somebody in: random bytes, good once, for a few minutes.

They are kept in memory: one process plays, and after a restart a player just asks again.
"""

from collections.abc import Callable
from typing import NamedTuple

from replay.writing.entropy import Entropy

LASTS_S = 5 * 60
"""How long a challenge can be answered."""
MOST = 10_000
"""Challenges that are open at once; above that the oldest is forgotten."""
CHALLENGE_BYTES = 32


class _OpenChallenge(NamedTuple):
    owner: str
    until_s: float


class Challenges:
    """The challenges that nobody has answered yet. `now_s`: a clock, in seconds."""

    def __init__(self, now_s: Callable[[], float], entropy: Entropy, most: int = MOST) -> None:
        self._now_s = now_s
        self._entropy = entropy
        self._most = most
        self._open: dict[bytes, _OpenChallenge] = {}

    def __len__(self) -> int:
        return len(self._open)

    def new(self, owner: str = "") -> bytes:
        """A challenge for a player who adds a passkey, or ("") for somebody who logs in."""
        now_s = self._now_s()
        while self._open and (len(self._open) >= self._most or next(iter(self._open.values())).until_s <= now_s):
            del self._open[next(iter(self._open))]  # they stand in the order in which they were made
        challenge = self._entropy.bytes(CHALLENGE_BYTES)
        self._open[challenge] = _OpenChallenge(owner, now_s + LASTS_S)
        return challenge

    def take(self, challenge: bytes, owner: str = "") -> bool:
        """Use a challenge up; whether it was open, for this owner. One that was shown to another is gone, too."""
        found = self._open.pop(challenge, None)
        return found is not None and found.owner == owner and self._now_s() < found.until_s
