"""Passkeys of players: made and removed in the settings, and the login with one.

The script of the two pages (`passkeys.js`) talks to the device and sends what it says as JSON; to remove one is a form.
"""

import asyncio
from base64 import urlsafe_b64encode
from typing import TypeVar

from aiohttp import web

from domain.basics.errors import Refusal
from replay.writing.entropy import new_id
from server.people import notices, passkeys, players
from server.people.notices import AccountEvent
from server.people.passkeys import NewPasskey, Party, PasskeyAnswer, Wanted
from server.people.players import Player
from server.store import Unmatched, Violated
from server.store.tables import lockers
from server.store.tables import passkeys as kept
from server.web import auth
from server.web.address import is_secure
from server.web.api.exchange import answer, body_of
from server.web.api.login import PRIVATE, SETTINGS, replaced, set_session
from server.web.bodies import bytes_of
from server.web.keys import challenges_of, server_of
from server.web.limits import spend
from server.web.pages.forms import form_of, text
from server.web.pages.identity import account_of, mails, may_log_in_by_letter, party_of, require_fresh
from server.web.pages.rendering import see

LONGEST_BODY = 32 * 1024
T = TypeVar("T")


async def post_new(request: web.Request) -> web.Response:
    """POST /passkeys/new: what the device is asked for. Its name is looked at now, before the device makes anything.

    Raises: Refusal core.cross-site, core.not-signed-in, core.too-many, core.too-many-passkeys, core.no-passkeys-here,
            core.bad-name, core.proof-needed
    """
    player, party = _player(request), _party(request)
    require_fresh(request, player)
    players.require_name((await _sent(request, Wanted)).name)
    held = kept.of_player(server_of(request).store, player.id)
    await asyncio.to_thread(passkeys.load)
    return answer(passkeys.to_make(challenges_of(request), party, player, held), headers=PRIVATE)


async def post_made(request: web.Request) -> web.Response:
    """POST /passkeys: the passkey that the device has made.

    Raises: Refusal core.passkey-late, core.passkey-refused, core.passkey-known, and as `post_new`
    """
    player, party, server = _player(request), _party(request), server_of(request)
    require_fresh(request, player)
    passkeys.require_room(kept.of_player(server.store, player.id))
    sent = await _sent(request, NewPasskey)
    new, now = new_id(server.entropy), server.clock.now()
    await asyncio.to_thread(passkeys.load)
    passkey = passkeys.made(challenges_of(request), party, player, sent, new, now)
    told = notices.notice_to(
        server.clock, server.entropy, account_of(request, player), AccountEvent.PASSKEY, passkey.name, mails(request)
    )
    try:
        await server.store.write(kept.add(passkey), *told)
    except Violated:
        raise Refusal("core.passkey-known", passkeys.RULE) from None
    return answer({"to": f"{server.settings.base}/settings?saved={new}#passkeys"}, headers=PRIVATE)


async def post_remove(request: web.Request) -> web.Response:
    """POST /passkeys/remove

    Raises: Refusal core.cross-site, core.not-signed-in, core.too-many, core.no-passkey, core.proof-needed
    """
    player = _player(request)
    if not may_log_in_by_letter(request, player):
        require_fresh(request, player)  # or a thief could take a guest's only way back
    server, wanted = server_of(request), text(await form_of(request), "passkey")
    lockers_of_it = [
        lockers.forget(player.id, lockers.PASSKEY, _place(passkey))
        for passkey in kept.of_player(server.store, player.id)
        if passkey.id == wanted
    ]
    try:
        await server.store.write(kept.remove(player.id, wanted), *lockers_of_it)
    except Unmatched:
        raise Refusal("core.no-passkey", passkeys.RULE) from None
    return see("/settings?saved#passkeys")


async def post_challenge(request: web.Request) -> web.Response:
    """POST /passkeys/challenge: what a passkey has to sign to log somebody in.

    Raises: Refusal core.cross-site, core.too-many, core.no-passkeys-here
    """
    auth.require_own_page(request)
    spend(request, "login")
    await asyncio.to_thread(passkeys.load)
    return answer(passkeys.to_sign(challenges_of(request), _party(request)), headers=PRIVATE)


async def post_login(request: web.Request) -> web.Response:
    """POST /passkeys/login: a session for the player whose passkey has signed.

    Raises: Refusal core.passkey-late, core.passkey-refused, and as `post_challenge`
    """
    auth.require_own_page(request)
    spend(request, "login")
    server, party, sent = server_of(request), _party(request), await _sent(request, PasskeyAnswer)
    await asyncio.to_thread(passkeys.load)
    used, uses = passkeys.signed(challenges_of(request), party, server.store, sent)
    session, issue = players.new_token(server.clock, server.entropy, used.player, "session")
    again, ended = replaced(request, used.player)
    try:
        await server.store.write(kept.saw(used, uses, server.clock.now()), issue, *ended)
    except Unmatched:
        raise Refusal("core.passkey-refused", passkeys.RULE) from None
    response = answer({"to": f"{server.settings.base}{SETTINGS if again else '/'}"}, headers=PRIVATE)
    set_session(response, session, secure=is_secure(request))
    return response


def _player(request: web.Request) -> Player:
    """The player whose passkeys a page of ours changes.

    Raises: Refusal core.cross-site, core.not-signed-in, core.too-many
    """
    auth.require_own_page(request)
    player = auth.require_caller(request)
    spend(request, "deed", player)
    return player


def _place(passkey: kept.StoredPasskey) -> str:
    """The place of the locker of a passkey."""
    return urlsafe_b64encode(passkey.credential).decode().rstrip("=")


def _party(request: web.Request) -> Party:
    """Raises: Refusal core.no-passkeys-here"""
    party = party_of(request)
    if party is None:
        raise Refusal("core.no-passkeys-here", passkeys.RULE)
    return party


async def _sent(request: web.Request, kind: type[T]) -> T:
    """What the script sends.

    Raises: Refusal core.too-large, and as `body_of`
    """
    if len(await bytes_of(request)) > LONGEST_BODY:
        raise Refusal("core.too-large", "CORE-ACCESS", limit=LONGEST_BODY)
    return await body_of(request, kind)
