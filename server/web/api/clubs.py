"""Clubs: made, changed, entered, left; their members, one by one or from a file."""

from aiohttp import web
from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.run.terms import is_tag
from projections.lobby import Sought
from server.acts.clubs import entering, founding, roster, seating
from server.acts.clubs.founding import ClubWish
from server.acts.clubs.pairing import PairingList
from server.acts.clubs.reading import RULE, club_for, entry_token, is_club_id, membership, page_token
from server.acts.clubs.roster import RosterLine
from server.acts.services import Services
from server.people.players import Player
from server.running import Server
from server.shown.club_table import ClubTableRow, table_of
from server.store.tables import club_battles, club_invitations, clubs
from server.store.tables.clubs import BANNED, ORGANISER, Club, Member
from server.web.api.club_messages import (
    AddMembers,
    BulkOpened,
    ChangeClub,
    ChangeMember,
    ClubInvited,
    ClubListed,
    ClubMember,
    Clubs,
    ClubTable,
    ClubView,
    EnterClub,
    MakeClub,
    OpenBulk,
    RosterAnswer,
    RosterLineView,
)
from server.web.api.exchange import answer, body_of, key_in, language_of
from server.web.api.sought import of_club
from server.web.auth import caller, require_caller
from server.web.keys import server_of
from server.web.limits import spend
from server.words import sentence_of

MOST_LISTED = 200
MOST_COUNTED = 5000
"""Battles of a club that its table counts, the newest."""


async def list_clubs(request: web.Request) -> web.Response:
    """GET /api/v1/clubs?after=: 200 of those that everybody may read, behind one; and all of the caller's."""
    after = request.query.get("after", "")
    if after and not is_club_id(after):
        raise Refusal("core.bad-query", "CORE-PARSE", reason="after is the id of a club")
    return answer(clubs_for(server_of(request).acts, caller(request), after))


async def post_club(request: web.Request) -> web.Response:
    """POST /api/v1/clubs"""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, MakeClub)
    spend(request, "deed", player)
    wish = ClubWish(wanted.club, wanted.name, wanted.readers, wanted.running)
    club = await founding.found(server.acts, player, wish)
    location = {"Location": f"{server.settings.base}/api/v1/clubs/{club.club}"}
    return answer(club_view(server, club, player), 201, location)


async def show_club(request: web.Request) -> web.Response:
    """GET /api/v1/clubs/{club}?key="""
    player, server = caller(request), server_of(request)
    club = club_for(server.acts, request.match_info["club"], player, request.query.get("key", ""))
    return answer(club_view(server, club, player))


async def change_club(request: web.Request) -> web.Response:
    """POST /api/v1/clubs/{club}"""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, ChangeClub)
    spend(request, "deed", player)
    id_ = request.match_info["club"]
    given = (None if one is UNSET else one for one in (wanted.name, wanted.readers, wanted.running))
    club = await founding.change(server.acts, player, id_, *given)  # type: ignore[arg-type]  # in their order
    if wanted.renew:
        club = await founding.renew_link(server.acts, player, id_)
    return answer(club_view(server, club, player))


async def enter_club(request: web.Request) -> web.Response:
    """POST /api/v1/clubs/{club}/members"""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, EnterClub)
    spend(request, "deed", player)
    club = await entering.enter(server.acts, player, request.match_info["club"], wanted.token)
    return answer(club_view(server, club, player), 201)


async def change_member(request: web.Request) -> web.Response:
    """POST /api/v1/clubs/{club}/members/{player}: a role, as an organiser; one's own day, as a member."""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, ChangeMember)
    spend(request, "deed", player)
    id_, whom = request.match_info["club"], request.match_info["player"]
    if wanted.not_before is not UNSET:
        if whom != player.id:
            raise Refusal("club.own-day", RULE)
        await entering.set_not_before(server.acts, player, id_, wanted.not_before)
    if wanted.role is not UNSET:
        await entering.set_role(server.acts, player, id_, whom, wanted.role)
    return answer(club_view(server, club_for(server.acts, id_, player), player))


