"""The page of one battle, and the forms about its sides and its chance.

Orders are in `server.web.pages.ordering`. A player's phrase is made by their browser, or by themselves; the server
never makes one up.
"""

import asyncio
from collections.abc import Callable

import msgspec
from aiohttp import web
from msgspec.structs import replace

from domain.engine.errors import Refusal
from domain.engine.inputs import Phrase
from domain.engine.state import OTHER
from domain.scene import Scene
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.telling.why import to_text
from server.entropy import Entropy, new_secret
from server.mail.desk.bringing import proposed_for
from server.mail.desk.giving_way import give_way
from server.people.players import Player
from server.play import access
from server.play.last_time import earlier
from server.play.live_battle import LiveBattle
from server.play.lobby import Lobby
from server.play.request import PAGE_CHANNEL, require_seen
from server.play.scripts import require_key
from server.play.seating import cancel, change_book, is_reserved, leave_side, reserved_sides, seat_bot, take_side
from server.play.service import OrderRequest
from server.shown.explaining import explained
from server.shown.luck import LuckShown, luck_shown
from server.shown.outcome import ShownAnswer
from server.store.tables import drafts
from server.web import auth
from server.web.api.battles import live_for, own_of, require_may_seat_bot, require_may_sit, shown_state
from server.web.api.exchange import number_in_query
from server.web.kept import KeptAnswer, tag_of
from server.web.keys import NOTICE, kept_of, mail_of, pictures_of, server_of
from server.web.limits import require_orders, spend
from server.web.pages.battle_page import BattlePage, Draw, page_of
from server.web.pages.beside import Beside, beside_of
from server.web.pages.clocks import time_shown
from server.web.pages.ending import end_shown
from server.web.pages.forms import (
    OrderDraft,
    draft_of,
    form_of,
    mode_said,
    seen_in,
    signatures_in,
    text,
)
from server.web.pages.language import page_language
from server.web.pages.rendering import packed, page, rendered, runs_server, see, sent
from server.web.pages.spectators import is_offered, spectators_talk
from server.web.pages.talk import Talk
from server.web.pages.turning import is_turned, remember_turned
from server.web.pages.visitors import visitor, with_session
from server.web.pictures import BoardKey
from server.web.waiting import goes_on, kept_or_turn, turn

TOLD_AT_ONCE = 240
"""The most events that a page tells of as what has just happened."""
NOTHING = OrderDraft("", "", None, "", "", "")
KEY_MARK = "\ufdd0key\ufdd1".encode()
"""Stands for the key in a page that is kept. These characters are never anything else: Unicode leaves them to
programs."""


async def show_battle(request: web.Request) -> web.Response:
    """GET /battles/{id}?n=&turned=&side=&lang="""
    live, player = await live_for(request)
    await live.remember()
    side = access.side_for(live, player, request.query.get("side", ""))
    return remember_turned(request, await battle_page(request, live, player), live, side)


