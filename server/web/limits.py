"""Count a request under the limits of rate (`server.web.rates`), by its address and its account."""

from aiohttp import web

from server.people.players import Player
from server.web.address import client_address
from server.web.keys import rates_of


def spend(request: web.Request, kind: str, player: Player | None = None) -> None:
    """Count what a request is about to do, or refuse it.

    Raises: Refusal core.too-many
    """
    rates_of(request).spend(kind, client_address(request), player.id if player else "")


def require_room(request: web.Request, kind: str, player: Player | None = None) -> None:
    """Refuse what would be too often, without counting it.

    Raises: Refusal core.too-many
    """
    rates_of(request).require(kind, client_address(request), player.id if player else "")
