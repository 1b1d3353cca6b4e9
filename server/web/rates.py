"""How often one address, one account and everybody together may do what costs the server something.

The windows slide, and are kept in memory: after a restart they are empty. They are generous for people who play, and a
program that plays for one of them. `Limits.rates` of the settings turns them off.
"""

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping

from limits import RateLimitItem, parse_many
from limits.storage.base import MovingWindowSupport, Storage
from limits.strategies import MovingWindowRateLimiter
from msgspec import Struct
from msgspec.structs import asdict

from domain.engine.errors import Refusal
from server.web.networks import counted_as


class Rate(Struct, frozen=True):
    """How often something may be done, in the notation of `limits` ("20 per hour; 60 per day"); "" without limit."""

    address: str = ""
    account: str = ""
    server: str = ""


USUAL: dict[str, Rate] = {
    "guest": Rate(address="20 per hour; 60 per day", server="600 per hour"),
    "battle": Rate(address="60 per hour", account="30 per hour", server="1200 per hour"),
    "bot": Rate(address="60 per hour", account="30 per hour", server="1200 per hour"),
    "seat": Rate(address="120 per hour", account="60 per hour"),
    "orders": Rate(address="600 per minute", account="240 per minute"),
    "refused": Rate(address="20000 per hour", account="5000 per hour", server="50000 per hour"),
    "preview": Rate(address="120 per minute", account="60 per minute"),
    "picture": Rate(address="300 per minute"),
    "army": Rate(address="120 per minute"),
    "deed": Rate(address="240 per minute", account="60 per minute"),
    "words": Rate(address="120 per hour", account="60 per hour"),
    "letter": Rate(address="6 per day", account="3 per day", server="60 per hour; 300 per day"),
    "guest-letter": Rate(address="3 per day", account="2 per day", server="20 per hour; 100 per day"),
    "login": Rate(address="60 per 10 minutes"),
    "miss": Rate(address="100 per 10 minutes"),
}
"""The rates, by what is done (docs/http.md). `letter` is one to an address that has not answered yet, `guest-letter`
one that an account without an address asks for; `miss` the name of a battle, or a token, that there is not;
`refused` a line of a script that the rules refuse, whose answer the store keeps."""
NO_RATES = dict.fromkeys(USUAL, Rate())
"""Everything as often as anybody likes."""
KEYS_KEPT = 50_000
"""Above this number of keys, those without a recent entry are dropped; if none is, the older half."""


class SlidingWindows(Storage, MovingWindowSupport):
    """Entries of `limits` in memory, by a clock that is handed in (seconds). The package's own has the system's."""

    STORAGE_SCHEME = None

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__()
        self._now = now
        self._entries: dict[str, deque[float]] = {}
        self._longest = 0

    def __len__(self) -> int:
        return len(self._entries)

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count one more, if it fits."""
        _, count = self.get_moving_window(key, limit, expiry)
        if count + amount > limit:
            return False
        self._longest = max(self._longest, expiry)
        if len(self._entries) >= KEYS_KEPT:
            self._forget()
        self._entries.setdefault(key, deque(maxlen=limit)).extend([self._now()] * amount)
        return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """The start of the window, its oldest entry, and how many entries it has. An entry of the future, from a clock
        that was put back since, counts no longer."""
        entries, now = self._entries.get(key), self._now()
        while entries and not now - expiry < entries[0] <= now:
            entries.popleft()
        return (entries[0], len(entries)) if entries else (now, 0)

    def _forget(self) -> None:
        before = self._now() - self._longest
        kept = [(key, entries) for key, entries in self._entries.items() if entries and entries[-1] > before]
        self._entries = dict(kept if len(kept) < KEYS_KEPT else kept[KEYS_KEPT // 2 :])

    @property
    def base_exceptions(self) -> tuple[type[Exception], ...]:
        """None of its own."""
        return ()

    def get(self, key: str) -> int:
        """The number of entries, old ones too."""
        return len(self._entries.get(key, ()))

    def clear(self, key: str) -> None:
        """Forget a key."""
        self._entries.pop(key, None)

    def reset(self) -> int:
        """Forget everything."""
        count = len(self._entries)
        self._entries.clear()
        return count

    def check(self) -> bool:
        """Always well."""
        return True

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Refuse: that is of fixed windows."""
        raise NotImplementedError

    def get_expiry(self, key: str) -> float:
        """Refuse: that is of fixed windows."""
        raise NotImplementedError


_Window = tuple[RateLimitItem, tuple[str, str, str]]
"""A limit, and what it counts: the kind, who is counted, and their name."""


class RateLimits:
    """What has been done of late. `now`: a clock, in seconds."""

    def __init__(self, now: Callable[[], float], rates: Mapping[str, Rate] = USUAL) -> None:
        self._now = now
        self._windows_kept = SlidingWindows(now)
        self._limiter = MovingWindowRateLimiter(self._windows_kept)
        self._limits = {
            kind: tuple((who, tuple(parse_many(text))) for who, text in asdict(rate).items() if text)
            for kind, rate in rates.items()
        }

    def __len__(self) -> int:
        return len(self._windows_kept)

    def require(self, kind: str, address: str, account: str = "") -> None:
        """Refuse what would be too often, without counting it. An `address` or `account` "" is not counted by itself.

        Raises: Refusal core.too-many
        """
        for item, key in self._windows(kind, address, account):
            if not self._limiter.test(item, *key):
                wait_s = math.ceil(self._limiter.get_window_stats(item, *key).reset_time - self._now())
                raise Refusal("core.too-many", "CORE-ACCESS", wait=max(1, wait_s), what=kind)

    def spend(self, kind: str, address: str, account: str = "") -> None:
        """Count something under all its limits, or refuse it.

        Raises: Refusal core.too-many
        """
        self.require(kind, address, account)
        for item, key in self._windows(kind, address, account):
            self._limiter.hit(item, *key)

    def count(self, kind: str, times: int, address: str, account: str = "") -> None:
        """Count what has been done already, `times` at once; beyond a limit the next `require` refuses."""
        for item, key in self._windows(kind, address, account):
            room = self._limiter.get_window_stats(item, *key).remaining
            if cost := min(times, room):
                self._limiter.hit(item, *key, cost=cost)

    def _windows(self, kind: str, address: str, account: str) -> Iterator[_Window]:
        subjects = {"address": counted_as(address), "account": account, "server": "all"}
        for who, items in self._limits[kind]:
            if subjects[who]:
                for item in items:
                    yield item, (kind, who, subjects[who])
