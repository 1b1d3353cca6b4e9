"""Try order lines of a campaign: whether each would be accepted now. Nothing is stored."""

from domain.basics.errors import Refusal
from domain.campaign.acts import LineGiver, input_of
from domain.campaign.decide import decide
from domain.campaign.events import LotCast, LotsDrawn
from domain.campaign.evolve import evolve
from domain.campaign.notation import read_orders, write_order
from domain.events.battle import DieRolled
from server.acts.campaigns.lines import ACCEPTED_LINE, NOT_TRIED, REFUSED, AnsweredLine, player_named
from server.acts.campaigns.reading import require_reader
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.steward import Steward
from server.people.players import Player

OF_CHANCE = (LotsDrawn, LotCast, DieRolled)
"""Events that nobody may know before they are drawn: what follows them is not tried."""


async def try_lines(steward: Steward, player: Player, live: LiveCampaign, text: str) -> tuple[AnsweredLine, ...]:
    """What would become of lines given one after the other, without the events. Behind a line that draws lots nothing
    is tried: an answer would tell them.

    Raises: Refusal campaign.unknown-campaign, core.parse
    """
    require_reader(live, player)
    state, answers, is_open = live.state, list[AnsweredLine](), True
    for place, order in enumerate(read_orders(text), 1):
        written = write_order(order)
        if not is_open:
            answers.append(AnsweredLine(place, written, NOT_TRIED))
            continue
        try:
            fact = input_of(state, order, LineGiver(player.id, line=place), player_named(steward, order))
            followed = decide(state, fact, await steward.given(live, fact))
        except Refusal as refusal:
            answers.append(AnsweredLine(place, written, REFUSED, refusal=refusal))
            is_open = False
            continue
        for each in (fact, *followed):
            state = evolve(state, each.event)
        is_open = not any(isinstance(each.event, OF_CHANCE) for each in followed)
        answers.append(AnsweredLine(place, written, ACCEPTED_LINE))
    return tuple(answers)
