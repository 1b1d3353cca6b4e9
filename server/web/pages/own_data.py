"""What this server keeps about a player, for the player: account, wishes, messages, notes.

Battles are left out: their files are public to whoever may read them, and each page has its own.
"""

from typing import Any

from aiohttp import web
from msgspec import Struct

from server.store.contract import Rows
from server.store.tables import accounts, correspondents, notes, posts, spectators
from server.web.api.exchange import encoded
from server.web.api.login import PRIVATE
from server.web.auth import require_caller
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.rendering import HEADERS

FILE = "phalera-account.json"


class OwnData(Struct, frozen=True):
    """What is kept about a player. `notes`, `said` (messages to other players) and `said_watching` (to other
    spectators) have the battle of each."""

    player: str
    name: str
    email: str
    created: str
    role: str
    wishes: dict[str, Any]
    notes: tuple[dict[str, str], ...]
    said: tuple[dict[str, str], ...]
    said_watching: tuple[dict[str, str], ...]


def own_data(store: Rows, player: str) -> OwnData:
    """What is kept about a player who has an account."""
    account = accounts.by_player(store, player)
    assert account is not None, "who asks has an account"
    return OwnData(
        player,
        account.name,
        account.email,
        account.created,
        account.role,
        correspondents.find(store, player)._asdict(),
        tuple({"battle": battle, "at": at, "text": text} for battle, text, at in notes.of_player(store, player)),
        tuple({"battle": post.battle, "at": post.at, "text": post.text} for post in posts.of_player(store, player)),
        tuple({"battle": battle, "at": at, "text": text} for battle, at, text in spectators.of_player(store, player)),
    )


async def show_own_data(request: web.Request) -> web.Response:
    """GET /settings/data: what is kept about the reader, as a file.

    Raises: Refusal core.not-signed-in
    """
    player = require_caller(request)
    spend(request, "deed", player)
    headers = {**HEADERS, **PRIVATE, "Content-Disposition": f'attachment; filename="{FILE}"'}
    body = encoded(own_data(server_of(request).store, player.id))
    return web.Response(body=body, content_type="application/json", headers=headers)
