"""The orders of a battle's page: sent, tried, signed, kept as a draft, and the reason why one is impossible.

The order box uses the same path as every order (`server.play.service`): its lines are played once under the key of the
form, and only if the battle is still at the event that the page showed.
"""

from collections.abc import Sequence

import msgspec
from aiohttp import web
from msgspec.structs import replace

from domain.basics.errors import Refusal
from server.people.players import Player
from server.play import access
from server.play.last_time import fitted
from server.play.live_battle import LiveBattle
from server.play.planning import Situation, plan
from server.play.preview import preview
from server.play.reasons import opener, reason
from server.play.request import PAGE_CHANNEL, require_seen
from server.play.scripts import Unreadable, require_key
from server.play.service import OrderRequest
from server.shown.outcome import ShownAnswer, answer_of, outlook_of, refusal_answer, unreadable_answer
from server.shown.story import result_of
from server.store import Statement
from server.store.tables import drafts, watched
from server.web import auth
from server.web.api.battles import live_for
from server.web.api.exchange import answer as reply
from server.web.api.orders import to_sign
from server.web.keys import server_of
from server.web.limits import count_refused, require_orders, spend
from server.web.pages.battle.showing import battle_link, battle_page, last_time
from server.web.pages.forms import OrderDraft, chosen, draft_of, form_of, text, with_line, without_lines
from server.web.pages.language import page_language
from server.web.pages.rendering import see
from server.web.problems import status_of
from server.web.waiting import share
from server.words import say, sentence_of

LONGEST_NAME = 40
"""Characters of the name of a unit or a box."""


async def post_orders(request: web.Request) -> web.Response:
    """POST /battles/{id}/orders: the order box, to be sent, tried, or filled with a picked line."""
    auth.require_own_page(request)
    live, player = await live_for(request)
    form = await form_of(request)
    draft = draft_of(form)
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    side = access.require_side(live, player, draft.side)
    if pick := text(form, "pick") or chosen(form):
        return await battle_page(request, live, player, _with_text(draft, with_line(draft.orders, pick)))
    if ends := text(form, "end"):
        draft = replace(draft, orders=with_line(draft.orders, ends))
    if text(form, "do") in ("plan", "repeat"):
        spend(request, "preview", player)
        propose = _planned if text(form, "do") == "plan" else _as_last_time
        return await propose(request, live, player, side, draft)
    is_tried, before = text(form, "do") == "preview" and not ends, live.n
    if is_tried:
        spend(request, "preview", player)
    else:
        require_orders(request, player)
    try:
        answer = await (_tried if is_tried else _played)(request, live, player, draft)
    except Unreadable as unreadable:
        answer = unreadable_answer(unreadable, page_language(request))
    except Refusal as refusal:
        answer = refusal_answer(refusal, page_language(request))
    left = "" if answer.all_well else answer.left or draft.orders
    if not is_tried:
        shown = watched.record(live.id, player.id, live.n)  # what came of one's own orders is no news
        await server_of(request).store.write(_kept_after(live, side, player, draft, left), shown)
    if answer.all_well:
        return see(battle_link(live, before))
    status = status_of(answer.code) if answer.is_refused else 200
    return await battle_page(request, live, player, _with_text(draft, left), answer, status)


async def _planned(
    request: web.Request, live: LiveBattle, player: Player, side: str, draft: OrderDraft
) -> web.Response:
    """The page with what the bot proposes for the set-up."""
    lang = page_language(request)
    with share(request, player):
        planned = await plan(server_of(request).battles.workers.people, live, side)
    lines = _not_there(draft, planned)
    said = say(lang, "pages.answer.proposed", count=len(lines)) if lines else say(lang, "pages.answer.no-proposal")
    return await _proposed(request, live, player, side, draft, lines, ShownAnswer(said))


async def _as_last_time(
    request: web.Request, live: LiveBattle, player: Player, side: str, draft: OrderDraft
) -> web.Response:
    """The page with the player's own set-up of an earlier battle, as far as it fits; what does not is told."""
    lang = page_language(request)
    with share(request, player):
        wanted = await last_time(request, live, player, side)
        situation = Situation(live.ruleset, live.id, live.n, side, live.known(side))
        found = await server_of(request).battles.workers.people.run(fitted, situation, wanted)
    lines = _not_there(draft, found.lines)
    said = say(lang, "pages.answer.repeated", count=len(lines)) if lines else say(lang, "pages.answer.no-repetition")
    left = ", ".join(found.left_out)
    notes = (say(lang, "pages.answer.left-out", lines=left),) if left else ()
    return await _proposed(request, live, player, side, draft, lines, ShownAnswer(said, notes=notes))


def _not_there(draft: OrderDraft, proposed: Sequence[str]) -> list[str]:
    there = {line.strip() for line in draft.orders.split("\n")}
    return [line for line in proposed if line not in there]


