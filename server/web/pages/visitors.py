"""Sign in with a browser: as a guest with one click, or by a login link.

A guest is an account without an address, known only by the cookie of their browser.
"""

from contextlib import suppress

from aiohttp import web

from domain.basics.errors import Refusal
from replay.telling.words.sentences import fragment
from replay.writing.entropy import new_id
from server.acts.log_in import ask_to_log_in
from server.people import players
from server.people.players import Player
from server.play.quotas import require_guest_quota
from server.running import Server
from server.store import Violated
from server.store.tables import accounts
from server.store.tables.accounts import Account
from server.web import auth
from server.web.address import is_secure
from server.web.api import login
from server.web.api.invitations import require_mail
from server.web.api.login import set_session
from server.web.keys import server_of
from server.web.limits import require_puzzle, spend
from server.web.pages.forms import POSTED, form_of, own_address, text
from server.web.pages.identity import party_of
from server.web.pages.language import page_language, remember
from server.web.pages.rendering import page, see
from server.web.problems import Problem

TICKET, SOLUTION = "ticket", "solution"
"""The fields of a form that was sent once already, and asked for a puzzle."""


def puzzle_page(request: web.Request, problem: Problem) -> web.Response:
    """The form of a newcomer once more, with a ticket that the browser solves."""
    fields = [field for field in request.get(POSTED, ()) if field[0] not in (TICKET, SOLUTION)]
    return page(request, "puzzle.html", problem.status, problem=problem, fields=fields)


AUTOMATIC = (4, 4, 8)
"""Letters behind the name of a guest who has not chosen one, in each try."""


async def visitor(request: web.Request, name: str = "") -> tuple[Player, str]:
    """The sender of a form: the player who is logged in, else a new guest with their session ("" if there was one).

    Raises: Refusal core.bad-name, core.name-reserved, core.name-taken, core.cross-site, core.too-many, core.puzzle
    """
    player = auth.caller(request)
    if player is not None:
        return player, ""
    auth.require_own_page(request)
    form = await form_of(request)
    require_puzzle(request, text(form, TICKET), text(form, SOLUTION))
    require_guest_quota(server_of(request).store, server_of(request).settings.limits)
    return await _new_guest(server_of(request), name, page_language(request))


async def _new_guest(server: Server, name: str, lang: str) -> tuple[Player, str]:
    """An account that only a cookie knows; without a name it gets one in the language of its page, longer where a
    shorter one is taken."""
    guest, shown = fragment("pages.guest", {}, lang), name
    for letters in (0,) if name else AUTOMATIC:
        shown = players.require_player_name(name or f"{guest} {new_id(server.entropy)[:letters]}")
        player = f"p{new_id(server.entropy)}"
        token, session = players.new_token(server.clock, server.entropy, player, "session")
        account = Account(player, shown, players.GUEST_ADDRESS, server.clock.now())
        with suppress(Violated):
            await server.store.write(accounts.add(account), session)
            return Player(player, shown), token
    raise Refusal("core.name-taken", "CORE-ACCESS", name=shown)


async def rename(server: Server, player: Player, name: str) -> None:
    """Give a player another name from now on; logs keep the one that was shown.

    Raises: Refusal core.bad-name, core.name-reserved, core.name-taken
    """
    shown = players.require_player_name(name)
    try:
        await server.store.write(accounts.rename(player.id, shown))
    except Violated:
        raise Refusal("core.name-taken", "CORE-ACCESS", name=shown) from None


def with_session(request: web.Request, response: web.Response, token: str) -> web.Response:
    """Give a browser its session, if it got a new one."""
    if token:
        set_session(response, token, secure=is_secure(request))
    return response


async def show_login_form(request: web.Request) -> web.Response:
    """GET /login: where to send a link."""
    return _login_form(request)


async def post_login_form(request: web.Request) -> web.Response:
    """POST /login: send a link to the address, if an account has it; the answer is the same if none has.

    Raises: Refusal core.too-many, core.no-mail
    """
    auth.require_own_page(request)
    require_mail(request)
    spend(request, "link")
    await ask_to_log_in(server_of(request).acts, text(await form_of(request), "address"))
    return _login_form(request, is_sent=True)


def _login_form(request: web.Request, is_sent: bool = False) -> web.Response:
    sends = server_of(request).settings.mail
    return page(
        request,
        "login_form.html",
        sends=bool(sends),
        is_sent=is_sent,
        is_revoked="revoked" in request.query,
        is_removed="removed" in request.query,
        minutes=players.LOGIN_S // 60,
        party=party_of(request),
    )


async def show_login(request: web.Request) -> web.Response:
    """GET /login/{token}: a button; the link is spent by pressing it."""
    server = server_of(request)
    player = players.of_token(server.store, request.match_info["token"], "login", server.clock.now())
    if player is None:
        raise Refusal("core.login-used", "CORE-ACCESS")
    response = page(request, "login.html", name=player.name, account=player.id)
    response.headers.update(login.PRIVATE)
    return response


async def post_language(request: web.Request) -> web.Response:
    """POST /language: the buttons below each page; back to it. The settings of a player are theirs to change."""
    auth.require_own_page(request)
    form = await form_of(request)
    return remember(request, see(own_address(text(form, "back"))), text(form, "language"))
