"""What a browser needs beside the battle file to check its draws by itself: the cards and dice of its game.

That is public knowledge of the game, and the same for every battle with these options; a reader can compare it with the
rules of the draws (docs/record-format.md 4).
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from aiohttp import web
from msgspec import Struct

from domain.ruleset import Ruleset
from replay.proof.sealed import members_of
from server.web.api.battles import live_for
from server.web.pages.rendering import HEADERS, PRIVATE


class DrawTable(Struct, frozen=True):
    """The cards of every deck, whole and in canonical order; what the faces of special dice may count, by number of
    sides; the type of the event that looks at coming cards, "" if there is none."""

    decks: Mapping[str, tuple[str, ...]]
    faces: Mapping[int, tuple[tuple[int, ...], ...]]
    looks: str


def draw_table(ruleset: Ruleset, opening: Mapping[str, Any]) -> DrawTable:
    """The table of a game, by the members of event 1."""
    draws = ruleset.draws
    return DrawTable(draws.decks(opening), draws.faces, draws.looks)


async def show_table(request: web.Request) -> web.Response:
    """GET /battles/{id}/draw-table: the table of a battle, for the script of its page."""
    live, _ = await live_for(request)
    _, _, line = live.lines(0, 1)[0]
    body = msgspec.json.encode(draw_table(live.ruleset, members_of(line)))
    return web.Response(body=body, content_type="application/json", headers={**HEADERS, "Cache-Control": PRIVATE})
