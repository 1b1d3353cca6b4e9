"""The webhooks of a player, on a page of their settings, and of a club, on one of its own: added, tried, switched on
again, removed."""

from aiohttp import web

from domain.basics.errors import Refusal
from server.acts.webhooks import add_webhook, remove_webhook, switch_on, try_webhook
from server.people.players import Player
from server.people.programs import require_person
from server.people.webhooks import FORMS, LONGEST_URL, WHAT_OF, require_webhooks
from server.store.tables import clubs, webhooks
from server.store.tables.webhooks import HookOwner, OwnerKind
from server.web import auth
from server.web.api.webhooks import owner_in
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.forms import PostedForm, form_of, text
from server.web.pages.identity import PROVE, is_proven
from server.web.pages.language import page_reader
from server.web.pages.mailbox import private
from server.web.pages.rendering import page, see
from server.web.problems import status_of
from server.words import sentence_of

OWN = "/settings/webhooks"


async def show_webhooks(request: web.Request) -> web.Response:
    """GET /settings/webhooks, GET /clubs/{club}/webhooks"""
    return _hooks_page(request, {})


async def post_webhooks(request: web.Request) -> web.Response:
    """POST to the same: a new webhook, whose secret is shown this once; something told to one, to try it; one
    that is switched on again, or removed."""
    auth.require_own_page(request)
    player, server = auth.require_caller(request), server_of(request)
    spend(request, "deed", player)
    form = await form_of(request)
    do, named, owner = text(form, "do"), text(form, "hook"), owner_in(request, player)
    try:
        if do == "make":
            if not is_proven(request, player):
                return see(PROVE)
            return _hooks_page(request, {}, await _made(request, player, form))
        if do == "test":
            await try_webhook(server.acts, owner, named)
        elif do == "on":
            await switch_on(server.acts, owner, named)
        elif do == "remove":
            await remove_webhook(server.acts, owner, named)
    except Refusal as refused:
        return _hooks_page(request, form, refused=refused)
    return see(_here(owner))


def _here(owner: HookOwner) -> str:
    """The address of the page of an owner's webhooks."""
    return f"/clubs/{owner.id}/webhooks" if owner.kind == OwnerKind.CLUB else OWN


async def _made(request: web.Request, player: Player, form: PostedForm) -> str:
    """Add the webhook of a form; gives its secret.

    Raises: as `require_webhooks` and `add_webhook`
    """
    server = server_of(request)
    require_webhooks(server.settings, player)
    lang = page_reader(request).lang
    wanted = form.get("what", [])
    _, secret = await add_webhook(
        server.acts, owner_in(request, player), text(form, "url").strip(), wanted, text(form, "form"), lang
    )
    return secret


def _hooks_page(
    request: web.Request, form: PostedForm, secret: str = "", refused: Refusal | None = None
) -> web.Response:
    player, server, reader = auth.require_caller(request), server_of(request), page_reader(request)
    require_person(player)
    owner = owner_in(request, player)
    whats = WHAT_OF[owner.kind]
    shown = page(
        request,
        "webhooks.html",
        status_of(refused.code) if refused else 200,
        note=sentence_of(refused, reader.lang) if refused else "",
        secret=secret,
        hooks=webhooks.of_owner(server.store, owner),
        at=_here(owner),
        club=clubs.find(server.store, owner.id) if owner.kind == OwnerKind.CLUB else None,
        reader=reader,
        whats=whats,
        forms=FORMS,
        longest=LONGEST_URL,
        url=text(form, "url"),
        wanted=form.get("what", whats),
        chosen=text(form, "form"),
        proven=is_proven(request, player),
        email=player.email,
        is_on=server.settings.webhooks,
    )
    return private(shown)
