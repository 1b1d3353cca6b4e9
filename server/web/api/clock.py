"""Do something about time: claim, pause, resume; plan a vacation."""

from aiohttp import web

from domain.run.own_word import OwnWord
from server.play.access import require_reader, require_side
from server.store.tables.absences import Absence
from server.time.deadlines import ClockLine, claim, go_away, pause, resume
from server.time.vacations import end_vacation, plan_vacation, vacations_of
from server.web.api.battles import view_of
from server.web.api.clock_messages import DoClock, PlanVacation, Vacations, VacationView
from server.web.api.exchange import answer, body_of, language_of, number_in_query
from server.web.auth import require_caller
from server.web.keys import server_of
from server.web.limits import spend

DEEDS = {"claim": claim, "pause": pause, "resume": resume, "vacation": go_away}


async def do_clock(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/clock"""
    player, server = require_caller(request), server_of(request)
    spend(request, "deed", player)
    live = await server.battles.get(request.match_info["id"])
    require_reader(live, player)
    wanted = await body_of(request, DoClock)
    side = require_side(live, player, wanted.side)
    said = ClockLine(OwnWord(wanted.seen, wanted.signature), wanted.days, wanted.begins, wanted.ends)
    await DEEDS[wanted.do](live, player.id, side, said)
    return answer(view_of(server, live, player, side, language_of(request)))


async def list_vacations(request: web.Request) -> web.Response:
    """GET /api/v1/vacations"""
    return answer(_vacations(request))


async def plan(request: web.Request) -> web.Response:
    """POST /api/v1/vacations"""
    player = require_caller(request)
    spend(request, "deed", player)
    wanted = await body_of(request, PlanVacation)
    await plan_vacation(server_of(request).battles, player.id, wanted.begins, wanted.ends)
    return answer(_vacations(request), 201)


async def end(request: web.Request) -> web.Response:
    """DELETE /api/v1/vacations?id="""
    player = require_caller(request)
    spend(request, "deed", player)
    await end_vacation(server_of(request).battles, player.id, number_in_query(request, "id", 0))
    return answer(_vacations(request))


def _vacations(request: web.Request) -> Vacations:
    player = require_caller(request)
    return Vacations(tuple(_vacation_view(each) for each in vacations_of(server_of(request).battles, player.id)))


def _vacation_view(absence: Absence) -> VacationView:
    return VacationView(absence.id, absence.begins, absence.ends, absence.state)
