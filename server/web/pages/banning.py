"""The networks from which nobody is answered, for the administrators: a list, a ban, its end."""

from collections.abc import Mapping

from aiohttp import web

from domain.basics.errors import Refusal
from server.people.bans import ends, found, planned
from server.people.moderation import note, recorded
from server.store import Statement
from server.store.tables import bans
from server.web.address import client_address
from server.web.keys import BANS, server_of
from server.web.pages.administration import ADMIN, form_of_administrator, is_sure, require_administrator
from server.web.pages.forms import PostedForm, text
from server.web.pages.language import page_reader
from server.web.pages.rendering import page, see

HERE = f"{ADMIN}/bans"
BAN, LIFT = "ban-network", "lift-network"
DAYS: Mapping[str, int] = {"1": 1, "7": 7, "30": 30, "365": 365, "0": 0}
"""How long a ban may last, in days, as the menu of the page names them; 0: until it is lifted."""


async def show_bans(request: web.Request) -> web.Response:
    """GET /admin/bans

    Raises: as `require_administrator`
    """
    require_administrator(request)
    server, reader = server_of(request), page_reader(request)
    now = server.clock.now()
    rows = [
        (ban, reader.moment(ban.at), reader.moment(ban.until) if ban.until else "")
        for ban in bans.all_of(server.store)
        if not ends(ban, now)
    ]
    done = request.query.get("done", "")
    return page(request, "admin_bans.html", rows=rows, lengths=DAYS, done=done if done in (BAN, LIFT) else "")


async def post_ban(request: web.Request) -> web.Response:
    """POST /admin/bans: a page that asks once more, then the ban, or its end.

    Raises: Refusal core.no-network, core.ban-too-wide, core.ban-of-own, core.no-ban; as `form_of_administrator`
    """
    administrator, form = await form_of_administrator(request)
    server, do = server_of(request), text(form, "do")
    now = server.clock.now()
    if do == LIFT:
        ban = found(server.store, text(form, "network"))
        statements: tuple[Statement, ...] = (bans.lift(ban.network),)
    elif do == BAN:
        settings, own = server.settings, client_address(request)
        ban = planned(
            text(form, "network"),
            _days(form),
            text(form, "reason"),
            now,
            server.entropy,
            trusted=settings.trusted_proxies,
            own=own,
        )
        statements = (bans.forget_ended(now), bans.add(ban))
    else:
        raise Refusal("core.bad-request", "CORE-PARSE", reason="do names no deed")
    if not is_sure(form):
        kept = {name: text(form, name) for name in ("network", "days", "reason")}
        return page(request, "admin_sure.html", do=do, about="network", name=ban.network, back=HERE, kept=kept)
    await server.store.write(*statements, recorded(do, ban.id, administrator.id, now, ban.reason))
    request.app[BANS].look()
    note(do, ban.id, administrator.id)
    return see(f"{HERE}?done={do}")


def _days(form: PostedForm) -> int:
    """The length that was chosen.

    Raises: Refusal core.bad-request
    """
    days = DAYS.get(text(form, "days"))
    if days is None:
        raise Refusal("core.bad-request", "CORE-PARSE", reason="days is a length of the menu")
    return days
