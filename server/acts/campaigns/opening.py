"""Open a campaign from its file."""

from collections.abc import Sequence
from hashlib import sha256

from msgspec.structs import replace

from domain.basics.data import parse_toml
from domain.basics.errors import Refusal
from domain.campaign.acts import opening
from domain.campaign.config import CampaignConfig, bad_file, resolved
from domain.campaign.state import Officer
from domain.events.battle import Fact
from replay.writing.signatures import require_signer
from server.acts.campaigns.armies import require_armies
from server.acts.campaigns.seasons import require_club
from server.acts.campaigns.seeding import require_ladders
from server.campaigns.boards import require_playable
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.recording import CampaignRecording
from server.campaigns.steward import Steward
from server.people.players import Player
from server.play.request import key_reused
from server.store import Statement, Violated
from server.store.tables import requests, seasons

LONGEST_FILE = 65_536
"""Characters of a campaign file."""


async def open_campaign(steward: Steward, player: Player, text: str, key: str = "", signer: str = "") -> LiveCampaign:
    """Open a campaign; its opener organises it. The same `key` again gives the same campaign.

    Shape:  `text` a campaign file (`domain.campaign.config`); `signer` the key with which the organiser signs all they
            say in it, "" for none
    Raises: Refusal core.file-too-large, core.file-too-deep, core.bad-toml, campaign.bad-file; core.unknown-ruleset,
            core.unknown-scenario, those of a game for its scenario; core.key-reused, core.bad-signer, core.weak-key
    """
    require_signer(signer)
    table = await steward.battles.workers.people.run(parse_toml, text, "campaign.toml")
    config = resolved(table)
    await require_playable(steward.battles, config)
    require_armies(steward.battles, config)
    await require_ladders(steward, player, config)
    wanted = sha256(text.encode()).digest()
    known = await _known(steward, player, key, wanted)
    if known is not None:
        return known
    _require_season(steward, player, config)

    def also(campaign: str) -> Sequence[Statement]:
        if not key:
            return ()
        kept = kept_under(key)
        return requests.accept(player.id, kept, wanted, campaign.encode()), requests.finish(player.id, kept)

    def make(recording: CampaignRecording) -> Sequence[Fact]:
        fact = opening(config, Officer(player.id, player.name, signer))
        return [replace(fact, event=replace(fact.event, **recording.bound()))]

    try:
        live = await steward.campaigns.open(make, also)
    except Violated:  # opened a moment ago under the same key
        known = await _known(steward, player, key, wanted)
        if known is None:
            raise
        return known
    steward.call()
    return live


def _require_season(steward: Steward, player: Player, config: CampaignConfig) -> None:
    """A division of a season is of a club that its opener organises, and is opened once (CAM-CLB-07).

    Raises: Refusal campaign.bad-file
    """
    season = config.season
    if season is None:
        return
    try:
        require_club(steward.store, season.club, player)
    except Refusal:
        raise bad_file("season.club") from None
    known = seasons.of_season(steward.store, season.club, season.name, season.number)
    if any(row.division == season.division for row in known):
        raise bad_file("season.division")


async def _known(steward: Steward, player: Player, key: str, wanted: bytes) -> LiveCampaign | None:
    """The campaign that the same request has opened.

    Raises: Refusal core.key-reused
    """
    found = requests.find(steward.store, player.id, kept_under(key)) if key else None
    if found is None:
        return None
    if found.digest != wanted:
        raise key_reused()
    return await steward.campaigns.get(found.body.decode())


def kept_under(key: str) -> str:
    """Under what the opening of a campaign is kept among the requests of its opener."""
    return f"campaign:{key}"
