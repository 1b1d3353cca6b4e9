"""What the players of a battle say to each other over HTTP: for the two of them alone."""

from aiohttp import web

from server.acts.talk import heard_by, talk
from server.entropy import new_secret
from server.people.players import Player
from server.play.access import require_reader, require_side
from server.play.live_battle import LiveBattle
from server.web.api.exchange import answer, body_of, key_in
from server.web.api.word_messages import Relayed, SayWords, Words, WordsView
from server.web.auth import caller, require_caller
from server.web.keys import server_of
from server.web.limits import spend

MOST = 100


async def show_words(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/words: nothing counts as read by it."""
    player, live = await _own_battle(request)
    require_side(live, player)
    names = {side: seat.name for side, seat in live.recording.battle.seats.items()}
    said = heard_by(live, player, MOST)
    views = tuple(
        WordsView(one.side, names.get(one.side, ""), one.at, one.text, one.player == player.id) for one in said
    )
    return answer(Words(live.id, views))


async def post_words(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/words"""
    player, live = await _own_battle(request)
    wanted, server = await body_of(request, SayWords), server_of(request)
    side = require_side(live, player, wanted.side)
    spend(request, "words", player)
    key = key_in(request) or new_secret(server.entropy)
    return answer(Relayed(await talk(server.acts, player, live, side, wanted.text, key)), 201)


async def _own_battle(request: web.Request) -> tuple[Player, LiveBattle]:
    """The caller, and the battle in the address.

    Raises: Refusal core.unknown-battle, also of a battle that the caller may not read, core.not-signed-in
    """
    live = await server_of(request).battles.get(request.match_info["id"])
    require_reader(live, caller(request))
    return require_caller(request), live
