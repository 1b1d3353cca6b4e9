"""Give a role of a campaign to somebody: its organiser names the umpire, or another organiser.

Where the organiser has been silent for `SILENT_DAYS` while something waits for them, the umpire gives their role to a
member; the host's administrator does where there is no umpire (CAM-RUL-08).
"""

from typing import Any

from msgspec import UNSET

from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS, moment_of
from domain.campaign.events import CAMPAIGN_EVENTS, RoleGiven
from domain.campaign.judge import ORGANISER, SERVER, UMPIRE
from domain.campaign.people import waits_for_organiser
from domain.campaign.refusals import require_organiser
from domain.events.battle import Fact
from domain.log import record
from server.acts.campaigns.lines import NO_WORD, GivenWord
from server.acts.campaigns.reading import require_reader
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.steward import Steward
from server.people.players import Player, is_gone
from server.people.umpire_keys import umpire_key_of
from server.store.tables import accounts

ROLES = (UMPIRE, ORGANISER)
SILENT_DAYS = 30
RULE = "CAM-RUL-08"


async def give_role(
    steward: Steward, player: Player, live: LiveCampaign, role: str, name: str, word: GivenWord = NO_WORD
) -> None:
    """Name the umpire, or another organiser; who has the role already keeps it without an event. Where the organiser
    signs, an umpire with a key of the account signs with it from here on.

    Shape:  `name` of an account of this server
    Raises: Refusal campaign.unknown-campaign, campaign.not-organiser, campaign.organiser-present, campaign.ended,
            campaign.not-member, campaign.no-such-role, core.docket-unknown-player; as
            `server.campaigns.signed.require_word`
    """
    if not player.administers:
        require_reader(live, player)
    by = office_of(live, player)
    if role not in ROLES:
        raise Refusal("campaign.no-such-role", "CAM-RUL-01", role=role[:40], known=list(ROLES))
    if by != ORGANISER:
        _require_silent(live)
    account = accounts.by_name(steward.store, name)
    if account is None or is_gone(account):
        raise Refusal("core.docket-unknown-player", "CAM-RUL-01", player=name[:64])
    holder = live.state.umpire if role == UMPIRE else live.state.organiser
    if holder is not None and holder.player == account.player:
        return
    signs = role == UMPIRE and bool(live.state.organiser.signer)  # else they could not rule by mail or on the page
    signer = (umpire_key_of(steward.store, account.player) if signs else "") or UNSET
    given = RoleGiven(role, account.player, account.name, signer, **word.members())
    await steward.enter(live, Fact(by, given.RULE if by == ORGANISER else RULE, given))


def office_of(live: LiveCampaign, player: Player) -> str:
    """As whom a player gives a role.

    Raises: Refusal campaign.not-organiser
    """
    state = live.state
    if player.id == state.organiser.player:
        return ORGANISER
    if state.umpires(player.id):
        return UMPIRE
    if player.administers:
        return SERVER
    require_organiser(state, player.id)
    raise AssertionError(player.id)


def _require_silent(live: LiveCampaign) -> None:
    """Raises: Refusal campaign.organiser-present"""
    now = moment_of(live.now())
    heard = moment_of(heard_of_organiser(live))
    if now - heard < SILENT_DAYS * DAY_MS or not waits_for_organiser(live.state, now):
        organiser = live.state.organiser.name
        raise Refusal("campaign.organiser-present", RULE, name=organiser, days=SILENT_DAYS)


def heard_of_organiser(live: LiveCampaign) -> str:
    """When whoever organises has said something last, as organiser, umpire or entrant, or was given the role."""
    organiser = live.state.organiser.player
    entrant = live.state.players.get(organiser, "")
    for _, line in reversed(live.recording.lines):
        recorded = record.decode(line, CAMPAIGN_EVENTS)
        event: Any = recorded.event
        is_given = isinstance(event, RoleGiven) and event.player == organiser
        if is_given or getattr(event, "player", "") == organiser or recorded.by in {ORGANISER, entrant} - {""}:
            return recorded.at
    return live.recording.header.created
