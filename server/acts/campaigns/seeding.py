"""The ladders that a cup names: the one by which it is seeded, and the one that its battles count in, too."""

from msgspec import UNSET, UnsetType

from domain.basics.errors import Refusal
from domain.campaign.config import LADDER, CampaignConfig, bad_file
from projections.ratings.glicko import Rating
from projections.ratings.ladder import standing_number
from replay.proof.campaign.seeds import seeded_by
from server.acts.campaigns.reading import may_read, takes_part
from server.campaigns.steward import Steward
from server.people.players import Player

SEED, FEEDS = "cup.seed", "cup.ladder"
"""The keys of a file that name a ladder."""


async def require_ladders(steward: Steward, player: Player, config: CampaignConfig) -> None:
    """Refuse a cup that is seeded by a ladder which its organiser cannot read, or that feeds one in which they do not
    take part; either must be of the same game.

    Raises: Refusal campaign.bad-file with the key
    """
    if config.cup is None:
        return
    for key, ladder in ((SEED, seeded_by(config)), (FEEDS, config.cup.ladder)):
        if ladder and not await _may_use(steward, player, config.ruleset, key, ladder):
            raise bad_file(key)


async def _may_use(steward: Steward, player: Player, ruleset: str, key: str, ladder: str) -> bool:
    try:
        live = await steward.campaigns.get(ladder)
    except Refusal:
        return False
    state = live.state
    is_allowed = may_read(live, player) if key == SEED else takes_part(state, player.id) and not state.is_over
    return state.settings.kind == LADDER and state.ruleset == ruleset and is_allowed


async def seed_of(steward: Steward, config: CampaignConfig, player: str) -> int | UnsetType:
    """The number by which somebody who enters a cup is seeded: their standing number on its ladder now, that of a
    newcomer if they have no rating (CAM-RND-02). Unset where no ladder seeds it."""
    ladder = seeded_by(config)
    if not ladder:
        return UNSET
    live = await steward.campaigns.get(ladder)
    async with live.lock:
        await live.freshen()
        entrants = {one.id for one in live.state.entrants.values() if one.player == player}
        found = (row.number for row in live.ladder_rows() if row.player in entrants)
        return next(found, standing_number(Rating()))
