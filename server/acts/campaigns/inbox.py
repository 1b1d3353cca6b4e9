"""What waits for a player in their campaigns: a battle or a cup to begin, a late board, a vacant place."""

from collections.abc import AsyncIterator, Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.pace import text_of
from domain.campaign.state import BoardState, CampaignState
from server.campaigns.boards import running, shown_of
from server.campaigns.listing import listed_campaigns
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.steward import Steward
from server.campaigns.summary import ENDED
from server.people.players import Player
from server.store.tables import campaigns
from server.words import say

MOST = 20
"""The newest campaigns of a player that are looked at."""
SHOW, LATE, BEGIN, LATE_BOARDS, VACANT = "show", "late", "begin", "late-boards", "vacant"
ORDERS = "orders"


class CampaignCall(Struct, frozen=True):
    """Something that waits. `kind` is `show late begin late-boards vacant orders`; `name` the opponent, or the vacant
    entrant; `count` entrants or boards; `at` the moment at which something follows, "" for none."""

    kind: str
    campaign: str
    title: str
    board: str = ""
    battle: str = ""
    round: int = 0
    name: str = ""
    count: int = 0
    at: str = ""


def call_words(call: CampaignCall, at: str, lang: str) -> str:
    """What waits, in a sentence; `at` is its moment as its reader reads it."""
    told = {"title": call.title, "board": call.board, "round": call.round, "name": call.name, "count": call.count}
    return say(lang, f"campaigns.call.{call.kind}", at=at, **told)


async def calls_of(steward: Steward, player: Player) -> list[CampaignCall]:
    """What waits for a player, the newest campaign first; what is over has nothing."""
    ids = campaigns.of_player(steward.store, player.id, MOST)
    rows = await listed_campaigns(steward.campaigns, ids)
    found = list[CampaignCall]()
    for row in rows:
        if row.status != ENDED:
            live = await steward.campaigns.get(row.campaign)
            found += [call async for call in _of_player(steward, live, player.id)]
    return found


async def _of_player(steward: Steward, live: LiveCampaign, player: str) -> AsyncIterator[CampaignCall]:
    state, title = live.state, live.state.settings.title
    own = state.players.get(player, "")
    if own and state.takes_orders and own not in state.ordering.ready:
        each = state.rounds[-1]
        at = text_of(each.deadline) if each.deadline else ""
        yield CampaignCall(ORDERS, live.id, title, round=each.number, at=at)
    for board in _running(state):
        if own in board.place.pair and own:
            call = await _on_board(steward, live, board, own)
            if call is not None:
                yield call
    if state.umpires(player) or player == state.organiser.player:
        for call in _of_officer(live, player):
            yield call
    if not own and any(one.player == player for one in state.reserves):
        for entrant in state.entrants.values():
            if entrant.left and state.began:
                yield CampaignCall(VACANT, live.id, title, name=entrant.id)


def _running(state: CampaignState) -> Iterator[BoardState]:
    found = (state.boards[name] for each in state.rounds if each.open for name in each.boards)
    return (board for board in found if board.is_running)


async def _on_board(steward: Steward, live: LiveCampaign, board: BoardState, own: str) -> CampaignCall | None:
    """What a board wants of an entrant; None for nothing that the list of battles does not say."""
    state = live.state
    other = state.entrants[board.place.other(own)].name
    call = CampaignCall(
        LATE, live.id, state.settings.title, board.place.name, board.battle, board.place.round, name=other
    )
    late = [one.until for one in board.late.values() if own in one.who]
    if late:
        return replace(call, at=text_of(min(late)))
    if board.show and own not in shown_of(board, await running(steward.battles, board)):
        return replace(call, kind=SHOW, at=text_of(board.show))
    return None


def _of_officer(live: LiveCampaign, player: str) -> Iterator[CampaignCall]:
    state, title = live.state, live.state.settings.title
    entered = len(state.players)
    if not state.began and state.organiser.player == player and entered >= state.settings.entry.least:
        yield CampaignCall(BEGIN, live.id, title, count=entered)
    late = sum(1 for board in _running(state) if board.late)
    if late:
        yield CampaignCall(LATE_BOARDS, live.id, title, count=late)
