"""The entrance page, and the list of battles that anybody may watch."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from aiohttp import web
from msgspec import Struct

from domain.basics.errors import Refusal
from domain.run.terms import is_tag
from projections.database import NotReady
from projections.lobby import ANY, LobbyEntry, Place, SeatShown, Sought
from replay.telling.words.names import name_in
from replay.telling.words.sentences import fragment
from server.acts.campaigns.inbox import call_words, calls_of
from server.people.players import Player
from server.play.seating import shown_name
from server.running import Server
from server.shown.listing import listed_title
from server.store.tables import accounts, invitations, posts
from server.web import auth
from server.web.api.battles import place_in
from server.web.api.sought import LONGEST_WORDS
from server.web.keys import server_of
from server.web.limits import spend_reading
from server.web.pages import clocks
from server.web.pages.language import PageReader, page_reader
from server.web.pages.new_battle import games_shown
from server.web.pages.rendering import page
from server.web.reading_rate import FILE_COST

LISTED = 50
MOST_INVITED = 10
ATTEMPTS, PAUSE_S = 200, 0.05
"""How often a list looks whether the read models are there, and after which pause: ten seconds in all."""
STATUSES = ("", "running", "waiting", "ended")
NONE_UNREAD: Mapping[str, int] = {}


class LobbyRow(Struct, frozen=True):
    """A battle in a list: its players and its status, in words. `disputed` counts the open dockets; `judging`: its
    reader is the umpire; `unread` counts new messages of the other player."""

    id: str
    title: str
    players: str
    words: str
    at: str
    urgent: bool
    disputed: int
    judging: bool
    unread: int = 0
    tags: tuple[str, ...] = ()


class InvitedRow(Struct, frozen=True):
    """A battle to which the reader is invited: by whom, and to which side."""

    id: str
    title: str
    name: str
    side: str


async def _invited(server: Server, player: Player, lang: str) -> list[InvitedRow]:
    """The battles that wait for the reader's answer, those that they are asked for as a rematch among them."""
    found = []
    for one in invitations.to_player(server.store, player.id, player.email, server.clock.now(), MOST_INVITED):
        live, inviter = await server.battles.get(one.battle), accounts.by_player(server.store, one.inviter)
        if not live.closed:
            title = name_in(getattr(live.known(""), "title", "") or live.ruleset.title, lang)
            found.append(InvitedRow(live.id, title, inviter.name if inviter else "", one.side))
    return found


async def _called(server: Server, player: Player, reader: PageReader) -> list[tuple[str, str]]:
    """What waits in the reader's campaigns: an address, and a sentence."""
    found = []
    for call in await calls_of(server.steward, player):
        at = reader.moment(call.at) if call.at else ""
        words = call_words(call, at, reader.lang)
        found.append((f"/battles/{call.battle}" if call.battle else f"/campaigns/{call.campaign}", words))
    return found


async def show_lobby(request: web.Request) -> web.Response:
    """GET /: the reader's battles, what waits for them first and the nearest deadline before all, then what needs a
    player."""
    server, player, reader = server_of(request), auth.caller(request), page_reader(request)
    mine: Sequence[LobbyEntry] = ()
    waiting: Sequence[LobbyEntry] = ()
    own = player.id if player else ""
    if player is not None:
        waiting = sorted(await listed_battles(server, "waiting", own), key=_deadline_first)
        mine = await listed_battles(server, "mine", own)
    free = await listed_battles(server, sought=Sought("waiting"))
    waiting = [*waiting, *(entry for entry in mine if _judges(entry, own) and entry.disputed)]
    urgent = {entry.battle for entry in waiting}
    ours = {entry.battle for entry in mine}
    unread = posts.unread(server.store, own, [*urgent, *(ours - urgent)]) if own else {}
    return page(
        request,
        "lobby.html",
        games=games_shown(server, reader.lang),
        vacations=clocks.vacations(request, own, reader.lang) if own else [],
        mine=rows_of((*waiting, *(entry for entry in mine if entry.battle not in urgent)), own, reader, urgent, unread),
        free=rows_of((entry for entry in free if entry.battle not in ours), own, reader),
        calls_of_campaigns=await _called(server, player, reader) if player is not None else [],
        invited=await _invited(server, player, reader.lang) if player is not None else [],
        urgent=len(urgent),
        calls=len(urgent | set(unread)),
    )


