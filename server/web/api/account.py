"""An account in the hands of its player: the proof that it is them, another address, and the end of the account."""

from contextlib import suppress

from aiohttp import web

from domain.basics.errors import Refusal
from replay.writing.signatures import require_signer
from server.acts.address import ask_to_move
from server.acts.log_in import send_link
from server.people import notices, players
from server.people.moderation import require_plain
from server.people.notices import AccountEvent
from server.people.players import Player
from server.people.umpire_keys import keep_umpire_key, umpire_key_of
from server.play.departing import concerned, depart
from server.running import Server
from server.store import Unmatched
from server.store.tables import accounts, correspondents, tokens
from server.store.tables.accounts import Account, name_key
from server.web.api.account_messages import (
    AddressAsked,
    ConcernedView,
    Departure,
    KeepUmpireKey,
    LinkSent,
    MoveAddress,
    RemoveAccount,
    Removed,
    UmpireKey,
)
from server.web.api.bot_accounts import remove_bots_of
from server.web.api.exchange import answer, body_of
from server.web.api.invitations import require_mail
from server.web.auth import forget_player, require_caller
from server.web.keys import server_of
from server.web.limits import require_room, spend


async def show_departure(request: web.Request) -> web.Response:
    """GET /api/v1/account/removal"""
    player = require_caller(request)
    return answer(Departure(player.id, player.name, await departure_of(server_of(request), player)))


async def send_proof(request: web.Request) -> web.Response:
    """POST /api/v1/account/proof: a letter with a login link, whose secret is the proof."""
    player = require_caller(request)
    require_mail(request)
    spend(request, "link", player)
    await send_link(server_of(request).acts, player.id)
    return answer(LinkSent(players.LOGIN_S // 60), 202)


async def post_removal(request: web.Request) -> web.Response:
    """POST /api/v1/account/removal"""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, RemoveAccount)
    spend(request, "login", player)
    account = account_to_remove(server, player, wanted.name)
    require_proof(server, player, wanted.proof)
    try:
        await server.store.write(tokens.use(wanted.proof, "login", server.clock.now()))
    except Unmatched:
        raise Refusal("core.login-used", "CORE-ACCESS") from None
    await remove_account(request, account)
    return answer(Removed(player.id))


async def post_address(request: web.Request) -> web.Response:
    """POST /api/v1/account/address: nothing moves before the new address has answered."""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, MoveAddress)
    spend(request, "login", player)
    require_proof(server, player, wanted.proof)
    account = accounts.by_player(server.store, player.id)
    kind = "letter" if account is not None and account.email else "claim"
    require_room(request, kind, player)
    asked = await ask_to_move(server.acts, player, wanted.address)  # what is refused uses no proof up
    spend(request, kind, player)
    await use_proof(server, wanted.proof)
    return answer(AddressAsked(asked.address, asked.reply), 202)


def require_proof(server: Server, player: Player, proof: str) -> None:
    """Refuse what takes a proof that it is the player, without one.

    Raises: Refusal core.login-used
    """
    proven = players.of_token(server.store, proof, "login", server.clock.now())
    if proven is None or proven.id != player.id:
        raise Refusal("core.login-used", "CORE-ACCESS")


async def use_proof(server: Server, proof: str) -> None:
    """Use a proof up, for what has been done with it."""
    with suppress(Unmatched):  # used a moment ago, for the same
        await server.store.write(tokens.use(proof, "login", server.clock.now()))


async def departure_of(server: Server, player: Player) -> tuple[ConcernedView, ...]:
    """What the removal of a player would do to their battles.

    Raises: Refusal core.busy
    """
    found = await concerned(server.play, server.lobby, player)
    return tuple(ConcernedView(one.battle, one.title, one.side, one.fate, one.name) for one in found)


def account_to_remove(server: Server, player: Player, written: str) -> Account:
    """The account of a player who has written out its name, to remove it.

    Raises: Refusal core.not-signed-in, core.other-name, core.administers
    """
    account = accounts.by_player(server.store, player.id)
    if account is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    require_plain(account)
    if name_key(written) != name_key(account.name):
        raise Refusal("core.other-name", "CORE-ACCESS", name=account.name)
    return account


async def remove_account(request: web.Request, account: Account) -> None:
    """Take a player off this server by their own wish: first out of their battles, then the account.

    Raises: Refusal core.administers, core.busy; StoreError
    """
    server, player = server_of(request), Player(account.player, account.name, account.email)
    await remove_bots_of(request, player)
    await depart(server.play, server.lobby, player)
    lang, mails = correspondents.find(server.store, account.player).lang, bool(server.settings.mail)
    told = notices.notice_to(server.clock, server.entropy, account, AccountEvent.REMOVED, account.name, mails, lang)
    try:
        await server.store.write(accounts.stay_plain(account.player), *players.erased(account.player), *told)
    except Unmatched:  # they got the role this moment
        raise Refusal("core.administers", "CORE-ACCESS", name=account.name) from None
    forget_player(request, account.player)
    server.acts.ring()


async def show_umpire_key(request: web.Request) -> web.Response:
    """GET /api/v1/account/umpire-key"""
    player = require_caller(request)
    return answer(UmpireKey(umpire_key_of(server_of(request).store, player.id)))


async def post_umpire_key(request: web.Request) -> web.Response:
    """POST /api/v1/account/umpire-key"""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, KeepUmpireKey)
    require_signer(wanted.signer)
    await server.store.write(*keep_umpire_key(server.store, player.id, wanted.signer))
    return answer(UmpireKey(wanted.signer))
