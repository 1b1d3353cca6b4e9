"""The deeds of a host in the log of moderation, as its commands write them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.store import Statement


def deed_of_host(what: str, about: str, why: str = "") -> "Statement":
    """A deed of the host, now, about the player, battle, ban or report with an id."""
    from server.clock import SystemClock
    from server.people.moderation import recorded
    from server.store.tables.deeds import HOST

    return recorded(what, about, HOST, SystemClock().now(), why)
