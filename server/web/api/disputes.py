"""Disputes over HTTP: each message becomes the line that a mail would have, and goes the way of orders."""

from aiohttp import web

from domain.engine.dockets import Docket
from domain.engine.errors import Refusal
from replay.telling.dockets import statements, taken_back
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.web.api.battles import live_for
from server.web.api.dispute_messages import (
    AnswerDispute,
    Disputes,
    DocketView,
    GiveRuling,
    OfferRemedy,
    OfferView,
    RaiseDispute,
    RuleOnFlag,
    StatementView,
    TakenBackView,
)
from server.web.api.exchange import answer, body_of
from server.web.api.messages import GiveOrders
from server.web.api.orders import played
from server.web.auth import require_caller
from server.web.limits import require_orders

TAKEBACK = "takeback"


async def list_disputes(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/disputes"""
    live, _ = await live_for(request)
    await live.remember()
    now = live.recording.battle.disputes
    return answer(
        Disputes(
            battle=live.id,
            n=live.n,
            umpire=now.umpire,
            umpire_name=now.umpire_name,
            proposed={side: said.what for side, said in now.proposed.items()},
            takebacks=now.takebacks,
            disputes_days=now.days,
            halted=now.halted,
            result=now.result,
            dockets=tuple(docket_view(live, docket) for docket in now.dockets),
        )
    )


async def show_dispute(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/disputes/{d}"""
    live, _ = await live_for(request)
    await live.remember()
    return answer(docket_view(live, docket_in(request, live)))


def docket_in(request: web.Request, live: LiveBattle) -> Docket:
    """The docket in the address.

    Raises: Refusal core.docket-unknown
    """
    name = request.match_info["d"]
    docket = live.recording.battle.disputes.docket(name)
    if docket is None:
        raise Refusal("core.docket-unknown", "CORE-DSP-01", docket=name[:20])
    return docket


def docket_view(live: LiveBattle, docket: Docket) -> DocketView:
    """A docket as a message; the past of the battle is in memory."""
    said = statements(live.recording.timeline.events, docket)
    return DocketView(
        docket=docket.id,
        side=docket.side,
        about=docket.about,
        kind=docket.kind,
        text=docket.text,
        n=docket.n,
        how=docket.how,
        remedy=docket.remedy,
        closed=docket.closed,
        offers={side: OfferView(said.what, said.n, anew(live, said.what)) for side, said in docket.offers.items()},
        said=tuple(StatementView(one.n, one.at, one.by, one.what, one.text, one.remedy) for one in said),
    )


def anew(live: LiveBattle, remedy: str) -> tuple[TakenBackView, ...]:
    """What a remedy would have drawn anew."""
    what, _, to = remedy.partition(" ")
    if what != "rewind":
        return ()
    timeline = live.recording.timeline
    found = taken_back(timeline.events, timeline.counts, int(to))
    return tuple(TakenBackView(one.side, one.cards, one.dice) for one in found)


# --- saying something


async def raise_dispute(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/disputes"""
    player, live = await _speaking(request)
    given = await body_of(request, RaiseDispute)
    line = f"{TAKEBACK} {given.text}" if given.kind == TAKEBACK else f"dispute {given.about} {given.kind} {given.text}"
    return await _said(request, live, player, given, line)


async def answer_dispute(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/disputes/{d}/answers"""
    player, live = await _speaking(request)
    given = await body_of(request, AnswerDispute)
    return await _said(request, live, player, given, f"{given.say} {request.match_info['d']} {given.text}")


async def offer_remedy(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/disputes/{d}/offers"""
    player, live = await _speaking(request)
    given = await body_of(request, OfferRemedy)
    return await _said(request, live, player, given, f"offer {request.match_info['d']} {given.remedy} {given.text}")


async def give_ruling(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/disputes/{d}/ruling"""
    player, live = await _speaking(request)
    given = await body_of(request, GiveRuling)
    return await _said(request, live, player, given, f"rule {request.match_info['d']} {given.remedy} {given.text}")


async def rule_on_flag(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/disputes/flags"""
    player, live = await _speaking(request)
    given = await body_of(request, RuleOnFlag)
    return await _said(request, live, player, given, f"flag {given.flag} {given.effect} {given.text}")


async def _speaking(request: web.Request) -> tuple[Player, LiveBattle]:
    """Who says something, and of which battle: asked before anything is read."""
    player = require_caller(request)
    require_orders(request, player)
    live, _ = await live_for(request)
    return player, live


async def _said(
    request: web.Request,
    live: LiveBattle,
    player: Player,
    given: RaiseDispute | AnswerDispute | OfferRemedy | GiveRuling | RuleOnFlag,
    line: str,
) -> web.Response:
    lines = " ".join(line.split())
    orders = GiveOrders(orders=lines, side=given.side, seen=given.seen, signatures=given.signatures)
    return await played(request, live, player, orders)
