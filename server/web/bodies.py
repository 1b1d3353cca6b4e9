"""Read the body of a request: within a time, uncompressed, and without noise if the client goes away.

Every handler reads through here. A handler that returns without reading leaves the rest to the framework, which waits
for `LINGERING_S` at most.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from aiohttp import web

from domain.engine.errors import Refusal
from server.web.keys import server_of

T = TypeVar("T")

LINGERING_S = 2.0
"""How long the rest of a body that nobody reads may take before the connection is closed."""
HANDLER_ARGS = {
    "auto_decompress": False,  # a compressed body is refused: it could be of any size, and broken in its middle
    "lingering_time": LINGERING_S,
}
PLAIN = ("", "identity")


async def bytes_of(request: web.Request) -> bytes:
    """The body.

    Raises: Refusal core.bad-encoding, core.too-slow; ConnectionResetError if the client has gone
    """
    return await _read(request, request.read)


async def fields_of(request: web.Request) -> Any:
    """The fields of a form.

    Raises: as `bytes_of`; UnicodeError, LookupError, ValueError for what is not a form
    """
    return await _read(request, request.post)


async def _read(request: web.Request, read: Callable[[], Awaitable[T]]) -> T:
    encoding = request.headers.get("Content-Encoding", "").strip().casefold()
    if encoding not in PLAIN:
        raise Refusal("core.bad-encoding", "CORE-PARSE", found=encoding[:40])
    limit_s = server_of(request).settings.limits.body_s
    try:
        if request.content.is_eof():  # it has arrived whole, as most do: no need of a timer
            return await read()
        async with asyncio.timeout(limit_s):
            return await read()
    except TimeoutError:
        raise Refusal("core.too-slow", "CORE-ACCESS", limit=round(limit_s)) from None
    except web.RequestPayloadError as broken:
        raise Refusal("core.bad-request", "CORE-PARSE", reason=f"the body is broken: {type(broken).__name__}") from None
