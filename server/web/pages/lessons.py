"""The lessons: what each teaches, and its battle against an easy bot."""

from collections.abc import Sequence

from aiohttp import web

from domain.basics.errors import Refusal
from server.acts.open import Wish
from server.running import Server
from server.shown.lesson import LEARNER, has_lesson, lesson_outline, lesson_scenario
from server.web import auth
from server.web.keys import server_of
from server.web.pages.forms import form_of, text
from server.web.pages.language import page_language
from server.web.pages.new_battle import begin_battle
from server.web.pages.rendering import page

BOT = "easy"
READERS = "link"
"""No list has it. Nobody has a seat yet when its page is opened, so that it could not be for its players alone."""


async def show_lesson(request: web.Request) -> web.Response:
    """GET /learn, `?game=CODE` for the lesson of another game than the first

    Raises: Refusal core.no-such-page where no game has a lesson, or that game has none
    """
    rulesets = server_of(request).battles.rulesets
    games = _games(server_of(request))
    code = _chosen(games, request.query.get("game", ""))
    others = [(one, rulesets[one].title) for one in games if one != code]
    outline = lesson_outline(code, page_language(request))
    return page(request, "learn.html", code=code, game=rulesets[code].title, others=others, lesson=outline)


async def post_lesson(request: web.Request) -> web.Response:
    """POST /learn: open the battle of the lesson and take the side that learns."""
    auth.require_own_page(request)
    form = await form_of(request)
    code = _chosen(_games(server_of(request)), text(form, "game"))
    return await begin_battle(request, form, Wish(code, lesson_scenario(code), READERS, side=LEARNER, bot=BOT))


def _games(server: Server) -> list[str]:
    """The games that have a lesson, the first one of the site first."""
    return [code for code in server.battles.rulesets if has_lesson(code)]


def _chosen(games: Sequence[str], code: str) -> str:
    """The game that is asked for, or the first."""
    if not games or code not in ("", *games):
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    return code or games[0]
