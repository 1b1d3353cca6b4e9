"""The page of one battle as it is answered, and the reason behind an event.

Orders are in `server.web.pages.ordering`, the forms about sides in `server.web.pages.battle.seats`.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from aiohttp import web
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.scene import Scene
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.telling.why import to_text
from replay.writing.entropy import Entropy
from server.acts.bring import proposed_for
from server.entropy import new_secret
from server.people.players import Player
from server.play import access
from server.play.last_time import earlier
from server.play.live_battle import LiveBattle
from server.play.lobby import Lobby
from server.play.seating import is_reserved, reserved_sides
from server.shown.explaining import explained
from server.shown.luck import LuckShown, luck_shown
from server.shown.outcome import ShownAnswer
from server.store.tables import campaigns, drafts
from server.web import auth
from server.web.api.battles import live_for, shown_state
from server.web.api.exchange import number_in_query
from server.web.kept import KeptAnswer, tag_of
from server.web.keys import NOTICE, kept_of, pictures_of, server_of
from server.web.pages.battle.board import Draw
from server.web.pages.battle.page import BattlePage, page_of
from server.web.pages.battle.scenario import scenario_sentence
from server.web.pages.battle.talk import NO_TALK, TalkPart, talk_part
from server.web.pages.clocks import time_shown
from server.web.pages.ending import end_shown
from server.web.pages.forms import OrderDraft
from server.web.pages.language import page_language
from server.web.pages.rendering import packed, page, rendered, runs_server, sent
from server.web.pages.turning import is_turned, remember_turned
from server.web.pictures import BoardKey
from server.web.waiting import goes_on, kept_or_turn, turn

TOLD_AT_ONCE = 240
"""The most events that a page tells of as what has just happened."""
NOTHING = OrderDraft("", "", None, "", "", "")
KEY_MARK = "\ufdd0key\ufdd1".encode()
"""Stands for the key in a page that is kept. These characters are never anything else: Unicode leaves them to
programs."""


class PageRequest(NamedTuple):
    """A page that somebody asks for: whose, after which event (None: the newest), in which language, at what time;
    `since` is the event that they saw last."""

    request: web.Request
    live: LiveBattle
    player: Player | None
    side: str
    n: int | None
    is_turned: bool
    lang: str
    at: str
    since: int
    talk: TalkPart


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
    side = access.side_for(live, player, draft.side or request.query.get("side", ""))
    n = number_in_query(request, "n", live.n, 1) if "n" in request.query else None
    if n is not None and n > live.n:
        raise Refusal("core.no-such-event", "CORE-ACCESS", n=n, last=live.n)
    if side in live.parked and not live.asks_another(side):
        async with live.lock:
            pass  # the lines that waited are being played: what comes of them belongs on this page
    if side and n is None and draft == NOTHING:
        draft = _begun(live, side, player)
    asked = _asked_for(request, live, player, side, n)
    if draft != NOTHING or answer is not None:
        body = await _own_page(asked, draft, answer)
        return await sent(request, KeptAnswer(_with_new_key(body, server_of(request).entropy)), status)
    made = await _kept_page(asked)
    if not made.tag:
        made = KeptAnswer(_with_new_key(made.body, server_of(request).entropy))
    return await sent(request, made, status)


def _asked_for(request: web.Request, live: LiveBattle, player: Player | None, side: str, n: int | None) -> PageRequest:
    lang, is_below, at = page_language(request), is_turned(request, side), server_of(request).clock.now()
    since = _since(request, live, side) if n is None else 0
    talk = talk_part(live, player, side) if n is None else NO_TALK
    return PageRequest(request, live, player, side, n, is_below, lang, at, since, talk)


async def _own_page(asked: PageRequest, draft: OrderDraft, answer: ShownAnswer | None) -> bytes:
    """A page with what its reader has written or sent; it is nobody else's."""
    request = asked.request
    await (turn(request, asked.player) if answer is None else goes_on(request))  # what was played is told in any case
    if asked.side and asked.n is None:
        asked.live.options(asked.side)
        await goes_on(request)
    shown = await _with_last_time(asked, await _with_scenario(asked, _shown(asked)))
    await goes_on(request)
    return _written(asked, shown, draft, answer)


