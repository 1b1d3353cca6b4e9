"""The bulletins and the press of clubs and campaigns, for programs (CAM-CLB-05, CAM-CLB-06)."""

from aiohttp import web
from msgspec import Struct

from domain.basics.errors import Refusal
from server.acts.campaigns.reading import takes_part
from server.acts.clubs.bulletins import BulletinText, bulletin_text
from server.acts.clubs.chores import CLUB
from server.acts.clubs.editing import RULE, amend, edits_campaign
from server.acts.clubs.posting import PressRights, post_words, posts_for, remove_post
from server.acts.clubs.reading import club_for, membership
from server.people.players import Player
from server.running import Server
from server.store.tables import accounts, bulletins
from server.store.tables.bulletins import SENT, Bulletin
from server.store.tables.clubs import ORGANISER
from server.web.api.bulletin_messages import (
    AmendBulletin,
    BulletinList,
    BulletinListed,
    BulletinView,
    PostWords,
    Press,
    PressPostView,
)
from server.web.api.campaigns import readable
from server.web.api.exchange import answer, body_of, key_in, language_of
from server.web.auth import caller, require_caller
from server.web.keys import server_of
from server.web.limits import spend, spend_reading
from server.web.reading_rate import FILE_COST

CAMPAIGN = "campaign"
NO_PRESS = "none"


class BulletinOwner(Struct, frozen=True):
    """The club or campaign of an address, as its caller may see it; `edits` its bulletins, and moderates its press."""

    kind: str
    id: str
    title: str
    is_public: bool
    edits: bool
    rights: PressRights


async def owner_in(request: web.Request) -> BulletinOwner:
    """The club or campaign in an address.

    Raises: Refusal club.unknown, campaign.unknown-campaign
    """
    server, player = server_of(request), caller(request)
    if "club" in request.match_info:
        club = club_for(server.acts, request.match_info["club"], player, request.query.get("key", ""))
        member = membership(server.acts, club, player)
        edits = member is not None and member.role == ORGANISER
        rights = PressRights(member is not None, edits)
        return BulletinOwner(CLUB, club.club, club.name, club.readers == "public", edits, rights)
    live = await readable(request)
    edits = await edits_campaign(server.steward, player, live.id)
    writes = player is not None and takes_part(live.state, player.id)
    settings = live.state.settings
    rights = PressRights(writes and settings.press.mode != NO_PRESS, edits)
    return BulletinOwner(CAMPAIGN, live.id, settings.title, live.readers == "public", edits, rights)


async def list_bulletins(request: web.Request) -> web.Response:
    """GET /api/v1/clubs/{club}/bulletins?key=, GET /api/v1/campaigns/{id}/bulletins"""
    owner = await owner_in(request)
    found = bulletins.of_owner(server_of(request).store, owner.kind, owner.id, owner.edits)
    return answer(BulletinList(tuple(_listed(one) for one in found)))


async def show_bulletin(request: web.Request) -> web.Response:
    """GET …/bulletins/{place}"""
    row = bulletin_in(request, await owner_in(request))
    return answer(await _view(request, row))


async def post_bulletin(request: web.Request) -> web.Response:
    """POST …/bulletins/{place}"""
    player, server = require_caller(request), server_of(request)
    owner = await owner_in(request)
    row = bulletin_in(request, owner)
    wanted = await body_of(request, AmendBulletin)
    spend(request, "deed", player)
    require_editor(owner, player)
    return answer(await _view(request, await amend(server.acts, row, wanted.do, wanted.words, server.steward)))


def require_editor(owner: BulletinOwner, player: Player) -> None:
    """Raises: Refusal club.not-organiser, campaign.not-organiser"""
    if not owner.edits:
        told = {"club": owner.id} if owner.kind == CLUB else {"name": player.name}
        raise Refusal("club.not-organiser" if owner.kind == CLUB else "campaign.not-organiser", RULE, **told)


def bulletin_in(request: web.Request, owner: BulletinOwner) -> Bulletin:
    """The bulletin of an address, if the caller may read it: drafts are for who amends them.

    Raises: Refusal club.no-such-bulletin
    """
    place = request.match_info["place"]
    is_number = place.isascii() and place.isdigit() and len(place) < 10
    row = bulletins.find(server_of(request).store, owner.kind, owner.id, int(place)) if is_number else None
    if row is None or not (owner.edits or row.state == SENT):
        raise Refusal("club.no-such-bulletin", RULE)
    return row


async def told_in(request: web.Request, row: Bulletin, lang: str) -> BulletinText:
    """A bulletin in a language; what it costs to find it is spent.

    Raises: Refusal club.no-such-bulletin
    """
    server = server_of(request)
    spend_reading(request, FILE_COST)
    told = await bulletin_text(server.store, server.lobby, row, lang)
    if told is None:
        raise Refusal("club.no-such-bulletin", RULE)
    return told


async def _view(request: web.Request, row: Bulletin) -> BulletinView:
    told = await told_in(request, row, language_of(request))
    head = (row.place, row.state, row.since, row.until, row.due)
    return BulletinView(*head, told.title, row.words, told.sections, told.plain())


def _listed(row: Bulletin) -> BulletinListed:
    return BulletinListed(row.place, row.state, row.since, row.until, row.due)


# --- the press


async def list_press(request: web.Request) -> web.Response:
    """GET /api/v1/clubs/{club}/press?key=, GET /api/v1/campaigns/{id}/press"""
    return answer(press_told(server_of(request), caller(request), await owner_in(request)))


async def post_press(request: web.Request) -> web.Response:
    """POST …/press"""
    player, server = require_caller(request), server_of(request)
    owner = await owner_in(request)
    wanted = await body_of(request, PostWords)
    spend(request, "words", player)
    await post_words(server.acts, player, owner.kind, owner.id, owner.rights, wanted.text, key_in(request))
    return answer(press_told(server, player, owner), 201)


async def delete_press(request: web.Request) -> web.Response:
    """DELETE …/press/{item}"""
    player, server = require_caller(request), server_of(request)
    owner = await owner_in(request)
    spend(request, "deed", player)
    await remove_post(server.acts, player, owner.kind, owner.id, owner.rights, request.match_info["item"])
    return answer(press_told(server, player, owner))


def press_told(server: Server, player: Player | None, owner: BulletinOwner) -> Press:
    """The newest posts, as somebody reads them."""
    found = posts_for(server.acts, player, owner.kind, owner.id)
    names = {one.player: accounts.by_player(server.store, one.player) for one in found}
    told = ((one, names[one.player]) for one in found)
    return Press(tuple(PressPostView(str(one.id), one.player, who.name, one.at, one.text) for one, who in told if who))
