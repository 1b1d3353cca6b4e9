"""Where a unit may end, for the script of a battle's page: a part of it for a unit that was chosen, and figures while
somebody drags it.
"""

from aiohttp import web

from server.web.api.ends import ends_for
from server.web.api.exchange import answer
from server.web.pages.language import page_language
from server.web.pages.rendering import page


async def show_ends(request: web.Request) -> web.Response:
    """GET /battles/{id}/ends?side=&unit=&x=&y=&facing=&act=: with a place as data, without one as a part of a page."""
    lang = page_language(request)
    shown = await ends_for(request, lang, lang)
    return answer(shown) if "x" in request.query else page(request, "ends.html", shown=shown)