async def _kept_page(asked: PageRequest) -> KeptAnswer:
    """A page that is kept for all who would read the same."""
    request, live = asked.request, asked.live
    kind = "" if asked.n is None else "picture"
    async with kept_or_turn(request, asked.player, lambda: _key_of(asked), kind) as (wanted, kept):
        if kept is not None:
            return kept
        key = wanted
        if asked.side and asked.n is None:
            live.options(asked.side)
            await goes_on(request)
            key = _key_of(asked)  # meanwhile the battle may have gone on
        shown = await _with_end(asked, _shown(asked))
        shown = await _with_last_time(asked, await _with_scenario(asked, shown))
        await goes_on(request)
        body = _written(asked, shown, NOTHING, None)
        is_whole = KEY_MARK not in body
        compressed = await asyncio.to_thread(packed, body) if is_whole else b""
        made = KeptAnswer(body, tag_of(body) if is_whole else "", compressed)
        if shown.end is None or shown.end.armies:
            kept_of(request).keep(key, made)
    return made


def _key_of(asked: PageRequest) -> tuple[object, ...]:
    request, live, player, side, n, is_below, lang, at, since, talk = asked
    reader = (player, runs_server(request, player)) if player else None
    time = msgspec.json.encode(time_shown(live, side, at, lang)) if n is None else b""
    told = reserved_sides(live), proposed_for(live), since, talk, server_of(request).witness.asks
    notice = request.app[NOTICE].text(lang)
    return ("page", *shown_state(live, side, lang), n, is_below, reader, time, notice, *told)


def _shown(asked: PageRequest) -> BattlePage:
    request, live, player, side, n, is_below, lang, at, since, talk = asked
    draw = drawer(request, live, live.n if n is None else n, side, is_below, lang)
    witnessed = server_of(request).witness.asks
    return page_of(live, player, side, n, is_below, draw, lang, at, since, talk, witnessed)


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


async def _with_end(asked: PageRequest, shown: BattlePage) -> BattlePage:
    """The page, with result and luck of a battle that is over."""
    if not (shown.ended and shown.is_newest) or shown.closed:
        return shown
    end = await end_shown(asked.request, asked.live, shown.held, asked.lang)
    luck = await _luck(server_of(asked.request).lobby, asked.live, asked.lang)
    return replace(shown, luck=luck, end=end)


async def _with_scenario(asked: PageRequest, shown: BattlePage) -> BattlePage:
    """The page, with what its scenario is, and the board of a campaign that it is fought on."""
    board = campaigns.battle(asked.live.store, asked.live.id)
    return replace(shown, scenario=await scenario_sentence(asked.live, asked.lang), campaign=board)


async def _with_last_time(asked: PageRequest, shown: BattlePage) -> BattlePage:
    """The page, with whether its player has set up the same force before."""
    if not shown.tray.can_plan or asked.player is None:
        return shown
    can_repeat = bool(await last_time(asked.request, asked.live, asked.player, shown.side))
    return replace(shown, tray=replace(shown.tray, can_repeat=can_repeat))


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


def _written(asked: PageRequest, shown: BattlePage, draft: OrderDraft, answer: ShownAnswer | None) -> bytes:
    """The page as text, with a mark where the key of its forms belongs."""
    request, live, player = asked.request, asked.live, auth.caller(asked.request)
    server = server_of(request)
    reserved = [side for side in reserved_sides(live) if player is None or is_reserved(live, side, player)]
    told = {
        "page": shown,
        "draft": draft,
        "answer": answer,
        "key": KEY_MARK.decode(),
        "link": f"{server.settings.address}/battles/{live.id}",
        "host": live.recording.header.host,
        "reserved": reserved,
        "sends": server.settings.mail,
        "follows": [*access.takes_over(live, player)] if shown.is_newest else [],
    }
    return rendered(request, "battle/page.html", **told).encode()


def _with_new_key(page: bytes, entropy: Entropy) -> bytes:
    """Each page has a key of its own: what is sent from it twice is played once."""
    return page.replace(KEY_MARK, new_secret(entropy).encode())


def battle_link(live: LiveBattle, since: int = 0) -> str:
    """The page of the battle; it tells what has happened `since` an event."""
    return f"/battles/{live.id}{f'?since={since}' if since else ''}"


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
