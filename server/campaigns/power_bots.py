"""What the bot of a power gives in a round: its part of the chance, its orders, that it is ready. Under fog it knows
what its alliance has seen.

All of it follows from the secret of the campaign, so that it is the same again after a kill, and nobody else knows it.
"""

from collections.abc import Iterator, Sequence

from domain.campaign.acts import LineGiver, input_of
from domain.campaign.forces.bot import army_orders
from domain.campaign.forces.lines import READY
from domain.campaign.known import known
from domain.campaign.orders import CampaignOrder
from domain.campaign.state import CampaignState, Entrant
from domain.campaign.theatre.bot import plan_turn
from domain.contract.campaign_book import CampaignBook
from domain.events.battle import ContributionGiven, Fact
from domain.log.fairness import M, Stream, plain_contribution
from server.campaigns.recording import CampaignRecording

CHANNEL = "bot"
TAG = "phalera power"


def bot_gives(recording: CampaignRecording, bot: Entrant, state: CampaignState) -> Sequence[Fact]:
    """What a bot gives to the chance of a round on a map, before its first line (CAM-LOG-03)."""
    if bot.id in state.ordering.came or not state.takes_orders or not state.theatre.areas:
        return ()
    t = state.round
    phrase = f"bot {_key(recording, bot, 'phrase')[:16].hex()}"
    value = plain_contribution(recording.id, t, bot.id, phrase).hex()
    given = ContributionGiven(bot.id, t, "plain", value, phrase=phrase, channel=CHANNEL)
    return (Fact(bot.id, given.RULE, given),)


def bot_lines(recording: CampaignRecording, bot: Entrant, book: CampaignBook) -> Iterator[Fact]:
    """The lines of a bot in a round, one after the other; each is to be entered before the next is asked for."""
    state = recording.state
    stream = Stream(_key(recording, bot, "orders"))
    if state.theatre.areas:
        plan = [*plan_turn(known(state, bot.id).theatre, book, bot.id, stream.below), CampaignOrder(READY)]
    else:
        plan = army_orders(state, book, bot.id)
    for place, order in enumerate(plan, 1):
        yield input_of(recording.state, order, LineGiver(bot.player, CHANNEL, place))


def _key(recording: CampaignRecording, bot: Entrant, purpose: str) -> bytes:
    return M(recording.dealer.keys.master, TAG, recording.id, recording.state.round, bot.id, purpose)
