"""Why in a campaign: the reasons of a board, of a bye, of an entrant's place, in words with the rule of each."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.campaign.config import GIVEN, LOTS, RATING
from domain.campaign.events import EntrantJoined, EntrantLeft, LotsDrawn, RoundBegan
from domain.campaign.evolve import START, evolve
from domain.campaign.refusals import no_such_board, no_such_entrant, require_board
from domain.campaign.state import CampaignState
from domain.events.battle import Event
from server.shown.board_reasons import bye_reasons, pairing_reasons, result_reasons
from server.shown.casualty_reasons import casualty_reasons, is_casualty
from server.shown.reason_words import CampaignReason, ReasonWords
from server.shown.table_reasons import table_reasons


class CampaignReasons(Struct, frozen=True):
    """What is asked for, a board or an entrant, and its reasons in the order in which they came about."""

    about: str
    reasons: tuple[CampaignReason, ...]


def reasons_of(events: Sequence[Event], state: CampaignState, about: str, lang: str) -> CampaignReasons:
    """The reasons of a board (`2.3`), of an entrant (`p4`), or of what an event by its number is about.

    Shape:  `events` are the whole log, `state` that after the last of them
    Raises: Refusal core.no-such-event, campaign.no-such-board, campaign.no-such-entrant
    """
    words = ReasonWords(state, lang)
    if about.isdecimal() and 1 <= (n := int(about[:12])) <= len(events) and is_casualty(events[n - 1]):
        return CampaignReasons(about, tuple(casualty_reasons(events, n, words)))
    if about.isdecimal():
        about = _named_by(events, about)
    if about[:1].isdecimal():
        return CampaignReasons(about, tuple(_of_board(events, state, about, words)))
    if about not in state.entrants:
        raise no_such_entrant(about[:40])
    return CampaignReasons(about, tuple(_of_entrant(events, state, about, words)))


def _named_by(events: Sequence[Event], about: str) -> str:
    """The board or the entrant that an event is about."""
    n = int(about[:12])
    if not 1 <= n <= len(events):
        raise Refusal("core.no-such-event", "CORE-ACCESS", n=n, last=len(events))
    event: Any = events[n - 1]
    if isinstance(event, LotsDrawn):
        return event.order[0]
    board = getattr(event, "board", "") or ""
    entrant = getattr(event, "entrant", "") or ""
    if not board and not entrant:
        raise no_such_board(about)
    return str(board or entrant)


def _of_board(events: Sequence[Event], state: CampaignState, name: str, words: ReasonWords) -> Iterator[CampaignReason]:
    board = require_board(state, name[:40])
    yield from pairing_reasons(_before(events, board.place.round), board, words)
    yield from result_reasons(events, board, words)


def _of_entrant(
    events: Sequence[Event], state: CampaignState, name: str, words: ReasonWords
) -> Iterator[CampaignReason]:
    yield from _seeding(events, state, name, words)
    for each in state.rounds:
        if name in each.byes:
            yield from bye_reasons(_before(events, each.number), each.number, name, words)
    yield from table_reasons(events, name, words)


def _seeding(events: Iterable[Event], state: CampaignState, name: str, words: ReasonWords) -> Iterator[CampaignReason]:
    """The rank number, and where it comes from (CAM-RND-02)."""
    if name not in state.order:
        return
    rank, entrants, drawn = state.order.index(name) + 1, len(state.order), _drawn(events)
    seed = state.cup.seed if state.is_cup else LOTS
    kind = "late" if name not in drawn else GIVEN if seed == GIVEN else LOTS if seed == LOTS else RATING.strip()
    rating = state.entrants[name].rating
    yield words.reason("CAM-RND-02", f"seed-{kind}", name=words.name(name), rank=rank, count=entrants, rating=rating)
    for event in events:
        if isinstance(event, EntrantLeft) and event.entrant == name:
            yield words.reason("CAM-PPL-04", f"left-{event.reason}", name=words.name(name))
        elif isinstance(event, EntrantJoined) and event.entrant == name and event.player != _first(events, name):
            yield words.reason("CAM-PPL-03", "substitute", name=event.name, entrant=name)


def _drawn(events: Iterable[Event]) -> frozenset[str]:
    return frozenset(name for event in events if isinstance(event, LotsDrawn) for name in event.order)


def _first(events: Iterable[Event], name: str) -> str:
    return next(one.player for one in events if isinstance(one, EntrantJoined) and one.entrant == name)


def _before(events: Iterable[Event], number: int) -> CampaignState:
    """The campaign before a round began: what the round was paired from."""
    state = START
    for event in takewhile(lambda one: not (isinstance(one, RoundBegan) and one.round == number), events):
        state = evolve(state, event)
    return state
