"""What waits for a player's yes under a token of a letter: a mail in doubt, another address, an absence, an order.

The page of the link and a reply to the token release the same. Those who take mail in provide it, because only they can
read a mail that they hold.
"""

from typing import Protocol

from msgspec import Struct

from domain.basics.message import Message


class Waiting(Struct, frozen=True):
    """What a token would release. `lines`: of a mail, what its player wrote."""

    message: Message
    player: str
    lines: tuple[str, ...] = ()


class Confirmations(Protocol):
    """What waits on one server."""

    def waiting(self, token: str) -> Waiting | None:
        """What a token would release now; None if it is spent, expired or not a confirm token."""

    async def confirm(self, token: str) -> Message:
        """Release what waits under a token; gives the result. A token works once, and for a week.

        Raises: StoreError
        """


class NothingWaits:
    """The confirmations of a process that takes no mail in."""

    def waiting(self, token: str) -> Waiting | None:
        """Nothing."""
        return None

    async def confirm(self, token: str) -> Message:
        """The answer to a token that is spent."""
        return Message("desk.confirm-gone", {})
