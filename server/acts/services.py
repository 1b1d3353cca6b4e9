"""What acts need: the battles, the store, the addresses of the host, the bell of whoever carries letters, and what
waits for a yes."""

import asyncio
from collections.abc import Callable

from server.acts.confirmations import Confirmations, NothingWaits
from server.people.addresses import Addresses
from server.play.live_battles import LiveBattles
from server.store.tables import accounts, correspondents
from server.store.tables.accounts import Account
from server.store.tables.correspondents import Correspondent


def nobody_to_wake() -> None:
    """Do nothing: nobody carries anything in this process."""


class Services:
    """`ring` wakes the carrier of letters, `ring_webhooks` who tells webhooks; `seating` is held by whoever seats the
    members of clubs."""

    def __init__(self, battles: LiveBattles, addresses: Addresses, ring: Callable[[], None] = nobody_to_wake) -> None:
        self.battles = battles
        self.store = battles.store
        self.addresses = addresses
        self.ring = ring
        self.ring_webhooks: Callable[[], None] = nobody_to_wake
        self.seating = asyncio.Lock()
        self.confirmations: Confirmations = NothingWaits()

    def now(self) -> str:
        """The time."""
        return self.battles.clock.now()

    def wishes(self, player: str) -> Correspondent:
        """How a player wants their letters."""
        return correspondents.find(self.store, player)

    def account(self, player: str) -> Account | None:
        """The account with an opaque id."""
        return accounts.by_player(self.store, player)
