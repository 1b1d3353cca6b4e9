"""The networks from which nobody is answered, as the store has them: looked up for each request, read anew each second.

The machine itself and trusted proxies are never among them, whatever the store says.
"""

from collections.abc import Callable

from server.people.bans import LOOPBACK, ends
from server.store.contract import TableRows
from server.store.tables import bans
from server.store.tables.bans import Ban
from server.web.networks import is_within

KNOWN = 50_000
"""Addresses whose bans are kept."""


class BannedNetworks:
    """The bans of a server. `now`: its clock; `trusted`: proxies; `changed` is called when there are others."""

    def __init__(
        self, store: TableRows, now: Callable[[], str], trusted: tuple[str, ...], changed: Callable[[], None]
    ) -> None:
        self._store = store
        self._now = now
        self._spared = (*LOOPBACK, *trusted)
        self._changed = changed
        self._bans: list[Ban] = []
        self._of: dict[str, tuple[Ban, ...]] = {}

    def __len__(self) -> int:
        now = self._now()
        return sum(not ends(ban, now) for ban in self._bans)

    def ban_of(self, address: str) -> Ban | None:
        """The ban that an address falls under now; None if there is none."""
        if not self._bans or not address:
            return None
        found = self._of.get(address)
        if found is None:
            if len(self._of) >= KNOWN:
                self._of.clear()
            found = self._of[address] = self._under(address)
        now = self._now()
        return next((ban for ban in found if not ends(ban, now)), None)

    def _under(self, address: str) -> tuple[Ban, ...]:
        if is_within(address, self._spared):
            return ()
        return tuple(ban for ban in self._bans if is_within(address, (ban.network,)))

    def look(self) -> None:
        """Read the bans of the store."""
        found = bans.all_of(self._store)
        if found != self._bans:
            self._bans = found
            self._of.clear()
            self._changed()
