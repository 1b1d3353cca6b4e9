"""The accounts of bots: a player makes them, gives them another token, takes them away."""

from aiohttp import web

from domain.basics.errors import Refusal
from server.people.players import Player, erased, player_of
from server.people.programs import bot_token, bots_of, enrol_bot, own_bot, require_person
from server.play.departing import depart
from server.running import Server
from server.store import Violated
from server.store.tables import accounts, tokens
from server.store.tables.accounts import Account
from server.web.api.bot_messages import BotAccounts, BotAccountView, MakeBot
from server.web.api.exchange import answer, body_of
from server.web.auth import forget_player, require_caller
from server.web.keys import server_of
from server.web.limits import spend


async def list_bots(request: web.Request) -> web.Response:
    """GET /api/v1/account/bots"""
    return answer(bot_accounts_of(server_of(request), require_caller(request)))


async def post_bot(request: web.Request) -> web.Response:
    """POST /api/v1/account/bots"""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, MakeBot)
    spend(request, "deed", player)
    account, token = await make_bot(server, player, wanted.name)
    return answer(view_of_bot(account, token), 201)


async def post_token(request: web.Request) -> web.Response:
    """POST /api/v1/account/bots/{player}/token: the old one is good no longer."""
    player, server = require_caller(request), server_of(request)
    spend(request, "deed", player)
    account = own_bot(server.store, player, request.match_info["player"])
    token = await renew_token(request, account)
    return answer(view_of_bot(account, token), 201)


async def delete_bot(request: web.Request) -> web.Response:
    """DELETE /api/v1/account/bots/{player}: out of its battles first, then the account."""
    player, server = require_caller(request), server_of(request)
    spend(request, "deed", player)
    await remove_bot(request, own_bot(server.store, player, request.match_info["player"]))
    return answer(bot_accounts_of(server, player))


async def make_bot(server: Server, player: Player, name: str) -> tuple[Account, str]:
    """Make a bot account of a player; returns it with its token in plaintext.

    Raises: Refusal core.name-taken, and as `enrol_bot`
    """
    account, token, made = enrol_bot(server.store, server.clock, server.entropy, server.settings.limits, player, name)
    if accounts.by_look(server.store, account.name) is not None:
        raise Refusal("core.name-taken", "CORE-ACCESS", name=account.name)
    try:
        await server.store.write(*made)
    except Violated:  # taken this moment
        raise Refusal("core.name-taken", "CORE-ACCESS", name=account.name) from None
    return account, token


async def renew_token(request: web.Request, account: Account) -> str:
    """Give a bot another token, in place of those it had."""
    server = server_of(request)
    token, issued = bot_token(server.clock, server.entropy, account.player)
    await server.store.write(tokens.revoke_all(account.player, "api"), issued)
    forget_player(request, account.player)
    return token


async def remove_bot(request: web.Request, account: Account) -> None:
    """Take a bot off this server: first out of its battles, as a person who leaves, then the account.

    Raises: Refusal core.busy; StoreError
    """
    server = server_of(request)
    await depart(server.play, server.lobby, player_of(account))
    await server.store.write(*erased(account.player))
    forget_player(request, account.player)


async def remove_bots_of(request: web.Request, player: Player) -> None:
    """Take all bots of a player who leaves off this server.

    Raises: Refusal core.busy; StoreError
    """
    for account in bots_of(server_of(request).store, player.id):
        await remove_bot(request, account)


def bot_accounts_of(server: Server, player: Player) -> BotAccounts:
    """The bot accounts of a player, who is no bot.

    Raises: Refusal core.bot-account
    """
    require_person(player)
    return BotAccounts(tuple(view_of_bot(account) for account in bots_of(server.store, player.id)))


def view_of_bot(account: Account, token: str = "") -> BotAccountView:
    """A bot account as its owner sees it, with its token where that is new."""
    return BotAccountView(account.player, account.name, account.created, token)
