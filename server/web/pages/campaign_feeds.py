"""Feeds of a campaign: its dates as a calendar, what happened in it as Atom."""

from collections.abc import Iterator

from aiohttp import web

from domain.basics.pace import text_of
from domain.campaign.calendar import CampaignDate, dates_of
from domain.campaign.events import (
    CAMPAIGN_EVENTS,
    CampaignEnded,
    DefaultGiven,
    ResultChanged,
    ResultCounted,
    RoundBegan,
    TableResult,
)
from domain.log import record
from domain.log.record import Recorded
from server.campaigns.live_campaign import LiveCampaign
from server.shown.campaign_boards import result_words
from server.web.api.campaigns import readable
from server.web.kept import KeptAnswer, served, tag_of
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.feed_forms import ATOM_TYPE, CALENDAR_TYPE, FeedDate, FeedEntry, atom, calendar
from server.web.pages.language import page_reader
from server.web.pages.rendering import HEADERS
from server.words import say

MOST_TOLD, MOST_LOOKED = 50, 500
"""Entries of a feed; events that are looked through for them."""
OF_A_BOARD = (DefaultGiven, ResultChanged, ResultCounted, TableResult)


async def show_campaign_calendar(request: web.Request) -> web.Response:
    """GET /campaigns/{id}/calendar.ics?entrant=: when entering closes and rounds end; of an entrant also when their
    battles are to be begun."""
    live, lang = await readable(request), page_reader(request).lang
    address = server_of(request).settings.address
    dates = feed_dates(live, request.query.get("entrant", ""), lang, address)
    body = calendar(dates).encode()
    return served(request, KeptAnswer(body, tag_of(body)), CALENDAR_TYPE, HEADERS)


async def show_campaign_news(request: web.Request) -> web.Response:
    """GET /campaigns/{id}/news.atom: rounds, results and the end, the newest first."""
    live, lang = await readable(request), page_reader(request).lang
    spend(request, "picture")
    address = server_of(request).settings.address
    entries = list(_entries(live, lang, f"{address}/campaigns/{live.id}"))
    here = f"{address}{request.rel_url.raw_path_qs}"
    body = atom(entries, f"{address}/campaigns/{live.id}", here, live.state.settings.title, lang)
    return served(request, KeptAnswer(body, tag_of(body)), ATOM_TYPE, HEADERS)


def feed_dates(live: LiveCampaign, entrant: str, lang: str, address: str) -> Iterator[FeedDate]:
    """The dates of a campaign, those of an entrant's boards among them, as a calendar has them."""
    title, host = live.state.settings.title, address.partition("://")[2]
    for date in dates_of(live.state, entrant):
        link = f"{address}/battles/{date.battle}" if date.battle else f"{address}/campaigns/{live.id}"
        words = say(lang, f"campaigns.date.{date.kind}", title=title, round=date.round, board=date.board)
        uid = f"{live.id}-{date.kind}-{date.board or date.round}@{host}"
        stamp = live.recording.newest_at
        yield FeedDate(uid, stamp, live.n, text_of(date.at), words, _described(live, date, entrant), link)


def _described(live: LiveCampaign, date: CampaignDate, entrant: str) -> str:
    """Who meets on a board; else the title."""
    if not date.board:
        return live.state.settings.title
    place = live.state.boards[date.board].place
    return " – ".join(live.state.entrants[name].name for name in place.pair)


def _entries(live: LiveCampaign, lang: str, link: str) -> Iterator[FeedEntry]:
    told = 0
    for _, line in live.recording.lines[: -MOST_LOOKED - 1 : -1]:
        recorded = record.decode(line, CAMPAIGN_EVENTS)
        words = _told(live, recorded, lang)
        if words and told < MOST_TOLD:
            told += 1
            yield FeedEntry(f"{link}#{recorded.n}", words[0], recorded.at, link, words[1])


def _told(live: LiveCampaign, recorded: Recorded, lang: str) -> tuple[str, str] | None:
    """Title and text of an event; None for one that is not told."""
    event, state = recorded.event, live.state
    if isinstance(event, RoundBegan):
        each = state.rounds[event.round - 1]
        places = [state.boards[name].place for name in each.boards]
        pairs = ", ".join(" – ".join(state.entrants[one].name for one in place.pair) for place in places)
        return say(lang, "campaigns.round", round=event.round), pairs
    if isinstance(event, OF_A_BOARD):
        board = state.boards.get(event.board)
        if board is None:
            return None
        south, north = (state.entrants[name].name for name in board.place.pair)
        return f"{board.place.name} {south} – {north}", result_words(state, board, lang)
    if isinstance(event, CampaignEnded):
        names = ", ".join(state.entrants[name].name for name in event.winners)
        ended = f"campaigns.letter.ended{'' if names else '-nobody'}"
        return state.settings.title, say(lang, ended, names=names)
    return None
