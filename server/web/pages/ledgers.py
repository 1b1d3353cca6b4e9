"""The pages of a campaign's forces: all of them, one, and the service record of a unit or leader."""

import asyncio
from collections.abc import Iterator

from aiohttp import web
from markupsafe import Markup
from msgspec import Struct

from domain.basics.errors import Refusal
from projections.ledger import records
from projections.ledger.records import ForceLedger, ServiceEntry, ServiceRecord
from replay.drawing.phalerae import ServiceCard, phalerae_svg, service_card
from replay.telling.service import ServiceTeller
from server.acts.campaigns.ledgers import ledger_of_campaign
from server.campaigns.live_campaign import LiveCampaign
from server.shown.ledger import force_in, record_in, service_teller
from server.web.api.campaigns import readable
from server.web.api.map_pictures import entrant_of
from server.web.keys import server_of
from server.web.limits import spend, spend_reading
from server.web.pages.language import page_language, page_reader
from server.web.pages.rendering import HEADERS, PRIVATE, page
from server.web.reading_rate import FILE_COST
from server.words import say


class ServiceLine(Struct, frozen=True):
    """A line of a record: what happened, and where that can be read; `kind` chooses its mark."""

    kind: str
    words: str
    link: str


class ServiceRound(Struct, frozen=True):
    """What a record says of a round."""

    title: str
    lines: tuple[ServiceLine, ...]


class ServiceRosterLine(Struct, frozen=True):
    """An element of a force in its roster."""

    element: str
    name: str
    now: str
    is_here: bool
    battles: int
    points: int
    phalerae: Markup


class RosterGroup(Struct, frozen=True):
    """The elements of a part of an army, leaders first."""

    title: str
    lines: tuple[ServiceRosterLine, ...]


async def show_ledger(request: web.Request) -> web.Response:
    """GET /campaigns/{id}/ledger"""
    live, teller = await _told(request)
    found = await ledger_of_campaign(live, entrant_of(request, live))
    forces = [(force, teller.power(force.power), teller.summary(force)) for force in found.forces]
    return page(request, "ledger.html", campaign=live.id, title=live.state.settings.title, forces=forces)


async def show_force(request: web.Request) -> web.Response:
    """GET /campaigns/{id}/ledger/{force}"""
    live, teller = await _told(request)
    force = force_in(await ledger_of_campaign(live, entrant_of(request, live)), request.match_info["force"])
    army = live.state.theatre.forces[force.force].army
    return page(
        request,
        "force.html",
        campaign=live.id,
        title=live.state.settings.title,
        force=force,
        name=str(army.get("name", "")) if isinstance(army, dict) else "",
        power=teller.power(force.power),
        summary=teller.summary(force),
        groups=list(_groups(teller, force)),
        battles=[_line(teller, entry) for entry in force.battles.values()],
        link=_address(request, live, force),
        shared=live.readers != "players",
    )


async def show_record(request: web.Request) -> web.Response:
    """GET /campaigns/{id}/ledger/{force}/{element}"""
    live, teller = await _told(request)
    force = force_in(await ledger_of_campaign(live, entrant_of(request, live)), request.match_info["force"])
    record = record_in(force, request.match_info["element"])
    names = list(teller.grown(record)) if record.is_unit else []
    return page(
        request,
        "service_record.html",
        campaign=live.id,
        title=live.state.settings.title,
        force=force,
        record=record,
        power=teller.power(force.power),
        called=capital(teller.called(record)),
        name=teller.name(record),
        now=teller.now(record),
        names=names if len(names) > 1 else [],
        phalerae=_phalerae(teller, record),
        rounds=list(_rounds(teller, record)),
        won=record.fought(records.WON),
        drawn=record.fought(records.DRAWN),
        lost=record.fought(records.LOST_BATTLE),
        link=f"{_address(request, live, force)}/{record.element}",
        shared=live.readers != "players",
    )


async def show_card(request: web.Request) -> web.Response:
    """GET /campaigns/{id}/ledger/{force}/{element}/card.png?lang=: the record in a picture; none of a campaign that its
    players alone may read."""
    live = await readable(request)
    if live.readers == "players":
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    spend(request, "picture")
    teller = service_teller(live.state, page_language(request))
    force = force_in(await ledger_of_campaign(live, entrant_of(request, live)), request.match_info["force"])
    record = record_in(force, request.match_info["element"])
    lines = [teller.line(entry) for entry in record.entries if entry.what != records.HONOUR]
    card = ServiceCard(
        live.state.settings.title,
        capital(teller.called(record)),
        say(teller.lang, "campaigns.ledger.of", name=teller.power(force.power), force=force.force),
        tuple(teller.honour(one.honour) for one in record.honours),
        tuple(lines[-3:]),
    )
    picture = await asyncio.to_thread(service_card, card)
    return web.Response(body=picture, content_type="image/png", headers={**HEADERS, "Cache-Control": PRIVATE})


async def _told(request: web.Request) -> tuple[LiveCampaign, ServiceTeller]:
    """The campaign in the address, and who tells its records to the reader."""
    live = await readable(request)
    spend_reading(request, FILE_COST)
    return live, service_teller(live.state, page_reader(request).lang)


def _address(request: web.Request, live: LiveCampaign, force: ForceLedger) -> str:
    return f"{server_of(request).settings.address}/campaigns/{live.id}/ledger/{force.force}"


def _groups(teller: ServiceTeller, force: ForceLedger) -> Iterator[RosterGroup]:
    ordered = sorted(force.records, key=lambda record: record.is_unit)
    for group in dict.fromkeys(record.group for record in force.records):
        lines = tuple(_roster(teller, record) for record in ordered if record.group == group)
        yield RosterGroup(teller.say("group", group=group), lines)


def _roster(teller: ServiceTeller, record: ServiceRecord) -> ServiceRosterLine:
    phalerae = _phalerae(teller, record)
    count, now = len(record.battles), teller.now(record)
    return ServiceRosterLine(
        record.element, capital(teller.called(record)), now, record.is_here, count, record.points, phalerae
    )


def capital(words: str) -> str:
    """Words that begin a line."""
    return words[:1].upper() + words[1:]


def _phalerae(teller: ServiceTeller, record: ServiceRecord) -> Markup:
    """The phalerae of an element as a picture; nothing for none."""
    honours = tuple(teller.honour(one.honour) for one in record.honours)
    return Markup(phalerae_svg(honours, teller.join(list(honours)))) if honours else Markup("")


def _rounds(teller: ServiceTeller, record: ServiceRecord) -> Iterator[ServiceRound]:
    for number in dict.fromkeys(entry.round for entry in record.entries):
        title = teller.say("round", round=number) if number else teller.say("before")
        yield ServiceRound(title, tuple(_line(teller, entry) for entry in record.entries if entry.round == number))


def _line(teller: ServiceTeller, entry: ServiceEntry) -> ServiceLine:
    link = ""
    if entry.battle:
        link = f"/battles/{entry.battle}/why/{entry.event}" if entry.event else f"/battles/{entry.battle}"
    return ServiceLine(entry.what, teller.line(entry), link)
