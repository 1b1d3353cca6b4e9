"""Where a unit may end that somebody drags to a place: the answer of the game, for its players alone."""

import asyncio
from typing import cast, get_args

from aiohttp import web

from domain.basics.errors import Refusal
from domain.contract.free_ends import FreeEnds, WishedEnd
from domain.contract.option import Act
from domain.contract.scene import Scene
from replay.telling.words import ENGLISH, worded
from server.play import access
from server.play.live_battle import LiveBattle
from server.play.reasons import reason
from server.shown.free_ends import FreeEndsShown, ends_shown
from server.web.api.battles import live_for
from server.web.api.exchange import answer, language_of, number_in_query
from server.web.limits import spend
from server.web.waiting import share, turn
from server.words import say, sentence_of

LONGEST_NAME = 40
"""Characters of the name of a unit."""
FULL_CIRCLE = 3600
ACTS: tuple[Act, ...] = get_args(Act)


async def show_ends(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/ends?unit=&x=&y=&facing=&act=&side="""
    return answer(await ends_for(request, language_of(request), ENGLISH))


async def ends_for(request: web.Request, lang: str, written_in: str) -> FreeEndsShown:
    """The ends for the wish of a request. A drag asks often, and some answers take a tenth of a second: a thread looks
    for them, so that others are served meanwhile.

    Raises: Refusal core.unknown-battle, core.not-signed-in, core.no-free-ends, core.bad-query, core.unknown-id,
            core.not-yours, core.too-many, and as `require_side`; Busy
    """
    live, player = await live_for(request)
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    side = access.require_side(live, player, request.query.get("side", ""))
    find = live.ruleset.orders.free_ends
    if find is None:
        raise Refusal("core.no-free-ends", "CORE-ACCESS", game=live.ruleset.title)
    spend(request, "ends", player)
    await turn(request, player)
    n, known = live.n, live.known(side)
    scene = worded(live.ruleset.shown.view(known, side), lang)
    wish, unit = wish_in(request, scene), request.query.get("unit", "")[:LONGEST_NAME]
    with share(request, player):
        found = await asyncio.to_thread(find, known, side, unit, wish)
    why = "" if found.ends else _reason(live, side, found, wish, lang)
    return ends_shown(found, live.ruleset, scene, lang, written_in, why, battle=live.id, n=n, side=side)


def _reason(live: LiveBattle, side: str, found: FreeEnds, wish: WishedEnd, lang: str) -> str:
    refusal = reason(live, side, found.unit) if side in live.to_act() else None
    if refusal is not None:
        return sentence_of(refusal, lang)
    return say(lang, "pages.ends.nowhere" if wish.at is None else "pages.ends.not-there", unit=found.unit)


def wish_in(request: web.Request, scene: Scene) -> WishedEnd:
    """What a query wishes for: a place on the table, both numbers or none, a facing and a kind of order.

    Raises: Refusal core.bad-query
    """
    east = number_in_query(request, "x", -1, 0, scene.width)
    north = number_in_query(request, "y", -1, 0, scene.height)
    facing = number_in_query(request, "facing", -1, 0, FULL_CIRCLE - 1)
    act = request.query.get("act", "")
    if (east < 0) != (north < 0):
        raise Refusal("core.bad-query", "CORE-PARSE", reason="x and y name a place together")
    if act and act not in ACTS:
        raise Refusal("core.bad-query", "CORE-PARSE", reason=f"act is one of {', '.join(ACTS)}")
    at = (east, north) if east >= 0 else None
    return WishedEnd(at, facing if facing >= 0 else None, cast("Act", act))
