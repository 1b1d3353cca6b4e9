"""How much one account may hold at once: open battles, seats, bots; and how many guests there may be.

What is over counts no more. A guest, who has given no address, may hold less: they cost nothing to make.
"""

from domain.basics.errors import Refusal
from server.limits import Limits
from server.people.players import Player
from server.store.contract import TableRows
from server.store.tables import accounts, holdings

REFUSALS = {
    holdings.OPENED: "core.too-many-battles",
    holdings.SEAT: "core.too-many-seats",
    holdings.BOT: "core.too-many-bots",
}


def require_quota(store: TableRows, limits: Limits, player: Player, kind: str) -> None:
    """Refuse one more of a kind (`server.store.tables.holdings`) to an account that holds as many as it may.

    Raises: Refusal core.too-many-battles, core.too-many-seats, core.too-many-bots
    """
    most = limits.quota(kind, not player.email, bool(player.owner))
    if most and holdings.of_player(store, player.id, kind) >= most:
        raise Refusal(REFUSALS[kind], "CORE-ACCESS", most=most)


def require_guest_quota(store: TableRows, limits: Limits) -> None:
    """Refuse one more guest where there are as many as there may be.

    Raises: Refusal core.too-many-guests
    """
    if limits.guests and accounts.guests(store) >= limits.guests:
        raise Refusal("core.too-many-guests", "CORE-ACCESS", most=limits.guests)
