"""What lets a player in: their API tokens and sessions, listed and revoked."""

from aiohttp import web

from domain.engine.errors import Refusal
from server.people.players import Player
from server.running import Server
from server.store import Unmatched
from server.store.tables import tokens
from server.web.api.exchange import answer
from server.web.api.messages import Tokens, TokenView
from server.web.auth import require_caller
from server.web.keys import server_of, tokens_of
from server.web.limits import spend

LASTING = ("api", "session")


async def list_tokens(request: web.Request) -> web.Response:
    """GET /api/v1/tokens"""
    return answer(tokens_told(server_of(request), require_caller(request)))


async def revoke_token(request: web.Request) -> web.Response:
    """DELETE /api/v1/tokens/{id}"""
    player, server = require_caller(request), server_of(request)
    spend(request, "deed", player)
    await revoke(server, player, request.match_info["id"])
    tokens_of(request).players.clear()
    return answer(tokens_told(server, player))


async def revoke(server: Server, player: Player, id_: str) -> None:
    """End a token or a session of a player by its id.

    Raises: Refusal core.no-token
    """
    try:
        await server.store.write(tokens.revoke_named(player.id, id_))
    except Unmatched:
        raise Refusal("core.no-token", "CORE-ACCESS") from None


async def end_sessions(request: web.Request) -> web.Response:
    """DELETE /api/v1/sessions: log out everywhere."""
    player, server = require_caller(request), server_of(request)
    spend(request, "deed", player)
    await log_out_everywhere(server, player)
    return answer(tokens_told(server, player))


async def log_out_everywhere(server: Server, player: Player, keeps_links: bool = False) -> None:
    """End all sessions of a player, and the login links that are still open, unless they are kept."""
    links = () if keeps_links else (tokens.revoke_all(player.id, "login"),)
    await server.store.write(tokens.revoke_all(player.id, "session"), *links)


def tokens_told(server: Server, player: Player) -> Tokens:
    """The tokens of a player that are good, oldest first."""
    now = server.clock.now()
    return Tokens(
        tuple(
            TokenView(token.id, token.kind, token.created, token.seen, token.expires)
            for token in tokens.of_player(server.store, player.id)
            if token.kind in LASTING and (token.expires is None or token.expires > now)
        )
    )
