"""The letter of a campaign: whom one meets, what was counted, who is late, what became of it."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.basics.pace import text_of
from domain.campaign.events import (
    BattleSet,
    ByeGiven,
    CampaignEnded,
    DefaultGiven,
    EntrantJoined,
    EntrantLeft,
    LateNoted,
    LotsDrawn,
    ReserveJoined,
    ResultChanged,
    ResultCounted,
    RoundBegan,
    TableResult,
)
from domain.campaign.known import told_once
from domain.campaign.ladder_events import ChallengeEnded, ChallengeMade
from domain.campaign.notation import read_order, write_order
from domain.campaign.state import BoardState, CampaignState
from domain.events.battle import Event, RulingGiven
from projections.ratings.book import RatingStep
from server.acts.plain_text import unlinked
from server.campaigns.folding import folded_campaign
from server.campaigns.letters import entrants_of, reserves_of
from server.mail.blocks import HeadingLine, Link, Paragraph
from server.mail.campaign_pieces import (
    CampaignReader,
    board_blocks,
    round_blocks,
    scenario_name,
    table_blocks,
)
from server.mail.desk import campaign_answers
from server.mail.outgoing.letters.draft import LetterDraft
from server.mail.outgoing.letters.forces import forces_told, node_title
from server.mail.outgoing.letters.map_turn import MapTurnNews, turn_pieces
from server.mail.outgoing.letters.pieces import Lead, ListPiece, Piece
from server.mail.outgoing.letters.position import cut_of
from server.mail.outgoing.letters.ratings import rating_steps, rating_told
from server.mail.outgoing.letters.reader import LetterReader
from server.play.live_battles import LiveBattles
from server.shown.campaign_boards import result_words
from server.shown.moments import moment_in_short
from server.store.tables import correspondents
from server.words import say

COUNTED = (ResultCounted, ResultChanged, TableResult)
WHOLE = 2
"""Boards of the reader's own that are told with everything; of more each has a line."""


class CampaignNews(Struct, frozen=True):
    """What a letter of a campaign is about: its events, the campaign after them, for whom, and where its pages are. The
    `player` may be a reserve; `steps` are what rated battles of a ladder have changed for the reader."""

    campaign: str
    events: Sequence[Event]
    state: CampaignState
    reader: CampaignReader
    address: str
    game: str
    player: str = ""
    steps: Mapping[str, RatingStep] = {}

    @property
    def title(self) -> str:
        """The title of the campaign."""
        return unlinked(self.state.settings.title)

    @property
    def own(self) -> list[Event]:
        """The events that concern the reader."""
        state, entrant = self.state, self.reader.entrant
        return [
            event
            for event in self.events
            if entrant in entrants_of(event, state) or self.player in reserves_of(event, state)
        ]

    @property
    def boards(self) -> list[BoardState]:
        """The boards of the reader that were set, or to which they have come; the battles of a ladder are none."""
        if self.state.began and any(isinstance(event, EntrantJoined) for event in self.own):
            return [board for board in self.state.boards_of(self.reader.entrant) if board.is_running]
        set_ = (event.board for event in self.own if isinstance(event, BattleSet) and event.board)
        return [self.state.boards[name] for name in set_]

    def say(self, msgid: str, **told: object) -> str:
        """A sentence in the reader's language; it may name the campaign."""
        return say(self.reader.lang, f"campaigns.letter.{msgid}", **{"title": self.title, **told})


async def campaign_draft(battles: LiveBattles, about: str, reader: LetterReader) -> LetterDraft | None:
    """The letter about events `CAMPAIGN.FIRST.LAST`, as far as they concern its reader; None if none does."""
    campaign, first, last = about.split(".")
    read = await asyncio.to_thread(folded_campaign, battles.store, campaign, int(last), reader.player)
    if read is None:
        return None
    events, state = read
    own, wishes = _entrant(state, reader.player), correspondents.find(battles.store, reader.player)
    told_to = CampaignReader(own, reader.zone, reader.lang)
    steps: Mapping[str, RatingStep] = {}
    if state.is_ladder and any(isinstance(event, ResultCounted) for event in events[int(first) - 1 :]):
        steps = await asyncio.to_thread(rating_steps, battles.store, campaign, int(last), own)
    game = battles.ruleset(state.ruleset).title
    address, newest = battles.settings.address, enumerate(events[int(first) - 1 :], int(first))
    new = [event for _, event in told_once(state.theatre, newest)]
    news = CampaignNews(campaign, new, state, told_to, address, game, reader.player, steps)
    if not news.own or wishes.stopped or wishes.delivery == "none":
        return None
    if any(isinstance(event, RoundBegan) for event in news.own) and state.takes_orders and state.theatre.areas:
        return await _turn_draft(events, news)
    msgid, told = _gist(news)
    pieces = [Lead(news.say(f"lead-{msgid}", **told)), cut_of(None, reader.lang), *_pieces(news)]
    return LetterDraft(title=news.title, subject=news.say(f"subject-{msgid}", **told), pieces=pieces)


