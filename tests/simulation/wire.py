"""HTTP in memory: a request goes to the application's own protocol as bytes, and its answer comes back as bytes.

A connection may be cut after any byte of the request or of the answer; the server then sees a connection that was lost,
and whoever asked knows nothing.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec
from aiohttp import web
from msgspec import Struct

END_OF_HEAD = b"\r\n\r\n"


class LostConnection(Exception):
    """The connection was cut before the whole answer had come."""


class WireAnswer(Struct, frozen=True):
    """An answer, read whole."""

    status: int
    body: bytes

    @property
    def json(self) -> Any:
        """Its content as a value."""
        return msgspec.json.decode(self.body)

    @property
    def code(self) -> str:
        """The code of a problem document, "" if it is none."""
        if self.status < 400:
            return ""
        try:
            return str(self.json.get("code", ""))
        except ValueError:
            return ""


class MemoryTransport(asyncio.Transport):
    """The server's end of a connection; `answer` is done when the whole of an answer has come, or nothing more will.
    After `most` bytes of it the connection is lost; less than 0: never."""

    def __init__(self, loop: asyncio.AbstractEventLoop, protocol: web.RequestHandler, most: int) -> None:
        super().__init__({"peername": ("192.0.2.1", 1)})
        self.answer: asyncio.Future[WireAnswer] = loop.create_future()
        self._protocol = protocol
        self._most = most
        self._got = bytearray()
        self._loop = loop
        self._closing = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Take bytes of the answer."""
        if self._closing:
            return
        self._got += data
        if 0 <= self._most < len(self._got):
            self.lose()
            return
        whole = _parsed(self._got)
        if whole is not None and not self.answer.done():
            self.answer.set_result(whole)

    def lose(self) -> None:
        """Cut the connection."""
        if not self._closing:
            self._closing = True
            self._loop.call_soon(self._protocol.connection_lost, ConnectionResetError("cut"))
        if not self.answer.done():
            self.answer.set_exception(LostConnection())

    def close(self) -> None:
        """The server closes the connection."""
        if not self._closing:
            self._closing = True
            self._loop.call_soon(self._protocol.connection_lost, None)
        if not self.answer.done():
            self.answer.set_exception(LostConnection())

    abort = close

    def is_closing(self) -> bool:
        """Whether it is closed, or will be."""
        return self._closing

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """There is always room."""

    def pause_reading(self) -> None:
        """All has come already."""

    def resume_reading(self) -> None:
        """All has come already."""


async def ask(
    server: web.Server,
    method: str,
    path: str,
    token: str = "",
    body: Any = None,
    headers: Mapping[str, str] | None = None,
    *,
    sent: int = -1,
    received: int = -1,
) -> WireAnswer:
    """Ask something over a connection of its own. It is cut after `sent` bytes of the request, or after `received` of
    the answer; less than 0: it is not.

    Raises: LostConnection
    """
    loop = asyncio.get_running_loop()
    protocol = server()
    transport = MemoryTransport(loop, protocol, received)
    request = _request(method, path, token, body, headers or {})
    protocol.connection_made(transport)
    protocol.data_received(request if sent < 0 else request[:sent])
    if 0 <= sent < len(request):
        await asyncio.sleep(0)
        transport.lose()
    try:
        return await transport.answer
    finally:
        transport.close()


def _request(method: str, path: str, token: str, body: Any, headers: Mapping[str, str]) -> bytes:
    content = b"" if body is None else msgspec.json.encode(body)
    lines = [f"{method} {path} HTTP/1.1", "Host: phalera.test", "Accept: application/json"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if body is not None:
        lines.append("Content-Type: application/json")
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines.append(f"Content-Length: {len(content)}")
    return "\r\n".join(lines).encode() + END_OF_HEAD + content


def _parsed(got: bytearray) -> WireAnswer | None:
    """The whole answer; None while something is missing."""
    end = got.find(END_OF_HEAD)
    if end < 0:
        return None
    first, *lines = got[:end].decode("latin-1").split("\r\n")
    status, named = int(first.split(" ")[1]), dict(line.lower().split(": ", 1) for line in lines if ": " in line)
    body = bytes(got[end + len(END_OF_HEAD) :])
    if named.get("transfer-encoding") == "chunked":
        return WireAnswer(status, _joined(body)) if body.endswith(b"0\r\n\r\n") else None
    length = int(named.get("content-length", "0"))
    return WireAnswer(status, body[:length]) if len(body) >= length else None


def _joined(chunked: bytes) -> bytes:
    whole, at = bytearray(), 0
    while True:
        end = chunked.index(b"\r\n", at)
        size = int(chunked[at:end], 16)
        if not size:
            return bytes(whole)
        whole += chunked[end + 2 : end + 2 + size]
        at = end + 4 + size
