"""Ask what may be ordered, try it, order it."""

import msgspec
from aiohttp import web

from domain.errors import Refusal
from domain.record import splice_hash
from server.api.battles import table_for
from server.api.exchange import answer, body_of, language_of
from server.api.messages import GiveOrders, LineAnswer, Options, OrdersAnswer
from server.auth import require_caller, require_reader, require_side, side_for
from server.house import house_of
from server.play import Orders, Outcome
from server.preview import preview
from server.problems import Trouble, problem_of, sentence_of
from server.scripts import Unreadable, read_script, require_key
from server.table import Table

KEY = "Idempotency-Key"


async def show_options(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/options"""
    table, player = await table_for(request)
    side = side_for(table, player, request.query.get("side", ""))
    return answer(Options(table.id, table.n, side, tuple(table.options(side)) if side else ()))


async def give_orders(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/orders"""
    house = house_of(request)
    player = require_caller(request)
    table = await house.hall.table(request.match_info["id"])
    require_reader(table, player)
    key = require_key(request.headers[KEY]) if KEY in request.headers else ""
    given = await body_of(request, GiveOrders)
    side = require_side(table, player, given.side)
    orders = Orders(table.id, side, player.id, "api", given.orders, given.phrase, given.seal, given.expect)
    lang = language_of(request)
    try:
        played = await house.play.orders(orders, key)
    except Unreadable as unreadable:
        raise trouble_of(unreadable, lang) from None
    lines = tuple(line_answer(table, outcome, lang) for outcome in played.outcomes)
    receipt = table.note(house.signer)
    if played.refused is not None:
        raise Trouble(problem_of(played.refused, lang, lines=lines, receipt=receipt))
    return answer(OrdersAnswer(table.id, table.n, played.key, played.again, table.to_act(), lines, receipt))


def line_answer(table: Table, outcome: Outcome, lang: str) -> LineAnswer:
    """What a program is told of a line."""
    line, refusal = outcome.line, outcome.refusal
    if refusal is not None:
        return LineAnswer(
            line.number,
            line.text,
            "refused",
            code=refusal.code,
            rule=refusal.rule,
            params=refusal.params,
            sentence=sentence_of(refusal, lang),
        )
    if outcome.status != "accepted":
        return LineAnswer(line.number, line.text, outcome.status)  # type: ignore[arg-type]  # one of Status
    events = table.lines(outcome.first - 1, outcome.last - outcome.first + 1)
    raw = tuple(msgspec.Raw(splice_hash(event, hash_)) for _, hash_, event in events)
    return LineAnswer(line.number, line.text, "accepted", raw)


def trouble_of(unreadable: Unreadable, lang: str) -> Trouble:
    """The answer to lines that cannot be read: each bad one with its reason, the others not played."""
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
    table, _ = await table_for(request)
    given = await body_of(request, GiveOrders)
    side = require_side(table, player, given.side)
    try:
        script = read_script(given.orders, table.ruleset.parse, given.phrase, given.seal)
    except Unreadable as unreadable:
        raise trouble_of(unreadable, language_of(request)) from None
    if given.expect is not None and given.expect != table.n:
        raise Refusal("core.stale", "CORE-REPEAT", expect=given.expect, n=table.n)
    return answer(await preview(table, side, script))
