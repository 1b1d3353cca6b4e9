"""The forms about the sides of a battle and their chance.

A player's phrase is made by their browser, or by themselves; the server never makes one up.
"""

from aiohttp import web

from domain.basics.errors import Refusal
from domain.run.inputs import Phrase
from server.acts.join import Chair, join_battle, require_may_sit
from server.play import access
from server.play.request import PAGE_CHANNEL, require_seen
from server.play.scripts import require_key
from server.play.seating import cancel, change_book, leave_side
from server.play.service import OrderRequest
from server.web import auth
from server.web.api.battles import live_for, own_of
from server.web.keys import server_of
from server.web.limits import require_orders, spend
from server.web.pages.battle.showing import battle_link
from server.web.pages.forms import chosen_mode, draft_of, form_of, seen_in, signatures_in, text, word_in
from server.web.pages.rendering import see
from server.web.pages.visitors import visitor, with_session


async def post_contribution(request: web.Request) -> web.Response:
    """POST /battles/{id}/contribution: a side's part of the chance, before its own turn; it cannot be changed later."""
    auth.require_own_page(request)
    live, player = await live_for(request)
    draft = draft_of(await form_of(request))
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    side = access.require_side(live, player, draft.side)
    require_orders(request, player)
    seen = require_seen(draft.seen)
    orders = OrderRequest(
        live.id,
        side,
        player.id,
        PAGE_CHANNEL,
        phrase=draft.phrase,
        seal=draft.seal,
        seen=seen,
        signatures=draft.signatures,
    )
    if side in live.recording.battle.owing:
        played = await server_of(request).play.orders(orders, require_key(draft.key))
        if played.refused is not None and side in live.recording.battle.owing:
            raise played.refused
    return see(battle_link(live))


async def post_side(request: web.Request) -> web.Response:
    """POST /battles/{id}/sides/{side}: take a free side (anyone with the battle's address may), or let the bot take
    it. The browser has made a book of seals, and sends its anchor; else the seat is plain. With a `signer` its lines
    are signed."""
    auth.require_own_page(request)
    form, server, side = await form_of(request), server_of(request), request.match_info["side"]
    live = await server.battles.get(request.match_info["id"])
    require_may_sit(live, auth.caller(request), side)
    player, session = await visitor(request, text(form, "name"))
    spend(request, "bot" if text(form, "bot") else "seat", player)
    bot, phrase, anchor, signer = (text(form, name) for name in ("bot", "phrase", "anchor", "signer"))
    given = Phrase(phrase, PAGE_CHANNEL, require_seen(seen_in(form))) if phrase and not (anchor or bot) else None
    mode = "sealed" if anchor else "" if bot else chosen_mode(form)
    word = word_in(form) if signer else None
    await join_battle(server.acts, player, live, Chair(side, bot, "", mode, anchor, signer, given, word))
    return with_session(request, see(f"/battles/{live.id}"), session)


async def post_book(request: web.Request) -> web.Response:
    """POST /battles/{id}/book: another book of seals; the other side contributes anew before its first seal."""
    auth.require_own_page(request)
    live, player = await live_for(request)
    form = await form_of(request)
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    side = access.require_side(live, player, text(form, "side"))
    spend(request, "deed", player)
    signed = next(iter(signatures_in(form)), None)
    await change_book(live, side, Phrase(text(form, "anchor"), PAGE_CHANNEL, require_seen(seen_in(form)), signed))
    return see(battle_link(live))


async def post_leave(request: web.Request) -> web.Response:
    """POST /battles/{id}/sides/{side}/leave: give a side back before the battle begins."""
    auth.require_own_page(request)
    player, live, _ = await own_of(request)
    await leave_side(live, request.match_info["side"], player, word_in(await form_of(request)))
    return see(f"/battles/{live.id}")


async def post_cancel(request: web.Request) -> web.Response:
    """POST /battles/{id}/cancel: take a battle back that one has opened, before it begins."""
    auth.require_own_page(request)
    player, live, _ = await own_of(request)
    await cancel(live, player)
    return see(f"/battles/{live.id}")
