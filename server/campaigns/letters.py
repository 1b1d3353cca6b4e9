"""To whom an append of a campaign is told by letter: to all whom one of its events concerns."""

from collections.abc import Iterable, Iterator

from domain.campaign.challenges import DECLINED, WITHDRAWN
from domain.campaign.events import (
    BattleSet,
    ByeGiven,
    CampaignEnded,
    DefaultGiven,
    LateNoted,
    ResultChanged,
    ResultCounted,
    RoundBegan,
    TableResult,
)
from domain.campaign.ladder_events import ChallengeEnded, ChallengeMade
from domain.campaign.rated import PERSON
from domain.campaign.state import CampaignState
from domain.events.battle import Event
from replay.writing.clock import later
from server.store import Statement
from server.store.contract import TableRows
from server.store.tables import bulletins, outbox
from server.store.tables.bulletins import Bulletin
from server.store.tables.outbox import LetterKind

CAMPAIGN = "campaign"
"""Whose a bulletin is, where it is no club's."""
DAY_S = 24 * 3600
OF_A_BOARD = (DefaultGiven, LateNoted, ResultChanged, ResultCounted, TableResult)
"""Events that both entrants of a board are told of."""


def letters_of(campaign: str, first: int, events: list[Event], after: CampaignState, at: str) -> list[Statement]:
    """A letter for each person whom events from `first` on concern: one about all of them."""
    about = f"{LetterKind.CAMPAIGN}:{campaign}.{first}.{first + len(events) - 1}"
    return [outbox.post("", 0, player, about, at) for player in concerned(events, after)]


def due_of(made: str) -> str:
    """When a bulletin goes that is made at a time: a day later, in which its organiser reads and amends it."""
    return later(made, DAY_S)


def bulletin_of_round(store: TableRows, campaign: str, number: int, opened: str, at: str) -> Statement:
    """The bulletin of a round that has ended `at` a time; it tells what has happened since the one before, or since the
    campaign was `opened` (CAM-CLB-06)."""
    before = bulletins.find(store, CAMPAIGN, campaign, number - 1)
    since = before.until if before is not None else opened
    id_ = bulletins.id_of(CAMPAIGN, campaign, number)
    return bulletins.add(Bulletin(id_, CAMPAIGN, campaign, number, since, at, due_of(at)))


def concerned(events: Iterable[Event], after: CampaignState) -> list[str]:
    """The persons whom events concern, by id."""
    entrants = {name for event in events for name in entrants_of(event, after)}
    found = (after.entrants[name] for name in entrants if name in after.entrants)
    return sorted({one.player for one in found if one.kind == PERSON})


def entrants_of(event: Event, after: CampaignState) -> Iterator[str]:
    """The entrants whom an event concerns."""
    if isinstance(event, BattleSet):
        yield from (event.south, event.north)
    elif isinstance(event, ByeGiven):
        yield event.entrant
    elif isinstance(event, CampaignEnded) or (isinstance(event, RoundBegan) and after.has_forces):
        yield from (name for name, entrant in after.entrants.items() if not entrant.left)
    elif isinstance(event, ChallengeMade):
        yield event.challenged
    elif isinstance(event, ChallengeEnded):
        if event.reason != WITHDRAWN:
            yield event.challenger
        if event.reason != DECLINED:
            yield event.challenged
    elif isinstance(event, LateNoted) and not event.board:
        yield from event.who
    elif isinstance(event, OF_A_BOARD):
        battle = event.battle if isinstance(event, ResultCounted) else ""
        board = after.board_of(event.board or "", battle)
        yield from board.place.pair if board is not None else ()
