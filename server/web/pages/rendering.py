"""Render a page: template, headers, static files.

Everything a player wrote goes through the templates' escaping; the only thing inserted as it is is the board, which our
own renderer draws and escapes. No page runs or shows anything that does not come from this server.
"""

import asyncio
import gzip
import re
from functools import cache, partial
from typing import Any

import jinja2
from aiohttp import web
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup, escape

from domain.basics.errors import Refusal
from domain.contract.heraldry import Shield
from domain.run.bots import USUAL
from replay.catalogue import shown_of
from replay.drawing.shields import shield_picture
from replay.telling.rulebook import rules_of
from replay.telling.words import LANGUAGES
from replay.telling.words.catalogue import find
from server.people.players import Player, is_operator
from server.release import build
from server.store.tables.drafts import Returned
from server.web.base_path import linked
from server.web.kept import KeptAnswer, is_known
from server.web.keys import NOTICE, server_of
from server.web.pages.codes import code_of
from server.web.pages.islands import island
from server.web.pages.language import PageReader, page_language, reader_of
from server.web.pages.pieces import add_pieces
from server.web.pages.static_files import (
    BYTES,
    PARTS,
    STATIC,
    WORKERS,
    content_of,
    imported,
    packed_static,
    static_link,
)
from server.words import say, sentence_of

CONTENT_SECURITY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # `no-referrer` would make the Origin of our own forms `null`
    "X-Content-Type-Options": "nosniff",
}
PRIVATE = "private, no-cache"
FOR_EVER = "public, max-age=31536000, immutable"
SCRIPT_WORDS = (
    "in-tray",
    "in-tray-already",
    "add-again",
    "earlier",
    "later",
    "remove",
    "way",
    "way-once",
    "way-again",
    "way-twice",
    "way-passes",
    "way-fails",
    "may",
    "in-list",
    "passes",
    "empty",
    "orders",
    "orders-for",
    "instead",
    "first",
    "no-order",
    "no-order-to",
    "seat-no-key",
    "seat-other-key",
    "seat-altered",
    "seat-older",
    "book-here",
    "book-used",
    "book-not-here",
    "book-given",
    "book-none",
    "book-loaded",
    "book-wrong",
    "unreachable",
    "signed-shown",
    "signed-line",
    "act-move",
    "act-charge",
    "act-shoot",
    "act-place",
    "act-join",
    "act-stay",
    "play",
    "pause",
    "not-shown",
    "keeping",
    "place",
    "proof-reading",
    "proof-judging",
    "proof-lost",
    "proof-no-crypto",
    "proof-holds",
    "proof-so-far",
    "proof-no-draws",
    "proof-fails",
    "proof-no-file",
    "proof-look",
    "proof-bound",
    "proof-secret",
    "proof-chain",
    "proof-moves",
    "proof-bots",
    "proof-signature-checked",
    "proof-signature-unchecked",
    "proof-signature-none",
    "proof-fault-line",
    "proof-fault-signature",
    "proof-fault-keys",
    "proof-fault-owed",
    "proof-fault-given",
    "proof-fault-draw",
    "proof-fault-sealed",
    "proof-fault-log",
    "proof-draw-checked",
    "proof-draw-bound",
    "proof-draw-secret",
    "proof-draw-fails",
    "watch-event",
    "watch-file",
    "watch-lost",
    "own-words-missing",
    "own-text-differs",
    "own-head-differs",
    "own-signature-differs",
    "own-phrase-differs",
    "own-seal-differs",
    "own-key-differs",
    "own-book-differs",
    "other-history",
    "host-key-unknown",
    "player-key-unknown",
)
"""The sentences of the scripts (`pages.script.NAME`)."""
MENU = (
    ("/", "play"),
    ("/learn", "learn"),
    ("/new", "new"),
    ("/watch", "watch"),
    ("/scenarios", "scenarios"),
    ("/armies", "armies"),
    ("/rules", "rules"),
)
SHELF = (
    ("/clubs", "clubs"),
    ("/help", "help"),
    ("/settings", "settings"),
)
"""The addresses on top of each page and at its end, with their names (`pages.menu.NAME`)."""
SMALL = 1024
"""Smallest body, in bytes, that is worth compressing."""
LEVEL = 3


def shield(borne: Shield | None, size: int = 22) -> Markup:
    """The shield of a people beside its name, so many pixels high; nothing for none."""
    return Markup(shield_picture(borne, size) + " " if borne else "")


