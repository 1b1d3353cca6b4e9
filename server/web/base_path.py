"""Serve below a path, where `--url` has one: `https://games.example/phalera`.

Inside, all addresses are those of the routes. The path is taken off what comes in, whether a proxy has left it there or
not, and put before what goes out: links and forms of pages, redirects, cookies.
"""

import re
from collections.abc import Sequence
from typing import Any

from aiohttp import web
from yarl import URL

from server.web.keys import server_of

LINKS = re.compile(r'((?:href|action|src|data-(?:live|moment|curve|file|table|worker))=")/(?!/)')
"""Addresses in the text of our pages. What people have written cannot look so: its quotes are escaped."""
COOKIE_PATH = re.compile(r"(?<=Path=)/(?=;|$)")


def serve_below(server: web.Server | None, bases: Sequence[str]) -> None:
    """Take a path of these off the addresses that come in."""
    if server is None or not bases:
        return
    make = server.request_factory

    def below(message: Any, *rest: Any) -> Any:
        path = message.path
        for base in bases:
            if not path.startswith(base) or path[len(base) : len(base) + 1] not in ("", "/", "?"):
                continue
            path = path[len(base) :]
            path = path if path.startswith("/") else f"/{path}"
            inner, _, query = path.partition("?")
            url = URL.build(path=inner, query_string=query.partition("#")[0], encoded=True)
            message = message._replace(path=path, url=url)
            break
        return make(message, *rest)

    server.request_factory = below


def linked(text: str, base: str) -> str:
    """The text of a page with the path before each address."""
    return LINKS.sub(rf"\g<1>{base}/", text) if base else text


async def put_before(request: web.Request, response: web.StreamResponse) -> None:
    """Put the path before the addresses in the headers of an answer."""
    base = server_of(request).settings.base
    headers = response.headers
    if headers.get("Location", "").startswith("/") and not headers["Location"].startswith(f"{base}/"):
        headers["Location"] = base + headers["Location"]
    if headers.get("Link", "").startswith("</"):
        headers["Link"] = f"<{base}{headers['Link'][1:]}"
    for cookie in headers.popall("Set-Cookie", ()):
        headers.add("Set-Cookie", COOKIE_PATH.sub(base, cookie))
