"""How often an address may read: pages, battles, logs.

A crowd behind one address reads the same: what is made once for all of them counts little. A bucket for each address,
in memory: it fills evenly, and holds what a person with many tabs may ask for at once. A bucket that is full again is
like one that was never touched, so old ones can be dropped.
"""

import math
from collections.abc import Callable

from domain.engine.errors import Refusal
from server.web.networks import counted_as

READ = "read"
FILE_COST = 10
"""A battle file, or a long part of a log, in plain answers."""
SHARED_COST = 0.05
"""An answer that is made once for all who ask for it, and the stream of a battle: what is made is counted whole."""
KEYS_KEPT = 50_000


class ReadingRate:
    """The buckets. `per_s`: answers a second that fill one, 0: without limit; `most`: what it holds; `now`: a clock, in
    seconds."""

    def __init__(self, per_s: float, most: int, now: Callable[[], float]) -> None:
        self._per_s = per_s
        self._most = most
        self._now = now
        self._used: dict[str, tuple[float, float]] = {}
        self.refused = 0

    def __len__(self) -> int:
        return len(self._used)

    def spend(self, address: str, cost: float = 1) -> None:
        """Count an answer for an address, or an account, or refuse it. An address "" is not counted.

        Raises: Refusal core.too-many
        """
        if not self._per_s or not address:
            return
        key, now = counted_as(address), self._now()
        used, at = self._used.get(key, (0.0, now))
        used = max(0.0, used - (now - at) * self._per_s)
        if used + cost > self._most:
            wait_s = math.ceil((used + cost - self._most) / self._per_s)
            raise Refusal("core.too-many", "CORE-ACCESS", wait=max(1, wait_s), what=READ, who="address")
        if key not in self._used and len(self._used) >= KEYS_KEPT:
            self._forget(now)
        self._used[key] = (used + cost, now)

    def _forget(self, now: float) -> None:
        """Drop the buckets that are full again; if there is none, the older half."""
        kept = {key: (used, at) for key, (used, at) in self._used.items() if used > (now - at) * self._per_s}
        if len(kept) >= KEYS_KEPT:
            kept = dict([*kept.items()][KEYS_KEPT // 2 :])
        self._used = kept