async def _proposed(
    request: web.Request,
    live: LiveBattle,
    player: Player,
    side: str,
    draft: OrderDraft,
    lines: Sequence[str],
    answer: ShownAnswer,
) -> web.Response:
    """The page with lines that are proposed behind those of the order box; nothing is sent."""
    orders = draft.orders
    for line in lines:
        orders = with_line(orders, line)
    await server_of(request).store.write(_draft_row(live, side, player, orders))
    return await battle_page(request, live, player, _with_text(draft, orders), answer)


async def _played(request: web.Request, live: LiveBattle, player: Player, draft: OrderDraft) -> ShownAnswer:
    """Send the orders.

    Raises: Refusal, Unreadable, StoreError
    """
    side = access.require_side(live, player, draft.side)
    orders = OrderRequest(
        live.id,
        side,
        player.id,
        PAGE_CHANNEL,
        draft.orders,
        draft.phrase,
        draft.seal,
        draft.expect,
        seen=require_seen(draft.seen),
        signatures=draft.signatures,
    )
    played = await server_of(request).play.orders(orders, require_key(draft.key))
    count_refused(request, player, played)
    return answer_of(played, lambda first, last: _went(live, side, first, last), page_language(request))


def _went(live: LiveBattle, side: str, first: int, last: int) -> str:
    return result_of(live.recording, side, side, live.recording.timeline.events[first - 1 : last])


async def _tried(request: web.Request, live: LiveBattle, player: Player, draft: OrderDraft) -> ShownAnswer:
    """Preview the orders: nothing is drawn or stored.

    Raises: Refusal, Unreadable
    """
    side, people = access.require_side(live, player, draft.side), server_of(request).battles.workers.people
    with share(request, player):
        tried = await preview(people, live, side, draft.orders, draft.phrase, draft.seal)
    return outlook_of(tried, page_language(request))


def _with_text(draft: OrderDraft, orders: str) -> OrderDraft:
    return OrderDraft(orders, "", None, draft.phrase, draft.seal, draft.side, draft.seen)


async def post_lines(request: web.Request) -> web.Response:
    """POST /battles/{id}/lines: order lines as a seat with a key signs them, for the script of the page; nothing is
    played."""
    auth.require_own_page(request)
    live, player = await live_for(request)
    draft = draft_of(await form_of(request))
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    side = access.require_speaker(live, player, draft.side)
    spend(request, "preview", player)
    return reply(to_sign(live, side, draft.orders, page_language(request)))


async def post_draft(request: web.Request) -> web.Response:
    """POST /battles/{id}/draft: what the player has written and not sent, for the next page or another device. If
    somebody else of theirs has changed it since they saw it (`was`), nothing is kept: 409, with what is there."""
    auth.require_own_page(request)
    live, player = await live_for(request)
    draft = draft_of(await form_of(request))
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    side = access.require_side(live, player, draft.side)
    spend(request, "draft", player)
    if len(draft.orders) > drafts.LONGEST:
        raise Refusal("core.bad-request", "CORE-PARSE", reason=f"a draft has {drafts.LONGEST} characters at most")
    there = drafts.find(live.store, live.id, side, player.id).orders
    if draft.was is not None and there not in (draft.was, draft.orders):
        return reply(DraftThere(there), status=409)
    await server_of(request).store.write(_draft_row(live, side, player, draft.orders))
    return web.Response(status=204, headers={"Cache-Control": "no-store"})


class DraftThere(msgspec.Struct, frozen=True):
    """A draft as the server has it."""

    orders: str


def _kept_after(live: LiveBattle, side: str, player: Player, draft: OrderDraft, left: str) -> Statement:
    """Keep what is left of orders that were sent, and what was added to the draft elsewhere meanwhile."""
    there = drafts.find(live.store, live.id, side, player.id).orders
    added = "" if draft.was in (None, there) else without_lines(there, draft.orders)
    return _draft_row(live, side, player, f"{left}{added}")


def _draft_row(live: LiveBattle, side: str, player: Player, orders: str) -> Statement:
    orders = orders[: drafts.LONGEST]
    if not orders.strip():
        return drafts.forget(live.id, side, player.id)
    return drafts.keep(live.id, side, player.id, orders, live.now())


class Why(msgspec.Struct, frozen=True):
    """Why a unit cannot do what was asked, "" if it can; `first` is an order after which it may act, "" for none."""

    said: str
    first: str = ""


async def show_reason(request: web.Request) -> web.Response:
    """GET /battles/{id}/reason?side=&unit=&box=: why a unit has no order, or none to a box, for the script of the
    page."""
    live, player = await live_for(request)
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    side = access.require_side(live, player, request.query.get("side", ""))
    spend(request, "preview", player)
    unit, box = (request.query.get(name, "")[:LONGEST_NAME] for name in ("unit", "box"))
    refusal = reason(live, side, unit, box)
    if refusal is None:
        return reply(Why(""))
    return reply(Why(sentence_of(refusal, page_language(request)), "" if box else opener(live, side, unit)))