async def battle_page(
    request: web.Request,
    live: LiveBattle,
    player: Player | None,
    draft: OrderDraft = NOTHING,
    answer: ShownAnswer | None = None,
    status: int = 200,
) -> web.Response:
    """The page of a battle, with the result of the order box if it was sent. One without is made once for each state
    and reader, and all strangers read the same."""
    server = server_of(request)
    side = access.side_for(live, player, draft.side or request.query.get("side", ""))
    n = number_in_query(request, "n", live.n, 1) if "n" in request.query else None
    if n is not None and n > live.n:
        raise Refusal("core.no-such-event", "CORE-ACCESS", n=n, last=live.n)
    if side in live.parked and live.question() != OTHER[side]:
        async with live.lock:
            pass  # the lines that waited are being played: what comes of them belongs on this page
    if side and n is None and draft == NOTHING:
        draft = _begun(live, side, player)
    lang, is_below, at = page_language(request), is_turned(request, side), server.clock.now()
    since = _since(request, live, side) if n is None else 0
    beside = beside_of(live, player, side) if player and side and n is None else None
    watching = spectators_talk(live, player) if n is None else None
    if draft != NOTHING or answer is not None:
        await (turn(request, player) if answer is None else goes_on(request))  # what was played is told in any case
        if side and n is None:
            live.options(side)
            await goes_on(request)
        shown = await _with_last_time(
            request, live, player, _shown(request, live, player, side, n, is_below, lang, at, since)
        )
        await goes_on(request)
        body = _written(request, live, shown, draft, answer, beside, watching)
        return await sent(request, KeptAnswer(_with_new_key(body, server.entropy)), status)
    reader = (player, runs_server(request, player)) if player else None

    def key_of() -> tuple[object, ...]:
        time = msgspec.json.encode(time_shown(live, side, at, lang)) if n is None else b""
        told = reserved_sides(live), proposed_for(live), since, beside, watching
        notice = request.app[NOTICE].text(lang)
        return ("page", *shown_state(live, side, lang), n, is_below, reader, time, notice, *told)

    async with kept_or_turn(request, player, key_of, "" if n is None else "picture") as (asked, kept):
        key, made = asked, kept
        if made is None:
            if side and n is None:
                live.options(side)
                await goes_on(request)
                key = key_of()  # meanwhile the battle may have gone on
            shown = _shown(request, live, player, side, n, is_below, lang, at, since)
            if shown.ended and shown.is_newest and not shown.closed:
                end = await end_shown(request, live, shown.held, lang)
                shown = replace(shown, luck=await _luck(server.lobby, live, lang), end=end)
            shown = await _with_last_time(request, live, player, shown)
            await goes_on(request)
            body = _written(request, live, shown, NOTHING, None, beside, watching)
            is_whole = KEY_MARK not in body
            compressed = await asyncio.to_thread(packed, body) if is_whole else b""
            made = KeptAnswer(body, tag_of(body) if is_whole else "", compressed)
            if shown.end is None or shown.end.armies:
                kept_of(request).keep(key, made)
    return await sent(request, made if made.tag else KeptAnswer(_with_new_key(made.body, server.entropy)), status)


def _shown(
    request: web.Request,
    live: LiveBattle,
    player: Player | None,
    side: str,
    n: int | None,
    is_turned: bool,
    lang: str,
    at: str,
    since: int,
) -> BattlePage:
    draw = drawer(request, live, live.n if n is None else n, side, is_turned, lang)
    return page_of(live, player, side, n, is_turned, draw, lang, at, since)


def drawer(request: web.Request, live: LiveBattle, n: int, side: str, is_turned: bool, lang: str) -> Draw:
    """What draws the board after event `n` for pages, or knows it already."""
    kept, key = pictures_of(request), BoardKey(live.id, n, side, lang, "turned page" if is_turned else "page")
    in_text = key._replace(form=f"{key.form} in text")

    def draw(scene: Callable[[], Scene]) -> tuple[str, str]:
        return (
            kept.of_page(key, lambda: draw_svg(scene(), captions=False, lang=lang)),
            kept.of_page(in_text, lambda: draw_text(scene(), lang=lang)),
        )

    return draw


async def _with_last_time(
    request: web.Request, live: LiveBattle, player: Player | None, shown: BattlePage
) -> BattlePage:
    """The page, with whether its player has set up the same force before."""
    if not shown.can_plan or player is None:
        return shown
    return replace(shown, can_repeat=bool(await last_time(request, live, player, shown.side)))


async def last_time(request: web.Request, live: LiveBattle, player: Player, side: str) -> tuple[str, ...]:
    """The orders with which a player set up the same force before; () also while there are no read models to ask."""
    server = server_of(request)
    try:
        return await earlier(server.lobby, server.battles, live, side, player.id)
    except Refusal:
        return ()


