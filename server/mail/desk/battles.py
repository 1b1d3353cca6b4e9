"""Commands by mail: list, join and begin battles."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from msgspec import UNSET

from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.run.inputs import Phrase
from domain.run.terms import require_tags
from projections.lobby import LobbyEntry, Sought
from replay.telling.words.sentences import fragment
from server.acts.campaigns.inbox import call_words, calls_of
from server.acts.join import Chair, join_battle, side_for_joining
from server.acts.phrases import own_phrase
from server.acts.plain_text import unlinked
from server.mail.blocks import Block, HeadingLine, Link, Listing, Paragraph
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.desk import Desk
from server.mail.desk.looking import show_board_now
from server.mail.desk.opening import show_scenarios
from server.mail.desk.phrases import parted, tagged
from server.mail.desk.vocabulary import (
    SEALED,
    is_standing,
    side_named,
)
from server.mail.verdict import MailRequest
from server.play.live_battle import LiveBattle, newest_echo
from server.play.request import MAIL_CHANNEL
from server.play.scripts import Unreadable, command_id
from server.play.seating import change_book, shown_name
from server.play.service import OrderRequest
from server.shown.listing import listed_title, title_of
from server.shown.moments import moment
from server.spelling.words import folded
from server.store.tables import requests
from server.words import say

LISTED = 200


# --- joining


async def join(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`join BATTLE`, then a side if several are free, and a phrase, or `sealed` and the anchor of a book of seals.

    Raises: Declined desk.join-which, desk.join-full; Refusal core.side-taken, core.bad-anchor, core.unknown-battle …
    """
    battle, *rest = request.args or ("",)
    if not battle:
        raise Declined("desk.join-which")
    return await _take(desk, await desk.battles.get(battle), rest, caller, key)


async def _take(desk: Desk, live: LiveBattle, rest: Sequence[str], caller: Caller, key: str) -> MailRequest:
    words, phrase, _ = parted(rest)
    wanted = next((side for word in words if (side := side_named(folded(word), live.seats))), "")
    side = wanted or side_for_joining(live, caller.player)
    if not side:
        raise Declined("desk.join-full", battle=live.id)
    anchor = next((anchor for word, anchor in pairwise([*words, ""]) if folded(word) in SEALED), None)
    if anchor is None:
        given = Phrase(phrase or own_phrase(key), MAIL_CHANNEL, newest_echo(live, caller.heads))
        chair = Chair(side, phrase=given)
    else:
        chair = Chair(side, mode="sealed", anchor=anchor.casefold())
    joined = await join_battle(desk, caller.player, live, chair)
    name = shown_name(joined.other.player, joined.other.name, caller.lang) if joined.other else ""
    params = {"battle": live.id, "title": title_of(live), "side": side, "other": name}
    return MailRequest("join", (live.id, side), Message("desk.did.join", params))


