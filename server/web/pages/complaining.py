"""Report something to the administrators: a form for each thing, and the list of one's own; block other players."""

from typing import Any

from aiohttp import web

from domain.basics.errors import Refusal
from server.people import complaining
from server.people.complaining import ComplaintSubject
from server.people.players import Player
from server.running import Server
from server.store.tables import accounts, blocks
from server.store.tables.complaints import ComplaintKind
from server.web import auth
from server.web.api.complaint_messages import Complain
from server.web.api.complaints import about, blocks_of, complain, complaints_of
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.forms import form_of, text
from server.web.pages.language import page_reader
from server.web.pages.rendering import page, see

HERE = "/complaints"
KINDS = frozenset(ComplaintKind)
DONE = frozenset({"reported", "unblock"})


async def show_form(request: web.Request) -> web.Response:
    """GET /complain?kind=&player=&battle=&item=

    Raises: Refusal core.not-signed-in; as `server.web.api.complaints.about`
    """
    player, server = auth.require_caller(request), server_of(request)
    wanted = _wanted({name: request.query.get(name, "") for name in ("kind", "player", "battle", "item")})
    what = await about(server, player, wanted)
    if what.about == player.id:
        raise Refusal("core.own-complaint", "CORE-ACCESS")
    return page(request, "complain.html", **_members(server, player, wanted, what))


async def post_form(request: web.Request) -> web.Response:
    """POST /complain

    Raises: Refusal core.not-signed-in, core.cross-site, core.too-many; as `server.web.api.complaints.complain`
    """
    auth.require_own_page(request)
    player, server = auth.require_caller(request), server_of(request)
    form = await form_of(request)
    spend(request, "complaint", player)
    wanted = _wanted({name: text(form, name) for name in ("kind", "player", "battle", "item", "why", "block")})
    await complain(server, player, wanted)
    return see(f"{HERE}?done=reported")


async def show_complaints(request: web.Request) -> web.Response:
    """GET /complaints: what the reader has reported, and whom they have blocked.

    Raises: Refusal core.not-signed-in
    """
    player, server, reader = auth.require_caller(request), server_of(request), page_reader(request)
    rows = [(one, reader.moment(one.at)) for one in complaints_of(server, player).complaints]
    done = request.query.get("done", "")
    blocked = blocks_of(server, player).blocked
    return page(request, "complaints.html", rows=rows, blocked=blocked, done=done if done in DONE else "")


async def post_block(request: web.Request) -> web.Response:
    """POST /players/{player}/block: `do` is `block` or `unblock`; it leads back to where it came from (`list`).

    Raises: Refusal core.not-signed-in, core.cross-site, core.no-such-player, core.own-block, core.too-many-blocks
    """
    auth.require_own_page(request)
    player, server = auth.require_caller(request), server_of(request)
    form, other = await form_of(request), request.match_info["player"]
    spend(request, "deed", player)
    if text(form, "do") == "unblock":
        await server.store.write(blocks.lift(player.id, other))
    else:
        await server.store.write(complaining.block(server.store, player, other, server.clock.now()))
    return see(f"{HERE}?done=unblock" if text(form, "list") else f"/players/{other}")


def _wanted(fields: dict[str, str]) -> Complain:
    """The complaint of a form.

    Raises: Refusal core.no-such-page
    """
    kind = fields["kind"]
    if kind not in KINDS:
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    return Complain(
        ComplaintKind(kind),
        fields.get("why", ""),
        fields["player"],
        fields["battle"],
        fields["item"],
        bool(fields.get("block")),
    )


def _members(server: Server, player: Player, wanted: Complain, what: ComplaintSubject) -> dict[str, Any]:
    account = accounts.by_player(server.store, what.about) if what.about else None
    return {
        "wanted": wanted,
        "words": what.words,
        "name": account.name if account else "",
        "may_block": account is not None and account.player not in blocks.blocked_by(server.store, player.id),
        "longest": complaining.LONGEST,
    }
