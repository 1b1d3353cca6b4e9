"""The page that explains how the orders of a game are written; it opens beside the order box."""

from aiohttp import web

from domain.basics.errors import Refusal
from server.shown.notation import order_help
from server.web.keys import server_of
from server.web.pages.language import page_language
from server.web.pages.rendering import page


async def show_notation(request: web.Request) -> web.Response:
    """GET /notation/{ruleset}"""
    code = request.match_info["ruleset"]
    ruleset = server_of(request).battles.rulesets.get(code)
    chapters = order_help(ruleset, page_language(request)) if ruleset else ()
    if ruleset is None or not chapters:
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    return page(request, "notation.html", game=ruleset.title, chapters=chapters, senses=ruleset.orders.senses)
