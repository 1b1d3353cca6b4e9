"""Enter a campaign: as one who competes, as a reserve, or a bot that its organiser enters."""

import re
from collections.abc import Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.events import EntrantJoined, ReserveJoined
from domain.campaign.refusals import require_organiser
from domain.campaign.state import CampaignState
from domain.events.battle import ContributionGiven, Fact
from domain.log.fairness import plain_contribution
from domain.run.bots import BOT, BOTS
from replay.writing.signatures import require_signer
from server.acts.campaigns.armies import army_for, army_of_bot
from server.acts.campaigns.lines import NO_WORD, GivenWord
from server.acts.campaigns.reading import require_reader
from server.acts.campaigns.seeding import seed_of
from server.armies import OwnArmy
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.steward import Steward
from server.people.players import Player, require_name
from server.play.seating import BOT_NAMES, usable_phrase

MOST_BOTS = 64
"""Bots of one campaign."""
_NUMBER = re.compile(r"p([1-9][0-9]*)")


class CampaignEntry(Struct, frozen=True):
    """How somebody enters. `entrant` is the id that they want, "": the next free one; `phrase` their part of the chance
    of the lots, "": none; `bot` the kind of bot that the organiser enters, "": the player themselves; `army` what
    they bring, None: nothing, for a bot any army; `signer` the key with which they sign from here on, "": none, and
    `word` their signature of entering."""

    entrant: str = ""
    phrase: str = ""
    is_reserve: bool = False
    bot: str = ""
    channel: str = "page"
    army: OwnArmy | None = None
    signer: str = ""
    word: GivenWord = NO_WORD


async def enter_campaign(steward: Steward, player: Player, live: LiveCampaign, entry: CampaignEntry) -> str:
    """Enter; who is in already enters again without a change. Returns the id of the entrant, "" for a reserve.

    Raises: Refusal campaign.unknown-campaign, campaign.ended, campaign.entry-closed, campaign.full,
            campaign.already-entered, campaign.no-such-entrant, campaign.not-organiser,
            campaign.army-not-legal and those of the game for what is no army; core.unknown-bot,
            core.phrase-missing, core.phrase-too-long, core.bad-name; as `server.campaigns.signed.require_word`
    """
    require_reader(live, player)
    require_signer(entry.signer)
    phrase = usable_phrase(entry.phrase)
    state = live.state
    if entry.bot:
        joined = _bot(steward, state, player, entry)
        await steward.enter(live, Fact("organiser", joined.RULE, replace(joined, **entry.word.members())))
        return joined.entrant
    held = state.players.get(player.id)
    if held is not None:
        return held
    name = require_name(player.name)
    if entry.is_reserve:
        if all(one.player != player.id for one in state.reserves):
            reserve = ReserveJoined(player.id, name, signer=entry.signer or UNSET)
            await steward.enter(live, Fact("server", reserve.RULE, reserve))
        return ""
    entrant = entering_as(state, player, entry)
    rating, army = await seed_of(steward, state.settings, player.id), army_for(state.settings, entry.army)
    seated = EntrantJoined(
        entrant,
        player.id,
        name,
        "person",
        "plain",
        rating=rating,
        army=army,
        signer=entry.signer or UNSET,
        **entry.word.members(),
    )
    await steward.enter(live, Fact(entrant, seated.RULE, seated), then=_contributed(live, entrant, phrase, entry))
    return entrant


def entering_as(state: CampaignState, player: Player, entry: CampaignEntry) -> str:
    """The id under which somebody enters."""
    return entry.entrant or former_id(state, player.id) or next_id(state)


def former_id(state: CampaignState, player: str) -> str:
    """The id that somebody had in a ladder which they left: their rating waits for them. "" for none."""
    if not state.is_ladder:
        return ""
    return next((one.id for one in state.entrants.values() if one.player == player), "")


def next_id(state: CampaignState) -> str:
    """The next of `p1`, `p2` … that nobody has or had; in a campaign between sides the first that is free."""
    free = [seat for seat in state.settings.seats if seat not in state.entrants or state.entrants[seat].left]
    if free:
        return free[0]
    found = [int(match[1]) for name in state.entrants if (match := _NUMBER.fullmatch(name))]
    return f"p{max(found, default=0) + 1}"


def _bot(steward: Steward, state: CampaignState, player: Player, entry: CampaignEntry) -> EntrantJoined:
    """A bot's entry. One kind may enter often, so its id has that of the entrant."""
    require_organiser(state, player.id)
    if entry.bot not in BOTS:
        raise Refusal("core.unknown-bot", "CORE-SIDE", bot=entry.bot[:40], known=list(BOTS))
    bots = sum(1 for entrant in state.entrants.values() if entrant.kind == "bot")
    if bots >= MOST_BOTS:
        raise Refusal("campaign.full", "CAM-PPL-01", most=MOST_BOTS)
    entrant = entry.entrant or next_id(state)
    config, name = state.settings, f"{BOT_NAMES[entry.bot]} {bots + 1}"
    army = army_for(config, entry.army) if entry.army else army_of_bot(config, steward.campaigns.entropy)
    return EntrantJoined(entrant, f"{BOT}{entry.bot}.{entrant}", name, "bot", army=army)


def _contributed(live: LiveCampaign, entrant: str, phrase: str, entry: CampaignEntry) -> Sequence[Fact]:
    """The contribution that comes with entering (CAM-LOG-03)."""
    if not phrase:
        return ()
    t = live.state.round
    value = plain_contribution(live.id, t, entrant, phrase).hex()
    given = ContributionGiven(entrant, t, "plain", value, phrase=phrase, channel=entry.channel or UNSET)
    return (Fact(entrant, given.RULE, given),)
