"""A postman who takes every mail and then loses, delays, doubles or swaps some: the network on its worst day.

It stands between two mail servers, says 250 to each mail, and decides then by its seed: what it loses is lost for
good, without a word to anybody. What it passes on it tries until the other side has taken it.
"""

import random
import smtplib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from typing import Any, NamedTuple

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope

from tests.mailhost.loopback import HOST, free_ports
from tests.support.waiting import LIMIT_S

RETRY_S = 0.2


class Habits(NamedTuple):
    """How often, of a hundred mails, it does what; how long it keeps a mail that it delays, in seconds."""

    lose: int = 0
    delay: int = 0
    double: int = 0
    swap: int = 0
    delay_s: float = 1.5


class Carried(NamedTuple):
    """A mail that was taken in, and what is done with it: `passed`, `lost`, `delayed`, `doubled`, `swapped`."""

    number: int
    fate: str
    message_id: str
    sender: str
    recipients: tuple[str, ...]
    content: bytes


class Answered(NamedTuple):
    """The word of the other side about a mail passed on to it; `code` 250: it has taken it."""

    mail: Carried
    code: int
    said: str


class PostmanBetween:
    """Listens at `port`; passes mails on to `target`, both in LMTP or both in SMTP."""

    def __init__(self, target: int, seed: int, habits: Habits, lmtp: bool = True) -> None:
        self.target = target
        self.habits = habits
        self.lmtp = lmtp
        self.seed = seed
        (self.port,) = free_ports(1)
        self.carried: list[Carried] = []
        self.answered: list[Answered] = []
        self._due: list[tuple[float, Carried]] = []
        self._kept: Carried | None = None
        self._changed = threading.Condition()
        self._ended = False
        self._controller = _Listener(self, hostname=HOST, port=self.port, ready_timeout=LIMIT_S)
        self._thread = threading.Thread(target=self._walk, name="postman", daemon=True)

    def fates(self) -> dict[str, int]:
        """How many mails had which fate."""
        with self._changed:
            names = [mail.fate for mail in self.carried]
        return {name: names.count(name) for name in sorted({*names})}

    def is_idle(self) -> bool:
        """Is nothing on its way?"""
        with self._changed:
            return not self._due and self._kept is None

    def start(self) -> None:
        """Go to work."""
        self._controller.start()
        self._thread.start()

    def stop(self) -> None:
        """Stop; what is still on its way stays where it is."""
        self._controller.stop()
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join(LIMIT_S)

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Envelope) -> str:
        """Take a mail (aiosmtpd's hook)."""
        content = envelope.content if isinstance(envelope.content, bytes) else (envelope.content or "").encode()
        self._take(content, envelope.mail_from or "", tuple(envelope.rcpt_tos))
        return "250 2.0.0 taken"

    def _take(self, content: bytes, sender: str, recipients: tuple[str, ...]) -> None:
        now = time.monotonic()
        message_id = str(message_from_bytes(content)["Message-ID"] or "")
        with self._changed:
            number = len(self.carried)
            mail = Carried(number, self._fate(number), message_id, sender, recipients, content)
            self.carried.append(mail)
            if mail.fate == "swapped" and self._kept is None:
                self._kept = mail
                self._due.append((now + 2 * self.habits.delay_s, mail))  # nobody may come after it
            elif mail.fate == "delayed":
                self._due.append((now + self.habits.delay_s, mail))
            elif mail.fate != "lost":
                self._due += [(now, mail)] * (2 if mail.fate == "doubled" else 1)
                if self._kept is not None:  # goes after this one
                    self._due = [(now if held is self._kept else at, held) for at, held in self._due]
                    self._kept = None
            self._due.sort(key=lambda due: (due[0], -due[1].number))  # the younger first
            self._changed.notify()

    def _fate(self, number: int) -> str:
        """By seed and number alone, so that a seed always does the same."""
        rolled = random.Random(f"{self.seed}/{number}").randrange(100)
        shares = (("lost", self.habits.lose), ("delayed", self.habits.delay))
        for name, share in (*shares, ("doubled", self.habits.double), ("swapped", self.habits.swap)):
            if rolled < share:
                return name
            rolled -= share
        return "passed"

    def _walk(self) -> None:
        while True:
            with self._changed:
                now = time.monotonic()
                if self._ended:
                    return
                if not self._due or self._due[0][0] > now:
                    self._changed.wait(self._due[0][0] - now if self._due else None)
                    continue
                _, mail = self._due[0]
            answer = self._hand_over(mail)
            with self._changed:
                if answer is None or 400 <= answer.code < 500:
                    self._changed.wait(RETRY_S)
                    continue
                self.answered.append(answer)
                self._due.pop(next(i for i, due in enumerate(self._due) if due[1] is mail))
                if self._kept is mail:
                    self._kept = None

    def _hand_over(self, mail: Carried) -> Answered | None:
        """The word of the other side; None if it cannot be reached."""
        try:
            with (smtplib.LMTP if self.lmtp else smtplib.SMTP)(HOST, self.target, timeout=LIMIT_S) as client:
                client.sendmail(mail.sender, list(mail.recipients), mail.content)
            return Answered(mail, 250, "")
        except smtplib.SMTPRecipientsRefused as refused:
            code, said = next(iter(refused.recipients.values()))
            return Answered(mail, code, str(said))
        except smtplib.SMTPResponseException as refused:
            return Answered(mail, refused.smtp_code, str(refused.smtp_error))
        except (OSError, smtplib.SMTPException):
            return None


class _Listener(Controller):
    """aiosmtpd in a thread of its own."""

    def __init__(self, postman: PostmanBetween, **more: Any) -> None:
        super().__init__(postman, **more)
        self._protocol = LMTP if postman.lmtp else SMTP

    def factory(self) -> SMTP:
        """The protocol of a connection."""
        return self._protocol(
            self.handler, data_size_limit=20_000_000, hostname="postman.mail.test", enable_SMTPUTF8=True
        )


@contextmanager
def postman_between(target: int, seed: int, habits: Habits, lmtp: bool = True) -> Iterator[PostmanBetween]:
    """A postman at work."""
    postman = PostmanBetween(target, seed, habits, lmtp)
    postman.start()
    try:
        yield postman
    finally:
        postman.stop()
