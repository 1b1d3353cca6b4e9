"""Read the body of a request: within a time, uncompressed, and without noise if the client goes away.

Every handler reads through here. A handler that returns without reading leaves the rest to the framework, which waits
for `LINGERING_S` at most.
"""

import asyncio
from urllib.parse import parse_qsl

from aiohttp import web

from domain.basics.errors import Refusal
from server.web.keys import server_of

LINGERING_S = 2.0
"""How long the rest of a body that nobody reads may take before the connection is closed."""
HANDLER_ARGS = {
    "auto_decompress": False,  # a compressed body is refused: it could be of any size, and broken in its middle
    "lingering_time": LINGERING_S,
}
PLAIN = ("", "identity")
FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 500


async def bytes_of(request: web.Request) -> bytes:
    """The body.

    Raises: Refusal core.bad-encoding, core.too-slow, core.bad-request; ConnectionResetError if the client has gone
    """
    encoding = request.headers.get("Content-Encoding", "").strip().casefold()
    if encoding not in PLAIN:
        raise Refusal("core.bad-encoding", "CORE-PARSE", found=encoding[:40])
    limit_s = server_of(request).settings.limits.body_s
    try:
        if request.content.is_eof():  # it has arrived whole, as most do: no need of a timer
            return await request.read()
        async with asyncio.timeout(limit_s):
            return await request.read()
    except TimeoutError:
        raise Refusal("core.too-slow", "CORE-ACCESS", limit=round(limit_s)) from None
    except RuntimeError:  # it went before anybody listened to it, and the framework does not say so
        if request.transport is not None:
            raise
        raise ConnectionResetError("the client has gone") from None
    except web.RequestPayloadError as broken:
        raise Refusal("core.bad-request", "CORE-PARSE", reason=f"the body is broken: {type(broken).__name__}") from None


async def fields_of(request: web.Request) -> list[tuple[str, str]]:
    """The fields of a form, as our pages send it: UTF-8, whatever charset is named, because a decoder that a stranger
    chooses may take minutes. The parts of a `multipart` are not read.

    Raises: Refusal core.bad-request, and as `bytes_of`
    """
    content = await bytes_of(request)
    if content and request.content_type != FORM:
        raise Refusal("core.bad-request", "CORE-PARSE", reason=f"a form is sent as {FORM}")
    try:
        return parse_qsl(content.decode(), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError as error:  # bytes that are not text, too many fields
        raise Refusal("core.bad-request", "CORE-PARSE", reason=type(error).__name__) from None
