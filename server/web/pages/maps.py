"""The page of a campaign's map: the plate, the turns, and the orders of a power as forms."""

from aiohttp import web
from markupsafe import Markup

from domain.basics.errors import Refusal
from domain.campaign.known import known
from domain.campaign.map_shown import newest_turn
from replay.drawing.atlas.svg import draw_map
from replay.drawing.atlas.text import map_text
from server.acts.campaigns.lines import ACCEPTED_LINE, give_lines
from server.entropy import new_secret
from server.shown.army_orders import field_names
from server.shown.force_orders import force_orders, names_ready
from server.web import auth
from server.web.api.campaigns import readable
from server.web.api.exchange import number_in_query
from server.web.api.log import SVG
from server.web.api.map_pictures import MOST_TURNS, entrant_of, fog_in, map_for, map_picture
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.army_forms import armies_of
from server.web.pages.forms import form_of, text
from server.web.pages.language import page_language
from server.web.pages.rendering import page, see
from server.web.problems import status_of as status_of_code
from server.words import sentence_of

LONGEST_LINES = 8_000
"""Characters of the lines that a form gives."""


async def show_map(request: web.Request) -> web.Response:
    """GET /campaigns/{id}/map?turn=&before=&fog="""
    return await _map_page(request)


async def show_map_picture(request: web.Request) -> web.Response:
    """GET /campaigns/{id}/map.svg?turn=&before=&fog=: the plate alone."""
    return await map_picture(request, await readable(request), SVG, page_language(request))


async def post_map(request: web.Request) -> web.Response:
    """POST /campaigns/{id}/map: the orders of the caller's power, a line for each force that has one, and `ready`."""
    auth.require_own_page(request)
    player, server = auth.require_caller(request), server_of(request)
    spend(request, "deed", player)
    live, form = await readable(request), await form_of(request)
    forces = [force.id for force in live.state.theatre.standing()]
    fields = [*(f"force-{force}" for force in forces), *field_names(forces), "orders", "ready"]
    lines = [text(form, name) for name in fields]
    wanted = "\n".join(filter(None, lines))[:LONGEST_LINES]
    try:
        answers = await give_lines(server.steward, player, live, wanted, text(form, "key"))
    except Refusal as refused:
        return await _map_page(request, refused, wanted)
    refusals = [one.refusal for one in answers if one.status != ACCEPTED_LINE and one.refusal is not None]
    return await _map_page(request, refusals[0], wanted) if refusals else see(f"/campaigns/{live.id}/map")


async def _map_page(request: web.Request, refused: Refusal | None = None, orders: str = "") -> web.Response:
    live, lang = await readable(request), page_language(request)
    turn, is_before = number_in_query(request, "turn", 0, 0, MOST_TURNS), "before" in request.query
    scene = await map_for(request, live, turn, before=is_before)
    own = entrant_of(request, live)
    state, fog = known(live.state, own), fog_in(request)
    return page(
        request,
        "map.html",
        status_of_code(refused.code) if refused else 200,
        live=live,
        title=state.settings.title,
        scene=scene,
        is_before=is_before,
        fog=fog if scene.seen_by is not None else "",
        fogs=scene.powers if state.is_foggy and state.is_over else (),
        is_foggy=state.is_veiled,
        newest=max(newest_turn(live.recording.events()), 1),
        plate=Markup(draw_map(scene, lang=lang)),  # all words in it are escaped
        written=map_text(scene, lang=lang),
        forces=list(force_orders(state, scene, own, lang)) if own in state.theatre.powers else [],
        armies=armies_of(request, live, lang),
        round=state.round,
        takes_orders=state.takes_orders and own in state.theatre.powers,
        ready=", ".join(names_ready(state)),
        is_ready=own in state.ordering.ready,
        orders=orders,
        longest=LONGEST_LINES,
        new_key=lambda: new_secret(server_of(request).entropy),
        note=sentence_of(refused, lang) if refused else "",
    )
