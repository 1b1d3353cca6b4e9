"""How often one address, one account and everybody together may do what costs the server something.

The windows slide, and are kept in memory: after a restart they are empty. They are generous for people who play, and a
program that plays for one of them. `Limits.rates` of the settings turns them off.

`limits` reads the notation. Its windows are not used: several are asked at every request, and each cost more there
than reading the request does.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from limits import parse_many
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
    "draft": Rate(address="240 per minute", account="120 per minute"),
    "picture": Rate(address="300 per minute"),
    "army": Rate(address="120 per minute"),
    "deed": Rate(address="240 per minute", account="60 per minute"),
    "words": Rate(address="120 per hour", account="60 per hour"),
    "letter": Rate(address="6 per day", account="3 per day", server="60 per hour; 300 per day"),
    "claim": Rate(address="6 per day", account="3 per day", server="600 per hour"),
    "link": Rate(address="10 per hour", server="120 per hour; 600 per day"),
    "login": Rate(address="60 per 10 minutes"),
    "miss": Rate(address="100 per 10 minutes"),
}
"""The rates, by what is done (docs/http.md). `link` is a letter by which somebody logs in, `letter` one to an address
that has not answered yet, `claim` an address that a guest calls theirs, which is sent nothing; `miss` the name of a
battle, or a token, that there is not; `refused` a line of a script that the rules refuse, whose answer the store
keeps."""
NO_RATES = dict.fromkeys(USUAL, Rate())
"""Everything as often as anybody likes."""
KEYS_KEPT = 50_000
"""Above this number of keys, those without a recent entry are dropped; if none is, the older half."""


class _Window(Struct, frozen=True, eq=False):
    """A limit: `amount` times in `span_s` for each subject; `who` is the member of `Rate` that it stands in."""

    kind: str
    who: str
    amount: int
    span_s: int


_Key = tuple[_Window, str]
"""A limit and who is counted under it."""
_Entries = deque[float]
"""When something was done (seconds of the clock), oldest first."""


class RateLimits:
    """What has been done of late. `now`: a clock, in seconds."""

    def __init__(self, now: Callable[[], float], rates: Mapping[str, Rate] = USUAL) -> None:
        self._now = now
        self._windows = {kind: tuple(_windows(kind, rate)) for kind, rate in rates.items()}
        self._longest_s = max((window.span_s for some in self._windows.values() for window in some), default=0)
        self._entries: dict[_Key, _Entries] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def require(self, kind: str, address: str, account: str = "") -> None:
        """Refuse what would be too often, without counting it. An `address` or `account` "" is not counted by itself.

        Raises: Refusal core.too-many
        """
        counted = [key for key in self._keys(kind, address, account) if key in self._entries]
        if counted:  # most people have done nothing of the kind
            self._require(counted, self._now())

    def spend(self, kind: str, address: str, account: str = "") -> None:
        """Count something under all its limits, or refuse it.

        Raises: Refusal core.too-many
        """
        keys, now = self._keys(kind, address, account), self._now()
        self._require(keys, now)
        for key in keys:
            self._counted(key).append(now)

    def count(self, kind: str, times: int, address: str, account: str = "") -> None:
        """Count what has been done already, `times` at once; beyond a limit the next `require` refuses."""
        now = self._now()
        for key in self._keys(kind, address, account):
            room = key[0].amount - len(self._recent(key, now))
            if room > 0:
                self._counted(key).extend([now] * min(times, room))

    def _keys(self, kind: str, address: str, account: str) -> list[_Key]:
        """The limits of a kind, each with its subject."""
        subjects = {"address": counted_as(address), "account": account, "server": "all"}
        return [(window, subject) for window in self._windows[kind] if (subject := subjects[window.who])]

    def _require(self, keys: Iterable[_Key], now: float) -> None:
        for key in keys:
            window, entries = key[0], self._recent(key, now)
            if len(entries) >= window.amount:
                wait_s = math.ceil(entries[0] + window.span_s - now)
                raise Refusal("core.too-many", "CORE-ACCESS", wait=max(1, wait_s), what=window.kind)

    def _recent(self, key: _Key, now: float) -> Sequence[float]:
        """The entries in the window. One of the future, from a clock that was put back since, counts no longer."""
        entries = self._entries.get(key)
        if entries is None:
            return ()
        span_s = key[0].span_s
        while entries and not now - span_s < entries[0] <= now:
            entries.popleft()
        return entries

    def _counted(self, key: _Key) -> _Entries:
        """The entries under a limit, to add to them."""
        entries = self._entries.get(key)
        if entries is None:
            if len(self._entries) >= KEYS_KEPT:
                self._forget()
            entries = self._entries[key] = deque()
        return entries

    def _forget(self) -> None:
        before = self._now() - self._longest_s
        kept = [(key, entries) for key, entries in self._entries.items() if entries and entries[-1] > before]
        self._entries = dict(kept if len(kept) < KEYS_KEPT else kept[KEYS_KEPT // 2 :])


def _windows(kind: str, rate: Rate) -> Iterator[_Window]:
    for who, text in asdict(rate).items():
        for item in parse_many(text) if text else ():
            yield _Window(kind, who, item.amount, item.get_expiry())
