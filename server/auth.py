"""Who asks, and may a browser do this in his name?

A program shows an API token in the header, never in an address. A browser shows a session cookie, got by a login link;
what it changes with it must come from our own pages.
"""

from urllib.parse import urlsplit

from aiohttp import web

from domain.errors import Refusal
from domain.game import SIDES
from server import players
from server.house import house_of
from server.players import Player
from server.table import Table

COOKIE = "phalera_session"
SAFE = ("GET", "HEAD", "OPTIONS")
BEARER = "bearer"
OWN = ("same-origin", "none")


def caller(request: web.Request) -> Player | None:
    """The player who asks; None for a stranger.

    Raises: Refusal core.bad-token, core.cross-site
    """
    house = house_of(request)
    written = request.headers.get("Authorization")
    if written is not None:
        scheme, _, token = written.partition(" ")
        found = None
        if scheme.casefold() == BEARER:
            found = players.of_token(house.store, token.strip(), "api", house.clock.now())
        if found is None:
            raise Refusal("core.bad-token", "CORE-ACCESS")
        return found
    session = request.cookies.get(COOKIE)
    if not session:
        return None
    found = players.of_token(house.store, session, "session", house.clock.now())
    if found is None:
        return None
    if request.method not in SAFE:
        require_own_page(request)
    return found


def require_caller(request: web.Request) -> Player:
    """The player who asks.

    Raises: Refusal core.not-signed-in, and as `caller`
    """
    player = caller(request)
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    return player


def require_own_page(request: web.Request) -> None:
    """Refuse what a page of another site sends with our cookie. No header at all is no browser: it needs a token.

    Raises: Refusal core.cross-site
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        if site in OWN:
            return
    elif (origin := request.headers.get("Origin")) and urlsplit(origin).netloc == request.host:
        return
    raise Refusal("core.cross-site", "CORE-ACCESS")


# --- reading and ordering


def may_read(table: Table, player: Player | None) -> bool:
    """Public ones and those with a link: anybody who has the id; private ones: who holds a side."""
    battle = table.recording.battle
    return battle.readers != "players" or (player is not None and bool(battle.seat_of(player.id)))


def require_reader(table: Table, player: Player | None) -> None:
    """Refuse a stranger as if the battle did not exist.

    Raises: Refusal core.unknown-battle
    """
    if not may_read(table, player):
        raise Refusal("core.unknown-battle", "CORE-ACCESS", battle=table.id)


def side_for(table: Table, player: Player | None, wanted: str = "") -> str:
    """As which side somebody sees the battle: the one he names and holds, else the one that must act, else his first;
    "" for a stranger.

    Raises: Refusal core.not-your-side, core.no-such-side
    """
    held = table.recording.battle.seat_of(player.id) if player else ()
    if wanted:
        if wanted not in SIDES:
            raise Refusal("core.no-such-side", "CORE-ACCESS", side=wanted[:40])
        if wanted not in held:
            raise Refusal("core.not-your-side", "CORE-ACCESS", side=wanted)
        return wanted
    acting = [side for side in table.to_act() if side in held]
    return (acting or [*held, ""])[0]


def require_side(table: Table, player: Player, wanted: str = "") -> str:
    """The side that a player orders.

    Raises: Refusal core.not-seated, and as `side_for`
    """
    side = side_for(table, player, wanted)
    if not side:
        raise Refusal("core.not-seated", "CORE-ACCESS", battle=table.id)
    return side
