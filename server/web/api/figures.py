"""The figures of all public battles of a host."""

from aiohttp import web
from msgspec import Struct

from projections.overview import GameFigures
from server.web.api.exchange import answer
from server.web.keys import server_of


class FiguresView(Struct, frozen=True):
    """How the public battles of this host have ended: those of each game that has any, in the order of their codes."""

    games: tuple[GameFigures, ...]


async def show_figures(request: web.Request) -> web.Response:
    """GET /api/v1/figures: of battles that anybody may read, so the same for everybody.

    Raises: Refusal core.busy if the read models are not made yet
    """
    return answer(FiguresView(await server_of(request).lobby.figures()))
