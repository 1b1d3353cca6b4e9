"""The accounts of the server, for its administrators: a list, and what may be done about each."""

from urllib.parse import urlencode

from aiohttp import web

from domain.basics.errors import Refusal
from server.people.moderation import DEEDS, as_it_is, note, offered, recorded
from server.people.players import Player, is_gone
from server.store import Unmatched
from server.store.contract import TableRows
from server.store.tables import accounts, holdings, lockers, tokens
from server.store.tables.accounts import Account
from server.web import auth
from server.web.keys import server_of, tokens_of
from server.web.pages.administration import (
    ADMIN,
    form_of_administrator,
    is_sure,
    require_administrator,
    words_sought,
)
from server.web.pages.forms import text
from server.web.pages.rendering import page, see

PLAYERS = f"{ADMIN}/players"
LISTED = 50
ENDING = frozenset({"ban", "log-out", "remove"})
"""Deeds after which a player is no longer let in."""
OWN = frozenset({"log-out"})
"""What administrators do about themselves elsewhere: in their settings."""


async def show_players(request: web.Request) -> web.Response:
    """GET /admin/players?words=&after=

    Raises: as `require_administrator`
    """
    require_administrator(request)
    store, words = server_of(request).store, words_sought(request)
    found = accounts.sought(store, words, request.query.get("after", ""), LISTED)
    seen = tokens.last_seen(store, [account.player for account in found])
    more = ""
    if len(found) == LISTED:
        more = f"{PLAYERS}?" + urlencode(({"words": words} if words else {}) | {"after": found[-1].player})
    return page(
        request,
        "admin_players.html",
        rows=[(account, seen.get(account.player, "")[:10]) for account in found if not is_gone(account)],
        words=words,
        next=more,
        done=_done_before(request),
    )


async def show_account(request: web.Request) -> web.Response:
    """GET /admin/players/{player}

    Raises: as `require_administrator` and `_account`
    """
    administrator = require_administrator(request)
    store, account = server_of(request).store, _account(request)
    return page(
        request,
        "admin_player.html",
        account=account,
        seen=tokens.last_seen(store, [account.player]).get(account.player, "")[:10],
        seats=holdings.of_player(store, account.player, holdings.SEAT),
        locked=lockers.size_of(store, account.player),
        deeds=_deeds(account, administrator),
        is_own=account.player == administrator.id,
        done=_done_before(request),
    )


async def post_account(request: web.Request) -> web.Response:
    """POST /admin/players/{player}: a page that asks once more, then the deed.

    Raises: Refusal core.as-it-is, core.administers, core.last-administrator, core.no-guest; as `require_administrator`
    """
    administrator, form = await form_of_administrator(request)
    server, account, do = server_of(request), _account(request), text(form, "do")
    if do not in DEEDS:
        raise Refusal("core.bad-request", "CORE-PARSE", reason="do names no deed")
    if do in OWN and account.player == administrator.id:
        raise as_it_is(account)
    deed = DEEDS[do](account, server.clock.now())
    here = f"{PLAYERS}/{account.player}"
    if not is_sure(form):
        return page(request, "admin_sure.html", do=do, about="player", name=account.name, back=here)
    try:
        now = server.clock.now()
        await server.store.write(*deed.statements, recorded(do, account.player, administrator.id, now))
    except Unmatched:
        raise deed.refusal from None
    if do in ENDING:
        auth.forget_player(request, account.player)
    tokens_of(request).players.clear()
    note(do, account.player, administrator.id)
    if do == "demote" and account.player == administrator.id:
        return see("/")
    return see(f"{PLAYERS if do == 'remove' else here}?done={do}")


def _deeds(account: Account, administrator: Player) -> tuple[str, ...]:
    is_own = account.player == administrator.id
    return tuple(deed for deed in offered(account) if not (is_own and deed in OWN))


def _account(request: web.Request) -> Account:
    """The account that an address names.

    Raises: Refusal core.no-such-page
    """
    store: TableRows = server_of(request).store
    account = accounts.by_player(store, request.match_info["player"])
    if account is None or is_gone(account):
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    return account


def _done_before(request: web.Request) -> str:
    """The deed that led here, "" if none did."""
    done = request.query.get("done", "")
    return done if done in DEEDS else ""
