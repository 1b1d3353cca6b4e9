"""What somebody with a key signs in a campaign, before they send it."""

from aiohttp import web
from msgspec import Struct

from domain.basics.errors import Refusal
from domain.events.battle import Seen
from server.acts.campaigns.signing import LineToSign, joining_to_sign, lines_to_sign, role_to_sign
from server.campaigns.live_campaign import LiveCampaign
from server.people.players import Player
from server.web.api.campaign_messages import EnterCampaign, GiveRole
from server.web.api.campaigns import entry_of, readable
from server.web.api.exchange import answer, body_of
from server.web.auth import require_caller
from server.web.keys import server_of
from server.web.limits import spend


class CampaignLines(Struct, frozen=True, forbid_unknown_fields=True):
    """What you are about to send: order lines, or how you enter, or a role that you give."""

    orders: str = ""
    enter: EnterCampaign | None = None
    role: GiveRole | None = None


class CampaignToSign(Struct, frozen=True):
    """The lines as they are signed, each over the head `seen`: the newest of the campaign."""

    campaign: str
    seen: Seen
    lines: tuple[LineToSign, ...]


async def post_campaign_lines(request: web.Request) -> web.Response:
    """POST /api/v1/campaigns/{id}/lines"""
    player = require_caller(request)
    spend(request, "preview", player)
    live = await readable(request)
    return answer(to_sign_in(request, live, player, await body_of(request, CampaignLines)))


def to_sign_in(request: web.Request, live: LiveCampaign, player: Player, wanted: CampaignLines) -> CampaignToSign:
    """What is signed. Nothing is given.

    Raises: Refusal core.bad-request unless just one thing is to be said; those of lines that may not be given
    """
    if sum(map(bool, (wanted.orders, wanted.enter, wanted.role))) != 1:
        raise Refusal("core.bad-request", "CORE-PARSE", reason="send `orders`, `enter` or `role`")
    lines: tuple[LineToSign, ...]
    if wanted.enter is not None:
        lines = (joining_to_sign(player, live, entry_of(wanted.enter)),)
    elif wanted.role is not None:
        lines = (role_to_sign(player, live, wanted.role.role, wanted.role.name),)
    else:
        lines = lines_to_sign(server_of(request).steward, player, live, wanted.orders)
    return CampaignToSign(live.id, Seen(live.recording.head.hex(), live.n), lines)
