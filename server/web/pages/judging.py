"""The complaints of players, for the administrators: what is open, what was said, and how each is settled."""

from aiohttp import web
from msgspec import Struct

from domain.basics.errors import Refusal
from server.people.complaining import LONGEST, settled
from server.people.moderation import note
from server.store import Unmatched
from server.store.contract import TableRows
from server.store.tables import accounts, complaints
from server.store.tables.complaints import Complaint, ComplaintOutcome
from server.web.keys import server_of
from server.web.pages.administration import ADMIN, form_of_administrator, require_administrator
from server.web.pages.forms import text
from server.web.pages.language import PageReader, page_reader
from server.web.pages.rendering import page, see

HERE = f"{ADMIN}/complaints"
LISTED = 50
OUTCOMES = frozenset(ComplaintOutcome)


class ComplaintRow(Struct, frozen=True):
    """A complaint as administrators see it: names beside the ids, times in their zone."""

    complaint: Complaint
    at: str
    reporter: str
    about: str
    settled: str


async def show_complaints(request: web.Request) -> web.Response:
    """GET /admin/complaints

    Raises: as `require_administrator`
    """
    require_administrator(request)
    store, reader = server_of(request).store, page_reader(request)
    done = request.query.get("done", "")
    return page(
        request,
        "admin_complaints.html",
        waiting=[_row(store, one, reader) for one in complaints.waiting(store, LISTED)],
        settled=[_row(store, one, reader) for one in complaints.latest(store, LISTED)],
        count=complaints.count_open(store),
        done=f"complaint-{done}" if done in OUTCOMES else "",
    )


async def show_complaint(request: web.Request) -> web.Response:
    """GET /admin/complaints/{complaint}

    Raises: Refusal core.no-such-page, and as `require_administrator`
    """
    require_administrator(request)
    row = _row(server_of(request).store, _complaint(request), page_reader(request))
    return page(request, "admin_complaint.html", row=row, longest=LONGEST)


async def post_complaint(request: web.Request) -> web.Response:
    """POST /admin/complaints/{complaint}: settle it (`do` is an outcome), with an `answer` to the reporter.

    Raises: Refusal core.no-such-page, core.complaint-settled, core.complaint-what; as `form_of_administrator`
    """
    administrator, form = await form_of_administrator(request)
    server, found, do = server_of(request), _complaint(request), text(form, "do")
    if do not in OUTCOMES:
        raise Refusal("core.bad-request", "CORE-PARSE", reason="do names no outcome")
    answer = text(form, "answer").replace("\r\n", "\n")
    statements = settled(found, ComplaintOutcome(do), answer, administrator.id, server.clock.now())
    try:
        await server.store.write(*statements)
    except Unmatched:
        raise Refusal("core.complaint-settled", "CORE-ACCESS", complaint=found.id) from None
    server_of(request).acts.ring()
    note(f"complaint-{do}", found.id, administrator.id)
    return see(f"{HERE}?done={do}")


def _complaint(request: web.Request) -> Complaint:
    found = complaints.find(server_of(request).store, request.match_info["complaint"])
    if found is None:
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    return found


def _row(store: TableRows, one: Complaint, reader: PageReader) -> ComplaintRow:
    reporter, about = (getattr(accounts.by_player(store, id_), "name", id_) for id_ in (one.reporter, one.about))
    when = reader.moment(one.settled) if one.settled else ""
    return ComplaintRow(one, reader.moment(one.at), reporter, about, when)
