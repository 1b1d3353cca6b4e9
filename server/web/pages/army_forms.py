"""The forms with which the armies of a campaign are ordered, without a script."""

from aiohttp import web

from domain.campaign.theatre.books import on_tables
from server.acts.campaigns.trying import options_for
from server.campaigns.boards import book_of
from server.campaigns.live_campaign import LiveCampaign
from server.shown.army_orders import ArmyForm, army_forms
from server.web.auth import caller
from server.web.keys import server_of


def armies_of(request: web.Request, live: LiveCampaign, lang: str) -> list[ArmyForm]:
    """The forms of the caller's forces; none where they have none, or orders are not taken."""
    player, state = caller(request), live.state
    own = state.players.get(player.id, "") if player else ""
    if player is None or not own or not state.takes_orders:
        return []
    server = server_of(request)
    book = on_tables(book_of(server.battles, state.settings))
    return list(army_forms(state, book, own, options_for(server.steward, player, live), lang))
