"""Campaigns: opened, entered, ordered, read."""

import asyncio

from aiohttp import web
from msgspec.structs import asdict

from domain.basics.data import example_text
from domain.basics.errors import Refusal
from domain.campaign.notation import write_order
from domain.campaign.refusals import no_such_entrant
from domain.log.limits import is_battle
from domain.log.record import checkpoint_line, splice_hash
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.inbox import call_words, calls_of
from server.acts.campaigns.lines import GivenWord, give_lines
from server.acts.campaigns.opening import open_campaign
from server.acts.campaigns.reading import require_reader, rows_for
from server.acts.campaigns.reasons import explained
from server.acts.campaigns.roles import give_role
from server.acts.campaigns.trying import options_for, preview_turn
from server.armies import OwnArmy
from server.campaigns.live_campaign import LiveCampaign
from server.store.tables import campaigns as table
from server.web.api.campaign_messages import (
    CampaignAnswer,
    CampaignCalls,
    CampaignCallView,
    CampaignOptions,
    CampaignOrders,
    CampaignPreview,
    Campaigns,
    EnterCampaign,
    GiveRole,
    OpenCampaign,
)
from server.web.api.campaign_views import (
    campaign_view,
    career_told,
    fixtures_of,
    listed,
    ordered_line,
    table_of,
    why_told,
)
from server.web.api.exchange import JSON, answer, body_of, key_in, language_of, number_in_query, preferred
from server.web.api.ladder_views import rating_career, ratings_of
from server.web.api.log import FORMS, TEXT
from server.web.api.map_pictures import entrant_of, fog_in, map_picture
from server.web.api.map_views import map_event, map_view
from server.web.auth import caller, require_caller
from server.web.keys import server_of
from server.web.limits import spend, spend_reading
from server.web.reading_rate import FILE_COST

MOST_LISTED = 50
MEDIA_TYPE = "application/jsonl"


async def list_campaigns(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns?mine&limit=&before="""
    server, player = server_of(request), caller(request)
    limit = number_in_query(request, "limit", MOST_LISTED, 1, MOST_LISTED)
    before = request.query.get("before", "")
    if before and not is_battle(before):
        raise Refusal("core.bad-query", "CORE-PARSE", reason="before is the id of a campaign")
    if "mine" in request.query:
        ids = table.of_player(server.store, require_caller(request).id, limit)
    else:
        ids = table.listed(server.store, "public", before, limit)
    rows = await rows_for(server.steward.campaigns, ids, player)
    more = ids[-1] if len(ids) == limit and "mine" not in request.query else ""
    return answer(Campaigns(tuple(map(listed, rows)), more))


async def list_calls(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/waiting"""
    lang = language_of(request)
    found = await calls_of(server_of(request).steward, require_caller(request))
    views = (CampaignCallView(text=call_words(one, one.at, lang), **asdict(one)) for one in found)
    return answer(CampaignCalls(tuple(views)))


async def post_campaign(request: web.Request) -> web.Response:
    """POST /api/v1/campaigns"""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, OpenCampaign)
    spend(request, "battle", player)
    if bool(wanted.toml) == bool(wanted.example):
        raise Refusal("core.bad-request", "CORE-OPEN", reason="bring a `toml` or name an `example`")
    text = wanted.toml or example_text(wanted.example, server.battles.rulesets)
    live = await open_campaign(server.steward, player, text, key_in(request), wanted.signer)
    location = {"Location": f"{server.settings.base}/api/v1/campaigns/{live.id}"}
    return answer(campaign_view(live, player), 201, location)


async def show_campaign(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}"""
    return answer(campaign_view(await readable(request), caller(request)))


async def post_entrant(request: web.Request) -> web.Response:
    """POST /api/v1/campaigns/{id}/entrants"""
    player, server = require_caller(request), server_of(request)
    live = await readable(request)
    wanted = await body_of(request, EnterCampaign)
    spend(request, "deed", player)
    await enter_campaign(server.steward, player, live, entry_of(wanted))
    return answer(campaign_view(live, player), 201)


def entry_of(wanted: EnterCampaign) -> CampaignEntry:
    """How somebody enters, as a message says it."""
    army = OwnArmy(wanted.list, 0, wanted.seed, wanted.army) if wanted.list or wanted.army is not None else None
    word = GivenWord(wanted.seen, wanted.signatures)
    return CampaignEntry(wanted.entrant, wanted.phrase, wanted.reserve, wanted.bot, "api", army, wanted.signer, word)


async def post_orders(request: web.Request) -> web.Response:
    """POST /api/v1/campaigns/{id}/orders"""
    player, server = require_caller(request), server_of(request)
    live = await readable(request)
    wanted = await body_of(request, CampaignOrders)
    spend(request, "deed", player)
    word = GivenWord(wanted.seen, wanted.signatures)
    lines = await give_lines(server.steward, player, live, wanted.orders, key_in(request), "api", wanted.phrase, word)
    told = tuple(ordered_line(one, language_of(request)) for one in lines)
    return answer(CampaignAnswer(told, live.n, live.note()))


async def post_preview(request: web.Request) -> web.Response:
    """POST /api/v1/campaigns/{id}/preview"""
    player, server = require_caller(request), server_of(request)
    live = await readable(request)
    wanted = await body_of(request, CampaignOrders)
    spend(request, "deed", player)
    lines, events = await preview_turn(server.steward, player, live, wanted.orders)
    told = tuple(ordered_line(one, language_of(request)) for one in lines)
    return answer(CampaignPreview(told, live.n, tuple(map_event(0, event) for event in events)))


async def show_campaign_options(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/options"""
    player, live = require_caller(request), await readable(request)
    spend_reading(request, FILE_COST)
    orders = options_for(server_of(request).steward, player, live)
    state = live.state
    lines = tuple(write_order(order) for order in orders)
    return answer(CampaignOptions(live.id, live.n, state.round, state.players[player.id], lines))


