"""The lesson: what it teaches, and its battle against an easy bot."""

from aiohttp import web

from domain.basics.errors import Refusal
from server.acts.open import Wish
from server.running import Server
from server.shown.lesson import LEARNER, has_lesson, lesson_outline, lesson_scenario
from server.web import auth
from server.web.keys import server_of
from server.web.pages.forms import form_of
from server.web.pages.language import page_language
from server.web.pages.new_battle import begin_battle
from server.web.pages.rendering import page

BOT = "easy"
READERS = "link"
"""No list has it. Nobody has a seat yet when its page is opened, so that it could not be for its players alone."""


async def show_lesson(request: web.Request) -> web.Response:
    """GET /learn

    Raises: Refusal core.no-such-page where no game has a lesson
    """
    server = server_of(request)
    code = _game(server)
    title, outline = server.battles.rulesets[code].title, lesson_outline(code, page_language(request))
    return page(request, "learn.html", code=code, game=title, lesson=outline)


async def post_lesson(request: web.Request) -> web.Response:
    """POST /learn: open the battle of the lesson and take the side that learns."""
    auth.require_own_page(request)
    form, code = await form_of(request), _game(server_of(request))
    return await begin_battle(request, form, Wish(code, lesson_scenario(code), READERS, side=LEARNER, bot=BOT))


def _game(server: Server) -> str:
    """The first game that has a lesson."""
    code = next((code for code in server.battles.rulesets if has_lesson(code)), "")
    if not code:
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    return code
