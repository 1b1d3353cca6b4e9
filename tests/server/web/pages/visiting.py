"""Look at pages as a browser sees them, without one."""

import re
from html import unescape
from typing import Any, NamedTuple

from aiohttp.test_utils import TestClient

from server.people import players
from server.web.auth import COOKIE
from tests.support.serving import PHRASE, Caller, RunningServer

OWN = {"Sec-Fetch-Site": "same-origin", "Accept": "text/html"}


class Page(NamedTuple):
    """A page that was got or that answered a form."""

    status: int
    text: str
    headers: Any
    path: str

    def field(self, name: str, form: str = "order-form") -> str:
        """The value of a hidden field of a form."""
        content = self.text.partition(f'id="{form}"')[2]
        found = re.search(rf'name="{name}" value="([^"]*)"', content)
        assert found, f"no field {name}"
        return unescape(found[1])

    @property
    def words(self) -> str:
        """What can be read on it."""
        shown = re.sub(r"<(script|title|desc)\b.*?</\1>", " ", self.text, flags=re.S)
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", shown)).split())


class Visitor:
    """Somebody with a browser of his own: his cookies, the headers that browsers send."""

    def __init__(self, server: RunningServer, session: str = "") -> None:
        self.server = server
        self.cookies = {COOKIE: session} if session else {}

    async def get(self, path: str, accept: str = "text/html") -> Page:
        """Open a page."""
        return await self.ask("GET", path, {"Accept": accept})

    async def send(self, path: str, headers: dict[str, str] | None = None, /, **fields: str) -> Page:
        """Send a form, and follow to what came of it."""
        page = await self.ask("POST", path, OWN if headers is None else headers, fields)
        return await self.get(page.headers["Location"]) if page.status == 303 else page

    async def seen(self, battle: str) -> str:
        """The head that the page of a battle shows, as its forms send it."""
        found = re.search(r'data-seen="([^"]+)"', (await self.get(f"/battles/{battle}")).text)
        assert found
        return found[1]

    async def order(self, battle: str, orders: str, **fields: str) -> Page:
        """Fill the order box of a battle's page and send it."""
        page = await self.get(f"/battles/{battle}")
        hidden = {name: page.field(name) for name in ("key", "expect", "side", "seen")}
        filled = {**hidden, "orders": orders, "phrase": PHRASE, "do": "send", **fields}
        return await self.send(f"/battles/{battle}/orders", **filled)

    async def ask(self, method: str, path: str, headers: dict[str, str], form: dict[str, str] | None = None) -> Page:
        """Any request; not followed."""
        client: TestClient[Any, Any] = self.server.client
        cookie = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        client.session.cookie_jar.clear()
        sent = client.request(method, path, data=form, headers={**headers, **cookie}, allow_redirects=False)
        async with sent as response:
            for name, morsel in response.cookies.items():
                self.cookies[name] = morsel.value
            return Page(response.status, await response.text(), response.headers.copy(), path)


async def visitor_of(server: RunningServer, caller: Caller) -> Visitor:
    """A browser in which a player is logged in."""
    running = server.running
    token, issued = players.new_token(running.clock, running.entropy, caller.player, "session")
    await running.store.write(issued)
    return Visitor(server, token)