async def leave_club(request: web.Request) -> web.Response:
    """DELETE /api/v1/clubs/{club}/members: out of a club; its battles go on."""
    player, server = require_caller(request), server_of(request)
    spend(request, "deed", player)
    await entering.leave(server.acts, player, request.match_info["club"])
    return answer(clubs_for(server.acts, player))


async def add_members(request: web.Request) -> web.Response:
    """POST /api/v1/clubs/{club}/roster"""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, AddMembers)
    spend(request, "deed", player)
    lines = await roster.add_members(server.acts, player, request.match_info["club"], wanted.csv)
    return answer(RosterAnswer(tuple(_line(one, language_of(request)) for one in lines)))


async def open_bulk(request: web.Request) -> web.Response:
    """POST /api/v1/battles/bulk"""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, OpenBulk)
    spend(request, "battle", player)
    listed = PairingList(wanted.club, wanted.pairings, wanted.tag, wanted.pace)
    return answer(BulkOpened(await seating.open_list(server.acts, player, listed, key_in(request))), 201)


async def show_table(request: web.Request) -> web.Response:
    """GET /api/v1/clubs/{club}/table?tag=&key="""
    tag = request.query.get("tag", "").casefold()
    if not is_tag(tag):
        raise Refusal("core.bad-query", "CORE-PARSE", reason="tag is a word of small letters, digits and hyphens")
    return answer(ClubTable(await club_rows(request, request.match_info["club"], tag)))


async def club_rows(request: web.Request, id_: str, tag: str = "") -> tuple[ClubTableRow, ...]:
    """The table of a club, of the battles with a tag, as far as the caller may see them.

    Raises: Refusal club.unknown
    """
    server = server_of(request)
    sought = of_club(request, id_, Sought("ended", tag=tag))
    names = {one.player: one.name for one in clubs.members(server.store, id_)}
    found = await server.lobby.battles("", "", MOST_COUNTED, None, sought)
    shown = {seat.player: seat.name for battle in found for seat in battle.seats}
    return table_of(found, shown | names)


def _line(one: RosterLine, lang: str) -> RosterLineView:
    refused = one.refusal
    code, detail = (refused.code, sentence_of(refused, lang)) if refused else ("", "")
    return RosterLineView(one.line, one.name, one.what, one.link, code, detail)


def clubs_for(services: Services, player: Player | None, after: str = "") -> Clubs:
    """The clubs that somebody is in, and those that everybody may read, behind one."""
    mine = clubs.of_player(services.store, player.id) if player else []
    listed = clubs.public(services.store, after, MOST_LISTED)
    return Clubs(*(tuple(_listed(services, club, player) for club in some) for some in (mine, listed)))


def _listed(services: Services, club: Club, player: Player | None) -> ClubListed:
    member = membership(services, club, player)
    return ClubListed(club.club, club.name, clubs.count(services.store, club.club), member.role if member else "")


def club_view(server: Server, club: Club, player: Player | None) -> ClubView:
    """A club as somebody knows it who may read it."""
    services, now = server.acts, server.clock.now()
    own = membership(services, club, player)
    running = club_battles.running(services.store, club.club)
    listed = clubs.members(services.store, club.club)
    inside = tuple(_member(one, running) for one in listed if one.role != BANNED)
    told = ClubView(club.club, club.name, club.readers, club.running, club.at, own.role if own else "", inside)
    if own is None or own.role != ORGANISER:
        return told
    at, token = server.settings.address, entry_token(services, club)
    waiting = club_invitations.open_of(services.store, club.club, now)
    return replace(
        told,
        link=f"{at}/clubs/{club.club}/enter/{token}",
        token=token,
        page=f"{at}/clubs/{club.club}" + (f"?key={page_token(services, club)}" if club.readers == "link" else ""),
        invited=tuple(ClubInvited(one.name, one.email, one.expires) for one in waiting),
        banned=tuple(_member(one, running) for one in listed if one.role == BANNED),
    )


def _member(one: Member, running: dict[str, int]) -> ClubMember:
    return ClubMember(one.player, one.name, one.role, one.not_before, running.get(one.player, 0))
