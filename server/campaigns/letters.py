"""To whom an append of a campaign is told by letter: to all whom one of its events concerns."""

from collections.abc import Iterable, Iterator

from domain.basics.errors import Refusal
from domain.campaign.challenges import DECLINED, WITHDRAWN
from domain.campaign.events import (
    BattleSet,
    ByeGiven,
    CampaignEnded,
    DefaultGiven,
    EntrantJoined,
    EntrantLeft,
    LateNoted,
    ReserveJoined,
    ResultChanged,
    ResultCounted,
    RoundBegan,
    TableResult,
)
from domain.campaign.ladder_events import ChallengeEnded, ChallengeMade
from domain.campaign.notation import read_order
from domain.campaign.people import VACANT
from domain.campaign.rated import PERSON
from domain.campaign.state import CampaignState
from domain.events.battle import ContributionGiven, Event, OrderAccepted, RulingGiven
from replay.writing.clock import later
from server.store import Statement
from server.store.contract import TableRows
from server.store.tables import bulletins, outbox
from server.store.tables.bulletins import Bulletin
from server.store.tables.outbox import LetterKind

CAMPAIGN = "campaign"
"""Whose a bulletin is, where it is no club's."""
DAY_S = 24 * 3600
BY_MAIL = "mail"
"""The channel of a contribution that comes with a mail."""
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
    """The persons whom events concern, by id. Who enters by mail has the answer to it, and who rules knows the
    ruling."""
    events = list(events)
    answered = {one.side for one in events if isinstance(one, ContributionGiven) and one.channel == BY_MAIL}
    events = [one for one in events if not isinstance(one, EntrantJoined) or one.entrant not in answered]
    rulers = {one.player for one in events if isinstance(one, OrderAccepted)}
    ruled = {name for one in events if isinstance(one, RulingGiven) for name in ruled_on(one, after)}
    entrants = {name for one in events if not isinstance(one, RulingGiven) for name in entrants_of(one, after)}
    entrants |= {name for name in ruled if name in after.entrants and after.entrants[name].player not in rulers}
    found = (after.entrants[name] for name in entrants if name in after.entrants)
    waiting = {player for event in events for player in reserves_of(event, after)}
    return sorted({one.player for one in found if one.kind == PERSON} | waiting)


def reserves_of(event: Event, after: CampaignState) -> Iterator[str]:
    """The reserves whom an event concerns, as players: who has become one, and all of them when a place is vacant."""
    if isinstance(event, ReserveJoined):
        yield event.player
    elif is_vacated(event, after):
        yield from (one.player for one in after.reserves)


def is_vacated(event: Event, after: CampaignState) -> bool:
    """Whether an event makes a place vacant that a reserve may take (CAM-PPL-02)."""
    if not isinstance(event, EntrantLeft) or not after.began or after.is_ladder or event.reason not in VACANT:
        return False
    entrant = after.entrants[event.entrant]
    return bool(entrant.left) and not entrant.is_struck


def ruled_on(event: RulingGiven, after: CampaignState) -> Iterator[str]:
    """The entrants whom a ruling is about: those that its line names, those of its board, and those who still fight in
    a round whose deadline it moves."""
    try:
        order = read_order(event.effect)
    except Refusal:
        return
    yield from (name for name in (order.entrant, order.other) if name)
    named = [order.board] if order.board in after.boards else []
    if order.round and order.round <= len(after.rounds):
        named = [name for name in after.rounds[order.round - 1].boards if after.boards[name].is_running]
    for name in named:
        yield from after.boards[name].place.pair


def entrants_of(event: Event, after: CampaignState) -> Iterator[str]:
    """The entrants whom an event concerns."""
    if isinstance(event, BattleSet):
        yield from (event.south, event.north)
    elif isinstance(event, ByeGiven):
        yield event.entrant
    elif isinstance(event, EntrantJoined):
        if not after.is_ladder:
            yield event.entrant
    elif isinstance(event, EntrantLeft):
        if is_vacated(event, after):
            yield event.entrant
    elif isinstance(event, RulingGiven):
        yield from ruled_on(event, after)
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
