"""Disputes over HTTP: each message becomes the line that a mail would have, and goes the way of orders."""

from aiohttp import web

from domain.basics.decoding import decode
from domain.basics.errors import Refusal
from domain.engine.dockets import UMPIRE, Docket
from replay.reports.disputed import RulesVerdict, verdict_written
from replay.telling.dockets import statements, taken_back
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.web.api.battles import live_for
from server.web.api.dispute_messages import (
    AnswerDispute,
    DisputesView,
    DocketView,
    GiveRuling,
    NameSubstitute,
    OfferRemedy,
    OfferView,
    RaiseDispute,
    RuleOnFlag,
    StatementView,
    SubstituteView,
    TakenBackView,
)
from server.web.api.exchange import answer, body_of, language_of
from server.web.api.log import battle_file
from server.web.api.messages import GiveOrders
from server.web.api.orders import played
from server.web.auth import require_caller
from server.web.keys import pictures_of, server_of
from server.web.limits import require_orders, spend
from server.web.pictures import BoardKey
from server.workers import Busy

TAKEBACK = "takeback"


async def list_disputes(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/disputes"""
    live, _ = await live_for(request)
    await live.remember()
    now = live.recording.battle.disputes
    return answer(
        DisputesView(
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
            substitutes=tuple(
                SubstituteView(seat, by, one.player, one.name, one.n, one.is_silent)
                for seat, said in now.substitutes.items()
                for by, one in said.items()
            ),
            umpire_signer=now.umpire_signer,
            umpire_serial=live.recording.battle.serials.get(UMPIRE, 0),
            unsigned_umpire=now.unsigned_umpire,
        )
    )


async def show_dispute(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/disputes/{d}"""
    live, _ = await live_for(request)
    await live.remember()
    spend(request, "picture")
    docket = docket_in(request, live)
    return answer(docket_view(live, docket, await verdict_of(request, live, docket, language_of(request))))


def docket_in(request: web.Request, live: LiveBattle) -> Docket:
    """The docket in the address.

    Raises: Refusal core.docket-unknown
    """
    name = request.match_info["d"]
    docket = live.recording.battle.disputes.docket(name)
    if docket is None:
        raise Refusal("core.docket-unknown", "CORE-DSP-01", docket=name[:20])
    return docket


async def verdict_of(request: web.Request, live: LiveBattle, docket: Docket, lang: str) -> RulesVerdict | None:
    """The verdict of the rules on a docket, made once for each event that the battle grows by; None while the server
    has too much to do."""

    async def asked() -> tuple[bytes, str, int, str]:
        return await battle_file(server_of(request), live), docket.id, docket.about, lang

    key = BoardKey(live.id, live.n, "", lang, f"verdict {docket.id}")
    try:
        made = await pictures_of(request).of_file(key, verdict_written, asked)
    except Busy:
        return None
    return decode(made, RulesVerdict)


def docket_view(live: LiveBattle, docket: Docket, verdict: RulesVerdict | None = None) -> DocketView:
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
        verdict=verdict,
    )


def anew(live: LiveBattle, remedy: str) -> tuple[TakenBackView, ...]:
    """What a remedy would have drawn anew."""
    what, _, to = remedy.partition(" ")
    if what != "rewind":
        return ()
    timeline = live.recording.timeline
    found = taken_back(timeline.events, timeline.counts, int(to), timeline.ruleset.seats)
    return tuple(TakenBackView(one.side, one.cards, one.dice) for one in found)


# --- saying something


async def raise_dispute(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/disputes"""
    player, live = await _speaking(request)
    given = await body_of(request, RaiseDispute)
    line = f"{TAKEBACK} {given.text}" if given.kind == TAKEBACK else f"dispute {given.about} {given.kind} {given.text}"
    return await _play_line(request, live, player, given, line)


async def answer_dispute(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/disputes/{d}/answers"""
    player, live = await _speaking(request)
    given = await body_of(request, AnswerDispute)
    return await _play_line(request, live, player, given, f"{given.say} {request.match_info['d']} {given.text}")


async def offer_remedy(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/disputes/{d}/offers"""
    player, live = await _speaking(request)
    given = await body_of(request, OfferRemedy)
    return await _play_line(
        request, live, player, given, f"offer {request.match_info['d']} {given.remedy} {given.text}"
    )


async def give_ruling(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/disputes/{d}/ruling"""
    player, live = await _speaking(request)
    given = await body_of(request, GiveRuling)
    return await _play_line(request, live, player, given, f"rule {request.match_info['d']} {given.remedy} {given.text}")


async def rule_on_flag(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/disputes/flags"""
    player, live = await _speaking(request)
    given = await body_of(request, RuleOnFlag)
    return await _play_line(request, live, player, given, f"flag {given.flag} {given.effect} {given.text}")


async def name_substitute(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/disputes/substitutes"""
    player, live = await _speaking(request)
    given = await body_of(request, NameSubstitute)
    return await _play_line(request, live, player, given, f"substitute {given.seat} {given.player}")


async def _speaking(request: web.Request) -> tuple[Player, LiveBattle]:
    """The speaker, and the battle: asked before anything is read."""
    player = require_caller(request)
    require_orders(request, player)
    live, _ = await live_for(request)
    return player, live


async def _play_line(
    request: web.Request,
    live: LiveBattle,
    player: Player,
    given: RaiseDispute | AnswerDispute | OfferRemedy | GiveRuling | RuleOnFlag | NameSubstitute,
    line: str,
) -> web.Response:
    lines = " ".join(line.split())
    phrase, seal = (given.phrase, given.seal) if isinstance(given, (AnswerDispute, OfferRemedy)) else ("", "")
    orders = GiveOrders(lines, None, phrase, seal, given.side, given.seen, given.signatures)
    return await played(request, live, player, orders)
