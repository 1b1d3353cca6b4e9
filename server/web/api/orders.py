"""Ask what may be ordered, try it, order it."""

import asyncio
from collections.abc import Iterator

import msgspec
from aiohttp import web
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.log.record import splice_hash
from server.people.players import Player
from server.play.access import require_side, require_speaker, side_for
from server.play.disputing import named_in
from server.play.live_battle import LiveBattle
from server.play.preview import preview
from server.play.request import require_seen
from server.play.scripts import Unreadable, read_script
from server.play.service import LineOutcome, OrderRequest
from server.play.signing import LinesToSign, lines_to_sign
from server.web.api.battles import head_of, live_for
from server.web.api.exchange import answer, body_of, key_in, language_of
from server.web.api.messages import GiveOrders, LineAnswer, Options, OrdersAnswer
from server.web.auth import require_caller
from server.web.keys import server_of
from server.web.limits import count_refused, require_orders, spend
from server.web.problems import Trouble, problem_of
from server.web.waiting import share
from server.words import sentence_of


async def show_options(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/options"""
    live, player = await live_for(request)
    side = side_for(live, player, request.query.get("side", ""))
    return answer(Options(live.id, live.n, side, tuple(live.options(side)) if side else ()))


async def show_lines(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/lines"""
    player = require_caller(request)
    spend(request, "preview", player)
    live, _ = await live_for(request)
    given = await body_of(request, GiveOrders)
    return answer(to_sign(live, require_speaker(live, player, given.side), given.orders, language_of(request)))


def to_sign(live: LiveBattle, side: str, orders: str, lang: str) -> LinesToSign:
    """Order lines as a seat or an umpire with a key signs them: in canonical form, players by their ids. Nothing is
    played.

    Raises: Refusal core.signed-script, core.docket-unknown-player; Trouble for lines that cannot be read
    """
    ruleset, battle = live.ruleset, live.recording.battle
    try:
        script = read_script(orders, ruleset.read, senses=ruleset.orders.senses)
    except Unreadable as unreadable:
        raise trouble_of(unreadable, lang) from None
    if not script.is_plain:
        raise Refusal("core.signed-script", "CORE-FAIR", side=side)
    lines = lines_to_sign(script, ruleset, side in battle.owing)
    return replace(lines, texts=tuple(named_in(line, battle, side, live.store, live.seats)[0] for line in lines.texts))


async def give_orders(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/orders"""
    player = require_caller(request)
    require_orders(request, player)
    live, _ = await live_for(request)
    return await played(request, live, player, await body_of(request, GiveOrders))


async def played(request: web.Request, live: LiveBattle, player: Player, given: GiveOrders) -> web.Response:
    """Play the lines of a request, and answer it."""
    server = server_of(request)
    key = key_in(request)
    side = require_speaker(live, player, given.side)
    orders = OrderRequest(
        live.id,
        side,
        player.id,
        "api",
        given.orders,
        given.phrase,
        given.seal,
        given.expect,
        seen=require_seen(given.seen),
        signatures=given.signatures,
    )
    lang = language_of(request)
    try:
        result = await server.play.orders(orders, key)
    except Unreadable as unreadable:
        raise trouble_of(unreadable, lang) from None
    count_refused(request, player, result)
    lines = tuple(line_answer(live, outcome, lang) for outcome in result.outcomes)
    receipt = live.note()
    if result.refused is not None:
        raise Trouble(problem_of(result.refused, lang, lines=lines, receipt=receipt))
    witnessed = await asyncio.to_thread(server.witness.proof, server.store, live.id) if server.witness.has_log else ""
    return answer(
        OrdersAnswer(live.id, live.n, result.key, result.again, live.to_act(), lines, head_of(live), receipt, witnessed)
    )


def line_answer(live: LiveBattle, outcome: LineOutcome, lang: str) -> LineAnswer:
    """The result of a line as a message."""
    line, reason = outcome.line, outcome.refusal or outcome.why
    answer = LineAnswer(
        line.number,
        line.text,
        outcome.status,  # type: ignore[arg-type]  # one of Status
        tuple(event for span in outcome.spans for event in _events(live, *span)),
        times=len(outcome.spans) if outcome.spans else 1,
        spans=outcome.spans if len(outcome.spans) > 1 else (),
    )
    if reason is None:
        return answer
    sentence = sentence_of(reason, lang)
    return replace(answer, code=reason.code, rule=reason.rule, params=reason.params, sentence=sentence)


def _events(live: LiveBattle, first: int, last: int) -> Iterator[msgspec.Raw]:
    """Events in the form of the battle file."""
    return (msgspec.Raw(splice_hash(event, hash_)) for _, hash_, event in live.lines(first - 1, last - first + 1))


def trouble_of(unreadable: Unreadable, lang: str) -> Trouble:
    """The answer to unreadable lines: each bad one with its reason, the others not played."""
    faults = {fault.line.number: fault for fault in unreadable.faults}
    lines = []
    for line in unreadable.script.orders:
        fault = faults.get(line.number)
        if fault is None:
            lines.append(LineAnswer(line.number, line.text, "not-played"))
        else:
            refusal = fault.refusal
            lines.append(
                LineAnswer(
                    line.number,
                    line.text,
                    "refused",
                    code=refusal.code,
                    rule=refusal.rule,
                    params=refusal.params,
                    sentence=sentence_of(refusal, lang),
                )
            )
    refusal = Refusal("core.unreadable", "CORE-PARSE", count=len(faults), lines=sorted(faults))
    return Trouble(problem_of(refusal, lang, lines=tuple(lines)))


async def show_preview(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/preview"""
    player = require_caller(request)
    spend(request, "preview", player)
    live, _ = await live_for(request)
    given = await body_of(request, GiveOrders)
    side = require_side(live, player, given.side)
    if given.expect is not None and given.expect != live.n:
        raise Refusal("core.stale", "CORE-REPEAT", expect=given.expect, n=live.n)
    people = server_of(request).battles.workers.people
    try:
        with share(request, player):
            return answer(await preview(people, live, side, given.orders, given.phrase, given.seal))
    except Unreadable as unreadable:
        raise trouble_of(unreadable, language_of(request)) from None
