"""How often one address, one account and everybody together may do what costs the server something.

The windows slide, and are kept in memory: after a restart they are empty. They are generous for people who play, and a
program that plays for one of them. The figures are in `server.limits`.

`limits` reads the notation. Its windows are not used: several are asked at every request, and each cost more there
than reading the request does.
"""

import math
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence

from limits import parse_many
from msgspec import Struct
from msgspec.structs import asdict

from domain.basics.errors import Refusal
from server.limits import USUAL, Rate
from server.web.networks import HOUSEHOLD_TIMES, counted_in

ADDRESS, ACCOUNT, SERVER, ALWAYS = "address", "account", "server", "always"
"""Whom a limit counts: the members of `Rate`."""
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
        self._wide = {
            window: _Window(window.kind, window.who, window.amount * HOUSEHOLD_TIMES, window.span_s)
            for windows in self._windows.values()
            for window in windows
        }
        self._longest_s = max((window.span_s for some in self._windows.values() for window in some), default=0)
        self._entries: dict[_Key, _Entries] = {}
        self.hits: Counter[tuple[str, str]] = Counter()
        """What was refused, by what it was and whom the limit counts."""

    def __len__(self) -> int:
        return len(self._entries)

    def figures(self) -> Iterator[tuple[str, str, int]]:
        """What is counted now: of everybody together how often each thing was done, else how many addresses or accounts
        have reached a limit."""
        now, found = self._now(), Counter[tuple[str, str]]()
        for windows in self._windows.values():
            for window in windows:
                found[window.kind, window.who] += 0
        for key in tuple(self._entries):
            window, count = key[0], len(self._recent(key, now))
            found[window.kind, window.who] += count if window.who == SERVER else count >= window.amount
        for (kind, who), count in found.items():
            if who != ALWAYS:
                yield kind, who, count

    def amounts(self) -> Iterator[tuple[str, str, str, int]]:
        """What each limit allows: what it is, whom it counts, in how many seconds, how often."""
        for windows in self._windows.values():
            for window in windows:
                yield window.kind, window.who, str(window.span_s), window.amount

    def require(self, kind: str, address: str, account: str = "") -> None:
        """Refuse what would be too often, without counting it. An `address` or `account` "" is not counted by itself.

        Raises: Refusal core.too-many
        """
        keys = self._keys(kind, address, account)
        if any(key in self._entries for key in keys):  # most people have done nothing of the kind
            self._require(keys, self._now())

    def spend(self, kind: str, address: str, account: str = "") -> None:
        """Count something under all its limits, or refuse it.

        Raises: Refusal core.too-many
        """
        keys, now = self._keys(kind, address, account), self._now()
        self._require(keys, now)
        for key in keys:
            self._entries_under(key).append(now)

    def times_over(self, kind: str, address: str) -> int:
        """How many times the tightest limit of something is used up; 0 below it."""
        keys, now = self._keys(kind, address, ""), self._now()
        return max((len(self._recent(key, now)) // key[0].amount for key in keys), default=0)

    def note(self, kind: str, address: str) -> None:
        """Count something under all its limits, also beyond them."""
        now = self._now()
        for key in self._keys(kind, address, ""):
            self._entries_under(key).append(now)

    def count(self, kind: str, times: int, address: str, account: str = "") -> None:
        """Count what has been done already, `times` at once; beyond a limit the next `require` refuses."""
        now = self._now()
        for key in self._keys(kind, address, account):
            room = key[0].amount - len(self._recent(key, now))
            if room > 0:
                self._entries_under(key).extend([now] * min(times, room))

    def _keys(self, kind: str, address: str, account: str) -> list[_Key]:
        """The limits of a kind, each with its subject."""
        places = counted_in(address)
        subjects = {ADDRESS: places[0][0] if places else "", ACCOUNT: account, SERVER: "all"}
        subjects[ALWAYS] = subjects[ACCOUNT] or subjects[ADDRESS]
        keys = [(window, subject) for window in self._windows[kind] if (subject := subjects[window.who])]
        if len(places) > 1:  # a household, too
            keys += [(self._wide[window], places[1][0]) for window, _ in keys if window.who == ADDRESS]
        return keys

    def _require(self, keys: Sequence[_Key], now: float) -> None:
        for key in keys:
            window = key[0]
            if window.who == ALWAYS or not self._is_reached(key, now):
                continue
            if window.who != ACCOUNT and self._may_always(keys, window.who, now):
                continue
            self.hits[window.kind, window.who] += 1
            wait_s = math.ceil(self._entries[key][0] + window.span_s - now)
            raise Refusal("core.too-many", "CORE-ACCESS", wait=max(1, wait_s), what=window.kind, who=window.who)

    def _is_reached(self, key: _Key, now: float) -> bool:
        return len(self._recent(key, now)) >= key[0].amount

    def _may_always(self, keys: Sequence[_Key], who: str, now: float) -> bool:
        """Whether somebody has done less than what they may do whatever others do: behind their address only with an
        account."""
        if who == ADDRESS and not any(key[0].who == ACCOUNT for key in keys):
            return False
        own = [key for key in keys if key[0].who == ALWAYS]
        return bool(own) and not any(self._is_reached(key, now) for key in own)

    def _recent(self, key: _Key, now: float) -> Sequence[float]:
        """The entries in the window. One of the future, from a clock that was put back since, counts no longer."""
        entries = self._entries.get(key)
        if entries is None:
            return ()
        span_s = key[0].span_s
        while entries and not now - span_s < entries[0] <= now:
            entries.popleft()
        return entries

    def _entries_under(self, key: _Key) -> _Entries:
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
