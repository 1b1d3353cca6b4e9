"""The battles of the server, for its administrators: a list, and how one is ended or taken away.

An administrator who may not read a battle learns here that it is there, which game it is and how it stands, and nothing
else.
"""

from urllib.parse import urlencode

from aiohttp import web
from msgspec import Struct

from domain.basics.errors import Refusal
from domain.log.record import decode_header
from domain.run.leaving import LONGEST_REASON
from server.people.moderation import note, recorded
from server.play.access import unknown_battle
from server.play.foreign_writes import take_over_closings
from server.play.stopping import OPEN, require_open, status_of, stop, taken_away
from server.running import Server
from server.store.tables import battles
from server.store.tables.battles import ListedBattle
from server.store.tables.closings import REMOVED
from server.web.keys import server_of
from server.web.pages.administration import (
    ADMIN,
    form_of_administrator,
    is_sure,
    require_administrator,
    words_sought,
)
from server.web.pages.forms import text
from server.web.pages.rendering import page, see

BATTLES = f"{ADMIN}/battles"
LISTED = 50
END, REMOVE = "end", "rm"
DEEDS = (END, REMOVE)
"""What may be done about a battle, by the names of the commands `phalera battle …`."""


class StoredRow(Struct, frozen=True):
    """A battle in the list: its game in words, day of opening, who may read it, how many events it has, and how it
    stands (`pages.admin.status.NAME`)."""

    id: str
    game: str
    created: str
    readers: str
    events: int
    status: str


async def show_battles(request: web.Request) -> web.Response:
    """GET /admin/battles?words=&before=

    Raises: as `require_administrator`
    """
    require_administrator(request)
    server, words = server_of(request), words_sought(request)
    named = words.rpartition("/battles/")[2].partition("?")[0]
    found = battles.sought(server.store, named, request.query.get("before", ""), LISTED)
    more = ""
    if len(found) == LISTED:
        more = f"{BATTLES}?" + urlencode(({"words": words} if words else {}) | {"before": found[-1].battle})
    return page(
        request,
        "admin_battles.html",
        rows=[_row(server, one) for one in found],
        words=words,
        next=more,
        done=_done_before(request),
    )


async def show_stored(request: web.Request) -> web.Response:
    """GET /admin/battles/{battle}

    Raises: Refusal core.unknown-battle, and as `require_administrator`
    """
    require_administrator(request)
    row = _battle_row(request)
    deeds = [do for do in DEEDS if do != END or row.status == OPEN]
    return page(request, "admin_battle.html", row=row, deeds=deeds, done=_done_before(request))


async def post_stored(request: web.Request) -> web.Response:
    """POST /admin/battles/{battle}: a page that asks once more, then the deed.

    Raises: Refusal core.unknown-battle, core.battle-ended, core.battle-closed, core.bad-reason, and as
            `require_administrator`
    """
    administrator, form = await form_of_administrator(request)
    server, row, do = server_of(request), _battle_row(request), text(form, "do")
    if do not in DEEDS:
        raise Refusal("core.bad-request", "CORE-PARSE", reason="do names no deed")
    if do == END:
        require_open(server.store, row.id)
    here = f"{BATTLES}/{row.id}"
    if not is_sure(form):
        reasons = LONGEST_REASON if do == END else 0
        return page(request, "admin_sure.html", do=do, about="battle", name=row.id, back=here, reasons=reasons)
    now, reason = server.clock.now(), text(form, "reason")
    deed = recorded(do, row.id, administrator.id, now, reason)
    if do == END:
        await stop(server.battles, row.id, reason)
        await server.store.write(deed)
    else:
        await server.store.write(*taken_away(server.store, row.id, now), deed)
    take_over_closings(server.battles)
    note(do, row.id, administrator.id)
    return see(f"{BATTLES if do == REMOVE else here}?done={do}")


def _battle_row(request: web.Request) -> StoredRow:
    """The battle that an address names.

    Raises: Refusal core.unknown-battle
    """
    server, id_ = server_of(request), request.match_info["battle"]
    stored = server.store.battle(id_)
    if stored is None or status_of(server.store, id_) == REMOVED:
        raise unknown_battle(id_)
    return _row(server, ListedBattle(*stored))


def _row(server: Server, stored: ListedBattle) -> StoredRow:
    head, code = server.store.head(stored.battle), decode_header(stored.header).ruleset
    game = server.battles.rulesets.get(code)
    return StoredRow(
        stored.battle,
        game.title if game else code,
        stored.created[:10],
        stored.readers,
        head.n if head else 0,
        status_of(server.store, stored.battle),
    )


def _done_before(request: web.Request) -> str:
    """The deed that led here, "" if none did."""
    done = request.query.get("done", "")
    return done if done in DEEDS else ""
