"""Feeds for programs that follow what happens: Atom (RFC 4287) and calendars (RFC 5545).

What waits for a player stands at an address that is a secret of theirs: whoever has it reads the titles, the names and
the deadlines of those battles, and can do nothing. The player takes it back on the page of the settings.
"""

from collections.abc import Iterable, Sequence

from aiohttp import web

from domain.basics.errors import Refusal
from projections.lobby import LobbyEntry, Sought
from server.campaigns.listing import listed_campaigns
from server.campaigns.summary import ENDED
from server.entropy import new_secret
from server.people import notices
from server.people.notices import AccountEvent
from server.people.players import Player
from server.store.tables import campaigns, correspondents, feeds
from server.web import auth
from server.web.api.sought import sought_in
from server.web.kept import KeptAnswer, served, tag_of
from server.web.keys import server_of
from server.web.limits import spend, spend_reading
from server.web.pages.campaign_feeds import feed_dates
from server.web.pages.feed_forms import ATOM_TYPE, CALENDAR_TYPE, FeedDate, FeedEntry, atom, calendar
from server.web.pages.forms import form_of, text
from server.web.pages.identity import PROVE, account_of, is_proven, mails
from server.web.pages.language import PageReader, page_reader, wish_of
from server.web.pages.lobby import listed_battles, rows_of
from server.web.pages.mailbox import private
from server.web.pages.rendering import HEADERS, page, see
from server.web.reading_rate import FILE_COST
from server.words import say

MOST_CAMPAIGNS = 20
"""Campaigns of a player whose dates are in their calendar, the newest."""


# --- the settings


async def show_feeds(request: web.Request) -> web.Response:
    """GET /settings/feeds: whether there is an address, and a button to make or revoke one."""
    return _feeds_page(request, _reader(request), "")


async def post_feeds(request: web.Request) -> web.Response:
    """POST /settings/feeds: a new address (the one before leads nowhere then), or none. It is shown once: the server
    keeps only its digest."""
    auth.require_own_page(request)
    player, server = _reader(request), server_of(request)
    spend(request, "deed", player)
    token = ""
    if text(await form_of(request), "do") == "make":
        if not is_proven(request, player):
            return see(PROVE)
        token = new_secret(server.entropy)
        told = notices.notice_to(
            server.clock, server.entropy, account_of(request, player), AccountEvent.FEED, "", mails(request)
        )
        await server.store.write(feeds.issue(token, player.id, server.clock.now()), *told)
    else:
        await server.store.write(feeds.revoke(player.id))
    return _feeds_page(request, player, token)


def _reader(request: web.Request) -> Player:
    player = auth.caller(request)
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    return player


def _feeds_page(request: web.Request, player: Player, token: str) -> web.Response:
    server = server_of(request)
    made = feeds.issued(server.store, player.id)
    return private(page(request, "feeds.html", made=made, base=f"{server.settings.address}/feeds/{token}", token=token))


# --- the feeds


async def show_waiting(request: web.Request) -> web.Response:
    """GET /feeds/{token}/waiting.atom: the battles that wait for the player whose secret it is; filters of lists."""
    player, reader = _owner(request)
    found = await listed_battles(server_of(request), "waiting", player, _filtered(request))
    return _atom(request, found, reader, "pages.feeds.waiting", player)


async def show_deadlines(request: web.Request) -> web.Response:
    """GET /feeds/{token}/deadlines.ics: when the player's time is up, in each battle that waits for them; filters as of
    a list."""
    player, reader = _owner(request)
    found = await listed_battles(server_of(request), "waiting", player, _filtered(request))
    dated = [entry for entry in found if entry.deadline]
    address = server_of(request).settings.address
    beside = [] if request.query else await _campaign_dates(request, player, reader.lang)
    body = calendar_of(dated, player, reader, address, beside).encode()
    return served(request, KeptAnswer(body, tag_of(body)), CALENDAR_TYPE, HEADERS)


async def _campaign_dates(request: web.Request, player: str, lang: str) -> list[FeedDate]:
    """The dates of the player's newest campaigns that are not over."""
    server = server_of(request)
    ids = campaigns.of_player(server.store, player, MOST_CAMPAIGNS)
    rows = await listed_campaigns(server.steward.campaigns, ids)
    found = list[FeedDate]()
    for row in rows:
        if row.status != ENDED:
            live = await server.steward.campaigns.get(row.campaign)
            found += feed_dates(live, live.state.players.get(player, ""), lang, server.settings.address)
    return found


async def show_results(request: web.Request) -> web.Response:
    """GET /feeds/results.atom?lang=: the public battles that are over, the last ones first; filters as of a list."""
    found = await listed_battles(server_of(request), sought=_filtered(request)._replace(status="ended"))
    return _atom(request, found, page_reader(request)._replace(zone=""), "pages.feeds.results", "")


def _filtered(request: web.Request) -> Sought:
    """The battles that a feed is narrowed to (CAM-CLB-03); a long search costs as it does in a list.

    Raises: as `sought_in`, and Refusal core.too-many
    """
    sought = sought_in(request)
    if sought.is_long:
        spend_reading(request, FILE_COST)
    return sought


def _owner(request: web.Request) -> tuple[str, PageReader]:
    """The player to whom the secret of an address belongs, and how they read.

    Raises: Refusal core.no-such-page
    """
    store = server_of(request).store
    player = feeds.player_of(store, request.match_info["token"])
    if not player:
        raise Refusal("core.no-such-page", "CORE-ACCESS", path="/feeds")
    kept = correspondents.find(store, player)
    return player, PageReader(wish_of(kept) or page_reader(request).lang, kept.zone if kept.zone != "UTC" else "")


def _atom(
    request: web.Request, found: Sequence[LobbyEntry], reader: PageReader, title: str, player: str
) -> web.Response:
    here = f"{server_of(request).settings.address}{request.rel_url.raw_path_qs}"
    body = atom_of(found, player, reader, server_of(request).settings.address, here, say(reader.lang, title))
    return served(request, KeptAnswer(body, tag_of(body)), ATOM_TYPE, HEADERS)


# --- their forms


def atom_of(found: Sequence[LobbyEntry], player: str, reader: PageReader, address: str, here: str, title: str) -> bytes:
    """Battles as an Atom feed; each entry is new again when its battle has gone on."""
    urgent = [entry.battle for entry in found] if player else ()
    entries = [
        FeedEntry(
            f"{address}/battles/{entry.battle}#{entry.n}",
            row.title,
            entry.at,
            f"{address}/battles/{entry.battle}",
            f"{row.players}: {row.words}",
        )
        for entry, row in zip(found, rows_of(found, player, reader, urgent), strict=True)
    ]
    return atom(entries, address, here, title, reader.lang)


def calendar_of(
    found: Iterable[LobbyEntry], player: str, reader: PageReader, address: str, beside: Iterable[FeedDate] = ()
) -> str:
    """Deadlines of battles as a calendar, with other dates `beside` them; a battle has one date, which moves."""
    return calendar([*(_date_of(entry, player, reader, address) for entry in found), *beside])


def _date_of(entry: LobbyEntry, player: str, reader: PageReader, address: str) -> FeedDate:
    (row,) = rows_of([entry], player, reader, [entry.battle])
    return FeedDate(
        f"{entry.battle}@{address.partition('://')[2]}",
        entry.at,
        entry.n,
        entry.deadline,
        say(reader.lang, "pages.feeds.until", title=row.title),
        f"{row.players}: {row.words}",
        f"{address}/battles/{entry.battle}",
    )
