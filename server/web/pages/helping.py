"""The pages of help: what players read beside their battles, and the play aids of each game.

The texts are pages of the documentation, in each language, made into HTML by `tests.help_pages`.
"""

import asyncio
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

from aiohttp import web
from markupsafe import Markup

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from replay.aids import printing
from replay.aids.layout import SheetPage, pages_of
from replay.aids.svg import page_svg
from replay.catalogue import shown_of
from replay.telling.words import ENGLISH, LANGUAGES
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.language import page_language
from server.web.pages.rendering import HEADERS, page

HELP = ("playing", "standing-orders", "scripts", "time", "fair-chance", "disputes", "glossary")
"""The pages, in the order of their list; each is `docs/NAME.md`, and `docs/LANG/NAME.md` in another language."""
DAY_S = 24 * 3600


async def show_help(request: web.Request) -> web.Response:
    """GET /help: what there is to read."""
    games = [(code, game.title) for code, game in server_of(request).battles.rulesets.items() if shown_of(code).sheets]
    return page(request, "help.html", pages=HELP, games=games)


async def show_help_page(request: web.Request) -> web.Response:
    """GET /help/{name}: in the language of the reader, with links to the others.

    Raises: Refusal core.no-such-page
    """
    name, lang = request.match_info["name"], page_language(request)
    if name not in HELP:
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    others = [one for one in LANGUAGES if one != lang]
    return page(request, "help_page.html", name=name, text=_fragment(name, lang), others=others)


@cache
def _fragment(name: str, lang: str) -> Markup:
    """A page of help; ours, and made without any HTML of others."""
    return Markup(files("server.web.pages").joinpath("help", lang, f"{name}.html").read_text(encoding="utf-8"))


# --- play aids


async def show_aids(request: web.Request) -> web.Response:
    """GET /aids/{ruleset}: the sheets of a game, page by page.

    Raises: Refusal core.no-such-page, core.too-many
    """
    code, sheets = await _sheets_of(request)
    told = [(name, one.title, one.number) for name, (one, _) in sheets.items()]
    return page(request, "aids.html", code=code, game=server_of(request).battles.rulesets[code].title, sheets=told)


async def show_sheet(request: web.Request) -> web.Response:
    """GET /aids/{ruleset}/{name}: one page of a sheet, as SVG.

    Raises: Refusal core.no-such-page, core.too-many
    """
    _, sheets = await _sheets_of(request)
    found = sheets.get(request.match_info["name"])
    if found is None:
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    response = web.Response(body=found[1], content_type="image/svg+xml", charset="utf-8", headers=HEADERS)
    response.headers["Cache-Control"] = f"public, max-age={DAY_S}"
    response.enable_compression()
    return response


async def _sheets_of(request: web.Request) -> tuple[str, Mapping[str, tuple[SheetPage, bytes]]]:
    """The game of an address, and its sheets in the language of the reader."""
    code, lang = request.match_info["ruleset"], page_language(request)
    if code not in server_of(request).battles.rulesets or not shown_of(code).sheets:
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    spend(request, "picture")
    name = request.match_info.get("name", "")
    named = next((one for one in shown_of(code).languages if name.endswith(f"-{one}.svg")), lang)
    return code, await asyncio.to_thread(_printed, code, named if named in shown_of(code).languages else ENGLISH)


@lru_cache(2 * len(LANGUAGES) * len(RULESETS))
def _printed(code: str, lang: str) -> Mapping[str, tuple[SheetPage, bytes]]:
    """The pages of all sheets by their file names, each with its picture; they take a second of work, once."""
    pages = [one for made in shown_of(code).sheets.values() for one in pages_of(made(lang))]
    return {printing.page_name(one): (one, page_svg(one).encode()) for one in pages}
