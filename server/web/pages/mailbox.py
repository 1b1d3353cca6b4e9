"""The pages that belong to letters: settings, unsubscribe, confirm.

A link in a letter opens a page with a button; only the button acts, because mail scanners open links too. A visitor
with the link of `/confirm` or `/unsubscribe` needs no session: the token authorises them, as in a reply to the token.
"""

from aiohttp import web

from domain.basics.errors import Refusal
from domain.basics.message import Message
from replay.telling.words import sentence
from replay.writing.signatures import require_signer
from server.acts.address import ask_to_move
from server.acts.wishes import WISHES, keep_wishes, params_of, started, stopped
from server.people.players import KEY_LINK_S, Player
from server.people.umpire_keys import keep_umpire_key, umpire_key_of
from server.running import Server
from server.store.tables import accounts, correspondents, mail_tokens, notices, passkeys, tokens
from server.store.tables.accounts import Account
from server.store.tables.correspondents import DELIVERIES, Correspondent
from server.web import auth
from server.web.api.login import PRIVATE
from server.web.api.tokens import live_tokens, revoke
from server.web.keys import server_of, tokens_of
from server.web.limits import require_room, spend
from server.web.pages.forms import PostedForm, form_of, text
from server.web.pages.identity import PROVE, is_proven, party_of
from server.web.pages.language import page_language, remember, wish_of
from server.web.pages.leaving import LOG_OUT, new_key_link
from server.web.pages.rendering import HEADERS, page, see
from server.web.pages.visitors import rename
from server.words import say, sentence_of

SETTINGS = "/settings"
FIELDS = ("language", "zone", "letters", "quiet")


# --- settings


async def show_settings(request: web.Request) -> web.Response:
    """GET /settings"""
    account = _account(request)
    if account is None:
        return note_page(request, "desk.page.settings", Message("desk.page.sign-in", {}), 401)
    kept = correspondents.find(server_of(request).store, account.player)
    note = say(_lang(request, kept), "desk.page.saved") if "saved" in request.query else ""
    return _settings(request, account, kept, note)


async def post_settings(request: web.Request) -> web.Response:
    """POST /settings: the preferences, or one of the buttons: letters again, no letters, another name or address, a
    key link, a key as umpire, the end of a session.

    Raises: Refusal core.cross-site, core.not-signed-in, core.no-token, core.too-many, core.bad-signer, core.weak-key
    """
    auth.require_own_page(request)
    account, server, form = _account(request), server_of(request), await form_of(request)
    if account is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    player = Player(account.player, account.name)
    spend(request, "deed", player)
    kept = correspondents.find(server.store, account.player)
    do = text(form, "do")
    if text(form, "end"):
        return await _end_session(request, player, text(form, "end"))
    if (do == "address" or (do == "key" and not account.email)) and not is_proven(request, player):
        return see(PROVE)
    if do == "key" and not account.email:
        return private(_settings(request, account, kept, link=await new_key_link(server, player)))
    if do == "umpire-key":
        return await _keep_umpire_key(server, player, text(form, "signer"))
    if do == "everywhere":
        return see(f"{LOG_OUT}?everywhere")
    try:
        if do == "address":
            return await _post_address(request, account, kept, form)
        if do == "rename":
            await rename(server, player, text(form, "name"))
            tokens_of(request).players.clear()
            return see(f"{SETTINGS}?saved")
        wanted = {"start": started, "stop": stopped}[do](kept) if do in ("start", "stop") else _wished(kept, form)
    except Refusal as refused:
        if refused.code == "core.too-many":
            raise
        said, fields = sentence_of(refused, _lang(request, kept)), ("name",) if do == "rename" else FIELDS
        return _settings(request, account, kept, said, 422, {name: text(form, name) for name in fields})
    await keep_wishes(server.acts, wanted)
    return remember(request, see(f"{SETTINGS}?saved"), wanted.lang)


async def _keep_umpire_key(server: Server, player: Player, signer: str) -> web.Response:
    """Keep the key with which the player signs as umpire, made by their browser.

    Raises: Refusal core.bad-signer, core.weak-key
    """
    require_signer(signer)
    if signer:
        await server.store.write(*keep_umpire_key(server.store, player.id, signer))
    return see(f"{SETTINGS}?saved#umpire-key-title")


async def _end_session(request: web.Request, player: Player, id_: str) -> web.Response:
    """End a session or a token of a player. That of this browser is ended where a guest is warned.

    Raises: Refusal core.no-token
    """
    if id_ == _own_session(request):
        return see(LOG_OUT)
    await revoke(server_of(request), player, id_)
    auth.forget_player(request, player.id)
    return see(f"{SETTINGS}?saved#sessions")


def _own_session(request: web.Request) -> str:
    """The id of the session of this browser."""
    return tokens.digest(request.cookies.get(auth.COOKIE, "")).hex()[: tokens.ID_DIGITS]


async def _post_address(request: web.Request, account: Account, kept: Correspondent, form: PostedForm) -> web.Response:
    """Request another address: nothing changes before that address has answered.

    Raises: Refusal
    """
    lang, player = _lang(request, kept), Player(account.player, account.name)
    kind = "letter" if account.email else "claim"
    require_room(request, kind, player)
    asked = await ask_to_move(server_of(request).acts, player, text(form, "address"))
    note = say(lang, "desk.page.new-address.sent", address=asked.address)
    if asked.reply:  # for a guest the server writes to nobody
        note = say(lang, "desk.page.claim", address=asked.address, reply=asked.reply)
    spend(request, kind, player)
    return _settings(request, account, kept, note)


