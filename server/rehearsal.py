"""A server whose chance follows from a seed, so that a test of it comes out alike each time.

Everybody who knows the seed knows every card. So a server takes one only under a name that nobody can have: the ends in
`.test` are reserved for tests (RFC 2606). That name stands in the header and in each signed head of its battles.
"""

from replay.writing.entropy import Entropy, SeededEntropy
from server.entropy import SystemEntropy
from server.settings import BadSetting, Settings

RESERVED = ".test"
FILE = "rehearsed"
"""In the data folder: how often a server with a seed has started there."""


class RepeatableEntropy:
    """Bytes that follow from a seed, from how often the server has started, and from how many of that length were asked
    for before: what is asked for by the way, a token say, does not change the secret of the next battle."""

    def __init__(self, seed: str, start: int) -> None:
        self._seed = f"{start} {seed}"
        self._streams: dict[int, SeededEntropy] = {}

    def bytes(self, count: int) -> bytes:
        """The next `count` bytes."""
        if count not in self._streams:
            self._streams[count] = SeededEntropy(f"{count} {self._seed}")
        return self._streams[count].bytes(count)


def require_reserved(settings: Settings) -> None:
    """Refuse a seed under a name that somebody could have.

    Raises: BadSetting
    """
    if settings.seed and not settings.host.endswith(RESERVED):
        raise BadSetting(
            f"With --seed everybody who knows it knows every card: it is for tests alone, under a --host that ends in"
            f" {RESERVED}, not “{settings.host}”."
        )


def entropy_of(settings: Settings) -> Entropy:
    """The randomness of a server: that of the system, or, with a seed, other bytes at each start on the data folder."""
    if not settings.seed:
        return SystemEntropy()
    file = settings.data / FILE
    starts = int(file.read_text()) + 1 if file.exists() else 1
    file.write_text(str(starts))
    return RepeatableEntropy(settings.seed, starts)