async def accept(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`accept`, with a phrase or without: the first contribution, which a battle needs to continue; in a battle
    in which the caller holds no side, it takes the free one.

    Raises: Declined desk.accept-waiting, desk.accept-nothing; Refusal of the contribution
    """
    battle, *rest = request.args or ("",)
    try:
        live, side = await desk.seated(caller, battle)
    except Refusal:
        if not battle or not (caller.battle or rest):
            raise
        live, side = await desk.seated(caller, "")  # `accept whatever`: not a battle, but the first word of a phrase
        rest = [battle, *rest]
    if not side:
        return await _take(desk, live, rest, caller, key)
    words, phrase, seal = parted(rest)
    phrase = phrase or " ".join(words) or own_phrase(key)
    now, player = live.recording.battle, caller.account.player
    if side not in now.owing and requests.command(desk.store, command_id(player, key, 1)) is None:
        raise Declined("desk.accept-nothing" if now.begun else "desk.accept-waiting", battle=live.id)
    seen = newest_echo(live, caller.heads)
    orders = OrderRequest(live.id, side, player, MAIL_CHANNEL, phrase="" if seal else phrase, seal=seal, seen=seen)
    played = await desk.play.orders(orders, key)
    if played.refused:
        raise played.refused
    return MailRequest("accept", (live.id, side), Message("desk.did.accept", {"battle": live.id}))


async def another_book(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message:
    """`book ANCHOR`: another book of seals, where the old one is lost.

    Raises: Refusal core.bad-anchor, core.no-book, core.not-begun …
    """
    battle, *rest = request.args
    live, side = await desk.own(caller, battle)
    anchor = Phrase("".join(rest[:1]).casefold(), MAIL_CHANNEL, newest_echo(live, caller.heads))
    await change_book(live, side, anchor)
    return Message("desk.did.book", {"battle": live.id})


async def order(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """An order among commands: resigning, a draw, a standing order.

    Raises: Refusal of the rules
    """
    battle, text = request.args if len(request.args) == 2 else ("", *request.args)
    live, side = await desk.own(caller, battle)
    player, seen = caller.account.player, newest_echo(live, caller.heads)
    orders = OrderRequest(live.id, side, player, MAIL_CHANNEL, text, phrase_required=False, seen=seen)
    try:
        played = await desk.play.orders(orders, key)
    except Unreadable as unreadable:
        raise unreadable.faults[0].refusal from None
    if played.refused:
        raise played.refused
    return MailRequest("order", (live.id, text), Message("desk.did.order", {"order": text}))


async def show_order(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The board after an order; a standing one moves nothing."""
    return [] if is_standing(request) else await show_board_now(desk, request, caller)


# --- lists


async def show_mine(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The caller's battles: whose move it is, and until when."""
    mine, called = await desk.battles_of(caller.account.player), await _called(desk, caller)
    if not mine:
        return called or [Paragraph(say(caller.lang, "desk.list.none"))]
    return [
        HeadingLine(say(caller.lang, "desk.list.title")),
        Listing(tuple([await _mine(desk, e, caller) for e in mine])),
        *called,
    ]


async def _called(desk: Desk, caller: Caller) -> list[Block]:
    """What waits in the caller's campaigns, each with the id by which it is answered."""
    zone, lines = desk.wishes(caller.account.player).zone, list[str]()
    for call in await calls_of(desk.steward, caller.player):
        at = moment(call.at, zone, caller.lang) if call.at else ""
        lines.append(f"{call.campaign} {unlinked(call_words(call, at, caller.lang))}")
    return [HeadingLine(say(caller.lang, "campaigns.calls")), Listing(tuple(lines))] if lines else []


async def _mine(desk: Desk, entry: LobbyEntry, caller: Caller) -> str:
    own = [seat.side for seat in entry.seats if seat.player == caller.account.player]
    side = own[0] if own else ""
    names = {seat.side: shown_name(seat.player, seat.name, caller.lang) for seat in entry.seats}
    params: dict[str, Any] = {
        "battle": entry.battle,
        "title": listed_title(entry, caller.lang),
        "side": side,
        "other": ", ".join(name for of, name in names.items() if side and of != side),
        "turn": entry.turn,
    }
    if entry.umpire == caller.account.player:
        told = {**params, "players": list(names.values()), "count": entry.disputed}
        return fragment("desk.row.umpire", told, caller.lang)
    if entry.status == "ended":
        won = "won" if entry.winner in own else "lost"
        how = entry.how if entry.winner is None else won if entry.winner else "drawn"
        return fragment(f"desk.row.{how}", params, caller.lang)
    if entry.status == "waiting":
        return fragment("desk.row.waiting", params, caller.lang)
    live = await desk.battles.get(entry.battle)
    due = [of for of in live.to_act() or live.recording.battle.owing if of in own]
    is_mine = bool(due) or side in live.recording.battle.owing
    mover = (due or list(live.to_act()) or [side])[0]
    face = live.clock(desk.now()).get(mover)
    if face is not None and face.deadline:
        params["deadline"] = moment(face.deadline, desk.wishes(caller.account.player).zone, caller.lang)
    return fragment("desk.row.yours" if is_mine else "desk.row.theirs", params, caller.lang)


async def seek(desk: Desk, request: MailRequest, caller: Caller, key: str) -> None:
    """`battles`, with `tag WORD` or without: whether such tags can be.

    Raises: Refusal core.bad-tags
    """
    require_tags(tagged(request.args)[1])


async def show_free(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """Battles that wait for a player, with `tag WORD` those that have the tag, and the scenarios that can be opened."""
    lines = await _free(desk, tagged(request.args)[1], caller)
    found: list[Block] = [Paragraph(say(caller.lang, "desk.free.none"))]
    if lines:
        how = say(caller.lang, "desk.free.how", battle=lines[0].split()[0])
        found = [HeadingLine(say(caller.lang, "desk.free.title")), Listing(tuple(lines)), Paragraph(how)]
    return [*found, *await show_scenarios(desk, request, caller)]


async def _free(desk: Desk, tags: tuple[str, ...], caller: Caller) -> list[str]:
    """The battles with these tags that the caller may join, a line each."""
    lines = []
    for entry in await desk.lobby().battles("", "", LISTED, sought=Sought(tag=tags[0] if tags else "")):
        if not set(tags) <= set(entry.tags):
            continue
        free = [seat.side for seat in entry.seats if not seat.player]
        if entry.status != "waiting" or not free or any(seat.player == caller.account.player for seat in entry.seats):
            continue
        holders = [shown_name(seat.player, seat.name, caller.lang) for seat in entry.seats if seat.name]
        told = {"battle": entry.battle, "title": listed_title(entry, caller.lang), "sides": free, "other": holders}
        told |= {"pace": await _pace(desk, entry.battle), "tags": ", ".join(entry.tags)}
        lines.append(fragment("desk.row.free", told, caller.lang))
    return lines


async def _pace(desk: Desk, battle: str) -> str:
    opened = (await desk.battles.get(battle)).recording.timeline.events[0].event
    pace = getattr(opened, "pace", UNSET)
    return "" if pace is UNSET else str(pace)


async def show_joined(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The next step after taking a side: wait for the other, or for the first letter."""
    live, _ = await desk.seated(caller, request.args[0] if request.args else "")
    battle = live.recording.battle
    link = Link(say(caller.lang, "desk.joined.link"), f"{desk.battles.settings.address}/battles/{live.id}")
    if battle.begun:
        return [Paragraph(say(caller.lang, "desk.joined.begun")), link]
    invitation = say(caller.lang, "desk.joined.invite", address=desk.addresses.mailbox)
    return [Paragraph(invitation), Listing((f"join {live.id}",)), link]
