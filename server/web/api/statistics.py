"""What was drawn in a battle, what was to be expected, and the luck in what decides the game."""

from aiohttp import web
from msgspec import Struct

from projections.statistics import SideStatistics
from replay.reports.luck import LuckData, as_data
from server.web.api.battles import live_for
from server.web.api.exchange import answer
from server.web.keys import server_of


class StatisticsView(Struct, frozen=True):
    """Draws, tests and losses by side: those that count, and apart those that rewinds took back; and the luck."""

    battle: str
    counted: tuple[SideStatistics, ...]
    voided: tuple[SideStatistics, ...]
    luck: LuckData


async def show_statistics(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/statistics: as far as the log is public, so the same for everybody.

    Raises: Refusal core.busy if the read models are not made yet
    """
    live, _ = await live_for(request)
    statistics, rows = await server_of(request).lobby.statistics(live.id)
    luck = as_data(live.ruleset.shown.tallied, rows)
    return answer(StatisticsView(live.id, statistics.counted, statistics.voided, luck))
