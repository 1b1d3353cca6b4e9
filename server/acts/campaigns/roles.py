"""Give a role of a campaign to somebody: its organiser names the umpire, or another organiser."""

from domain.basics.errors import Refusal
from domain.campaign.events import RoleGiven
from domain.campaign.refusals import require_organiser
from domain.events.battle import Fact
from server.acts.campaigns.reading import require_reader
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.steward import Steward
from server.people.players import Player, is_gone
from server.store.tables import accounts

ROLES = ("umpire", "organiser")


async def give_role(steward: Steward, player: Player, live: LiveCampaign, role: str, name: str) -> None:
    """Name the umpire, or another organiser; who has the role already keeps it without an event.

    Shape:  `name` of an account of this server
    Raises: Refusal campaign.unknown-campaign, campaign.not-organiser, campaign.ended, campaign.no-such-role,
            core.docket-unknown-player
    """
    require_reader(live, player)
    require_organiser(live.state, player.id)
    if role not in ROLES:
        raise Refusal("campaign.no-such-role", "CAM-RUL-01", role=role[:40], known=list(ROLES))
    account = accounts.by_name(steward.store, name)
    if account is None or is_gone(account):
        raise Refusal("core.docket-unknown-player", "CAM-RUL-01", player=name[:64])
    holder = live.state.umpire if role == ROLES[0] else live.state.organiser
    if holder is not None and holder.player == account.player:
        return
    given = RoleGiven(role, account.player, account.name)
    await steward.enter(live, Fact("organiser", given.RULE, given))
