"""Battles that members open in a ladder themselves, and the ladders that a host opens for its games."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.basics.toml_text import to_toml
from domain.campaign.challenges import require_ladder
from domain.campaign.refusals import require_held, require_lasting
from domain.events.battle import BoardOfCampaign
from domain.run.terms import Terms
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.opening import kept_under, open_campaign
from server.acts.campaigns.reading import require_reader
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.steward import Steward
from server.people.players import Player
from server.store.tables import requests

HOST = "host"
"""Who has opened the ladders of a host, and the name by which a battle is opened in that of its game."""


async def terms_in(steward: Steward, player: Player, ladder: str, ruleset: str, terms: Terms) -> Terms:
    """The terms of a battle that is opened in a ladder: who opens it is a member, and of the ladder of the host becomes
    one. It is counted when it ends, if who fought were members then, and rated if they were when it began (CAM-RAT-01).

    Shape:  `ladder` the id of one, or `host`; "" leaves the terms as they are
    Raises: Refusal campaign.unknown-campaign, campaign.no-ladder, campaign.ended, campaign.not-entered,
            core.bad-request for another game than that of the ladder
    """
    if not ladder:
        return terms
    live = await _ladder(steward, ladder, ruleset)
    require_reader(live, player)
    require_ladder(live.state)
    require_lasting(live.state)
    if live.state.ruleset != ruleset:
        raise Refusal("core.bad-request", "CORE-OPEN", reason=f"the ladder is one of {live.state.ruleset}")
    if ladder == HOST:
        await enter_campaign(steward, player, live, CampaignEntry(channel="api"))
    require_held(live.state, player.id)
    return replace(terms, campaign=BoardOfCampaign("", live.id))


async def _ladder(steward: Steward, ladder: str, ruleset: str) -> LiveCampaign:
    found = host_ladder(steward, ruleset) if ladder == HOST else ladder
    return await steward.campaigns.get(found or ladder)


def host_ladder(steward: Steward, ruleset: str) -> str:
    """The id of the ladder that the host has opened for a game; "" for none."""
    found = requests.find(steward.store, HOST, kept_under(_key(ruleset)))
    return found.body.decode() if found is not None else ""


async def open_host_ladders(steward: Steward, games: Iterable[str]) -> None:
    """Open the ladders that the settings name, each once, however often the server starts and wherever it was killed:
    the request that is kept with the opening says that it was done.

    Raises: Refusal core.unknown-ruleset
    """
    for code in games:
        title = steward.battles.ruleset(code).title
        if not host_ladder(steward, code):
            file = {"campaign": "ladder", "title": f"{title}: {steward.battles.settings.host}", "ruleset": code}
            await open_campaign(steward, Player(HOST, steward.battles.settings.host), to_toml(file), _key(code))


def _key(ruleset: str) -> str:
    return f"ladder of {ruleset}"
