"""The log of moderation, for the administrators: what each of them and the host have done."""

from urllib.parse import urlencode

from aiohttp import web
from msgspec import Struct

from server.store.tables import accounts, deeds
from server.store.tables.deeds import StoredDeed
from server.web.keys import server_of
from server.web.pages.administration import ADMIN, require_administrator, words_sought
from server.web.pages.language import PageReader, page_reader
from server.web.pages.rendering import page

HERE = f"{ADMIN}/deeds"
LISTED = 50
MOST_DIGITS = 15
OF_PLAYERS = frozenset({"ban", "let-in", "log-out", "promote", "demote", "remove", "token", "revoke"})
OF_BATTLES = frozenset({"end", "rm", "rules", "remove-words"})


class DeedRow(Struct, frozen=True):
    """A deed as it is listed: when, by whom ("": the host), which (`pages.admin.deed.NAME`), the id that it is about,
    its page ("": none), and why."""

    at: str
    actor: str
    deed: str
    about: str
    link: str
    why: str


async def show_deeds(request: web.Request) -> web.Response:
    """GET /admin/deeds?words=&before=: `words` is the id of what they are about

    Raises: as `require_administrator`
    """
    require_administrator(request)
    store, reader, words = server_of(request).store, page_reader(request), words_sought(request)
    given = request.query.get("before", "")
    before = int(given) if given.isascii() and given.isdigit() and len(given) < MOST_DIGITS else 0
    found = deeds.latest(store, LISTED, before, words)
    names = {one.actor: getattr(accounts.by_player(store, one.actor), "name", one.actor) for one in found}
    more = ""
    if len(found) == LISTED:
        more = f"{HERE}?" + urlencode(({"words": words} if words else {}) | {"before": found[-1].n})
    rows = [_row(one, names[one.actor], reader) for one in found]
    return page(request, "admin_deeds.html", rows=rows, words=words, next=more)


def _row(one: StoredDeed, actor: str, reader: PageReader) -> DeedRow:
    place = "players" if one.deed in OF_PLAYERS else "battles" if one.deed in OF_BATTLES else ""
    link = f"{ADMIN}/{place}/{one.about}" if place else ""
    return DeedRow(reader.moment(one.at), actor, one.deed, one.about, link, one.why)