async def _luck(lobby: Lobby, live: LiveBattle, lang: str) -> LuckShown | None:
    """The luck in a battle that is over; None while there are no read models to ask."""
    try:
        _, rows = await lobby.statistics(live.id)
    except Refusal:
        return None
    return luck_shown(live, rows, lang)


def _begun(live: LiveBattle, side: str, player: Player | None) -> OrderDraft:
    """What the player has written before and not sent."""
    kept = drafts.find(live.store, live.id, side, player.id) if player else drafts.NOTHING
    return replace(NOTHING, orders=kept.orders, returned=kept.returned)


def _since(request: web.Request, live: LiveBattle, side: str) -> int:
    """The event after which a player wants to be told what has happened; 0 for nothing, and for whoever only
    watches."""
    if not side or "since" not in request.query:
        return 0
    since = number_in_query(request, "since", 0, 0)
    return since if live.n - TOLD_AT_ONCE <= since < live.n else 0


def _written(
    request: web.Request,
    live: LiveBattle,
    shown: BattlePage,
    draft: OrderDraft,
    answer: ShownAnswer | None,
    beside: Beside | None,
    watching: Talk | None,
) -> bytes:
    """The page as text, with a mark where the key of its forms belongs."""
    link = f"{server_of(request).settings.address}/battles/{live.id}"
    told = {"page": shown, "draft": draft, "answer": answer, "key": KEY_MARK.decode(), "link": link, "beside": beside}
    told["host"] = live.recording.header.host
    sends, player = server_of(request).settings.mail, auth.caller(request)
    reserved = [side for side in reserved_sides(live) if player is None or is_reserved(live, side, player)]
    offered = shown.is_newest and is_offered(live, player)
    beside_it = {"watching": watching, "offered": offered, "reserved": reserved, "sends": sends}
    beside_it["follows"] = [*access.takes_over(live, player)] if shown.is_newest else []
    return rendered(request, "battle.html", **beside_it, **told).encode()


def _with_new_key(page: bytes, entropy: Entropy) -> bytes:
    """Each page has a key of its own: what is sent from it twice is played once."""
    return page.replace(KEY_MARK, new_secret(entropy).encode())


def battle_link(live: LiveBattle, since: int = 0) -> str:
    """The page of the battle; it tells what has happened `since` an event."""
    return f"/battles/{live.id}{f'?since={since}' if since else ''}"


# --- chance, sides


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
    if text(form, "bot"):
        require_may_seat_bot(live, player)
        await seat_bot(live, side, text(form, "bot"), server.entropy, player)
    else:
        phrase, anchor, signer = (text(form, name) for name in ("phrase", "anchor", "signer"))
        given = Phrase(phrase, PAGE_CHANNEL, require_seen(seen_in(form))) if phrase and not anchor else None
        mode = "sealed" if anchor else mode_said(form)
        await take_side(live, side, player, mode=mode, anchor=anchor, phrase=given, signer=signer)
    await give_way(mail_of(request).desk, live)
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
    await leave_side(live, request.match_info["side"], player)
    return see(f"/battles/{live.id}")


async def post_cancel(request: web.Request) -> web.Response:
    """POST /battles/{id}/cancel: take a battle back that one has opened, before it begins."""
    auth.require_own_page(request)
    player, live, _ = await own_of(request)
    await cancel(live, player)
    return see(f"/battles/{live.id}")


# --- why


async def show_why(request: web.Request) -> web.Response:
    """GET /battles/{id}/why/{n}?lang=: the rule, the number, the cards and the order behind an event."""
    live, player = await live_for(request)
    side = access.side_for(live, player, request.query.get("side", ""))
    written, lang = request.match_info["n"], page_language(request)
    n = int(written) if len(written) < 16 else 0
    await live.remember()
    told = explained(live, side, n, lang)
    lines = to_text(told, lang).split("\n")[1:]
    return page(request, "why.html", id=live.id, ruleset=live.ruleset.code, told=told, lines=lines, n=n, last=live.n)
