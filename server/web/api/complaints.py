"""Report something to the administrators, and block other players."""

from aiohttp import web

from domain.basics.errors import Refusal
from server.acts.campaigns.reading import may_read as may_read_campaign
from server.acts.clubs.chores import CLUB
from server.acts.clubs.posting import is_item
from server.acts.clubs.reading import membership
from server.people import complaining
from server.people.complaining import ComplaintSubject
from server.people.players import Player, is_gone
from server.play.access import hears_spectators, require_reader, side_for
from server.play.live_battle import LiveBattle
from server.running import Server
from server.store import Unmatched
from server.store.tables import accounts, blocks, clubs, complaints, posts, press, spectators
from server.store.tables.complaints import Complaint, ComplaintKind
from server.store.tables.press import PressPost
from server.web.api.complaint_messages import (
    BlockedPlayer,
    BlockPlayer,
    Blocks,
    Complain,
    Complaints,
    ComplaintView,
)
from server.web.api.exchange import answer, body_of
from server.web.auth import require_caller
from server.web.keys import server_of
from server.web.limits import spend

MOST_DIGITS = 19


async def post_complaint(request: web.Request) -> web.Response:
    """POST /api/v1/complaints"""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, Complain)
    spend(request, "complaint", player)
    await complain(server, player, wanted)
    return answer(complaints_of(server, player), 201)


async def list_complaints(request: web.Request) -> web.Response:
    """GET /api/v1/complaints"""
    return answer(complaints_of(server_of(request), require_caller(request)))


async def list_blocks(request: web.Request) -> web.Response:
    """GET /api/v1/blocks"""
    return answer(blocks_of(server_of(request), require_caller(request)))


async def post_block(request: web.Request) -> web.Response:
    """POST /api/v1/blocks"""
    player, server = require_caller(request), server_of(request)
    wanted = await body_of(request, BlockPlayer)
    spend(request, "deed", player)
    await server.store.write(complaining.block(server.store, player, wanted.player, server.clock.now()))
    return answer(blocks_of(server, player), 201)


async def delete_block(request: web.Request) -> web.Response:
    """DELETE /api/v1/blocks/{player}"""
    player, server = require_caller(request), server_of(request)
    spend(request, "deed", player)
    await server.store.write(blocks.lift(player.id, request.match_info["player"]))
    return answer(blocks_of(server, player))


async def complain(server: Server, player: Player, wanted: Complain) -> None:
    """Keep a complaint; the same about the same thing, as long as it is open, is kept once.

    Raises: Refusal core.no-such-player, core.unknown-battle, core.no-such-words, core.own-complaint,
            core.complaint-what
    """
    now, what = server.clock.now(), await about(server, player, wanted)
    made = complaining.complain(player, what, wanted.why, now, server.entropy)
    also = [complaining.block(server.store, player, made.about, now)] if wanted.block and made.about else []
    try:
        await server.store.write(complaints.add(made), *also)
    except Unmatched:  # it is open already
        await server.store.write(*also)


async def about(server: Server, player: Player, wanted: Complain) -> ComplaintSubject:
    """What a complaint is about, as the player who complains may see it.

    Raises: Refusal core.no-such-player, core.unknown-battle, core.no-such-words
    """
    if wanted.kind == ComplaintKind.PLAYER:
        account = accounts.by_player(server.store, wanted.player)
        if account is None or is_gone(account):
            raise Refusal("core.no-such-player", "CORE-ACCESS")
        return ComplaintSubject(wanted.kind, account.player)
    if wanted.kind == ComplaintKind.POST and not wanted.battle:
        return await _of_press(server, player, wanted)
    live = await server.battles.get(wanted.battle)
    require_reader(live, player)
    if wanted.kind == ComplaintKind.BATTLE:
        return ComplaintSubject(wanted.kind, "", live.id)
    is_number = wanted.item.isascii() and wanted.item.isdigit() and len(wanted.item) <= MOST_DIGITS
    find = _post if wanted.kind == ComplaintKind.POST else _remark
    found = find(live, player, int(wanted.item)) if is_number else None
    if found is None:
        raise Refusal("core.no-such-words", "CORE-ACCESS")
    return ComplaintSubject(wanted.kind, found[0], live.id, wanted.item, found[1])


async def _of_press(server: Server, player: Player, wanted: Complain) -> ComplaintSubject:
    """A post in the press of a club or campaign that the player may read.

    Raises: Refusal core.no-such-words
    """
    found = press.find(server.store, int(wanted.item)) if is_item(wanted.item) else None
    if found is None or not await _reads(server, player, found):
        raise Refusal("core.no-such-words", "CORE-ACCESS")
    return ComplaintSubject(wanted.kind, found.player, "", wanted.item, found.text)


async def _reads(server: Server, player: Player, post: PressPost) -> bool:
    if post.owner_kind == CLUB:
        club = clubs.find(server.store, post.owner)
        return club is not None and (club.readers != "members" or membership(server.acts, club, player) is not None)
    return may_read_campaign(await server.steward.campaigns.get(post.owner), player)


def _post(live: LiveBattle, player: Player, id_: int) -> tuple[str, str] | None:
    """The author of a message between the players of a battle, and its words; None if the player does not read it."""
    post = posts.find(live.store, id_)
    if post is None or post.battle != live.id or not side_for(live, player):
        return None
    return post.player, post.text


def _remark(live: LiveBattle, player: Player, n: int) -> tuple[str, str] | None:
    remark = spectators.find(live.store, live.id, n) if hears_spectators(live, player) else None
    return (remark.player, remark.text) if remark is not None and remark.text else None


def complaints_of(server: Server, player: Player) -> Complaints:
    """What a player has reported."""
    return Complaints(tuple(map(_complaint_view, complaints.of_player(server.store, player.id))))


def _complaint_view(one: Complaint) -> ComplaintView:
    return ComplaintView(one.id, one.at, one.kind, one.about, one.battle, one.why, one.settled, one.outcome, one.answer)


def blocks_of(server: Server, player: Player) -> Blocks:
    """Whom a player has blocked."""
    return Blocks(tuple(BlockedPlayer(*one) for one in blocks.of_player(server.store, player.id)))
