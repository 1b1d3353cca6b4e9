"""What lets a player in: their API tokens and sessions, listed and revoked."""

from aiohttp import web

from domain.basics.errors import Refusal
from server.people import notices, players
from server.people.notices import AccountEvent
from server.people.players import Player
from server.running import Server
from server.store import Unmatched
from server.store.tables import accounts, tokens
from server.store.tables.accounts import Account
from server.web.api.exchange import answer
from server.web.api.messages import Tokens, TokenView
from server.web.auth import forget_player, is_fresh, require_caller
from server.web.keys import server_of
from server.web.limits import spend

LASTING = ("api", "session")


async def list_tokens(request: web.Request) -> web.Response:
    """GET /api/v1/tokens"""
    return answer(live_tokens(server_of(request), require_caller(request)))


async def revoke_token(request: web.Request) -> web.Response:
    """DELETE /api/v1/tokens/{id}"""
    player, server = require_caller(request), server_of(request)
    spend(request, "deed", player)
    await revoke(server, player, request.match_info["id"])
    forget_player(request, player.id)
    return answer(live_tokens(server, player))


async def revoke(server: Server, player: Player, id_: str) -> None:
    """End a token or a session of a player by its id.

    Raises: Refusal core.no-token
    """
    try:
        await server.store.write(tokens.revoke_named(player.id, id_))
    except Unmatched:
        raise Refusal("core.no-token", "CORE-ACCESS") from None


async def end_sessions(request: web.Request) -> web.Response:
    """DELETE /api/v1/sessions: log out everywhere; programs keep their tokens."""
    player, server = require_caller(request), server_of(request)
    spend(request, "deed", player)
    await log_out_everywhere(server, player)
    forget_player(request, player.id)
    return answer(live_tokens(server, player))


async def log_out_everywhere(server: Server, player: Player, keeps_links: bool = False) -> None:
    """End all sessions of a player, and the login links that are still open, unless they are kept."""
    links = () if keeps_links else (tokens.revoke_all(player.id, "login"),)
    await server.store.write(tokens.revoke_all(player.id, "session"), *links)


async def revoke_everything(request: web.Request) -> web.Response:
    """DELETE /api/v1/access?passkeys=keep: end whatever lets somebody in, the token of this request too."""
    player, server = require_caller(request), server_of(request)
    spend(request, "deed", player)
    account = accounts.by_player(server.store, player.id)
    if account is not None:
        await revoke_all(request, account, with_passkeys=request.query.get("passkeys") != "keep")
    return answer(Tokens(()))


async def revoke_all(request: web.Request, account: Account, with_passkeys: bool, keeps_links: bool = False) -> None:
    """End whatever lets somebody in as a player; passkeys stay where they are the only way back, and nobody has proven
    lately that it is the player who asks."""
    server = server_of(request)
    by_letter = bool(server.settings.mail)
    told = notices.notice_to(server.clock, server.entropy, account, AccountEvent.REVOKED, by_letter=by_letter)
    may_come_back = is_fresh(request) or (by_letter and bool(account.email))
    ended = players.revoked(account.player, with_passkeys and may_come_back, keeps_links)
    await server.store.write(*ended, *told)
    for one in (account, *accounts.of_owner(server.store, account.player)):
        forget_player(request, one.player)


def live_tokens(server: Server, player: Player) -> Tokens:
    """The tokens of a player that are good, oldest first."""
    now = server.clock.now()
    return Tokens(
        tuple(
            TokenView(token.id, token.kind, token.created, token.seen, token.expires)
            for token in tokens.of_player(server.store, player.id)
            if token.kind in LASTING and (token.expires is None or token.expires > now)
        )
    )
