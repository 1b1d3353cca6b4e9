"""The pages to look things up: scenarios, army lists, rules. They are made of packaged data alone."""

from functools import lru_cache

from aiohttp import web

from domain.basics.data import CAMPAIGN, SCENARIOS, read_toml, scenario_names
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS, army_books
from domain.contract.ruleset import NOBODY
from replay.catalogue import shown_of
from replay.drawing.svg import draw_svg
from replay.telling.rulebook import rules_of
from replay.telling.years import years
from server.running import Server
from server.shown.forces import MusteredArmy, forces_shown
from server.shown.scenarios import opened
from server.web.keys import server_of
from server.web.limits import spend, spend_reading
from server.web.pages.language import page_language
from server.web.pages.new_battle import army_name, games_shown, scenario_shown
from server.web.pages.rendering import HEADERS, page, see
from server.web.reading_rate import FILE_COST
from server.words import say

DAY_S = 24 * 3600
BOARDS_KEPT = 64
"""Opening boards, of 20 to 150 kilobytes."""


async def show_scenarios(request: web.Request) -> web.Response:
    """GET /scenarios"""
    return page(request, "scenarios.html", games=games_shown(server_of(request), page_language(request)))


async def show_scenario(request: web.Request) -> web.Response:
    """GET /scenarios/{ruleset}/{name}: its story, its forces and its opening board."""
    (code, name), lang = _scenario_in(request), page_language(request)
    table = read_toml(code, SCENARIOS, f"{name}.toml")
    shown = scenario_shown(code, name, lang)
    spend_reading(request, FILE_COST)
    return page(
        request,
        "scenario.html",
        scenario=shown,
        forces=_forces(code, name, lang),
        outcomes=await _outcomes(server_of(request), code, str(table.get("title", name)), lang),
        game=RULESETS[code].title,
        goal=RULESETS[code].shown.goal,
        sources=table.get("sources", ()),
    )


async def _outcomes(server: Server, code: str, title: str, lang: str) -> str:
    """How the public battles of a scenario have ended here, in a sentence; "" if none has, or nobody knows yet."""
    try:
        counts = await server.lobby.outcomes(code, title)
    except Refusal:
        return ""
    told = {"south": counts.get("south", 0), "north": counts.get("north", 0), "drawn": counts.get("", 0)}
    return say(lang, "pages.scenario.outcomes", count=sum(told.values()), **told) if any(told.values()) else ""


async def show_opening_board(request: web.Request) -> web.Response:
    """GET /scenarios/{ruleset}/{name}/board.svg?lang=: the table before the first order."""
    return _picture(request, near=False)


async def show_card(request: web.Request) -> web.Response:
    """GET /scenarios/{ruleset}/{name}/card.svg?lang=: the same for a small picture, where its units stand."""
    return _picture(request, near=True)


def _picture(request: web.Request, *, near: bool) -> web.Response:
    code, name = _scenario_in(request)
    spend(request, "picture")
    body = _opening_board(code, name, page_language(request), near=near)
    response = web.Response(body=body, content_type="image/svg+xml", charset="utf-8", headers=HEADERS)
    response.headers["Cache-Control"] = f"public, max-age={DAY_S}"
    response.headers["Vary"] = "Cookie, Accept-Language"
    response.enable_compression()
    return response


def _scenario_in(request: web.Request) -> tuple[str, str]:
    """Ruleset and name of the packaged scenario of an address.

    Raises: Refusal core.no-such-page
    """
    code, name = request.match_info["ruleset"], request.match_info["name"]
    if code not in server_of(request).battles.rulesets or name not in scenario_names(code):
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    return code, name


@lru_cache(BOARDS_KEPT)
def _forces(code: str, name: str, lang: str) -> tuple[MusteredArmy, ...]:
    return forces_shown(RULESETS[code], opened(code, name), lang)


@lru_cache(BOARDS_KEPT)
def _opening_board(code: str, name: str, lang: str, *, near: bool = False) -> bytes:
    """The table as anybody sees it before the first order."""
    ruleset, state = RULESETS[code], opened(code, name)
    known = ruleset.secrets.known(state, NOBODY)
    return draw_svg(ruleset.shown.view(known, NOBODY), captions=False, lang=lang, near=near).encode()


async def show_armies(request: web.Request) -> web.Response:
    """GET /armies"""
    lang = page_language(request)
    books = [
        (
            RULESETS[code].title,
            [
                (key, army_name(entry, lang), years(entry, lang), RULESETS[code].shown.table.shield_of(key))
                for key, entry in book.lists().items()
            ],
        )
        for code, book in sorted(army_books().items())
        if code in server_of(request).battles.rulesets
    ]
    return page(request, "armies.html", books=books)


async def show_army(request: web.Request) -> web.Response:
    """GET /armies/{key}: a list with its troops."""
    key, lang = request.match_info["key"], page_language(request)
    for code, book in sorted(army_books().items()):
        tables = shown_of(code).armies
        if key in book.lists() and tables is not None:
            head, *lines = tables.army_list(book.army_list(key), lang)
            shield = RULESETS[code].shown.table.shield_of(key)
            return page(request, "army.html", key=key, head=head, lines=lines, borne=shield)
    raise Refusal("core.no-such-page", "CORE-ACCESS")


async def show_rules(request: web.Request) -> web.Response:
    """GET /rules: the games, and what helps to play them; behind them the rules of campaigns."""
    lang, rulesets = page_language(request), server_of(request).battles.rulesets
    books = [
        (
            code,
            title[:1].upper() + title[1:],
            len(rules_of(code)),
            code in rulesets and bool(rulesets[code].shown.help(lang)),
        )
        for code, title in _books(request).items()
    ]
    return page(request, "rules.html", books=books)


async def show_rulebook(request: web.Request) -> web.Response:
    """GET /rules/{name}: the rules of a game, or of campaigns, by their IDs, or the way to one of them."""
    name, lang = request.match_info["name"], page_language(request)
    books = _books(request)
    if name in books:
        spend(request, "picture")
        return page(request, "rulebook.html", game=books[name], rules=rules_of(name, lang))
    for code in books:
        if any(rule.id == name for rule in rules_of(code)):
            return see(f"/rules/{code}#{name}")
    raise Refusal("core.no-such-page", "CORE-ACCESS")


def _books(request: web.Request) -> dict[str, str]:
    """What has rules, by its code: the titles of the games, and the word for campaigns."""
    rulesets = server_of(request).battles.rulesets
    titles = {code: ruleset.title for code, ruleset in rulesets.items()}
    return {**titles, CAMPAIGN: say(page_language(request), "pages.rules.campaigns")}
