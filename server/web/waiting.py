"""Let a request wait until it may compute (`server.web.turns`)."""

from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import AbstractContextManager, asynccontextmanager

from aiohttp import web

from server.people.players import Player
from server.web.address import client_address
from server.web.crowd import CROWD, names_nobody
from server.web.kept import KeptAnswer
from server.web.keys import MAKING, SHARES, TURNS
from server.web.limits import known, spend_made
from server.web.networks import counted_as


async def let_in(request: web.Request) -> None:
    """Return when a request may begin: what a stranger reads behind those who came before, what they change when it is
    their turn. A player who is logged in waits for neither.

    Raises: Busy
    """
    reads, crowd = request.method in ("GET", "HEAD"), request.app[CROWD]
    if not names_nobody(request) and ((reads and not crowd) or known(request) is not None):
        return  # a cookie of nobody's making is looked up where it would go past others
    if reads:
        await crowd.wait()
    else:
        await turn(request, None)


async def goes_on(request: web.Request) -> None:
    """Wait until a request may compute the next part of what it has begun."""
    await request.app[TURNS].goes_on()


async def turn(request: web.Request, player: Player | None) -> None:
    """Wait until a request may compute for a while: until it next waits for anything.

    Raises: Busy
    """
    await request.app[TURNS].wait(*reader(request, player))


def share(request: web.Request, player: Player | None) -> AbstractContextManager[None]:
    """A place for a job that a worker process does for a request.

    Raises: Busy, when it is entered
    """
    return request.app[SHARES].held(reader(request, player)[0])


def reader(request: web.Request, player: Player | None) -> tuple[str, bool]:
    """In whose line a request stands: that of an account, or of an address; and whether it is an account's."""
    return (player.id, True) if player else (counted_as(client_address(request)), False)


@asynccontextmanager
async def kept_or_turn(
    request: web.Request, player: Player | None, key_of: Callable[[], Hashable], kind: str = ""
) -> AsyncIterator[tuple[Hashable, KeptAnswer | None]]:
    """The answer that is kept under a key; None for the one request that is to make it, within this context, for all
    who ask for the same (`server.web.shared_making`). It is counted as a whole answer then, and as one of a `kind` of
    `server.limits`.

    Raises: Busy; Refusal core.too-many
    """

    def begin() -> None:
        spend_made(request, player, kind)

    async with request.app[MAKING].kept_or_turn(key_of, *reader(request, player), begin) as found:
        yield found
