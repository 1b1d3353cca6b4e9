"""The webhooks of an account, or of a club: added with a proof, listed, tried, switched on again, removed."""

from aiohttp import web

from server.acts.clubs.reading import organised_by
from server.acts.webhooks import add_webhook, remove_webhook, switch_on, try_webhook
from server.people.players import Player
from server.people.webhooks import owner_of, require_webhooks
from server.running import Server
from server.store.tables import webhooks
from server.store.tables.webhooks import HookOwner, OwnerKind, Webhook
from server.web.api.account import require_proof, use_proof
from server.web.api.exchange import answer, body_of
from server.web.api.webhook_messages import MakeWebhook, Webhooks, WebhookView
from server.web.auth import require_caller
from server.web.keys import server_of
from server.web.limits import spend


async def list_webhooks(request: web.Request) -> web.Response:
    """GET /api/v1/account/webhooks"""
    owner = owner_in(request, require_caller(request))
    return answer(webhooks_in(server_of(request), owner))


async def post_webhook(request: web.Request) -> web.Response:
    """POST /api/v1/account/webhooks: what is refused uses no proof up."""
    player, server = require_caller(request), server_of(request)
    owner = owner_in(request, player)
    wanted = await body_of(request, MakeWebhook)
    spend(request, "login", player)
    require_webhooks(server.settings, player)
    require_proof(server, player, wanted.proof)
    hook, secret = await add_webhook(server.acts, owner, wanted.url, wanted.what, wanted.form, wanted.lang)
    await use_proof(server, wanted.proof)
    return answer(view_of_webhook(hook, secret), 201)


async def post_test(request: web.Request) -> web.Response:
    """POST /api/v1/account/webhooks/{hook}/test: what comes of it stands in the list."""
    owner, server = _deed(request)
    return answer(view_of_webhook(await try_webhook(server.acts, owner, _named(request))), 202)


async def post_on(request: web.Request) -> web.Response:
    """POST /api/v1/account/webhooks/{hook}/on"""
    owner, server = _deed(request)
    return answer(view_of_webhook(await switch_on(server.acts, owner, _named(request))))


async def delete_webhook(request: web.Request) -> web.Response:
    """DELETE /api/v1/account/webhooks/{hook}"""
    owner, server = _deed(request)
    await remove_webhook(server.acts, owner, _named(request))
    return answer(webhooks_in(server, owner))


def _deed(request: web.Request) -> tuple[HookOwner, Server]:
    player = require_caller(request)
    spend(request, "deed", player)
    return owner_in(request, player), server_of(request)


def _named(request: web.Request) -> str:
    return request.match_info["hook"]


def owner_in(request: web.Request, player: Player) -> HookOwner:
    """Whose webhooks a request is about: the club's that it names, which the caller organises, or the caller's own.

    Raises: Refusal club.unknown, club.not-organiser
    """
    club = request.match_info.get("club", "")
    if not club:
        return owner_of(player)
    return HookOwner(OwnerKind.CLUB, organised_by(server_of(request).acts, club, player).club)


def webhooks_in(server: Server, owner: HookOwner) -> Webhooks:
    """The webhooks of an owner."""
    found = webhooks.of_owner(server.store, owner)
    return Webhooks(tuple(view_of_webhook(hook) for hook in found))


def view_of_webhook(hook: Webhook, secret: str = "") -> WebhookView:
    """A webhook as its owner sees it, with its secret where it is new."""
    return WebhookView(
        hook.id,
        hook.host,
        hook.form,
        hook.lang,
        hook.whats,
        hook.created,
        hook.tries,
        hook.failing,
        hook.off,
        hook.last_at,
        hook.last_what,
        hook.last_code,
        hook.last_error,
        secret,
    )
