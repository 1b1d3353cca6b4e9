"""What a letter of a campaign tells of armies that live on: that orders are wanted, what a battle has cost."""

from collections.abc import Iterator, Sequence

from domain.basics.pace import text_of
from domain.campaign.events import RoundBegan
from domain.campaign.forces.nodes import node_of
from domain.campaign.state import CampaignState
from domain.campaign.theatre.events import ElementFared, ElementPromoted, HonourWon, NodeChosen, PointsGiven
from domain.events.battle import Event
from server.acts.plain_text import unlinked
from server.mail.campaign_pieces import CampaignReader
from server.shown.moments import moment_in_short
from server.words import say

OF_A_FORCE = (ElementFared, HonourWon, ElementPromoted)


def forces_told(events: Sequence[Event], state: CampaignState, reader: CampaignReader) -> Iterator[str]:
    """The lines about armies, in the order in which it happened; one for what all units of the reader have met."""
    lang = reader.lang
    met = [event for event in events if isinstance(event, ElementFared) and _is_own(event.force, state, reader)]
    if met:
        yield say(lang, "campaigns.letter.fared", units=", ".join(_fared(event, lang) for event in met))
    for event in events:
        if isinstance(event, HonourWon) and _is_own(event.force, state, reader):
            yield say(lang, "campaigns.letter.honour", unit=event.element, honour=event.honour)
        elif isinstance(event, ElementPromoted) and _is_own(event.force, state, reader):
            yield say(lang, "campaigns.letter.promoted", unit=event.element, was=event.was, now=event.now)
        elif isinstance(event, NodeChosen):
            winner = unlinked(state.entrants[event.winner].name) if event.winner else ""
            yield say(lang, f"campaigns.letter.node{'' if winner else '-drawn'}", name=winner)
    points = [event.total for event in events if isinstance(event, PointsGiven) and event.entrant == reader.entrant]
    if points:
        yield say(lang, "campaigns.letter.points", points=points[-1])
    for event in events:
        if isinstance(event, RoundBegan) and event.node:
            yield orders_wanted(event.round, state, reader)


def orders_wanted(number: int, state: CampaignState, reader: CampaignReader) -> str:
    """That a node takes orders, and until when."""
    each = state.rounds[number - 1]
    at = {"at": moment_in_short(text_of(each.deadline), reader.zone, reader.lang)} if each.deadline else {}
    return say(reader.lang, "campaigns.letter.orders", title=node_title(state, each.node), **at)


def node_title(state: CampaignState, name: str) -> str:
    """The battles of a node by their titles."""
    node = node_of(state.settings, name)
    return unlinked(" · ".join(battle.title or battle.scenario for battle in node.battles) or node.id)


def _is_own(force: str, state: CampaignState, reader: CampaignReader) -> bool:
    return state.theatre.forces[force].power == reader.entrant


def _fared(event: ElementFared, lang: str) -> str:
    die = {"die": event.die, "needed": event.needed} if isinstance(event.die, int) else {}
    return say(lang, f"campaigns.letter.fared-{event.now}", unit=event.element, **die)