def has_sheets(ruleset: str) -> bool:
    """Whether a game has play aids to link to."""
    return bool(shown_of(ruleset).sheets)


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("server.web.pages"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals["static"] = static_link
    environment.globals["imported"] = imported
    environment.globals["island"] = island
    environment.globals["say"] = say
    environment.globals["menu"] = MENU
    environment.globals["shelf"] = SHELF
    environment.globals["build"] = build()
    environment.globals["qr_code"] = code_of
    environment.globals["shield"] = shield
    environment.globals["usual_bot"] = USUAL
    environment.globals["script_words"] = script_words
    environment.globals["has_sheets"] = has_sheets
    environment.filters["moment"] = moment
    environment.filters["reason"] = reason_of
    environment.filters["ruled"] = ruled
    add_pieces(environment)
    return environment


def page(request: web.Request, template: str, status: int = 200, **told: Any) -> web.Response:
    """A page; every template may use `player`, the reader, `operates`, whether they run the server, `spoken`, the
    language, and `tell`, which makes a sentence in it. `spoken` may be given for a page that speaks to another player
    than the reader (a link of a letter)."""
    body = rendered(request, template, **told).encode()
    response = _page_of(body, status)
    if len(body) > SMALL:
        response.enable_compression()
    return response


def rendered(request: web.Request, template: str, **told: Any) -> str:
    """The text of a page."""
    reader = reader_of(request)
    spoken = told.setdefault("spoken", page_language(request))
    told["clock_doubted"] = server_of(request).clock.doubt is not None
    told |= {"player": reader, "operates": runs_server(request, reader), "path": request.path}
    told["notice"] = request.app[NOTICE].text(spoken)
    told["here"] = request.rel_url.raw_path  # as it can stand in a header
    text = _templates().get_template(template).render(told | {"tell": partial(say, spoken), "languages": LANGUAGES})
    return linked(text, server_of(request).settings.base)


async def sent(request: web.Request, made: KeptAnswer, status: int = 200) -> web.Response:
    """A large page, compressed beside the loop, or before; 304 for a reader who has it."""
    if is_known(request, made.tag):
        response = _page_of(b"", 304)
    elif takes_gzip(request):
        response = _page_of(made.packed or await asyncio.to_thread(packed, made.body), status)
        response.headers["Content-Encoding"] = "gzip"
    else:
        response = _page_of(made.body, status)
    if made.tag:
        response.headers["ETag"] = f"W/{made.tag}"  # it is the same page, compressed or not
    return response


def takes_gzip(request: web.Request) -> bool:
    """Whether the reader unpacks what is compressed."""
    return "gzip" in request.headers.get("Accept-Encoding", "").casefold()


def _page_of(body: bytes, status: int) -> web.Response:
    response = web.Response(body=body, status=status, content_type="text/html", charset="utf-8", headers=HEADERS)
    response.headers["Cache-Control"] = PRIVATE
    response.headers["Vary"] = "Cookie, Accept, Accept-Encoding, Accept-Language"
    return response


def packed(body: bytes) -> bytes:
    """A page, compressed: a tenth larger than the level above makes it, in two thirds of the time."""
    return gzip.compress(body, LEVEL, mtime=0)


def see(location: str) -> web.Response:
    """Redirect after a form was accepted, so that a reload sends nothing again."""
    return web.Response(status=303, headers={"Location": location, "Cache-Control": PRIVATE, **HEADERS})


def drawing(svg: str) -> Markup:
    """A board from our own renderer, to be inserted into a page as it is."""
    return Markup(svg)  # replay.drawing escapes what it prints


def reason_of(returned: Returned, lang: str) -> str:
    """The sentence of the refusal of a line that has come back."""
    return sentence_of(Refusal(returned.code, returned.rule, **returned.params), lang)


def ruled(line: str, code: str) -> Markup:
    """A line of text with the rules of a game that it names linked."""

    def link(found: re.Match[str]) -> str:
        return f'<a href="/rules/{found[0]}">{found[0]}</a>' if found[0] in _rule_ids(code) else found[0]

    return Markup(_RULE_ID.sub(link, str(escape(line))))  # escaped; an ID has nothing to escape


_RULE_ID = re.compile(r"\b[A-Z]+(?:-[A-Z0-9]+)+\b")


@cache
def _rule_ids(code: str) -> frozenset[str]:
    return frozenset(rule.id for rule in rules_of(code))


def moment(at: str, lang: str) -> str:
    """A time of the log for people: "21 November, 12:59 UTC"; the script of the page says it in their own zone."""
    return PageReader(lang, "").moment(at)


def runs_server(request: web.Request, reader: Player | None) -> bool:
    """Whether the reader runs the server."""
    return reader is not None and is_operator(reader, server_of(request).settings.operators)


@cache
def script_words(lang: str) -> Markup:
    """The sentences of the scripts by name, with their gaps: JSON, as it stands in an attribute."""
    words = {name: find(f"pages.script.{name}", lang) or name for name in SCRIPT_WORDS}
    return escape(str(htmlsafe_json_dumps(words, sort_keys=True)))


@cache
def _templates() -> jinja2.Environment:
    return _environment()


def load_template(name: str) -> None:
    """Compile a template and those that it is made of, so that its first reader, and whoever comes after them, need not
    wait for it."""
    environment, names = _templates(), [name, "pieces.html"]
    for found in names:
        environment.get_template(found)
        text, _, _ = environment.loader.get_source(environment, found)  # type: ignore[union-attr]  # we have given it
        names += [part for part in _PARTS.findall(text) if part not in names]


_PARTS = re.compile(r'{% *(?:extends|include|from|import) "([^"]+)"')


# --- static files


async def get_static(request: web.Request) -> web.Response:
    """Serve style sheet, scripts and icon."""
    name = request.match_info["name"]
    if name not in STATIC:
        raise Refusal("core.no-such-page", "CORE-ACCESS")
    content, version = content_of(name)
    cached = FOR_EVER if request.query.get("v") == version else PRIVATE
    is_text = STATIC[name] not in BYTES
    is_packed = is_text and takes_gzip(request)
    body = packed_static(name) if is_packed else content
    charset = "utf-8" if is_text else None
    headers = None if STATIC[name] in PARTS and name not in WORKERS else HEADERS
    response = web.Response(body=body, content_type=STATIC[name], charset=charset, headers=headers)
    response.headers.update({"Cache-Control": cached, "Vary": "Accept-Encoding"})
    if is_packed:
        response.headers["Content-Encoding"] = "gzip"
    return response
