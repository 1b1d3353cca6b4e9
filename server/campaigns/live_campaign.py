"""One campaign while it is written: memory, store, who takes part, what is due."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import UNSET

from domain.campaign.decide import SEND
from domain.campaign.events import (
    CAMPAIGN_EVENTS,
    BattleCutOff,
    BattleSet,
    CampaignOpened,
    DefaultGiven,
    EntrantJoined,
    ReserveJoined,
    ResultCounted,
    RoleGiven,
    RoundEnded,
    TableResult,
)
from domain.campaign.rated import period
from domain.campaign.standings import TableRow, standings
from domain.campaign.state import BoardState, CampaignState, contest_of
from domain.events.battle import Event, Fact, OrderAccepted
from domain.log import record
from projections.ratings.book import LadderBook
from projections.ratings.ladder import LadderRow
from replay.proof import notes
from replay.writing.clock import Clock
from server.campaigns.letters import bulletin_of_round, letters_of
from server.campaigns.looking import next_look
from server.campaigns.recording import CampaignBatch, CampaignRecording
from server.campaigns.summary import summary_of
from server.play.live_battle import SEALED
from server.store import EventStore, Statement, StoreFailed
from server.store.tables import campaigns, seasons, vault
from server.store.tables.seasons import DivisionRow

CUTS = (BattleCutOff, DefaultGiven, TableResult)
"""What ends a battle that is still fought."""

Make = Callable[[CampaignRecording], CampaignBatch]
"""Prepares an append for the campaign as it is; may refuse."""
Attach = Callable[[CampaignBatch], Sequence[Statement]]
"""What is stored in the transaction of an append."""


First = Callable[[CampaignState], Sequence[Fact]]
"""Inputs that stand before another one, for the campaign as it is; may refuse."""


def no_inputs(state: CampaignState) -> Sequence[Fact]:
    """Nothing stands before an input."""
    return ()


def nothing_more(batch: CampaignBatch) -> Sequence[Statement]:
    """Events alone."""
    return ()


class LiveCampaign:
    """One live campaign; it `sends` letters about what is appended."""

    def __init__(
        self,
        recording: CampaignRecording,
        store: EventStore,
        clock: Clock,
        recalled: Callable[[], CampaignRecording],
        signer: notes.Signer | None,
        sends: bool,
        foreign_note: str = "",
    ) -> None:
        self.recording = recording
        self.store = store
        self.lock = asyncio.Lock()
        self._clock = clock
        self._recalled = recalled
        self._signer = signer
        self._foreign_note = foreign_note
        self._sends = sends
        self._is_stale = False
        self._note: tuple[int, str] = (-1, "")
        self._table: tuple[int, tuple[TableRow, ...]] = (-1, ())
        self._book = LadderBook()
        self._rated: tuple[tuple[int, int], list[LadderRow]] = ((-1, 0), [])

    @property
    def id(self) -> str:
        """Its id."""
        return self.recording.id

    @property
    def state(self) -> CampaignState:
        """Its state."""
        return self.recording.state

    @property
    def n(self) -> int:
        """Its last event."""
        return self.recording.n

    def now(self) -> str:
        """The time."""
        return self._clock.now()

    @property
    def readers(self) -> str:
        """Its readers: public, link or players."""
        return self.state.settings.readers

    def note(self) -> str:
        """The signed head, signed once however often it is asked for; that of its own host if it was imported."""
        if self._foreign_note:
            return self._foreign_note
        assert self._signer is not None
        if self._note[0] != self.n:
            origin = notes.origin(self.recording.header.host, self.id)
            head = notes.Head(origin, self.n, self.recording.head)
            self._note = self.n, notes.sign_head(self._signer, head)
        return self._note[1]

    def table(self) -> tuple[TableRow, ...]:
        """The table, reckoned once however often it is asked for; of a ladder, and before the lots, it has no rows."""
        state = self.state
        if self._table[0] != self.n:
            rows = standings(contest_of(state), state.cup.tiebreaks) if state.is_cup and state.order else ()
            self._table = self.n, rows
        return self._table[1]

    def book(self) -> LadderBook:
        """The battles of a ladder, read on as its log grows."""
        recorded = self.recording
        for n, (_, line) in enumerate(recorded.lines[self._book.last :], self._book.last + 1):
            entry = record.decode(line, CAMPAIGN_EVENTS)
            self._book.feed(n, entry.at, entry.event)
        return self._book

    def ladder_rows(self) -> list[LadderRow]:
        """The ratings of a ladder now, reckoned once for each end of a battle and each period."""
        book, now = self.book(), self.now()
        wanted = len(book.results), period(now, book.unit)
        if self._rated[0] != wanted:
            self._rated = wanted, book.rows(now)
        return self._rated[1]

    # --- changing; the caller holds the lock

    async def append(self, make: Make, attach: Attach = nothing_more) -> CampaignBatch:
        """Prepare, store, adopt.

        Raises: Refusal of `make`; Violated where another process was faster: read again, and begin anew; Unmatched,
                Overloaded, Closed, StoreFailed
        """
        await self.freshen()
        batch = make(self.recording)
        also = attach(batch)
        if not batch.rows and not also:
            return batch
        events = campaigns.events(self.id, self.recording.n, batch.rows)
        try:
            await self.store.write(*also, *events, *self._secrets(batch), *self._beside(batch))
        except (StoreFailed, asyncio.CancelledError):
            self._is_stale = True  # it may be there, or not
            raise
        self.recording.adopt(batch)
        return batch

    def _secrets(self, batch: CampaignBatch) -> list[Statement]:
        """What the vault keeps of an append."""
        return [
            vault.put(vault.VaultSecret(self.id, n, SEALED, part.seat, part.salt, part.content))
            for n, part in batch.secrets.items()
        ]

    async def freshen(self) -> None:
        """Read the campaign again if its memory cannot be trusted."""
        if self._is_stale:
            await self.reread()

    async def reread(self) -> None:
        """Read the campaign from the store again."""
        self._is_stale = True
        self._book = LadderBook()
        self.recording = await asyncio.to_thread(self._recalled)
        self._is_stale = False

    def _beside(self, batch: CampaignBatch) -> list[Statement]:
        """The rows by which a campaign, its people and its battles are found without its log."""
        also = [statement for fact in batch.facts for statement in self._told_by(fact.event, batch.after)]
        row = summary_of(self.id, batch.after)
        if self.state.config is None or row != summary_of(self.id, self.state):
            also.append(campaigns.list_as(row))
        if self._sends and batch.facts:
            also += letters_of(self.id, self.n + 1, [fact.event for fact in batch.facts], batch.after, self.now())
        if batch.after.is_over:
            return [*also, campaigns.done(self.id)]
        at = next_look(batch.after, self.now(), {})  # who has begun their battle is looked up when it is due
        return [*also, campaigns.due(self.id, at)]

    @staticmethod
    def _seated_anew(boards: Iterable[BoardState]) -> Iterator[Statement]:
        """Somebody else commands in battles that go on: the steward looks who sits there."""
        for board in boards:
            if board.is_running and not board.is_cut:
                yield campaigns.battle_is(board.battle, campaigns.SET)

    def _told_by(self, event: Event, after: CampaignState) -> Iterator[Statement]:
        if isinstance(event, CampaignOpened):
            yield campaigns.takes_part(self.id, event.organiser["player"])
            yield campaigns.officer(self.id, event.organiser["player"])
            season = after.settings.season
            if season is not None:
                row = DivisionRow(season.club, season.name, season.number, season.division, self.id)
                yield seasons.bind(row)
        elif isinstance(event, EntrantJoined | ReserveJoined | RoleGiven):
            yield campaigns.takes_part(self.id, event.player)
            if isinstance(event, EntrantJoined):
                yield from self._seated_anew(after.boards_of(event.entrant))
            if isinstance(event, RoleGiven):
                yield campaigns.officer(self.id, event.player)
        elif isinstance(event, OrderAccepted) and event.command is not UNSET and event.command.get("verb") == SEND:
            yield from self._seated_anew([after.boards[event.command["board"]]])
        elif isinstance(event, BattleSet):
            before = self.state.boards.get(event.board)
            if before is not None:
                yield campaigns.battle_is(before.battle, campaigns.CLOSING)
            yield campaigns.set_battle(event.battle, self.id, event.board)
        elif isinstance(event, RoundEnded):
            opened = self.recording.header.created
            yield bulletin_of_round(self.store, self.id, event.round, opened, self.now())
        elif isinstance(event, ResultCounted):
            yield campaigns.counted_in(event.battle, self.id)
        elif isinstance(event, CUTS):
            yield campaigns.battle_is(after.boards[event.board].battle, campaigns.CLOSING)
