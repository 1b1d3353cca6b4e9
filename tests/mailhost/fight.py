"""A battle fought by letters: each reads what comes, answers what asks for orders, until it is over."""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from tests.mailhost import captain
from tests.mailhost.host import MailHost
from tests.mailhost.loopback import tail
from tests.support.waiting import LIMIT_S, TooLate

WHOLE_S = 10 * LIMIT_S
"""A safety limit for a whole battle."""


class Fighter(Protocol):
    """Somebody with a mailbox, at mutt or not."""

    name: str

    def waiting(self) -> Sequence[str]:
        """The Message-IDs of what he has not read yet, oldest first."""

    def open(self, message_id: str) -> Any:
        """Read a mail: it has a `text`."""

    def reply(self, orders: str, to: Any) -> object:
        """Answer it."""


class Tally(NamedTuple):
    """Mails written and read by the players."""

    written: int
    read: int


def fight(
    host: MailHost,
    battle: str,
    fighters: Sequence[Fighter],
    is_over: Callable[[], bool],
    patience_s: float = LIMIT_S,
    complain: Callable[[], object] | None = None,
) -> Tally:
    """Read and answer letters until the battle is over. If nobody hears anything for `patience_s` they `complain`, and
    then wait twice as long.

    Raises: TooLate
    """
    written = read = 0
    patience = patience_s
    end, heard = time.monotonic() + WHOLE_S, time.monotonic()
    while not is_over():
        is_quiet = True
        for fighter in fighters:
            letters = [fighter.open(message_id) for message_id in fighter.waiting()]
            read += len(letters)
            asking = next((letter for letter in reversed(letters) if captain.answer(letter.text)), None)
            if asking is not None:
                fighter.reply(captain.answer(asking.text), asking)
                written += 1
            is_quiet = is_quiet and not letters
        now = time.monotonic()
        if not is_quiet:
            heard, patience = now, patience_s
        elif now - heard > patience:
            if complain is None:
                raise TooLate(f"nobody hears anything more. {tail(host.phalera.log)} {tail(host.postfix.log)}")
            complain()
            heard = now
            patience *= 2  # a slow machine is not to be flooded
        else:
            time.sleep(0.05)
        if now > end:
            raise TooLate(f"the battle is not over. {tail(host.phalera.log)}")
    return Tally(written, read)
