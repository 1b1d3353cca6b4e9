"""List the players whose letters came back, and let letters go to them again.

Three letters in a row that can never arrive stop the rest (`server.mail.bounces`). A host who knows that the address is
good again, or that the fault was their own relay's, lifts the strikes here.
"""

from msgspec import Struct

from server.clock import SystemClock
from server.mail import bounces
from server.settings import Settings, Unusable
from server.store import EventStore
from server.store.contract import TableRows
from server.store.tables import accounts, correspondents, deliveries
from server.store.tables.accounts import Account

LATER = "a letter was handed over, and came back later"
"""What is known of a strike that no refusal of the relay has caused."""


class StruckPlayer(Struct, frozen=True):
    """A player with strikes. `stopped`: why no letters go to them (`bounced`, `unsubscribed`), "" if they do; `why` the
    last strike."""

    player: str
    name: str
    strikes: int
    most: int
    stopped: str
    why: str


def status(settings: Settings) -> list[StruckPlayer]:
    """The players whose letters came back or are stopped, by name."""
    with EventStore.open(settings.store()) as store:
        return struck(store)


def struck(store: TableRows) -> list[StruckPlayer]:
    """The players whose letters came back or are stopped, by name."""
    names = {account.player: account.name for account in accounts.listed(store)}
    found = [
        StruckPlayer(
            known.player,
            names.get(known.player, known.player),
            known.bounces,
            bounces.MOST,
            known.stopped,
            (deliveries.given_up_to(store, known.player) or LATER) if known.bounces else "",
        )
        for known in correspondents.struck(store)
    ]
    return sorted(found, key=lambda one: one.name.casefold())


def lift(settings: Settings, named: str) -> list[str]:
    """Forget the strikes of the players with an address, a name or an id; their letters are due at once. Returns their
    names.

    Raises: Unusable if there is no such player, or none of them has a strike
    """
    with EventStore.open(settings.store()) as store:
        meant = _named(store, named)
        if not meant:
            raise Unusable(f"There is no player with the name, id or address “{named}”.")
        lifted = [account for account in meant if correspondents.find(store, account.player).bounces]
        if not lifted:
            raise Unusable(f"No letter to “{named}” has come back: there is nothing to lift.")
        now = SystemClock().now()
        for account in lifted:
            store.write_now(
                correspondents.lift(account.player, bounces.STOPPED), deliveries.hasten_to(account.player, now)
            )
        return [account.name for account in lifted]


def _named(store: TableRows, named: str) -> list[Account]:
    known = accounts.by_player(store, named) or accounts.by_name(store, named)
    return [known] if known else accounts.by_email(store, named)
