"""What has happened since a player was shown their battle last: offered once, to be played in place.

The script of the page says how far its reader has watched; without it a button does, and whoever orders has seen what
came of it.
"""

from aiohttp import web
from msgspec import Struct

from domain.basics.errors import Refusal
from replay.reports.plain import plain_events
from server.people.players import Player
from server.play import access
from server.play.live_battle import LiveBattle
from server.store.tables import watched
from server.web import auth
from server.web.api.battles import live_for
from server.web.limits import spend
from server.web.pages.forms import form_of, text
from server.web.pages.rendering import see

LONGEST_NUMBER = 15


class Away(Struct, frozen=True):
    """What a player has missed after event `since` (0: that is not known, and nothing is offered): how many events that
    tell something, and the first of them."""

    since: int
    count: int
    first: int


def away_of(live: LiveBattle, player: Player) -> Away:
    """What has happened in a battle since a player was shown it last."""
    since = watched.find(live.store, live.id, player.id)
    missed = (
        [recorded.n for recorded in plain_events(live.recording.timeline.events[since:])] if 0 < since < live.n else []
    )
    return Away(since, len(missed), missed[0] if missed else 0)


async def post_watched(request: web.Request) -> web.Response:
    """POST /battles/{id}/watched: the player has been shown the battle up to event `n`; a form (`do`) leads back."""
    auth.require_own_page(request)
    live, player = await live_for(request)
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    access.require_side(live, player)
    spend(request, "draft", player)
    form = await form_of(request)
    written = text(form, "n")
    if not (written.isascii() and written.isdigit() and len(written) <= LONGEST_NUMBER):
        raise Refusal("core.bad-request", "CORE-PARSE", reason="n is the number of an event")
    await live.store.write(watched.record(live.id, player.id, min(int(written), live.n)))
    if text(form, "do"):
        return see(f"/battles/{live.id}")
    return web.Response(status=204, headers={"Cache-Control": "no-store"})
