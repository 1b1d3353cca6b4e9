"""The page of a club's seasons: the tables of its divisions, and the forms that open a league and its next season
(CAM-CLB-07)."""

from aiohttp import web

from domain.basics.data import example_text, example_words
from domain.basics.errors import Refusal
from domain.campaign.season import MOST_DIVISIONS
from server.acts.campaigns.lines import ACCEPTED_LINE, give_lines
from server.acts.campaigns.opening import LONGEST_FILE
from server.acts.campaigns.seasons import SeasonWish, open_season
from server.acts.clubs.reading import club_for, organised_by
from server.people.players import Player
from server.store.tables import seasons as table
from server.web import auth
from server.web.api.clubs import club_view
from server.web.api.exchange import number_in_query
from server.web.api.seasons import LAST_SEASON, seasons_for
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.forms import PostedForm, form_key, form_of, text
from server.web.pages.language import page_language
from server.web.pages.rendering import page, see
from server.web.problems import status_of
from server.words import sentence_of

NO_FORM: PostedForm = {}
LONGEST_NAME = 60
LONGEST_DIVISIONS = 20_000
FIELDS = ("name", "divisions", "toml")


async def show_seasons(request: web.Request) -> web.Response:
    """GET /clubs/{club}/seasons?name=&season=&key="""
    return await _page(request)


async def post_seasons(request: web.Request) -> web.Response:
    """POST /clubs/{club}/seasons: the first season of a league, or the next one."""
    auth.require_own_page(request)
    player, server = auth.require_caller(request), server_of(request)
    club = organised_by(server.acts, request.match_info["club"], player).club
    form = await form_of(request)
    spend(request, "battle", player)
    try:
        await (_next if text(form, "do") == "next" else _first)(request, player, form, club)
    except Refusal as refused:
        return await _page(request, sentence_of(refused, page_language(request)), status_of(refused.code), form)
    return see(f"/clubs/{club}/seasons")


async def _first(request: web.Request, player: Player, form: PostedForm, club: str) -> None:
    """Raises: Refusal, as `open_season`"""
    server, example = server_of(request), text(form, "example")
    file = text(form, "toml")[:LONGEST_FILE].strip() or example_text(example, server.battles.rulesets)
    await open_season(server.steward, player, SeasonWish(club, text(form, "name").strip(), file, _divisions(form)))


def _divisions(form: PostedForm) -> tuple[tuple[str, ...], ...]:
    """The members of each division: a line for each, the names between commas; without any, two that are entered."""
    lines = text(form, "divisions")[:LONGEST_DIVISIONS].split("\n")
    found = [tuple(name.strip() for name in line.split(",") if name.strip()) for line in lines if line.strip()]
    return tuple(found) or ((), ())


async def _next(request: web.Request, player: Player, form: PostedForm, club: str) -> None:
    """Raises: Refusal, as `open_next`"""
    steward, number = server_of(request).steward, text(form, "season")
    rows = table.of_season(steward.store, club, text(form, "name"), int(number) if number.isdecimal() else 0)
    if not rows:
        raise Refusal("campaign.no-season", "CAM-CLB-07")
    live = await steward.campaigns.get(rows[0].campaign)
    for one in await give_lines(steward, player, live, "season next", text(form, "key")):
        if one.status != ACCEPTED_LINE and one.refusal is not None:
            raise one.refusal


async def _page(request: web.Request, note: str = "", status: int = 200, form: PostedForm = NO_FORM) -> web.Response:
    server, player, key = server_of(request), auth.caller(request), request.query.get("key", "")
    club = club_for(server.acts, request.match_info["club"], player, key)
    name, number = request.query.get("name", ""), number_in_query(request, "season", 0, 0, LAST_SEASON)
    told = await seasons_for(server, club.club, player, name, number)
    words = (word for word, *_ in example_words(server.battles.rulesets))
    cups = [word for word in words if 'campaign = "cup"' in example_text(word, server.battles.rulesets)]
    return page(
        request,
        "club_seasons.html",
        status,
        club=club_view(server, club, player),
        told=told,
        older=[one for one in told.all if (one.name, one.season) not in {(t.name, t.season) for t in told.seasons}],
        note=note,
        given={field: text(form, field) if text(form, "do") == "first" else "" for field in FIELDS},
        most=MOST_DIVISIONS,
        examples=cups,
        reads=key,
        key=form_key(NO_FORM, server.entropy),
    )
