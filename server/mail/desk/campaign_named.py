"""Which campaign a command by mail means."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from server.acts.campaigns.reading import require_reader, rows_for, takes_part
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.summary import ENDED
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.campaign_lines import campaign_named
from server.mail.desk.desk import Desk
from server.spelling.words import folded
from server.store.tables import campaigns as table

LISTED = 50
"""The newest campaigns that are looked through."""


async def campaign_meant(desk: Desk, caller: Caller, words: Sequence[str] = ()) -> LiveCampaign:
    """The campaign that words name by id or by title; else that of the letter; else the only one that goes on in which
    the caller takes part.

    Raises: Refusal campaign.unknown-campaign; Declined desk.which-campaign, desk.no-campaigns
    """
    id_ = campaign_named(words) or ("" if words else caller.campaign)
    if id_:
        live = await desk.steward.campaigns.get(id_)
        require_reader(live, caller.player)
        return live
    if words:
        return await _by_title(desk, caller, " ".join(words))
    mine = [live for live in await own_campaigns(desk, caller) if not live.state.is_over]
    if len(mine) > 1:
        raise Declined("desk.which-campaign", campaign=mine[0].id)
    if not mine:
        raise Declined("desk.no-campaigns")
    return mine[0]


async def _by_title(desk: Desk, caller: Caller, title: str) -> LiveCampaign:
    """The campaign of a title, by the rows of lists: of all others no log is read."""
    own = table.of_player(desk.store, caller.player.id, LISTED)
    ids = list(dict.fromkeys([*own, *table.listed(desk.store, "public", "", LISTED)]))
    rows = await rows_for(desk.steward.campaigns, ids, caller.player)
    found = [one for one in rows if folded(one.title) == folded(title)]
    found = [one for one in found if one.status != ENDED] or found
    if len(found) != 1:
        raise Declined("desk.campaign-title", title=title[:80], count=len(found))
    return await desk.steward.campaigns.get(found[0].campaign)


async def own_campaigns(desk: Desk, caller: Caller) -> list[LiveCampaign]:
    """Those in which the caller takes part."""
    ids = table.of_player(desk.store, caller.player.id)[:LISTED]
    found = [await desk.steward.campaigns.get(one) for one in ids]
    return [live for live in found if takes_part(live.state, caller.player.id)]


async def campaign_and_rest(
    desk: Desk, caller: Caller, words: Sequence[str], most: int, fits: Callable[[str], bool] = bool
) -> tuple[LiveCampaign, list[str]]:
    """The campaign that words begin with, by id or title, and what stands behind it: at most `most` words, each of
    which `fits`. Without a name it is the campaign that is meant.

    Raises: as `campaign_meant`
    """
    words = list(words)
    if campaign_named(words):
        return await campaign_meant(desk, caller, words[:1]), words[1 : most + 1]
    for count in range(min(most, len(words)) + 1):
        title, rest = words[: len(words) - count], words[len(words) - count :]
        if not all(map(fits, rest)):
            break
        if not title:
            return await campaign_meant(desk, caller), rest
        with suppress(Declined):
            return await campaign_meant(desk, caller, title), rest
    return await campaign_meant(desk, caller, words), []
