"""An address of the API, and short ways to say one."""

from collections.abc import Awaitable, Callable

from aiohttp import web
from msgspec import Struct

from server.web.api import messages

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class HttpRoute(Struct, frozen=True):
    """A method and address, with its input (`body`, `query`) and output: a message, or a media type."""

    method: str
    path: str
    handler: Handler
    summary: str
    answer: type | str
    status: int = 200
    body: type | None = None
    query: tuple[str, ...] = ()
    signed_in: bool = False


def get(path: str, handler: Handler, summary: str, answer: type | str, *query: str) -> HttpRoute:
    """A read-only address."""
    return HttpRoute("GET", path, handler, summary, answer, query=query)


def post(path: str, handler: Handler, summary: str, body: type, answer: type, status: int = 200) -> HttpRoute:
    """An action of a signed-in player."""
    return HttpRoute("POST", path, handler, summary, answer, status, body, signed_in=True)


def delete(path: str, handler: Handler, summary: str, answer: type = messages.BattleView) -> HttpRoute:
    """Something that a signed-in player takes back."""
    return HttpRoute("DELETE", path, handler, summary, answer, signed_in=True)


def reckon(path: str, handler: Handler, summary: str, body: type, answer: type) -> HttpRoute:
    """A computation open to anybody: nothing is stored."""
    return HttpRoute("POST", path, handler, summary, answer, body=body)
