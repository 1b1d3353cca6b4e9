"""Invitations over HTTP: `server.mail.desk.invitations` decides, as it does by mail."""

from aiohttp import web

from domain.engine.errors import Refusal
from server.entropy import new_secret
from server.mail.desk.invitations import invite, recipient_of
from server.mail.desk.rematches import rematch
from server.play.access import require_side
from server.web.api.battles import own_of
from server.web.api.exchange import answer, body_of
from server.web.api.invitation_messages import AskRematch, Invite, Invited, RematchView
from server.web.keys import mail_of, server_of
from server.web.limits import spend


async def post_invitation(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/invitations"""
    player, live, server = await own_of(request)
    wanted, desk = await body_of(request, Invite), mail_of(request).desk
    require_mail(request)
    to = recipient_of(desk, player, wanted.address)
    made = await invite(desk, player, live, to, wanted.side, wanted.message, new_secret(server.entropy))
    return answer(Invited(live.id, made.side, to.email, made.expires), 201)


async def post_rematch(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/rematch"""
    player, live, server = await own_of(request)
    wanted = await body_of(request, AskRematch)
    side = require_side(live, player)
    spend(request, "battle", player)
    key = new_secret(server.entropy)
    came = await rematch(mail_of(request).desk, player, live, side, "api", key, wanted.same_sides)
    return answer(RematchView(came.live.id, came.side, came.what))


def require_mail(request: web.Request) -> None:
    """Refuse what takes a letter on a server that sends none.

    Raises: Refusal core.no-mail
    """
    if not server_of(request).settings.mail:
        raise Refusal("core.no-mail", "CORE-INVITE")
