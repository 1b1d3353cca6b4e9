"""The armies of a battle that has not begun over HTTP: `server.acts.bring` decides, as for every door."""

from aiohttp import web

from domain.run.seats import free_sides
from server.acts.bring import bring, may_bring, proposed_for
from server.acts.join import require_may_sit
from server.armies import OwnArmy
from server.entropy import new_secret
from server.play.live_battle import LiveBattle
from server.shown.forces import forces_of, options_shown
from server.web.api.bringing_messages import ArmiesView, BringArmy, BroughtView
from server.web.api.exchange import answer, body_of, key_in, language_of
from server.web.auth import caller, require_caller
from server.web.keys import server_of
from server.web.limits import spend


async def show_armies(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/armies"""
    live = await server_of(request).battles.get(request.match_info["id"])
    require_may_sit(live, caller(request), free_side(live))
    lang = language_of(request)
    armies, options = forces_of(live.ruleset, live.game, lang), options_shown(live.ruleset, live.known(""), lang)
    return answer(ArmiesView(live.id, armies, options, may_bring(live), proposed_for(live)))


async def post_army(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/armies"""
    player = require_caller(request)
    live = await server_of(request).battles.get(request.match_info["id"])
    wanted = await body_of(request, BringArmy)
    side = wanted.side or free_side(live)
    require_may_sit(live, player, side)
    spend(request, "army")
    spend(request, "battle", player)
    own = OwnArmy(wanted.list, wanted.size, wanted.seed, wanted.army)
    key = key_in(request) or new_secret(server_of(request).entropy)
    came = await bring(server_of(request).acts, player, live, side, own, "api", key)
    return answer(BroughtView(came.live.id, came.side, came.opponent), 201)


def free_side(live: LiveBattle) -> str:
    """The side that can be taken, "" if there is none."""
    return next(reversed(free_sides(live.recording.battle, live.seats)), "")
