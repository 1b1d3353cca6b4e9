"""The ledger of a campaign over the API: all forces, one of them, a service record."""

from aiohttp import web
from msgspec import Struct

from projections.ledger.records import ForceLedger
from server.acts.campaigns.ledgers import ledger_of_campaign
from server.shown.ledger import force_in, record_in
from server.web.api.campaigns import readable
from server.web.api.exchange import answer
from server.web.api.map_pictures import entrant_of
from server.web.limits import spend_reading
from server.web.reading_rate import FILE_COST


class LedgerView(Struct, frozen=True):
    """The forces of a campaign, those of a power together."""

    campaign: str
    n: int
    forces: tuple[ForceLedger, ...]


async def show_ledger(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/ledger"""
    live = await readable(request)
    spend_reading(request, FILE_COST)
    n, found = live.n, await ledger_of_campaign(live, entrant_of(request, live))
    return answer(LedgerView(live.id, n, found.forces))


async def show_force(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/ledger/{force}"""
    live = await readable(request)
    spend_reading(request, FILE_COST)
    return answer(force_in(await ledger_of_campaign(live, entrant_of(request, live)), request.match_info["force"]))


async def show_record(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/ledger/{force}/{element}"""
    live = await readable(request)
    spend_reading(request, FILE_COST)
    force = force_in(await ledger_of_campaign(live, entrant_of(request, live)), request.match_info["force"])
    return answer(record_in(force, request.match_info["element"]))