async def show_watch(request: web.Request) -> web.Response:
    """GET /watch?status=&game=&words=&tag=&before=: the public battles, those that have moved last first."""
    server, reader = server_of(request), page_reader(request)
    status, game = request.query.get("status", ""), request.query.get("game", "")
    words = " ".join(request.query.get("words", "")[:LONGEST_WORDS].split())
    tag = request.query.get("tag", "").strip().casefold()
    known = status if status in STATUSES else "", game if game in server.battles.rulesets else ""
    sought = Sought(*known, words, tag=tag if is_tag(tag) else "")
    if words or sought.ruleset or sought.tag:
        spend_reading(request, FILE_COST)
    player = auth.caller(request)
    found = await listed_battles(server, sought=sought, before=place_in(request))
    asked = {"status": sought.status, "game": sought.ruleset, "words": sought.words, "tag": sought.tag}
    more = ""
    if len(found) == LISTED:
        place = {"before": f"{found[-1].at}~{found[-1].battle}"}
        more = "/watch?" + urlencode({name: said for name, said in asked.items() if said} | place, safe=":~")
    return page(
        request,
        "watch.html",
        rows=rows_of(found, player.id if player else "", reader),
        sought=asked,
        statuses=STATUSES,
        games=[(code, ruleset.title) for code, ruleset in server.battles.rulesets.items()],
        next=more,
        feed=f"/feeds/results.atom{_query(game=sought.ruleset, words=sought.words, tag=sought.tag)}",
    )


def _query(**asked: str) -> str:
    """A query of what is not empty, "" for nothing."""
    said = {name: value for name, value in asked.items() if value}
    return f"?{urlencode(said)}" if said else ""


def _deadline_first(entry: LobbyEntry) -> tuple[bool, str, str]:
    return (not entry.deadline, entry.deadline, entry.at)


async def listed_battles(
    server: Server, which: str = "", player: str = "", sought: Sought = ANY, before: Place | None = None
) -> Sequence[LobbyEntry]:
    """The battles of a list; in a fresh data folder the read models need a moment to appear.

    Raises: Refusal core.busy
    """
    for _ in range(ATTEMPTS):
        try:
            return await server.lobby.battles(which, player, LISTED, before, sought)
        except NotReady:
            await asyncio.sleep(PAUSE_S)
    raise Refusal("core.busy", "CORE-ACCESS")


# --- in words


def rows_of(
    entries: Iterable[LobbyEntry],
    player: str,
    reader: PageReader,
    urgent: Iterable[str] = (),
    unread: Mapping[str, int] = NONE_UNREAD,
) -> list[LobbyRow]:
    """The rows of a list, as a player reads it; `urgent` are the battles that wait for them, `unread` counts new
    messages by battle."""
    wanted = set(urgent)
    return [_row(entry, player, reader, entry.battle in wanted, unread.get(entry.battle, 0)) for entry in entries]


def _row(entry: LobbyEntry, player: str, reader: PageReader, urgent: bool, unread: int) -> LobbyRow:
    held = [_seated(seat, player, reader.lang) for seat in entry.seats if seat.name]
    players = fragment("pages.row.players", dict(zip(("first", "second"), held, strict=False)), reader.lang)
    title = listed_title(entry, reader.lang)
    judging = _judges(entry, player)
    words = _words(entry, reader, urgent and not judging)
    return LobbyRow(entry.battle, title, players, words, entry.at, urgent, entry.disputed, judging, unread, entry.tags)


def _judges(entry: LobbyEntry, player: str) -> bool:
    """Whether a player is the umpire of a battle."""
    return bool(player) and entry.umpire == player


def _seated(seat: SeatShown, player: str, lang: str) -> str:
    name = fragment("pages.row.you", {}, lang) if player and seat.player == player else _name(seat, lang)
    return fragment("pages.row.seat", {"name": name, "side": seat.side}, lang)


def _name(seat: SeatShown, lang: str) -> str:
    name = shown_name(seat.player, seat.name, lang)
    return fragment("pages.row.program", {"name": name}, lang) if seat.kind == "program" else name


def _words(entry: LobbyEntry, reader: PageReader, urgent: bool) -> str:
    """The status of a battle in words."""

    def told(what: str, **params: Any) -> str:
        return fragment(f"pages.row.{what}", params, reader.lang)

    lang = reader.lang
    names = {seat.side: _name(seat, lang) or fragment(f"side.{seat.side}", {}, lang) for seat in entry.seats}
    if entry.status == "ended" and entry.winner is None:
        return told(entry.how)
    if entry.status == "ended":
        return told("won", name=names.get(entry.winner, entry.winner)) if entry.winner else told("drawn")
    if entry.status == "waiting":
        free = [seat.side for seat in entry.seats if not seat.name]
        return told("free", sides=free) if free else told("about")
    until = reader.moment(entry.deadline) if entry.deadline else ""
    acting = [names.get(side, side) for side in entry.to_act]
    return told("yours" if urgent else "acting", turn=entry.turn, phase=entry.phase, names=acting, until=until)
