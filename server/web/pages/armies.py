"""The pages on which a player makes an army of points: unit by unit, with what is wrong with it as it stands.

Nothing is stored. The army travels in the form, as the text of its file; the page works without a script.
"""

from typing import Any

from aiohttp import web

from domain.basics.data import parse_toml
from domain.basics.errors import Refusal
from domain.basics.toml_text import to_toml
from domain.catalogue import RULESETS, army_book, army_books
from domain.contract.armies import ArmyBook
from replay.catalogue import shown_of
from replay.drafts import Drafted
from server.armies import new_army, plain
from server.web import auth
from server.web.api.armies import checked
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.forms import PostedForm, form_of, text
from server.web.pages.language import page_language
from server.web.pages.new_battle import number_in
from server.web.pages.rendering import page
from server.words import sentence_of

SEED_BYTES = 4
DEEDS = ("add", "drop")
"""Changes that a button makes; what the fields say is always applied."""
LINE = "line"
"""Begins the name of a field that says what a button adds; any other with a subject is a change by itself."""


async def show_builder(request: web.Request) -> web.Response:
    """GET /armies/{key}/build?size=&seed=: a legal army of a list, made by chance, to be changed."""
    spend(request, "army")
    key, code = _list_in(request)
    book = army_book(code)
    asked = {name: [request.query[name]] for name in ("size", "seed") if name in request.query}
    seed = number_in(asked, "seed", int.from_bytes(server_of(request).entropy.bytes(SEED_BYTES)))
    return _builder(request, key, code, new_army(code, key, number_in(asked, "size", book.usual_size), seed))


async def post_builder(request: web.Request) -> web.Response:
    """POST /armies/{key}/build: the army of the form after what its fields and the pressed button say, or the text of
    an army that the player has written."""
    auth.require_own_page(request)
    spend(request, "army")
    key, code = _list_in(request)
    form, book = await form_of(request), army_book(code)
    is_text = text(form, "do") == "read"
    kept = await army_in(request, code, text(form, "army"))
    try:
        army = await army_in(request, code, text(form, "text")) if is_text else _changed(book, kept, form)
    except Refusal as refused:
        said = sentence_of(refused, page_language(request))
        return _builder(request, key, code, kept, said, text(form, "text") if is_text else "", 422)
    return _builder(request, key, code, army)


async def army_in(request: web.Request, code: str, written: str) -> Any:
    """The army in a text that a player has sent.

    Raises: Refusal core.file-too-large, core.file-too-deep, core.bad-toml; of the ruleset
    """
    table = await server_of(request).battles.workers.people.run(parse_toml, written.replace("\r\n", "\n"), "army")
    return army_book(code).read({**table, "ruleset": code})


def _list_in(request: web.Request) -> tuple[str, str]:
    """The list of an address and its game.

    Raises: Refusal core.no-such-page
    """
    key = request.match_info["key"]
    for code, book in sorted(army_books().items()):
        if key in book.lists() and code in server_of(request).battles.rulesets and shown_of(code).armies is not None:
            return key, code
    raise Refusal("core.no-such-page", "CORE-ACCESS")


def _changed(book: ArmyBook, army: Any, form: PostedForm) -> Any:
    """An army with what the fields of the form say, then what its button does.

    Raises: Refusal of the ruleset
    """
    for verb in ("name", "size"):
        if verb in form:
            army = book.change(army, verb, "", text(form, verb))
    for field, values in form.items():
        verb, _, subject = field.partition(" ")
        if subject and verb != LINE:
            army = book.change(army, verb, subject, " ".join(value for value in values if value))
    verb, _, subject = text(form, "do").partition(" ")
    if verb in DEEDS:
        army = book.change(army, verb, subject, text(form, f"line {subject}"))
    return army


def drafted(code: str, army: Any, lang: str) -> Drafted:
    """An army in words."""
    book, tables = army_book(code), shown_of(code).armies
    assert tables is not None, "a game with an army book has its words"
    return tables.draft(army, book.army_list(army.list) if army.list else None, book.price(army), lang)


def _builder(
    request: web.Request, key: str, code: str, army: Any, note: str = "", written: str = "", status: int = 200
) -> web.Response:
    lang, table = page_language(request), plain(army)
    found = checked(table, lang)
    return page(
        request,
        "builder.html",
        status,
        key=key,
        code=code,
        borne=RULESETS[code].shown.table.shield_of(key),
        draft=drafted(code, army, lang),
        findings=[(finding.rule, finding.sentence) for finding in found.findings],
        legal=found.legal,
        army=to_toml(table),
        written=written,
        note=note,
    )
