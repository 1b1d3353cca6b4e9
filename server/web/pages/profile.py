"""The page of a player: since when they play here, their battles and results.

Others see public battles alone, and count only those; a player sees all of theirs. Nobody's address is shown.
"""

from aiohttp import web

from domain.basics.errors import Refusal
from server.people.players import is_gone
from server.store.tables import accounts, blocks
from server.web.api.battles import place_in
from server.web.keys import server_of
from server.web.limits import spend_reading
from server.web.pages.language import page_reader, reader_of
from server.web.pages.lobby import LISTED, listed_battles, rows_of
from server.web.pages.rendering import page
from server.web.reading_rate import FILE_COST


async def show_player(request: web.Request) -> web.Response:
    """GET /players/{player}?before=

    Raises: Refusal core.no-such-page, core.bad-query, core.busy, core.too-many
    """
    server, id_ = server_of(request), request.match_info["player"]
    account = accounts.by_player(server.store, id_)
    if account is None or is_gone(account):
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    spend_reading(request, FILE_COST)
    owner = accounts.by_player(server.store, account.owner) if account.owner else None
    reader = reader_of(request)
    is_own = reader is not None and reader.id == id_
    found = await listed_battles(server, "mine" if is_own else "public-of", id_, before=place_in(request))
    more = f"/players/{id_}?before={found[-1].at}~{found[-1].battle}" if len(found) == LISTED else ""
    return page(
        request,
        "profile.html",
        id=id_,
        name=account.name,
        owner=owner,
        may_complain=reader is not None and not is_own,
        blocked=reader is not None and id_ in blocks.blocked_by(server.store, reader.id),
        since=account.created[:10],
        is_own=is_own,
        results=await server.lobby.results(id_, only_public=not is_own),
        rows=rows_of(found, reader.id if reader else "", page_reader(request)),
        next=more,
    )
