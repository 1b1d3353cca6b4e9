"""The report of a battle that is over, written by a worker once for each form and language (docs/reports.md)."""

from base64 import b64encode
from hashlib import sha256

from aiohttp import web

from domain.basics.errors import Refusal
from replay.drawing import pdf
from replay.reports.account import page
from replay.reports.account.printed import written
from server.web.api.battles import live_for
from server.web.api.exchange import language_of
from server.web.api.log import battle_file
from server.web.kept import KeptAnswer, served, tag_of
from server.web.keys import pictures_of, server_of
from server.web.limits import spend, spend_reading
from server.web.pictures import BoardKey
from server.web.reading_rate import FILE_COST
from server.words import say

HTML = "text/html"
FORMS = {"html": HTML, "md": "text/markdown", "pdf": "application/pdf"}
"""The forms of a report, by the `format` of a request, with their media types."""


def content_security(style: str) -> str:
    """What a report may do in a browser: show itself in its own style."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; frame-ancestors 'none'"


def with_way_back(body: bytes, battle: str, lang: str) -> bytes:
    """A report with a link to its battle, for a reader who came from there; a file to keep has none."""
    link = f'<nav><a href="../{battle}">{say(lang, "pages.branches.back")}</a></nav>'
    return body.replace(b"<body>\n", f"<body>\n{link}\n".encode(), 1)


async def show_report(request: web.Request) -> web.StreamResponse:
    """GET /api/v1/battles/{id}/report?format=html|md|pdf&lang=&download, and the same for a browser at
    /battles/{id}/report.

    Raises: Refusal core.report-later while the battle goes on, core.bad-query, core.not-acceptable for a form that this
            server cannot write
    """
    live, _ = await live_for(request)
    if not live.recording.battle.ended:
        raise Refusal("core.report-later", "CORE-ACCESS", battle=live.id)
    form = wanted_form(request)
    spend(request, "picture")
    spend_reading(request, FILE_COST)
    lang = language_of(request)

    async def content() -> tuple[bytes, str, str]:
        return await battle_file(server_of(request), live), form, lang

    body = await pictures_of(request).of_file(BoardKey(live.id, live.n, "", lang, f"report {form}"), written, content)
    if form == "html" and not request.path.startswith("/api/") and "download" not in request.query:
        body = with_way_back(body, live.id, lang)
    return report_answer(request, body, live.id, form, lang, page.style())


def wanted_form(request: web.Request) -> str:
    """The form that a request asks for.

    Raises: Refusal core.bad-query, core.not-acceptable for a form that this server cannot write
    """
    form = request.query.get("format", "html")
    if form not in FORMS:
        raise Refusal("core.bad-query", "CORE-PARSE", reason=f"format: {', '.join(FORMS)}")
    if form == "pdf" and not pdf.can_write():
        raise Refusal("core.not-acceptable", "CORE-ACCESS", offered=[one for one in FORMS if one != "pdf"])
    return form


def report_answer(request: web.Request, body: bytes, name: str, form: str, lang: str, style: str) -> web.StreamResponse:
    """The answer with a report, to be shown or to be kept; `style` is that of its page."""
    headers = {"Content-Language": lang, "Vary": "Accept-Language", "Content-Security-Policy": content_security(style)}
    if "download" in request.query or form != "html":
        headers["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    answer = served(request, KeptAnswer(body, tag_of(body)), FORMS[form], headers)
    if FORMS[form].startswith("text/") and answer.status == 200:
        answer.charset = "utf-8"
    return answer
