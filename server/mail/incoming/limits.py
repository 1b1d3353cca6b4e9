"""Limits on mail from one sender, to one token, and in all.

Sliding windows in memory: after a restart they are empty, which admits at most one more window's worth. Refused mail
does not count. The figures are those of Zulip's mail intake, and our own for single senders.
"""

from collections import deque
from datetime import datetime
from typing import NamedTuple

from server.mail.incoming.identity import Sender
from server.mail.verdict import MailReading


class Window(NamedTuple):
    """At most `most` in any `seconds`."""

    most: int
    seconds: int


WHOLE, SENDER, TOKEN, ANSWER, OVER = "whole", "sender", "token", "answer", "over"
STRANGER, STRANGERS, AWAY, DOUBTED, EXPECTED = "stranger", "strangers", "away", "doubted", "expected"
LIMITS: dict[str, tuple[Window, ...]] = {
    WHOLE: (Window(50, 60), Window(120, 300), Window(600, 3600)),
    SENDER: (Window(10, 60), Window(60, 3600)),
    TOKEN: (Window(10, 60), Window(60, 3600)),
    ANSWER: (Window(20, 86400),),
    OVER: (Window(4, 3600),),
    STRANGER: (Window(1, 86400),),
    STRANGERS: (Window(10, 3600), Window(50, 86400)),
    DOUBTED: (Window(10, 86400),),
    EXPECTED: (Window(20, 60), Window(120, 3600)),
    AWAY: (Window(1, 86400),),
}
"""The limits: all mail, mail from an address, mail to a token, answers to an address, answers saying that a token's
question is over, the help that strangers ask for (one stranger, all strangers), the offer of a vacation, answers to
mails that others may have written, and mail to a known token, which does not count towards all mail."""
KEYS_KEPT = 20_000
"""Above this number of keys, those without recent mail are dropped."""


class RecentMail:
    """Recent mail. Times are those of `server.clock`, and do not run backwards by more than a window."""

    def __init__(self, limits: dict[str, tuple[Window, ...]] = LIMITS) -> None:
        self._limits = limits
        self._seen: dict[str, deque[float]] = {}

    def allow(self, key: str, now: str) -> bool:
        """Whether one more is allowed; if so it is counted. `key` is the kind and the subject: `whole`,
        `sender:a@example.org`."""
        return self.allow_all((key,), now)

    def allow_all(self, keys: tuple[str, ...], now: str) -> bool:
        """Whether one more is allowed under each of these keys. It is counted under all of them or none."""
        at = datetime.fromisoformat(now).timestamp()
        if not all(self._fits(key, at) for key in keys):
            return False
        if len(self._seen) > KEYS_KEPT:
            self._forget(at)
        for key in dict.fromkeys(keys):
            self._seen.setdefault(key, deque()).append(at)
        return True

    def _fits(self, key: str, at: float) -> bool:
        windows = self._windows(key)
        seen = self._seen.get(key, deque())
        longest = max(window.seconds for window in windows)
        while seen and seen[0] <= at - longest:
            seen.popleft()
        return all(sum(time > at - window.seconds for time in seen) < window.most for window in windows)

    def _windows(self, key: str) -> tuple[Window, ...]:
        return self._limits[key.partition(":")[0]]

    def _forget(self, at: float) -> None:
        for key in list(self._seen):
            longest = max(window.seconds for window in self._windows(key))
            if not self._seen[key] or self._seen[key][-1] <= at - longest:
                del self._seen[key]


def counted(reading: MailReading, who: Sender) -> tuple[str, ...]:
    """The limits that a mail counts under: a trusted mail only under those of its token."""
    if who.token is not None and not who.doubt:
        return (f"{TOKEN}:{who.token.digest.hex()}",)
    return (f"{SENDER}:{reading.sender}",)
