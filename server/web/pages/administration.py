"""The first page of the administration, and who may open any of them: for everybody else they do not exist.

An administrator sees what a stranger sees of a battle, and no address of a player (decision 24).
"""

import asyncio
import shutil
from pathlib import Path

from aiohttp import web
from msgspec import Struct

from domain.basics.errors import Refusal
from replay.writing.clock import later
from server.people.moderation import note
from server.people.players import Player
from server.release import build
from server.running import Server
from server.store.tables import accounts, battles, deliveries, webhooks
from server.upkeep.doctor import at_hand
from server.upkeep.schedule import newest
from server.web import auth
from server.web.keys import READINESS, server_of, streams_of
from server.web.limits import spend
from server.web.pages.forms import PostedForm, form_of, text
from server.web.pages.language import PageReader, page_reader
from server.web.pages.rendering import page, see

ADMIN = "/admin"
LONGEST_WORDS = 80


def require_administrator(request: web.Request) -> Player:
    """The administrator who makes a request. The role is looked up each time: it may just have been taken.

    Raises: Refusal core.no-such-page for everybody else; core.bad-token, core.cross-site
    """
    player = auth.caller(request)
    account = accounts.by_player(server_of(request).store, player.id) if player else None
    if player is None or account is None or account.banned or not account.administers:
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    return player


async def form_of_administrator(request: web.Request) -> tuple[Player, PostedForm]:
    """The sender of a form of these pages, and the form.

    Raises: Refusal core.too-many, core.bad-request, and as `require_administrator`
    """
    player = require_administrator(request)
    auth.require_own_page(request)
    spend(request, "deed", player)
    return player, await form_of(request)


def is_sure(form: PostedForm) -> bool:
    """Whether the form comes from the page that asks once more."""
    return text(form, "sure") == "yes"


def words_sought(request: web.Request) -> str:
    """What a list is searched for, on one line."""
    return " ".join(request.query.get("words", "")[:LONGEST_WORDS].split())


class DoubtShown(Struct, frozen=True):
    """A doubt about the clock: its kind (`pages.admin.clock.KIND`), what the clock shows, and where it should be."""

    kind: str
    shown: str
    should: str


class AdminCheck(Struct, frozen=True):
    """One thing that was looked at, by its name (`pages.admin.check.NAME`)."""

    what: str
    ok: bool


async def show_overview(request: web.Request) -> web.Response:
    """GET /admin

    Raises: as `require_administrator`
    """
    require_administrator(request)
    server, reader = server_of(request), page_reader(request)
    state = await request.app[READINESS].ask()
    found = await asyncio.to_thread(lambda: tuple(at_hand(server.settings)))
    checks = {check.what: check.ok for check in state.checks}
    for finding in found:
        checks[finding.what] = checks.get(finding.what, True) and finding.ok
    letters, folder = deliveries.backlog(server.store), server.settings.backup_to
    made = await asyncio.to_thread(newest, Path(folder)) if folder else ""
    status = "stopping" if streams_of(request).stopping else state.status.replace(" ", "-")
    return page(
        request,
        "admin.html",
        health=status,
        release=build(),
        checks=[AdminCheck(what, ok) for what, ok in checks.items()],
        free=_mebibytes(shutil.disk_usage(server.settings.data).free),
        size=_mebibytes(_size(server)),
        letters=letters.waiting,
        oldest=reader.moment(letters.oldest) if letters.oldest else "",
        hooks=webhooks.census(server.store),
        behind=server.behind() or 0,
        people=accounts.census(server.store),
        battles=battles.count(server.store),
        in_memory=len(server.battles.live()),
        streams=len(streams_of(request).bells),
        clock=_doubt(server, reader),
        backs_up=bool(folder),
        backup=reader.moment(made) if made else "",
    )


def _doubt(server: Server, reader: PageReader) -> DoubtShown | None:
    """Why the clock is doubted now, None if it is not."""
    doubt = server.clock.doubt
    if doubt is None:
        return None
    should = later(doubt.machine, -doubt.off_ms / 1000)
    return DoubtShown(doubt.kind, reader.moment(doubt.machine), reader.moment(should))


async def post_clock(request: web.Request) -> web.Response:
    """POST /admin/clock: the clock is right.

    Raises: as `require_administrator`
    """
    administrator, _ = await form_of_administrator(request)
    server = server_of(request)
    if server.clock.doubt is not None:
        server.doubts.confirm()
        note("confirm", "clock", administrator.id)
    return see(ADMIN)


def _mebibytes(size: int) -> int:
    return size // 1024 // 1024


def _size(server: Server) -> int:
    """The size of the store's file in bytes, 0 where there is none."""
    log = server.settings.log
    return log.stat().st_size if log.is_file() else 0
