"""When the steward has to look at a campaign next, and what is fought in it then."""

from collections.abc import Iterator

from domain.basics.pace import HOUR_MS, moment_of, text_of
from domain.campaign.config import AUTO, CampaignConfig, length_ms
from domain.campaign.deadlines import Shown, agenda
from domain.campaign.state import BoardState, CampaignState, Entrant
from server.store.tables.campaigns import NEVER

BOT = "bot"
"""The kind of an entrant that a bot is."""
LOOK_MS = HOUR_MS
"""How often such a campaign is looked at while battles are fought."""


def span_ms(config: CampaignConfig) -> int:
    """How long after a flag the server claims; 0: it never does."""
    claim = config.time.claim
    return length_ms(claim.removeprefix(AUTO)) if claim.startswith(AUTO) else 0


def next_look(state: CampaignState, now: str, shown: Shown) -> str:
    """The moment at which the steward has to look next at a campaign; `shown` as far as it is known."""
    if bots_to_order(state):
        return now
    left = agenda(state, shown)
    due = text_of(left[0].at) if left else NEVER
    if not span_ms(state.settings) or not any(True for _ in fought(state)):
        return due
    return min(due, text_of(moment_of(now) + LOOK_MS))


def bots_to_order(state: CampaignState) -> list[Entrant]:
    """The bots that have not given their orders to forces."""
    if not state.takes_orders:
        return []
    return [one for one in state.competing() if one.kind == BOT and one.id not in state.ordering.ready]


def fought(state: CampaignState) -> Iterator[BoardState]:
    """The boards, and the battles of a ladder, that are fought and not cut off."""
    boards = (state.boards[name] for each in state.rounds if each.open for name in each.boards)
    duels = (state.duels[battle] for battle in state.between.values())
    return (board for board in (*boards, *duels) if board.is_running and not board.is_cut)
