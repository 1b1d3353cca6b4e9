"""The player behind a request, and whether a browser may act for them.

A program sends an API token in the header, never in an address. A browser sends a session cookie, set by a login link;
its changes must come from our own pages.
"""

import asyncio
from contextlib import suppress
from functools import partial
from urllib.parse import urlsplit

from aiohttp import web

from domain.basics.errors import Refusal
from replay.writing.clock import later
from server.people import players
from server.people.players import Player
from server.store import StoreError
from server.store.tables import tokens
from server.store.tables.tokens import StoredToken
from server.web.keys import ACCOUNT, KnownTokens, server_of, streams_of, tokens_of

COOKIE = "phalera_session"
SAFE = ("GET", "HEAD", "OPTIONS")
BEARER = "bearer"
OWN = ("same-origin", "none")
TRUST_S = 2.0
"""How long a revoked API token may still work."""
MOST_SEEN = 10_000
FRESH_S = 10 * 60
"""How long a login proves that it is the player who asks for what gives access to the account."""


def caller(request: web.Request) -> Player | None:
    """The player who makes the request, which is noted for the log; None for a stranger.

    Raises: Refusal core.bad-token, core.cross-site
    """
    found = _caller(request)
    if found is not None:
        request[ACCOUNT] = found.id
    return found


def _caller(request: web.Request) -> Player | None:
    written = request.headers.get("Authorization")
    if written is not None:
        scheme, _, token = written.partition(" ")
        found = _bearer(request, token.strip()) if scheme.casefold() == BEARER else None
        if found is None:
            raise Refusal("core.bad-token", "CORE-ACCESS")
        return found
    session = request.cookies.get(COOKIE)
    if not session:
        return None
    found = _looked_up(request, session, "session")
    if found is None:
        return None
    if request.method not in SAFE:
        require_own_page(request)
    return found


def _bearer(request: web.Request, token: str) -> Player | None:
    """The player of an API token; a recently seen token is not looked up again for a moment."""
    known = tokens_of(request).players
    digest, now_s = tokens.digest(token), asyncio.get_running_loop().time()
    seen_s, player = known.get(digest, (-TRUST_S, None))
    if player is None or now_s - seen_s >= TRUST_S:
        player = _looked_up(request, token, "api")
        if player is not None:
            if len(known) >= MOST_SEEN:
                known.clear()
            known[digest] = (now_s, player)
    return player


def _looked_up(request: web.Request, token: str, kind: str) -> Player | None:
    """The player of a token, whose use is recorded once an hour; nobody waits for that."""
    server, known = server_of(request), tokens_of(request)
    now = server.clock.now()
    player, used = players.signed_in(server.store, token, kind, now)
    if used is not None and used.digest not in known.recording:
        known.recording.add(used.digest)
        with suppress(StoreError):
            server.store.write(tokens.saw(used, now)).add_done_callback(partial(_recorded, known, used.digest))
    return player


def _recorded(known: KnownTokens, digest: bytes, done: asyncio.Future[tuple[int, ...]]) -> None:
    """The use of a token is in the store, or could not be: the next one tries again."""
    known.recording.discard(digest)
    if not done.cancelled():
        done.exception()


def session_of(request: web.Request) -> StoredToken | None:
    """The session with which a browser makes a request; None for a program, which sends its own token."""
    cookie = request.cookies.get(COOKIE)
    if not cookie or "Authorization" in request.headers:
        return None
    server = server_of(request)
    return tokens.good(server.store, cookie, "session", server.clock.now())


def is_fresh(request: web.Request) -> bool:
    """Whether the caller has logged in a few minutes ago: each login is a session of its own."""
    session = session_of(request)
    return session is not None and later(session.created, FRESH_S) > server_of(request).clock.now()


def forget_player(request: web.Request, player: str) -> None:
    """After the tokens of a player were revoked: none is believed for a moment longer, and their streams end."""
    tokens_of(request).players.clear()
    streams_of(request).end_of(player)


def require_caller(request: web.Request) -> Player:
    """The player who makes the request.

    Raises: Refusal core.not-signed-in, and as `caller`
    """
    player = caller(request)
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    return player


def require_own_page(request: web.Request) -> None:
    """Refuse requests that a page of another site sends with our cookie. A client without the headers is not a
    browser: it needs a token.

    Raises: Refusal core.cross-site
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        if site in OWN:
            return
    elif (host := _host_of(request.headers.get("Origin", ""))) and host in _own_hosts(request):
        return
    raise Refusal("core.cross-site", "CORE-ACCESS")


def _own_hosts(request: web.Request) -> tuple[str, ...]:
    """The names under which our pages are reached: a proxy need not pass on the one that a browser has asked for."""
    settings = server_of(request).settings
    return (request.host, *map(_host_of, (settings.url, *settings.former_urls)))


def _host_of(origin: str) -> str:
    """Host and port of an origin, "" if it has none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""
