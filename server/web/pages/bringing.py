"""The armies of a battle that has not begun, and the form with which another one is brought to it."""

import asyncio

from aiohttp import web
from msgspec import Struct

from domain.basics.data import parse_toml
from domain.basics.errors import Refusal
from domain.catalogue import army_book
from replay.telling.years import years
from server.acts.bring import bring, may_bring, proposed_for, waiting
from server.acts.join import require_may_sit
from server.armies import OwnArmy
from server.entropy import new_secret
from server.play.live_battle import LiveBattle
from server.play.request import PAGE_CHANNEL
from server.shown.forces import MusteredArmy, forces_shown, options_shown
from server.shown.listing import title_of
from server.web import auth
from server.web.api.bringing import free_side
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.forms import PostedForm, form_key, form_of, seed_of, text
from server.web.pages.language import page_language
from server.web.pages.new_battle import army_name, number_in
from server.web.pages.rendering import page, see
from server.web.pages.visitors import visitor, with_session
from server.web.problems import status_of
from server.words import sentence_of


class ArmiesBefore(Struct, frozen=True):
    """The armies of a battle that has not begun: `brings` says whether a free side may bring another one; `proposed` is
    the battle with another army that waits for an answer, "" for none."""

    forces: tuple[MusteredArmy, ...]
    options: tuple[str, ...]
    brings: bool
    proposed: str


class BringForm(Struct, frozen=True):
    """What the form of an army offers: the lists with their names, the usual size, and who is to accept it ("":
    nobody)."""

    lists: tuple[tuple[str, str], ...]
    size: int
    opponent: str


def armies_before(live: LiveBattle, lang: str) -> ArmiesBefore | None:
    """The armies of a battle, as long as it has not begun."""
    if live.recording.battle.begun or live.closed:
        return None
    forces, brings = forces_shown(live.ruleset, live.game, lang), may_bring(live)
    options = options_shown(live.ruleset, live.known(""), lang) if brings else ()
    return ArmiesBefore(forces, options, brings, proposed_for(live)) if forces or brings else None


def bring_form(live: LiveBattle, lang: str) -> BringForm | None:
    """The form of another army; None if none can be brought."""
    opponent = waiting(live)
    if opponent is None or not may_bring(live):
        return None
    return form_of_army(live.ruleset.code, lang, opponent.name)


def form_of_army(ruleset: str, lang: str, opponent: str = "", size: int = 0) -> BringForm:
    """The form of an army of a game, of `size` points or (0) the usual number."""
    book = army_book(ruleset)
    lists = tuple((key, f"{army_name(entry, lang)}, {years(entry, lang)}") for key, entry in book.lists().items())
    return BringForm(lists, size or book.usual_size, opponent)


async def own_in(request: web.Request, form: PostedForm) -> OwnArmy:
    """The army that a form brings: its text, or else a list with size and seed.

    Raises: Refusal core.bad-request, core.bad-toml …
    """
    server = server_of(request)
    if own := text(form, "own").replace("\r\n", "\n").strip():
        return OwnArmy(table=await server.battles.workers.people.run(parse_toml, own, "army"))
    any_seed = seed_of(form, server.entropy)
    return OwnArmy(text(form, "list"), number_in(form, "size", 0), number_in(form, "seed", any_seed))


async def show_bring(request: web.Request) -> web.Response:
    """GET /battles/{id}/armies: both armies, and the form."""
    live = await server_of(request).battles.get(request.match_info["id"])
    require_may_sit(live, auth.caller(request), free_side(live))
    return await _page(request, live, {})


async def post_bring(request: web.Request) -> web.Response:
    """POST /battles/{id}/armies: the same battle with another army; leads to it."""
    auth.require_own_page(request)
    form, server = await form_of(request), server_of(request)
    live = await server.battles.get(request.match_info["id"])
    side = text(form, "side") or free_side(live)
    require_may_sit(live, auth.caller(request), side)
    spend(request, "army")
    try:
        own = await own_in(request, form)
        player, session = await visitor(request, text(form, "name"))
        spend(request, "battle", player)
        key = form_key(form, server.entropy)
        came = await bring(server.acts, player, live, side, own, PAGE_CHANNEL, key)
    except Refusal as refused:
        if refused.code == "core.puzzle" or bring_form(live, page_language(request)) is None:
            raise
        said = sentence_of(refused, page_language(request))
        return await _page(request, live, form, said, status_of(refused.code))
    return with_session(request, see(f"/battles/{came.live.id}"), session)


async def _page(
    request: web.Request, live: LiveBattle, form: PostedForm, note: str = "", status: int = 200
) -> web.Response:
    lang, before = page_language(request), armies_before(live, page_language(request))
    if before is None:
        raise Refusal("core.begun", "CORE-BEGIN")
    await asyncio.sleep(0)
    told = {"before": before, "bring": bring_form(live, lang), "id": live.id, "side": free_side(live)}
    given = {name: text(form, name) for name in ("list", "size", "seed", "own", "name")}
    key = new_secret(server_of(request).entropy)
    return page(request, "bring.html", status, **told, key=key, given=given, note=note, title=title_of(live))
