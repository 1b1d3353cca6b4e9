"""The organiser's desk for programs: what needs the caller today, and the acts that settle it (CAM-CLB-09)."""

from aiohttp import web

from server.acts.clubs.chore_words import chore_sentence
from server.acts.clubs.chores import ChoreAct, DeskChore, chores_of
from server.acts.clubs.settling import settle
from server.people.players import Player
from server.running import Server
from server.web.api.exchange import answer, body_of, key_in, language_of
from server.web.api.organising_messages import ChoreActView, Chores, ChoreView, SettleChore
from server.web.auth import require_caller
from server.web.keys import server_of
from server.web.limits import spend, spend_reading
from server.web.reading_rate import FILE_COST


async def show_chores(request: web.Request) -> web.Response:
    """GET /api/v1/organising"""
    player = require_caller(request)
    spend_reading(request, FILE_COST)  # each campaign of theirs is read whole
    return answer(await chores_told(server_of(request), player, language_of(request)))


async def post_chore(request: web.Request) -> web.Response:
    """POST /api/v1/organising"""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, SettleChore)
    spend(request, "deed", player)
    act = ChoreAct(wanted.do, wanted.value)
    await settle(server.acts, server.steward, player, wanted.owner, act, key_in(request))
    return answer(await chores_told(server, player, language_of(request)))


async def chores_told(server: Server, player: Player, lang: str) -> Chores:
    """What needs a player, in words."""
    zone = server.acts.wishes(player.id).zone
    found = await chores_of(server.store, server.lobby, player.id, server.clock.now())
    return Chores(tuple(_chore(one, lang, zone) for one in found))


def _chore(one: DeskChore, lang: str, zone: str) -> ChoreView:
    return ChoreView(
        one.kind,
        one.what,
        one.owner_kind,
        one.owner,
        one.title,
        one.battle,
        one.board,
        one.names,
        one.since,
        one.until,
        chore_sentence(one, lang, zone),
        tuple(ChoreActView(act.do, act.value) for act in one.acts),
    )
