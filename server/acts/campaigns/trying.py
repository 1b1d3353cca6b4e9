"""Try order lines of a campaign: whether each would be accepted now. Nothing is stored."""

from domain.basics.errors import Refusal
from domain.campaign.acts import LineGiver, input_of
from domain.campaign.decide import decide
from domain.campaign.events import LotCast, LotsDrawn
from domain.campaign.evolve import evolve
from domain.campaign.known import known
from domain.campaign.notation import read_orders, write_order
from domain.campaign.orders import SEASON, CampaignOrder
from domain.campaign.refusals import require_held
from domain.campaign.state import CampaignState
from domain.campaign.theatre.books import on_tables
from domain.campaign.theatre.options import options_of
from domain.campaign.theatre.order_events import OrdersClosed
from domain.campaign.theatre.preview import foreseen, of_power
from domain.events.battle import DieRolled
from domain.events.event import Event
from server.acts.campaigns.lines import ACCEPTED_LINE, NOT_TRIED, REFUSED, AnsweredLine, player_named
from server.acts.campaigns.reading import require_reader
from server.acts.campaigns.seasons import require_next
from server.campaigns.boards import book_of
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.steward import Steward
from server.people.players import Player

UNKNOWABLE = (LotsDrawn, LotCast, DieRolled, OrdersClosed)
"""Events that nobody may know before they happen, or that open what others have ordered: what follows them is not
tried."""


async def try_lines(steward: Steward, player: Player, live: LiveCampaign, text: str) -> tuple[AnsweredLine, ...]:
    """What would become of lines given one after the other, without the events. Behind a line that draws lots, or opens
    orders, nothing is tried: an answer would tell them.

    Raises: Refusal campaign.unknown-campaign, core.parse
    """
    answers, _ = await _tried(steward, player, live, text)
    return answers


async def preview_turn(
    steward: Steward, player: Player, live: LiveCampaign, text: str
) -> tuple[tuple[AnsweredLine, ...], tuple[Event, ...]]:
    """What would become of lines, and on a map what the turn of the caller's power would come to with them if all
    others held, as far as no die decides (CAM-ORD-03).

    Raises: Refusal campaign.unknown-campaign, core.parse
    """
    answers, state = await _tried(steward, player, live, text)
    held = state.players.get(player.id, "")
    if not held or not live.state.takes_orders or not state.theatre.areas or not state.takes_orders:
        return answers, ()
    book = on_tables(book_of(steward.battles, state.settings))
    seen = known(state, held)
    return answers, foreseen(seen.theatre, seen.ordering.turn, book, held)


def options_for(steward: Steward, player: Player, live: LiveCampaign) -> tuple[CampaignOrder, ...]:
    """The orders that the caller may give to their forces now; none while orders are not taken.

    Raises: Refusal campaign.unknown-campaign, campaign.not-entered
    """
    require_reader(live, player)
    held = require_held(live.state, player.id).id
    state = known(live.state, held)
    if not state.takes_orders:
        return ()
    book = on_tables(book_of(steward.battles, state.settings))
    return tuple(options_of(state.theatre, of_power(state.ordering.turn, state.theatre, held), book, held))


async def _tried(
    steward: Steward, player: Player, live: LiveCampaign, text: str
) -> tuple[tuple[AnsweredLine, ...], CampaignState]:
    """What would become of lines, and the campaign after those that would be accepted. A line that opens the orders of
    others changes nothing here."""
    require_reader(live, player)
    state, answers, is_open = live.state, list[AnsweredLine](), True
    for place, order in enumerate(read_orders(text), 1):
        written = write_order(order)
        if not is_open:
            answers.append(AnsweredLine(place, written, NOT_TRIED))
            continue
        try:
            if order.verb == SEASON:
                await require_next(steward, player, live)
                answers.append(AnsweredLine(place, written, ACCEPTED_LINE))
                continue
            fact = input_of(state, order, LineGiver(player.id, line=place), player_named(steward, order))
            followed = decide(state, fact, await steward.given(live, fact))
        except Refusal as refusal:
            answers.append(AnsweredLine(place, written, REFUSED, refusal=refusal))
            is_open = False
            continue
        is_open = not any(isinstance(each.event, UNKNOWABLE) for each in followed)
        if is_open:
            for each in (fact, *followed):
                state = evolve(state, each.event)
        answers.append(AnsweredLine(place, written, ACCEPTED_LINE))
    return tuple(answers), state
