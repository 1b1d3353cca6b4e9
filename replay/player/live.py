"""A battle that goes on while it is watched: what whoever follows it on a server tells the player.

The player asks no server itself. It is handed a `Follow`, and checks each line that it brings against its own log.
"""

from collections.abc import AsyncIterator, Callable

from msgspec import Struct

LIVE, LOST, OVER, STOPPED = "live", "lost", "over", "stopped"
"""States of what is followed: news come as they happen; the connection is lost, and tried again; the battle has ended;
nothing more will come, whatever the reason."""


class News(Struct, frozen=True):
    """Lines that were added to the log, as a battle file has them, and the state. `note` is the host's signature over
    the last of them, which the end of a battle needs; `reason` says in a sentence why nothing more will come."""

    lines: tuple[bytes, ...] = ()
    state: str = LIVE
    note: str = ""
    reason: str = ""


Follow = Callable[[int, bytes], AsyncIterator[News]]
"""Follows a battle behind an event, given its number and hash; it reconnects by itself, and ends after `STOPPED`."""
