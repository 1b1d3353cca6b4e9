"""Let a crowd of strangers in a few at a time, so that players need not wait behind all of them.

A thousand readers ask for the same at the same moment: when an order was given. Each answer takes half a millisecond
where it is kept, all together half a second, and the loop would serve them in the order in which they came. Here few go
on in each round of the loop; who has a session or a token does not wait.
"""

import asyncio
from collections import deque

from aiohttp import web

from server.web.auth import COOKIE

A_ROUND = 8
"""Strangers let in while the loop goes round once: about four milliseconds."""


class Crowd:
    """The strangers who wait to be let in, in the order in which they came."""

    def __init__(self, a_round: int = A_ROUND) -> None:
        self._a_round = a_round
        self._let_in = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    async def wait(self) -> None:
        """Return when one more may go on."""
        if self._let_in < self._a_round and not self._waiting:
            self._count()
            return
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        await place

    def _count(self) -> None:
        if not self._let_in:
            asyncio.get_running_loop().call_soon(self._next_round)
        self._let_in += 1

    def _next_round(self) -> None:
        self._let_in = 0
        while self._waiting and self._let_in < self._a_round:
            place = self._waiting.popleft()
            if not place.done():  # who waited may have gone
                self._count()
                place.set_result(None)


CROWD: web.AppKey[Crowd] = web.AppKey("crowd", Crowd)


def names_nobody(request: web.Request) -> bool:
    """Whether a request has neither session nor token."""
    return "Authorization" not in request.headers and COOKIE not in request.headers.get("Cookie", "")
