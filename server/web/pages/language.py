"""The language and the zone in which a page speaks."""

from typing import NamedTuple

from aiohttp import web

from domain.basics.errors import Refusal
from replay.telling.words import LANGUAGES
from server.people.players import Player
from server.shown.moments import moment_in_short
from server.store.tables import correspondents
from server.store.tables.correspondents import Correspondent
from server.web import auth
from server.web.address import is_secure
from server.web.api.exchange import language_of
from server.web.keys import server_of

COOKIE = "language"
KEPT_S = 365 * 24 * 3600


class PageReader(NamedTuple):
    """How a page speaks to its reader."""

    lang: str
    zone: str

    def moment(self, at: str) -> str:
        """A time of the log: "21 November, 12:59", in their zone; with UTC behind it where they have set none."""
        told = moment_in_short(at, self.zone or "UTC", self.lang)
        return told if self.zone else f"{told} UTC"


_KNOWN = web.RequestKey("reader", PageReader)


def page_language(request: web.Request) -> str:
    """The language of a page: that of the address line (`lang`), else the one in the reader's settings, else the one
    chosen in this browser, else the first that the browser accepts."""
    return page_reader(request).lang


def page_reader(request: web.Request) -> PageReader:
    """The language of a page, and the zone in the reader's settings ("": none)."""
    known: PageReader | None = request.get(_KNOWN)
    if known is None:
        known = request[_KNOWN] = _looked_up(request)
    return known


def _looked_up(request: web.Request) -> PageReader:
    reader = reader_of(request)
    kept = correspondents.find(server_of(request).store, reader.id) if reader else None
    zone = kept.zone if kept and kept.zone != "UTC" else ""
    if request.query.get("lang") in LANGUAGES:
        return PageReader(language_of(request), zone)
    chosen = request.cookies.get(COOKIE, "")
    wished = wish_of(kept) if kept else ""
    return PageReader(wished or (chosen if chosen in LANGUAGES else language_of(request)), zone)


def wish_of(kept: Correspondent) -> str:
    """The language that a player has set; "" for whoever has never changed a setting."""
    return "" if kept == Correspondent(kept.player) else kept.lang


def reader_of(request: web.Request) -> Player | None:
    """The reader of the page; a bad token counts as a stranger here, so that even its refusal can be shown."""
    try:
        return auth.caller(request)
    except Refusal:
        return None


def remember(request: web.Request, response: web.Response, lang: str) -> web.Response:
    """Let this browser keep a language, for pages read without an account, too."""
    if lang in LANGUAGES:
        response.set_cookie(
            COOKIE, lang, max_age=KEPT_S, path="/", httponly=True, samesite="Lax", secure=is_secure(request)
        )
    return response
