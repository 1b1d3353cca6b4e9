"""A small puzzle for newcomers while many guests are made: a browser solves it in a moment, a flood pays for each.

A ticket is a signed time; what solves it is a number that makes a digest of both begin with so many zero bits. Whoever
cannot compute waits instead, a while for each ticket, one at a time for each address. A ticket is good once, for the
address that got it, for ten minutes. Nothing is kept of tickets that nobody uses.
"""

import hmac
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256

from domain.basics.errors import Refusal
from replay.writing.entropy import Entropy
from server.web.networks import counted_as

LASTS_S = 600
WAIT_S = 20
"""How long whoever does not solve a ticket waits."""
LEAST_BITS, MOST_BITS = 15, 22
"""About 33,000 digests, a tenth of a second in a browser; and 4 million, some ten seconds."""
SECRET_BYTES = 32
KEPT = 100_000
"""Used tickets that are remembered; above that those of the oldest are forgotten, with their time."""


class Puzzles:
    """The tickets of one server; after a restart those that are out are worth nothing. `now`: a clock, in seconds."""

    def __init__(self, now: Callable[[], float], entropy: Entropy) -> None:
        self._now = now
        self._entropy = entropy
        self._used: dict[str, float] = {}
        self._waited: dict[str, float] = {}
        self.asked = self.solved = self.waited = 0
        """Tickets given out, solved, and waited for."""

    @cached_property
    def _secret(self) -> bytes:
        """Drawn when the first ticket is: most servers never ask for one."""
        return self._entropy.bytes(SECRET_BYTES)

    def require(self, address: str, ticket: str, solution: str, bits: int) -> None:
        """Use a ticket up, or ask for one.

        Raises: Refusal core.puzzle with a ticket, the bits that it takes now, and the seconds to wait instead
        """
        who, now = counted_as(address), self._now()
        made_s = self._made_at(ticket, who, now)
        if made_s is None:
            ticket, made_s = self._new(who, bits, now), now
            self.asked += 1
        elif is_solved(ticket, solution):
            self._use(ticket, now)
            self.solved += 1
            return
        ready_s = max(made_s, self._waited.get(who, 0.0)) + WAIT_S
        if now >= ready_s:
            self._use(ticket, now)
            self._waited[who] = now
            self.waited += 1
            return
        wait_s = int(ready_s - now) + 1
        raise Refusal("core.puzzle", "CORE-ACCESS", ticket=ticket, bits=bits_of(ticket), wait=wait_s)

    def _new(self, who: str, bits: int, now: float) -> str:
        head = f"{int(now)}.{min(max(bits, LEAST_BITS), MOST_BITS)}.{self._entropy.bytes(8).hex()}"
        return f"{head}.{self._mark(head, who)}"

    def _mark(self, head: str, who: str) -> str:
        return hmac.new(self._secret, f"{head} {who}".encode(), sha256).hexdigest()[:32]

    def _made_at(self, ticket: str, who: str, now: float) -> float | None:
        """When a ticket was given to somebody; None for one that is not theirs, too old, or used."""
        head, _, mark = ticket[:200].rpartition(".")
        if not hmac.compare_digest(mark.encode(), self._mark(head, who).encode()) or ticket in self._used:
            return None
        made_s = int(head.partition(".")[0])
        return float(made_s) if made_s <= now + 1 and now - made_s < LASTS_S else None

    def _use(self, ticket: str, now: float) -> None:
        for times in (self._used, self._waited):
            while times and (len(times) >= KEPT or next(iter(times.values())) < now - LASTS_S):
                del times[next(iter(times))]  # they stand in the order in which they were used
        self._used[ticket] = now


def bits_of(ticket: str) -> int:
    """The zero bits that solve a ticket of ours."""
    return int(ticket.split(".")[1])


def is_solved(ticket: str, solution: str) -> bool:
    """Whether a number solves a ticket of ours."""
    if not (solution.isascii() and solution.isdigit() and len(solution) < 20):
        return False
    digest = sha256(f"{ticket} {solution}".encode()).digest()
    return int.from_bytes(digest) >> (8 * len(digest) - bits_of(ticket)) == 0


def bits_for(times: int) -> int:
    """The bits of a ticket where so many times as many guests have been made as cost nothing: one for each doubling."""
    return LEAST_BITS + max(times, 1).bit_length() - 1
