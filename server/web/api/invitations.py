"""Invitations over HTTP: `server.acts` decides, as for every door."""

from aiohttp import web

from domain.basics.errors import Refusal
from server.acts.invite import InvitationLetter, invite_somebody
from server.acts.rematch import rematch
from server.entropy import new_secret
from server.play.access import require_side
from server.web.api.battles import own_of
from server.web.api.exchange import answer, body_of, key_in
from server.web.api.invitation_messages import AskRematch, Invite, Invited, RematchView
from server.web.keys import server_of
from server.web.limits import spend


async def post_invitation(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/invitations"""
    player, live, server = await own_of(request)
    wanted = await body_of(request, Invite)
    require_mail(request)
    letter = InvitationLetter(wanted.address, wanted.side, wanted.message)
    made = await invite_somebody(server.acts, player, live, letter, _key(request))
    return answer(Invited(live.id, made.invitation.side, made.address, made.invitation.expires), 201)


async def post_rematch(request: web.Request) -> web.Response:
    """POST /api/v1/battles/{id}/rematch"""
    player, live, server = await own_of(request)
    wanted = await body_of(request, AskRematch)
    side = require_side(live, player)
    spend(request, "battle", player)
    came = await rematch(server.acts, player, live, side, "api", _key(request), wanted.same_sides)
    return answer(RematchView(came.live.id, came.side, came.what))


def _key(request: web.Request) -> str:
    """The key of a request; one of its own where it has none."""
    return key_in(request) or new_secret(server_of(request).entropy)


def require_mail(request: web.Request) -> None:
    """Refuse what takes a letter on a server that sends none.

    Raises: Refusal core.no-mail
    """
    if not server_of(request).settings.mail:
        raise Refusal("core.no-mail", "CORE-INVITE")
