"""Feeds for programs that follow what happens: Atom (RFC 4287) and calendars (RFC 5545).

What waits for a player stands at an address that is a secret of theirs: whoever has it reads the titles, the names and
the deadlines of those battles, and can do nothing. The player takes it back on the page of the settings.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from xml.etree import ElementTree as ET

from aiohttp import web

from domain.basics.errors import Refusal
from projections.lobby import LobbyEntry, Sought
from server.entropy import new_secret
from server.people import notices
from server.people.notices import AccountEvent
from server.people.players import Player
from server.store.tables import correspondents, feeds
from server.web import auth
from server.web.api.sought import sought_in
from server.web.kept import KeptAnswer, served, tag_of
from server.web.keys import server_of
from server.web.limits import spend, spend_reading
from server.web.pages.forms import form_of, text
from server.web.pages.identity import PROVE, account_of, is_proven, mails
from server.web.pages.language import PageReader, page_reader, wish_of
from server.web.pages.lobby import listed_battles, rows_of
from server.web.pages.mailbox import private
from server.web.pages.rendering import HEADERS, page, see
from server.web.reading_rate import FILE_COST
from server.words import say

ATOM = "http://www.w3.org/2005/Atom"
ATOM_TYPE, CALENDAR_TYPE = "application/atom+xml", "text/calendar"
PRODUCT = "-//Phalera//Phalera//EN"
LONGEST_LINE = 75
"""Bytes of a line of a calendar; the rest goes on in the next."""
UNFIT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold, however they are written."""


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
    body = calendar_of(dated, player, reader, server_of(request).settings.address).encode()
    return served(request, KeptAnswer(body, tag_of(body)), CALENDAR_TYPE, HEADERS)


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
    feed = ET.Element("feed", {"xmlns": ATOM, "xml:lang": reader.lang})
    add_words(feed, "id", address)
    add_words(feed, "title", title)
    add_words(feed, "updated", max((entry.at for entry in found), default="1970-01-01T00:00:00Z"))
    ET.SubElement(feed, "link", {"rel": "self", "href": here})
    ET.SubElement(add_words(feed, "author", ""), "name").text = "Phalera"
    urgent = [entry.battle for entry in found] if player else ()
    for entry, row in zip(found, rows_of(found, player, reader, urgent), strict=True):
        one = ET.SubElement(feed, "entry")
        link = f"{address}/battles/{entry.battle}"
        add_words(one, "id", f"{link}#{entry.n}")
        add_words(one, "title", row.title)
        add_words(one, "updated", entry.at)
        ET.SubElement(one, "link", {"href": link})
        add_words(one, "summary", f"{row.players}: {row.words}")
    body: bytes = ET.tostring(feed, encoding="utf-8")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + body


def add_words(parent: ET.Element, tag: str, words: str) -> ET.Element:
    """Add an element with words, without the characters that XML cannot hold."""
    made = ET.SubElement(parent, tag)
    made.text = UNFIT.sub("\ufffd", words) or None
    return made


def calendar_of(found: Iterable[LobbyEntry], player: str, reader: PageReader, address: str) -> str:
    """Deadlines of battles as a calendar; a battle has one date, which moves."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{PRODUCT}"]
    for entry in found:
        (row,) = rows_of([entry], player, reader, [entry.battle])
        when = _instant(entry.deadline)
        lines += [
            "BEGIN:VEVENT",
            f"UID:{entry.battle}@{address.partition('://')[2]}",
            f"DTSTAMP:{_instant(entry.at)}",
            f"SEQUENCE:{entry.n}",
            f"DTSTART:{when}",
            f"DTEND:{when}",
            f"SUMMARY:{_escaped(say(reader.lang, 'pages.feeds.until', title=row.title))}",
            f"DESCRIPTION:{_escaped(f'{row.players}: {row.words}')}",
            f"URL:{address}/battles/{entry.battle}",
            "END:VEVENT",
        ]
    return "".join(f"{part}\r\n" for line in [*lines, "END:VCALENDAR"] for part in _folded(line))


def _instant(at: str) -> str:
    """A time of the log as a calendar has it: 20260301T120000Z."""
    return re.sub(r"[-:]", "", at.partition(".")[0]) + "Z"


def _escaped(words: str) -> str:
    words = UNFIT.sub("\ufffd", words).replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return " ".join(words.split())


def _folded(line: str) -> Iterator[str]:
    """A line in pieces of at most 75 bytes, none cut inside a character; those behind the first begin with a space."""
    piece = ""
    for letter in line:
        if len(f"{piece}{letter}".encode()) > LONGEST_LINE:
            yield piece
            piece = " "
        piece += letter
    yield piece
