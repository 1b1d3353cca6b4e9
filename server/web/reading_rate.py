"""How often an address may read: pages, battles, logs.

A crowd behind one address reads the same: what is made once for all of them counts little. A bucket for each address,
in memory: it fills evenly, and holds what a person with many tabs may ask for at once. A bucket that is full again is
like one that was never touched, so old ones can be dropped.
"""

import math
from collections.abc import Callable

from domain.basics.errors import Refusal
from server.limits import Reads
from server.web.networks import counted_in

READ = "read"
FILE_COST = 10
"""A battle file, or a long part of a log, in plain answers."""
SHARED_COST = 0.05
"""An answer that is made once for all who ask for it, and the stream of a battle: what is made is counted whole."""
SHARED = frozenset(
    {
        "/battles/{id}",
        "/battles/{id}/units",
        "/battles/{id}/moment",
        *(f"/api/v1/battles/{{id}}{part}" for part in ("", "/stream", "/events", "/board", "/export")),
    }
)
"""What a crowd asks for, by its route: made once for all, and counted whole for whoever has it
made (`server.web.waiting`)."""
KEYS_KEPT = 50_000


class ReadingRate:
    """The buckets. `now`: a clock, in seconds."""

    def __init__(self, reads: Reads, now: Callable[[], float]) -> None:
        self._per_s = reads.per_s
        self._most = reads.at_once
        self._now = now
        self._used: dict[str, tuple[float, float]] = {}
        self.refused = 0

    def __len__(self) -> int:
        return len(self._used)

    def exhausted(self) -> int:
        """How many addresses and accounts may ask for nothing more at this moment."""
        now = self._now()
        return sum(self._left(key, 1, now) + 1 > self._most for key in self._used) if self._per_s else 0

    def spend(self, address: str, cost: float = 1) -> None:
        """Count an answer for an address, or an account, or refuse it. An address "" is not counted.

        Raises: Refusal core.too-many
        """
        if not self._per_s:
            return
        now = self._now()
        found = [(key, times, self._left(key, times, now)) for key, times in counted_in(address)]
        for _, times, used in found:
            if used + cost > self._most * times:
                wait_s = math.ceil((used + cost - self._most * times) / (self._per_s * times))
                raise Refusal("core.too-many", "CORE-ACCESS", wait=max(1, wait_s), what=READ, who="address")
        for key, _, used in found:
            if key not in self._used and len(self._used) >= KEYS_KEPT:
                self._forget(now)
            self._used[key] = (used + cost, now)

    def _left(self, key: str, times: int, now: float) -> float:
        """What is still counted of what was done."""
        used, at = self._used.get(key, (0.0, now))
        return max(0.0, used - (now - at) * self._per_s * times)

    def _forget(self, now: float) -> None:
        """Drop the buckets that are full again; if there is none, the older half."""
        kept = {key: (used, at) for key, (used, at) in self._used.items() if used > (now - at) * self._per_s}
        if len(kept) >= KEYS_KEPT:
            kept = dict([*kept.items()][KEYS_KEPT // 2 :])
        self._used = kept


def cost_of(route: str) -> float:
    """What the answer of a route counts before anything is made for it."""
    return SHARED_COST if route in SHARED else 1
