"""The page of what branches from a battle, and the form that branches it."""

from collections.abc import Sequence

from aiohttp import web
from msgspec import Struct

from domain.basics.errors import Refusal
from projections.lobby import LobbyEntry
from server.play.branching import open_branch
from server.web import auth
from server.web.api.battles import live_for
from server.web.api.branches import tree_of
from server.web.keys import server_of
from server.web.limits import spend, spend_reading
from server.web.pages.forms import form_of, text
from server.web.pages.language import page_reader
from server.web.pages.lobby import LobbyRow, rows_of
from server.web.pages.rendering import page, see
from server.web.reading_rate import FILE_COST


class Twig(Struct, frozen=True):
    """A battle of the tree, with those that branch from it."""

    row: LobbyRow
    is_here: bool
    branches: tuple["Twig", ...]


async def show_branches(request: web.Request) -> web.Response:
    """GET /battles/{id}/branches"""
    live, player = await live_for(request)
    spend_reading(request, FILE_COST)
    entries = await tree_of(server_of(request), live, player)
    rows = rows_of(entries, player.id if player else "", page_reader(request))
    tree = _twig(entries, {row.id: row for row in rows}, entries[0].battle, live.id) if entries else None
    return page(request, "branches.html", id=live.id, tree=tree)


def _twig(entries: Sequence[LobbyEntry], rows: dict[str, LobbyRow], battle: str, here: str) -> Twig:
    below = [entry.battle for entry in entries if entry.branch_of == battle]
    return Twig(rows[battle], battle == here, tuple(_twig(entries, rows, one, here) for one in below))


async def post_branch(request: web.Request) -> web.Response:
    """POST /battles/{id}/branch: another battle that begins after event `n`; leads to it."""
    auth.require_own_page(request)
    player = auth.require_caller(request)
    live, _ = await live_for(request)
    n = text(await form_of(request), "n")
    if not (n.isascii() and n.isdecimal() and len(n) <= 8):
        raise Refusal("core.bad-request", "CORE-BRANCH", reason="`n` is the number of an event")
    spend(request, "battle", player)
    new = await open_branch(server_of(request).battles, live, player, int(n))
    return see(f"/battles/{new.id}")