def _wished(kept: Correspondent, form: PostedForm) -> Correspondent:
    """The preferences in the form; what is ticked belongs to the part about letters.

    Raises: Refusal of a preference
    """
    for name in FIELDS:
        if name in form:
            kept = WISHES[name](kept, text(form, name))
    if "letters" not in form:
        return kept
    return kept._replace(picture=bool(text(form, "picture")), is_long=bool(text(form, "long")))


def _settings(
    request: web.Request,
    account: Account,
    kept: Correspondent,
    note: str = "",
    status: int = 200,
    written: dict[str, str] | None = None,
    link: str = "",
) -> web.Response:
    lang, sends = _lang(request, kept), server_of(request).settings.mail
    shown = {**params_of(kept), "letters": kept.delivery, "language": kept.lang, "name": account.name}
    shown |= written or {}
    told = live_tokens(server_of(request), Player(account.player, account.name)).tokens
    happened = notices.of_player(server_of(request).store, account.player)
    return page(
        request,
        "settings.html",
        status,
        account=account,
        kept=kept,
        shown=shown,
        note=note,
        tokens=told,
        happened=happened,
        proven=is_proven(request, Player(account.player, account.name, account.email)),
        own=_own_session(request),
        held=passkeys.of_player(server_of(request).store, account.player),
        party=party_of(request),
        umpire_key=umpire_key_of(server_of(request).store, account.player),
        link=link,
        days=KEY_LINK_S // (24 * 3600),
        deliveries=DELIVERIES,
        sends=sends,
        spoken=lang,
    )


def _account(request: web.Request) -> Account | None:
    player = auth.caller(request)
    return None if player is None else accounts.by_player(server_of(request).store, player.id)


# --- what waits for a yes


async def show_confirm(request: web.Request) -> web.Response:
    """GET /confirm/{token}: what would happen, and a button."""
    acts = server_of(request).acts
    found = acts.confirmations.waiting(request.match_info["token"])
    if found is None:
        return note_page(request, "desk.page.gone", Message("desk.confirm-gone", {}), 410)
    lang = _lang(request, acts.wishes(found.player))
    said = sentence(found.message, lang)
    return private(page(request, "confirm.html", said=said, lines=found.lines, spoken=lang))


async def post_confirm(request: web.Request) -> web.Response:
    """POST /confirm/{token}"""
    auth.require_own_page(request)
    spend(request, "login")
    store, token = server_of(request).store, request.match_info["token"]
    known = mail_tokens.find(store, token)
    came = await server_of(request).acts.confirmations.confirm(token)
    is_done = came.id.startswith("desk.did.")
    kept = correspondents.find(store, known.player) if known else None
    return note_page(request, "desk.page.confirmed", came, 200 if is_done else 410, kept)


# --- no more letters


async def show_unsubscribe(request: web.Request) -> web.Response:
    """GET /unsubscribe/{token}: a button."""
    account = _of_token(request)
    if account is None:
        return note_page(request, "desk.page.gone", Message("desk.confirm-gone", {}), 410)
    lang = _lang(request, correspondents.find(server_of(request).store, account.player))
    return private(page(request, "unsubscribe.html", name=account.name, spoken=lang))


async def post_unsubscribe(request: web.Request) -> web.Response:
    """POST /unsubscribe/{token}: our button, or a mail program's (RFC 8058), which has neither cookie nor origin."""
    account, server = _of_token(request), server_of(request)
    if account is None:
        return note_page(request, "desk.page.gone", Message("desk.confirm-gone", {}), 410)
    kept = correspondents.find(server.store, account.player)
    await keep_wishes(server.acts, stopped(kept))
    return note_page(request, "desk.page.unsubscribe", Message("desk.page.unsubscribe.done", {}), 200, kept)


def _of_token(request: web.Request) -> Account | None:
    """The account whose letters an unsubscribe token stops; the token may be used again."""
    server: Server = server_of(request)
    known = mail_tokens.good(server.store, request.match_info["token"], "unsubscribe", server.clock.now())
    return None if known is None else accounts.by_player(server.store, known.player)


# --- in words


def _lang(request: web.Request, kept: Correspondent | None = None) -> str:
    """The language of a page for a player, who need not be the one that this browser is logged in as: that of the
    address line, else the player's, else the browser's."""
    wished = wish_of(kept) if kept and not request.query.get("lang") else ""
    return wished or page_language(request)


def note_page(
    request: web.Request, title: str, note: Message, status: int = 200, kept: Correspondent | None = None
) -> web.Response:
    """A page that says one thing."""
    lang = _lang(request, kept)
    return private(page(request, "mailbox_note.html", status, title=title, said=sentence(note, lang), spoken=lang))


def private(response: web.Response) -> web.Response:
    """A page whose address is a secret: never cached, never disclosed to another page."""
    response.headers.update({**PRIVATE, "Referrer-Policy": HEADERS["Referrer-Policy"]})
    return response
