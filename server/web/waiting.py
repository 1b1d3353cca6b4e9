"""Let a request wait until it may compute (`server.web.turns`)."""

from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager

from aiohttp import web

from server.people.players import Player
from server.web.address import client_address
from server.web.kept import KeptAnswer
from server.web.keys import SHARES, TURNS, kept_of
from server.web.networks import counted_as


async def goes_on(request: web.Request) -> None:
    """Wait until a request may compute the next part of what it has begun."""
    await request.app[TURNS].goes_on()


async def turn(request: web.Request, player: Player | None) -> None:
    """Wait until a request may compute for a while: until it next waits for anything.

    Raises: Busy
    """
    await request.app[TURNS].wait(_who(request, player))


def share(request: web.Request, player: Player | None) -> AbstractContextManager[None]:
    """A place for a job that a worker process does for a request.

    Raises: Busy, when it is entered
    """
    return request.app[SHARES].held(_who(request, player))


def _who(request: web.Request, player: Player | None) -> str:
    return player.id if player else counted_as(client_address(request))


async def kept_or_turn(
    request: web.Request, player: Player | None, key_of: Callable[[], Hashable]
) -> tuple[Hashable, KeptAnswer | None]:
    """The answer that is kept under a key; if there is none, that of the moment at which it may be made: meanwhile the
    battle may have gone on, or the same been made for somebody else.

    Raises: Busy
    """
    key = key_of()
    made = kept_of(request).get(key)
    if made is None:
        await turn(request, player)
        key = key_of()
        made = kept_of(request).get(key)
    return key, made