async def show_map(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/map?turn=&fog=: as data, or drawn (SVG, PNG, text) where that is preferred."""
    live, media = await readable(request), preferred(request, tuple(FORMS))
    if media != JSON:
        return await map_picture(request, live, media)
    spend_reading(request, FILE_COST)
    number, entrant = number_in_query(request, "turn", 0, 0, 10_000), entrant_of(request, live)
    return answer(await asyncio.to_thread(map_view, live, number, entrant, fog_in(request)))


async def post_role(request: web.Request) -> web.Response:
    """POST /api/v1/campaigns/{id}/roles"""
    player, server = require_caller(request), server_of(request)
    live = await readable(request)
    wanted = await body_of(request, GiveRole)
    spend(request, "deed", player)
    word = GivenWord(wanted.seen, wanted.signatures)
    await give_role(server.steward, player, live, wanted.role, wanted.name, word)
    return answer(campaign_view(live, player))


async def show_standings(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/standings"""
    return answer(table_of(await readable(request)))


async def show_fixtures(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/fixtures?round="""
    live = await readable(request)
    return answer(fixtures_of(live, number_in_query(request, "round", 0, 0, 10_000)))


async def show_why(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/why/{about}"""
    live, lang = await readable(request), language_of(request)
    spend_reading(request, FILE_COST)
    told = await asyncio.to_thread(explained, live, request.match_info["about"], lang)
    headers = {"Content-Language": lang, "Vary": "Accept-Language"}
    return answer(why_told(live, told), headers=headers)


async def show_career(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/entrants/{entrant}"""
    return answer(career_told(await readable(request), request.match_info["entrant"]))


async def show_ratings(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/ratings"""
    return answer(ratings_of(await readable(request)))


async def show_rating_career(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/ratings/{entrant}"""
    live = await readable(request)
    return answer(rating_career(live, member_in(live, request)))


def member_in(live: LiveCampaign, request: web.Request) -> str:
    """The entrant in the address, who has left perhaps.

    Raises: Refusal campaign.no-such-entrant
    """
    entrant = request.match_info["entrant"]
    if entrant not in live.state.entrants:
        raise no_such_entrant(entrant[:40])
    return entrant


async def export_campaign(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/export: header, events with their hashes, the signed head."""
    live = await readable(request)
    spend_reading(request, FILE_COST)
    headers = {"Content-Disposition": f'attachment; filename="{live.id}.campaign"'}
    return web.Response(body=file_of(live), content_type=MEDIA_TYPE, headers=headers)


async def export_campaign_proof(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/export/proof: what is kept beside the file of the campaign (docs/witnesses.md)."""
    live, server = await readable(request), server_of(request)
    proof = await asyncio.to_thread(server.witness.campaign_proof, server.store, live.id)
    if not proof:
        raise Refusal("core.not-logged", "CORE-FAIR", battle=live.id)
    headers = {"Content-Disposition": f'attachment; filename="{live.id}.campaign.proof"'}
    return web.Response(text=proof, content_type=TEXT, headers=headers)


def file_of(live: LiveCampaign) -> bytes:
    """The file of a campaign."""
    recording = live.recording
    lines = [splice_hash(line, hash_) for hash_, line in recording.lines]
    return b"".join(line + b"\n" for line in (recording.header_line, *lines, checkpoint_line(live.note())))


async def readable(request: web.Request) -> LiveCampaign:
    """The campaign in the address, for a caller who may read it.

    Raises: Refusal campaign.unknown-campaign
    """
    live = await server_of(request).steward.campaigns.get(request.match_info["id"])
    require_reader(live, caller(request))
    return live