def _entrant(state: CampaignState, player: str) -> str:
    """The entrant of somebody who competes, or has been made to leave; "" for anybody else."""
    left = (one.id for one in state.entrants.values() if one.player == player and one.left)
    return state.players.get(player) or next(left, "")


async def _turn_draft(events: Sequence[Event], news: CampaignNews) -> LetterDraft:
    """The letter of a turn on a map."""
    page = f"{news.address}/campaigns/{news.campaign}/map"
    told, turn = {"turn": news.state.round}, MapTurnNews(news.campaign, events, news.state, news.reader, page)
    above: list[Piece] = [Lead(news.say("lead-turn", **told)), cut_of(None, news.reader.lang)]
    pieces = await asyncio.to_thread(turn_pieces, turn, above)
    return LetterDraft(title=news.title, subject=news.say("subject-turn", **told), pieces=pieces)


def _gist(news: CampaignNews) -> tuple[str, dict[str, object]]:
    """What matters most in a letter: the end, a battle, a bye, lateness, a result; as the id of a sentence and what it
    tells."""
    own, entrants = news.own, news.state.entrants
    ended = next((event for event in own if isinstance(event, CampaignEnded)), None)
    if ended is not None:
        return "ended", {"names": ", ".join(unlinked(entrants[one].name) for one in ended.winners)}
    boards = news.boards
    if len(boards) == 1:
        place = boards[0].place
        other = unlinked(entrants[place.other(news.reader.entrant)].name)
        return "round", {"round": place.round, "board": place.name, "name": other}
    if boards:
        return "rounds", {"count": len(boards)}
    for event in own:
        if isinstance(event, ByeGiven):
            return "bye", {"round": event.round}
        if isinstance(event, LateNoted):
            return ("late", {"board": event.board}) if event.board else ("late-orders", {})
        if isinstance(event, RoundBegan):
            return "orders", {"node": node_title(news.state, event.node or "")}
        if isinstance(event, _OF_PEOPLE):
            return _of_people(event, news)
    if len(own) == 1 and isinstance(own[0], (*COUNTED, DefaultGiven)) and own[0].board:
        board = news.state.boards[own[0].board]
        return "counted", {"board": board.place.name, "result": result_words(news.state, board, news.reader.lang)}
    return "news", {}


_OF_PEOPLE = (EntrantJoined, EntrantLeft, ReserveJoined, RulingGiven)


def _of_people(
    event: EntrantJoined | EntrantLeft | ReserveJoined | RulingGiven, news: CampaignNews
) -> tuple[str, dict[str, object]]:
    """The gist of a letter about somebody who has come or gone, or a ruling."""
    if isinstance(event, RulingGiven):
        return "ruling", {}
    if isinstance(event, ReserveJoined):
        return "reserve", {}
    if isinstance(event, EntrantJoined):
        return "entered", {"entrant": event.entrant}
    if event.entrant == news.reader.entrant:
        return "gone", {}
    return "vacancy", {"name": unlinked(news.state.entrants[event.entrant].name), "entrant": event.entrant}


def _pieces(news: CampaignNews) -> Iterator[Piece]:
    """What follows the cut line."""
    state, reader, boards = news.state, news.reader, news.boards
    if any(isinstance(event, LotsDrawn) for event in news.events):
        rank = state.order.index(reader.entrant) + 1
        yield Paragraph(news.say("lots", rank=rank, count=len(state.order)))
    lines = [line for event in news.own for line in _lines(event, news)]
    if state.has_forces:
        lines += forces_told(news.events, state, reader)
    if lines:
        yield ListPiece(tuple((0, line) for line in lines))
    yield from _own_boards(news, boards)
    rounds = {board.place.round for board in boards}
    rounds |= {event.round for event in news.own if isinstance(event, ByeGiven)}
    first = min(rounds, default=0)
    if first > 1:
        yield from round_blocks(state, state.rounds[first - 2], reader)
    if first or any(isinstance(event, (*COUNTED, DefaultGiven, CampaignEnded)) for event in news.own):
        yield from table_blocks(state, reader)
    if len(rounds) == 1:
        without = frozenset(board.place.name for board in boards)
        yield from round_blocks(state, state.rounds[first - 1], reader, without)
    if not state.is_over and (reader.entrant in state.players.values() or not reader.entrant):
        yield HeadingLine(news.say("write"))
        yield campaign_answers(state, reader.entrant, reader.lang)
    yield Link(news.say("link"), f"{news.address}/campaigns/{news.campaign}")


