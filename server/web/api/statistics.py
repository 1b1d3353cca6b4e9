"""What was drawn in a battle, what was to be expected, and the luck in what decides the game."""

from aiohttp import web
from msgspec import Struct

from domain.basics.decoding import decode
from projections.statistics import SideStatistics
from replay.battle_file import UnreadableFile
from replay.reports.honours import SideHonours, honours_written
from replay.reports.luck import LuckData, as_data
from server.play.live_battle import LiveBattle
from server.web.api.battles import live_for
from server.web.api.exchange import answer, language_of
from server.web.api.log import battle_file
from server.web.keys import pictures_of, server_of
from server.web.limits import spend
from server.web.pictures import BoardKey
from server.workers import Busy


class StatisticsView(Struct, frozen=True):
    """Draws, tests and losses by side: those that count, and apart those that rewinds took back; the luck; and the
    honours, null while the server has too much to do."""

    battle: str
    counted: tuple[SideStatistics, ...]
    voided: tuple[SideStatistics, ...]
    luck: LuckData
    honours: tuple[SideHonours, ...] | None


async def show_statistics(request: web.Request) -> web.Response:
    """GET /api/v1/battles/{id}/statistics: as far as the log is public, so the same for everybody.

    Raises: Refusal core.busy if the read models are not made yet
    """
    live, _ = await live_for(request)
    statistics, rows = await server_of(request).lobby.statistics(live.id)
    luck = as_data(live.ruleset.shown.tallied, rows, live.seats)
    honours = await _honours(request, live, language_of(request))
    return answer(StatisticsView(live.id, statistics.counted, statistics.voided, luck, honours))


async def _honours(request: web.Request, live: LiveBattle, lang: str) -> tuple[SideHonours, ...] | None:
    spend(request, "picture")

    async def content() -> tuple[bytes, str]:
        return await battle_file(server_of(request), live), lang

    try:
        made = await pictures_of(request).of_file(
            BoardKey(live.id, live.n, "", lang, "honours"), honours_written, content
        )
    except (Busy, UnreadableFile):
        return None
    return decode(made, tuple[SideHonours, ...])
