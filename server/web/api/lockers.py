"""Lockers: books of seals and keys that sign follow their player to each of their devices.

The devices encrypt them, under a key that never comes here. This server keeps the newest version of each, refuses
one that was made without knowing it, and cannot read any (docs/decisions/0053-one-seat-on-all-devices.md).
"""

import binascii
from base64 import urlsafe_b64decode

from aiohttp import web

from domain.basics.errors import Refusal
from domain.basics.pace import moment_of, text_of
from server.people.players import Player
from server.people.umpire_keys import umpire_key_of
from server.play.access import is_over, require_reader, require_side
from server.running import Server
from server.store import Unmatched
from server.store.tables import lockers, passkeys
from server.store.tables.lockers import OF_UMPIRE, PASSKEY, SEAT, StoredLocker
from server.web.api.exchange import answer, body_of
from server.web.api.locker_messages import KeepLocker, Lockers, LockerView
from server.web.api.login import PRIVATE
from server.web.auth import require_caller
from server.web.keys import server_of
from server.web.limits import spend

RULE = "CORE-ACCESS"
KEPT_MS = 90 * 24 * 3600 * 1000
"""How long the locker of a battle is kept that is over."""


async def list_lockers(request: web.Request) -> web.Response:
    """GET /api/v1/account/lockers?place=: all without their contents, or those of a place whole."""
    player, place = require_caller(request), request.query.get("place", "")
    return answer(lockers_in(server_of(request), player, place), headers=PRIVATE)


async def post_locker(request: web.Request) -> web.Response:
    """POST /api/v1/account/lockers/{kind}/{place}"""
    player, server = require_caller(request), server_of(request)
    sent = await body_of(request, KeepLocker)
    spend(request, "deed", player)
    kind, place = request.match_info["kind"], request.match_info["place"]
    at = server.clock.now()
    long_ago = text_of(moment_of(at) - KEPT_MS)
    await server.store.write(lockers.forget_ended(player.id, long_ago))
    await _require_place(server, player, kind, place, long_ago)
    locker = StoredLocker(player.id, kind, place, sent.version, sent.mark, sent.content, at)
    try:
        await server.store.write(lockers.put(locker))
    except Unmatched:
        raise _refusal(server, locker) from None
    return answer(_view(locker, is_whole=False), headers=PRIVATE)


async def delete_lockers(request: web.Request) -> web.Response:
    """DELETE /api/v1/account/lockers: who has lost the key begins anew; what their devices hold stays there."""
    player, server = require_caller(request), server_of(request)
    spend(request, "deed", player)
    await server.store.write(lockers.forget_all(player.id))
    return answer(lockers_in(server, player), headers=PRIVATE)


def lockers_in(server: Server, player: Player, place: str = "") -> Lockers:
    """The lockers of a player: those of a place whole, else all without their contents."""
    found = lockers.of_player(server.store, player.id, place)
    mark = lockers.mark_of(server.store, player.id)
    by_letter = bool(server.settings.mail and player.email) and not passkeys.of_player(server.store, player.id)
    return Lockers(player.id, mark, by_letter, tuple(_view(locker, is_whole=bool(place)) for locker in found))


async def _require_place(server: Server, player: Player, kind: str, place: str, long_ago: str) -> None:
    """Refuse a locker for what is not the player's: a side that they hold in a battle that was not over `long_ago`, a
    passkey of theirs, the keys with which they judge.

    Raises: Refusal core.no-such-locker, core.too-many-lockers; of a battle: core.unknown-battle, core.not-seated
    """
    if kind == SEAT and place != OF_UMPIRE:
        live = await server.battles.get(place)
        require_reader(live, player)
        require_side(live, player)
        if is_over(live) and live.recording.newest_at < long_ago:
            raise Refusal("core.no-such-locker", RULE)
    elif kind == SEAT:
        if not umpire_key_of(server.store, player.id):
            raise Refusal("core.no-such-locker", RULE)
    elif kind != PASSKEY or not _is_own(server, player, place):
        raise Refusal("core.no-such-locker", RULE)
    held = lockers.size_of(server.store, player.id)[0]
    if held >= lockers.MOST and not lockers.of_player(server.store, player.id, place):
        raise Refusal("core.too-many-lockers", RULE, most=lockers.MOST)


def _is_own(server: Server, player: Player, place: str) -> bool:
    """Whether the credential, in its one spelling as base64url, is a passkey of the player."""
    try:
        credential = urlsafe_b64decode(place + "=" * (-len(place) % 4))
    except (binascii.Error, ValueError):
        return False
    found = passkeys.find(server.store, credential)
    return found is not None and found.player == player.id


def _refusal(server: Server, locker: StoredLocker) -> Refusal:
    """Why a locker was not kept: its key is another one, or its version is not the next."""
    mark = lockers.mark_of(server.store, locker.player)
    code = "core.locker-other-key" if mark not in ("", locker.mark) else "core.locker-newer"
    return Refusal(code, RULE)


def _view(locker: StoredLocker, is_whole: bool) -> LockerView:
    content = locker.content if is_whole else ""
    return LockerView(locker.kind, locker.place, locker.version, len(locker.content), locker.at, content)