def _own_boards(news: CampaignNews, boards: Sequence[BoardState]) -> Iterator[Piece]:
    """The battles of the reader that begin: one or two with everything, more of them a line each."""
    if 0 < len(boards) <= WHOLE:
        for board in boards:
            yield from board_blocks(news.state, board, news.reader, news.address, news.game)
    elif boards:
        scenario = scenario_name(news.state)
        yield HeadingLine(news.say("battles"))
        yield Paragraph(news.say("fought", game=news.game, scenario=scenario, pace=news.state.settings.time.pace))
        yield ListPiece(tuple((0, _set_line(news, board)) for board in boards))


def _set_line(news: CampaignNews, board: BoardState) -> str:
    other = unlinked(news.state.entrants[board.place.other(news.reader.entrant)].name)
    deadline = board.deadline or news.state.rounds[board.place.round - 1].deadline
    until = {"at": moment_in_short(text_of(deadline), news.reader.zone, news.reader.lang)} if deadline else {}
    told = {"board": board.place.name, "name": other, "side": board.side_of(news.reader.entrant), **until}
    return news.say("set", link=f"{news.address}/battles/{board.battle}", **told)


def _lines(event: Event, news: CampaignNews) -> Iterator[str]:
    """What an event is to the reader, in a sentence."""
    state, reader = news.state, news.reader
    names = state.entrants
    if isinstance(event, LateNoted):
        who = ", ".join(unlinked(names[one].name) for one in event.who)
        until = moment_in_short(event.until, reader.zone, reader.lang)
        yield news.say(f"late-{event.what}", names=who, board=event.board or "", at=until)
    elif isinstance(event, DefaultGiven):
        winner = unlinked(names[event.winner].name) if event.winner else ""
        yield news.say(f"default{'' if winner else '-both'}", board=event.board, name=winner)
    elif isinstance(event, BattleSet) and not event.board:
        other = event.north if reader.entrant == event.south else event.south
        told = {"side": "south" if reader.entrant == event.south else "north", "name": unlinked(names[other].name)}
        yield news.say("set-duel", link=f"{news.address}/battles/{event.battle}", **told)
    elif isinstance(event, ChallengeMade | ChallengeEnded):
        yield _of_challenge(event, news)
    elif isinstance(event, COUNTED):
        yield _counted(event, news)
        yield from rating_told(news.steps.get(getattr(event, "battle", "")), reader.lang)
    elif isinstance(event, RulingGiven):
        told = {"docket": event.docket, "effect": write_order(read_order(event.effect), reader.lang)}
        because = {"because": event.ruling} if event.ruling else {}
        yield news.say(f"ruling{'-because' if because else ''}", **told, **because)
    elif isinstance(event, EntrantJoined) and not state.began:
        yield _entered(news)
    elif isinstance(event, CampaignEnded):
        won = ", ".join(unlinked(names[one].name) for one in event.winners)
        yield news.say(f"ended{'' if won else '-nobody'}", names=won)


def _entered(news: CampaignNews) -> str:
    """How many are in, and when it begins."""
    state, reader = news.state, news.reader
    closes = state.settings.closes_at
    told = {"count": len(state.players), "name": unlinked(state.organiser.name)}
    if closes is None:
        return news.say("entered-organiser", **told)
    return news.say("entered-closes", at=moment_in_short(text_of(closes), reader.zone, reader.lang), **told)


def _counted(event: ResultCounted | ResultChanged | TableResult, news: CampaignNews) -> str:
    """What came of a board, or of a battle of a ladder."""
    board = news.state.board_of(event.board, event.battle if isinstance(event, ResultCounted) else "")
    assert board is not None  # `entrants_of` has named its two
    winner = unlinked(news.state.entrants[board.victor].name) if board.victor else ""
    kept = dict(zip(("south", "north"), board.kept, strict=True))
    kind = f"{'counted' if event.board else 'duel'}{'' if winner else '-drawn'}"
    return news.say(kind, board=event.board, name=winner, **kept)


def _of_challenge(event: ChallengeMade | ChallengeEnded, news: CampaignNews) -> str:
    """A challenge, or what has become of it."""
    own, reader = news.reader.entrant, news.reader
    other = news.state.entrants[event.challenged if own == event.challenger else event.challenger]
    told = {"name": unlinked(other.name), "entrant": other.id}
    if isinstance(event, ChallengeMade):
        return news.say("challenged", at=moment_in_short(event.until, reader.zone, reader.lang), **told)
    return news.say(f"challenge-{event.reason}", **told)
