"""What this server keeps about a player, for the player, as a file.

Battles are left out: their files are public to whoever may read them, and each page has its own.
"""

import asyncio

from aiohttp import web

from server.people.kept import LEFT_OUT, Row, kept_about
from server.store.contract import TableRows
from server.web.api.exchange import encoded
from server.web.api.login import PRIVATE
from server.web.auth import require_caller
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.rendering import HEADERS

FILE = "phalera-account.json"


def own_data(store: TableRows, player: str) -> bytes:
    """The file of what is kept about a player: the sections of `server.people.kept`, and what is not in it, and why."""
    file: dict[str, list[Row] | dict[str, str]] = {**kept_about(store, player), "left_out": LEFT_OUT}
    return encoded(file)


async def show_own_data(request: web.Request) -> web.Response:
    """GET /settings/data: what is kept about the reader, as a file.

    Raises: Refusal core.not-signed-in, core.too-many
    """
    player = require_caller(request)
    spend(request, "deed", player)
    headers = {**HEADERS, **PRIVATE, "Content-Disposition": f'attachment; filename="{FILE}"'}
    body = await asyncio.to_thread(own_data, server_of(request).store, player.id)
    return web.Response(body=body, content_type="application/json", headers=headers)
