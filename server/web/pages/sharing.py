"""What other sites fetch of this one: the picture of a battle that somebody shares, and the two files of old."""

from typing import Any

from aiohttp import web

from domain.basics.errors import Refusal
from domain.contract.ruleset import Ruleset
from replay.drawing.card import SideOnCard, draw_card
from replay.telling.words import worded
from server.web.api.battles import live_for
from server.web.api.exchange import number_in_query
from server.web.keys import pictures_of, server_of
from server.web.limits import spend
from server.web.pages.language import page_language
from server.web.pages.rendering import HEADERS, PRIVATE
from server.web.pages.static_files import static_link
from server.web.pictures import BoardKey
from server.words import say

HIDDEN = (
    "/api/",
    "/battles/*/words",
    "/clubs/*/",
    "/confirm/",
    "/invitations/",
    "/login",
    "/logout",
    "/settings",
    "/unsubscribe/",
)
"""Addresses of one person, or of programs: no search engine has any use for them."""


async def show_card(request: web.Request) -> web.Response:
    """GET /battles/{id}/card.png?n=&lang=: board and score after event `n`, as a stranger sees them; none of a battle
    that its players alone may read."""
    live, _ = await live_for(request)
    if live.recording.battle.readers == "players":
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    n, lang = number_in_query(request, "n", live.n, 1), page_language(request)
    if n > live.n:
        raise Refusal("core.no-such-event", "CORE-ACCESS", n=n, last=live.n)
    spend(request, "picture")
    await live.remember()

    async def given() -> tuple[Any, ...]:
        battle, ruleset = live.recording.timeline.at(n), live.ruleset
        tally = ruleset.shown.tally(battle.game)
        named = {side: seat.name for side, seat in battle.seats.items()}
        sides = tuple(
            SideOnCard(side, named.get(side) or say(lang, f"desk.side.{side}"), score) for side, score in tally.items()
        )
        return ruleset, ruleset.secrets.known(battle.game, ""), sides, lang

    card = await pictures_of(request).of_file(BoardKey(live.id, n, "", lang, "card"), drawn_card, given)
    return web.Response(body=card, content_type="image/png", headers={**HEADERS, "Cache-Control": PRIVATE})


def drawn_card(ruleset: Ruleset, known: Any, sides: tuple[SideOnCard, ...], lang: str) -> bytes:
    """The card of a state as a stranger knows it."""
    scene = worded(ruleset.shown.view(known, ""), lang)
    return draw_card(scene, scene.title or ruleset.title, sides, lang=lang)


async def show_robots(request: web.Request) -> web.Response:
    """GET /robots.txt"""
    base = server_of(request).settings.base
    lines = ["User-agent: *", *(f"Disallow: {base}{path}" for path in HIDDEN), ""]
    return web.Response(text="\n".join(lines), content_type="text/plain", headers=HEADERS)


async def show_favicon(request: web.Request) -> web.Response:
    """GET /favicon.ico: programs ask for it that have read no page."""
    return web.Response(status=302, headers={"Location": static_link("icon.svg"), "Cache-Control": PRIVATE, **HEADERS})
