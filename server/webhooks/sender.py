"""Send a body to the address of a webhook, over HTTPS, to a public address and nowhere else.

The name is looked up once; the connection goes to an address that was found and checked, so a name server that answers
otherwise the next time changes nothing. Redirects are not followed, proxies of the environment not used, cookies not
kept, and little of the answer is read.
"""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar, StreamReader, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from server.webhooks.networks import is_public

TIMEOUT_S = 10.0
"""From the look-up to the last byte of the answer that is read."""
MOST_READ = 64 * 1024
"""Bytes of the body of an answer that are read."""
CHUNK = 8 * 1024
MOST_PLACES = 8
"""Addresses of one host that are tried."""
LOOKUPS = 4
"""Names that are looked up at once, in threads of their own: a slow name server holds up webhooks alone."""
LONGEST_WAIT_S = 3600
"""A receiver that names a longer time is asked again after this one."""
WAITS = frozenset({429, 503})
"""The answers that may name a time to wait (RFC 9110 10.2.3)."""


class NetPlace(NamedTuple):
    """An address of a host, as numbers, and the port."""

    address: str
    port: int


class HookAnswer(NamedTuple):
    """What came of it: the status of the answer, 0 and an `error` if there was none; `wait_s` for how long the receiver
    wants to be left alone, 0 if it says nothing.

    Errors: `unknown-host`, `private-address`, `timeout`, `tls`, `no-answer`
    """

    code: int
    error: str = ""
    wait_s: int = 0

    @property
    def is_taken(self) -> bool:
        """Whether the receiver has taken it."""
        return 200 <= self.code < 300


Lookup = Callable[[str, int], Awaitable[Sequence[NetPlace]]]
"""Finds the addresses of a host and port. Raises OSError."""


class HookSender:
    """Sends bodies. `may_reach` says which addresses are written to."""

    def __init__(
        self,
        lookup: Lookup | None = None,
        may_reach: Callable[[str], bool] = is_public,
        tls: ssl.SSLContext | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._threads = ThreadPoolExecutor(LOOKUPS, "webhook-names")
        self._lookup = lookup or self._looked_up
        self._may_reach = may_reach
        self._tls = tls or ssl.create_default_context()
        self._timeout_s = timeout_s

    async def send(self, url: str, body: bytes, headers: Mapping[str, str]) -> HookAnswer:
        """POST a body; never raises for what the other side does."""
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._send(URL(url, encoded=True), body, headers)
        except TimeoutError:
            return HookAnswer(0, "timeout")
        except ssl.SSLError:
            return HookAnswer(0, "tls")
        except (ClientError, OSError, ValueError) as failure:
            return HookAnswer(0, "tls" if isinstance(failure.__cause__, ssl.SSLError) else "no-answer")

    def close(self) -> None:
        """Look up nothing any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _send(self, url: URL, body: bytes, headers: Mapping[str, str]) -> HookAnswer:
        try:
            places = await self._lookup(url.raw_host or "", url.port or 0)
        except OSError:
            return HookAnswer(0, "unknown-host")
        if not places:
            return HookAnswer(0, "unknown-host")
        places = places[:MOST_PLACES]
        if not all(self._may_reach(place.address) for place in places):
            return HookAnswer(0, "private-address")
        connector = TCPConnector(
            resolver=_Pinned(places), use_dns_cache=False, ssl=self._tls, force_close=True, limit=1
        )
        session = ClientSession(
            connector=connector,
            cookie_jar=DummyCookieJar(),
            auto_decompress=False,
            read_bufsize=CHUNK,
            timeout=ClientTimeout(total=self._timeout_s),
            trust_env=False,
        )
        async with session, session.post(url, data=body, headers=headers, allow_redirects=False) as response:
            await _read(response.content)
            wait = response.headers.get("Retry-After", "") if response.status in WAITS else ""
            return HookAnswer(response.status, "", _seconds(wait))

    async def _looked_up(self, host: str, port: int) -> Sequence[NetPlace]:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(
            self._threads, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        )
        return [NetPlace(str(where[0]), port) for *_, where in found]


class _Pinned(AbstractResolver):
    """Answers with the addresses that were checked, whatever is asked."""

    def __init__(self, places: Sequence[NetPlace]) -> None:
        self._places = places

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(hostname=host, host=place.address, port=place.port, family=family, proto=0, flags=0)
            for place in self._places
        ]

    async def close(self) -> None:
        """Do nothing: nothing is open."""


async def _read(content: StreamReader) -> None:
    """Read an answer as far as it is read, so that its sender sees it taken."""
    read = 0
    async for chunk in content.iter_chunked(CHUNK):
        read += len(chunk)
        if read >= MOST_READ:
            return


def _seconds(wait: str) -> int:
    """The seconds that a receiver wants to be left alone; a date counts as nothing."""
    return min(int(wait), LONGEST_WAIT_S) if wait.isascii() and wait.isdecimal() and len(wait) < 10 else 0
