"""Do for campaigns what has to be done: open their battles, count what has ended, let their deadlines pass.

The steward stores nothing of its own. It compares how things stand with how they should: a battle that a log names and
that is not there is opened, one that has ended and is not counted is counted, what is due is decided. Each step is
refused when it has been done, so that it may be killed anywhere and begins anew (CAM-LOG-05).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, cast

from msgspec import UNSET

from domain.basics.errors import Refusal
from domain.basics.pace import moment_of
from domain.campaign.deadlines import due
from domain.campaign.decide import decide
from domain.campaign.evolve import folded
from domain.campaign.forces.nodes import carries
from domain.campaign.judge import SERVER, Circumstances
from domain.campaign.scenario import armies_on
from domain.campaign.state import BoardState, CampaignState
from domain.campaign.theatre.books import on_tables
from domain.events.battle import BoardOfCampaign, Fact, MasterRevealed, OrderAccepted
from domain.run.bots import BOT
from domain.run.terms import Terms
from replay.called_off import SIDES
from replay.writing.recording import Batch
from server.campaigns.boards import (
    book_of,
    circumstances,
    effect_on,
    end_battle,
    facts_between,
    facts_of_board,
    made_of,
    readers_of_battles,
)
from server.campaigns.claims import claim_for_waiting
from server.campaigns.dealer import CampaignChance
from server.campaigns.ended import duel_result, result_of
from server.campaigns.live_campaign import Attach, First, LiveCampaign, no_inputs, nothing_more
from server.campaigns.live_campaigns import LiveCampaigns
from server.campaigns.looking import bots_to_order, next_look
from server.campaigns.passing import pass_seat, umpire_of
from server.campaigns.power_bots import bot_gives, bot_lines
from server.campaigns.recording import CampaignBatch, CampaignRecording
from server.campaigns.signed import require_word
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.play.seating import seat_bot, seat_named
from server.store import Conflict, StoreError, Violated
from server.store.tables import accounts, campaigns
from server.store.tables.campaigns import CLOSING, OPEN, OVER, SET, SetBattle
from server.watched_clock import is_doubted

log = logging.getLogger(__name__)

BOT_SEAT = "bot"
"""The kind of a seat that a bot holds."""
POLL_S = 2.0
"""The longest sleep: another process may have written."""
RETRY_MS = 60_000
"""The delay before a step that has failed is tried again."""
AT_ONCE = 64
"""Campaigns whose time is looked at in one tick."""
ENDED = MasterRevealed.__name__
"""The type of the last event of a battle that has ended."""


class Steward:
    """Serves all campaigns of a store. `campaigns` are woken by what happens in battles and in their own logs."""

    def __init__(self, live_campaigns: LiveCampaigns, live_battles: LiveBattles) -> None:
        self.campaigns = live_campaigns
        self.battles = live_battles
        self.store = live_campaigns.store
        self._called = asyncio.Event()
        self._ticking = asyncio.Lock()
        self._is_closing = False
        self._unclaimed: dict[str, int] = {}  # by battle the moment before which it is not claimed for who waits
        self._later: dict[str, int] = {}  # what could not be done, and when it is tried again (`monotonic_ms`)
        self._task: asyncio.Task[None] | None = None
        live_battles.listeners.append(self._after)

    def start(self) -> None:
        """Start serving."""
        self._task = asyncio.ensure_future(self._run())

    async def close(self) -> None:
        """Stop."""
        self._is_closing = True
        self.call()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def call(self) -> None:
        """Look at once."""
        self._called.set()

    def _after(self, live: LiveBattle, batch: Batch) -> None:
        if any(kind == ENDED for kind, _, _ in batch.rows):
            self.call()

    async def _run(self) -> None:
        while not self._is_closing:
            try:
                await self.settle()
            except StoreError as failure:
                log.warning("the campaigns could not be served: %s", failure)
            except Exception:
                log.exception("the campaigns could not be served")
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await self._called.wait()
            self._called.clear()

    async def settle(self) -> None:
        """Do all that is to be done now."""
        while await self.tick(self.campaigns.clock.now()):
            await asyncio.sleep(0)

    async def tick(self, now: str) -> int:
        """Do what is to be done at a moment; returns how much that was. What one step makes possible waits for the next
        tick. While the clock cannot be believed nothing is done for its sake."""
        async with self._ticking:
            return await self._tick(now)

    async def _tick(self, now: str) -> int:
        to_open, to_end, to_count, due_now = await asyncio.to_thread(self._look, now)
        steps = ((self._open, to_open), (self._call_off, to_end), (self._count, to_count))
        done = 0
        for step, rows in steps:
            for row in rows:
                done += await self._tried(row.battle, partial(step, row))
        for campaign in due_now:
            done += await self._tried(campaign, partial(self._on_time, campaign, now))
        return done

    def _look(self, now: str) -> tuple[list[SetBattle], list[SetBattle], list[SetBattle], list[str]]:
        """The battles to open, to end and to count, and the campaigns that are due: off the loop, for there may be
        thousands."""
        store = self.store
        return (
            campaigns.waiting_battles(store, SET),
            campaigns.waiting_battles(store, CLOSING),
            campaigns.ended_battles(store, ENDED),
            [] if is_doubted(self.campaigns.clock) else campaigns.due_by(store, now, AT_ONCE),
        )

    async def _tried(self, about: str, step: Callable[[], Awaitable[bool]]) -> int:
        """One step about a battle or a campaign; whether it has done something. What cannot be done must stop nothing
        else: it is tried again later."""
        if self.campaigns.clock.monotonic_ms() < self._later.get(about, 0):
            return 0
        try:
            did = await step()
            self._later.pop(about, None)
        except (Refusal, StoreError) as failure:
            log.warning("%s is not served: %s", about, failure)
            did = False
        except Exception:
            log.exception("%s is not served", about)
            did = False
        else:
            return int(did)
        self._later[about] = self.campaigns.clock.monotonic_ms() + RETRY_MS
        return 0

    async def _settled(self, campaign: str) -> LiveCampaign:
        """A campaign with all that the store has of it: an append is there before it is in memory."""
        live = await self.campaigns.get(campaign)
        async with live.lock:
            await live.freshen()
        return live

    # --- opening

    async def _open(self, row: SetBattle) -> bool:
        """Open the battle of a board, seat its players."""
        live = await self._settled(row.campaign)
        board = live.state.board_of(row.board, row.battle)
        if live.state.is_over or board is None or board.battle != row.battle or not board.is_running:
            return await self._is(row, CLOSING)
        if self.store.header(row.battle) is None:
            await self._open_battle(live, board)
        battle = await self.battles.get(row.battle)
        for side, entrant in zip(SIDES, board.place.pair, strict=True):
            await self._seat(live, battle, side, entrant, board.players[side])
        return await self._is(row, OPEN)

    async def _open_battle(self, live: LiveCampaign, board: BoardState) -> None:
        state = live.state
        umpire = state.umpire or state.organiser
        judge = umpire.player if umpire.player not in board.players.values() else ""
        terms = Terms(judge, umpire.name if judge else "", campaign=BoardOfCampaign(board.place.name, live.id))
        config = state.settings
        try:
            await self.battles.open(
                config.ruleset,
                await self._facts(state, board),
                readers_of_battles(config),
                config.time.pace,
                terms=terms,
                not_before=live.recording.newest_at,
                named=board.battle,
            )
        except Conflict:  # opened a moment ago by another process
            if self.store.header(board.battle) is None:
                raise

    async def _facts(self, state: CampaignState, board: BoardState) -> tuple[Fact, ...]:
        """What opens the battle of a board."""
        if board.fielded:
            return await facts_between(self.battles, state, board)
        return await facts_of_board(self.battles, state.settings, board.named, armies_on(state, board.place))

    async def _seat(self, live: LiveCampaign, battle: LiveBattle, side: str, entrant: str, player: str) -> None:
        """Seat who commands for an entrant. An account that is gone, or whom the other one has blocked, is seated by
        nobody: the board falls due."""
        held = battle.recording.battle.seats.get(side)
        if held is not None and (held.kind == BOT_SEAT or held.player == player):
            return
        if player.startswith(BOT):
            organiser = live.state.organiser
            kind = player.removeprefix(BOT).partition(".")[0]
            await seat_bot(battle, side, kind, self.campaigns.entropy, Player(organiser.player, organiser.name), True)
            return
        account = accounts.by_player(self.store, player)
        if account is None:
            return
        try:
            newcomer = Player(account.player, account.name, account.email, owner=account.owner)
            is_theirs = live.state.entrants[entrant].player == player
            if held is None or await pass_seat(battle, side, newcomer, umpire_of(live.state) if is_theirs else ""):
                await seat_named(battle, side, newcomer)
        except Refusal as refusal:
            log.warning("%s of %s is not seated: %s", entrant, live.id, refusal)

    # --- ending and counting

    async def _call_off(self, row: SetBattle) -> bool:
        """End a battle in its own log whose board has its result otherwise, or is to be adjudicated."""
        live = await self._settled(row.campaign)
        board = live.state.board_of(row.board, row.battle)
        battle = await self.battles.get(row.battle) if self.store.header(row.battle) is not None else None
        if battle is not None and not battle.recording.battle.ended and not battle.closed:
            await end_battle(battle, f"{live.id} {row.board}", effect_on(board, row.battle))
        is_cut = board is not None and board.battle == row.battle and board.is_cut and board.is_running
        return await self._is(row, OPEN if is_cut and battle is not None else OVER)

    async def _count(self, row: SetBattle) -> bool:
        """Count a battle that has ended (CAM-RND-04)."""
        live = await self._settled(row.campaign)
        if not row.board and live.state.is_ladder:
            return await self._count_duel(live, row)
        board = live.state.boards.get(row.board)
        if live.state.is_over or board is None or board.battle != row.battle or not board.is_running:
            return await self._is(row, OVER)
        battle = await self.battles.get(row.battle)
        await battle.remember()
        names = made_of(self.battles, live.state, board)[1] if carries(live.state, board) else None
        result = result_of(battle, row.board, board.is_cut, names)
        if result is None:  # stopped by the host: the umpire says what becomes of the board
            return await self._is(row, OVER)
        cup = live.state.settings.cup
        if cup is not None and cup.ladder and not board.is_cut:
            # first: were it killed behind, the board is counted again
            with suppress(Refusal):  # no such ladder any more
                await self._count_in_ladder(await self._settled(cup.ladder), battle)
        await self.enter(live, Fact(SERVER, result.RULE, result))
        return True

    async def _count_duel(self, live: LiveCampaign, row: SetBattle) -> bool:
        """Count a battle that members have opened in a ladder, or that a challenge has set."""
        battle = await self.battles.get(row.battle)
        await battle.remember()
        return await self._count_in_ladder(live, battle) or await self._is(row, OVER)

    async def _count_in_ladder(self, ladder: LiveCampaign, battle: LiveBattle) -> bool:
        """Count a battle in a ladder, once; not one that somebody else than members has fought."""
        async with ladder.lock:
            await ladder.freshen()
            if ladder.state.is_over or battle.id in ladder.state.counted:
                return False
            result = duel_result(ladder, battle)
            if result is not None:
                await self._enter(ladder, Fact(SERVER, result.RULE, result), nothing_more, ())
        return result is not None

    # --- time

    async def _order_bots(self, live: LiveCampaign) -> bool:
        """Let the bots of a campaign order what their forces do; whether one has. What one had ordered before the
        server was killed is refused, and has been done."""
        done = False
        while bots := bots_to_order(live.state):
            book = on_tables(book_of(self.battles, live.state.settings))
            for line in bot_lines(live.recording, bots[0], book):
                with suppress(Refusal):
                    await self.enter(live, line, first=partial(bot_gives, live.recording, bots[0]))
            if bots_to_order(live.state)[:1] == bots[:1]:  # it will not be ready: its deadline comes
                break
            done = True
        return done

    async def _on_time(self, campaign: str, now: str) -> bool:
        """Do what is due in a campaign, one thing after the other; whether anything was. Bots that orders wait for give
        theirs first."""
        live = await self._settled(campaign)
        done = await self._order_bots(live)
        while True:
            given = await self._given(live, now)
            fact = due(live.state, given)
            if fact is None:
                break
            await self.enter(live, fact)
            done = True
        if not live.state.is_over:
            done |= await claim_for_waiting(self.battles, live.state, now, self._unclaimed) > 0
        at = next_look(live.state, now, given.shown)
        await self.store.write(campaigns.done(campaign) if live.state.is_over else campaigns.due(campaign, at))
        return done

    # --- entering

    async def enter(
        self,
        live: LiveCampaign,
        fact: Fact,
        attach: Attach = nothing_more,
        then: Sequence[Fact] = (),
        first: First = no_inputs,
    ) -> CampaignBatch:
        """Enter an input with what follows from it, and `then` inputs from which nothing follows; `first` gives those
        that stand before it, for the campaign as it is.

        Raises: Refusal as `decide` and `require_word`; Violated for what `attach` may not be stored with
        """
        async with live.lock:
            await live.freshen()
            try:
                batch = await self._enter(live, fact, attach, then, first)
            except Violated:  # another process was faster, or `attach` may not be stored
                await live.reread()
                batch = await self._enter(live, fact, attach, then, first)
        self.call()
        return batch

    async def _enter(
        self, live: LiveCampaign, fact: Fact, attach: Attach, then: Sequence[Fact], first: First = no_inputs
    ) -> CampaignBatch:
        now = live.recording.moment(live.now())
        before = first(live.state)
        given = await self._given(live, now, fact, before)
        require_word(live.recording, before, fact, then)
        judged = partial(decide, folded(live.state, before), fact, given)
        # a table of entrants with armies sets thousands of battles, each with a scenario of its own
        has_armies = live.state.settings.entry.armies is not None
        followed = await asyncio.to_thread(judged) if has_armies else judged()

        def make(recording: CampaignRecording) -> CampaignBatch:
            facts = (*before, fact, *followed, *then)
            # the line has the moment that it was judged by: deadlines are counted from it
            return recording.prepare(facts, now, cast(CampaignChance, given.chance))

        return await live.append(make, attach)

    async def given(self, live: LiveCampaign, fact: Fact) -> Circumstances:
        """What an input would be judged by now."""
        return await self._given(live, live.recording.moment(live.now()), fact)

    async def _given(
        self, live: LiveCampaign, at: str, fact: Fact | None = None, before: Sequence[Fact] = ()
    ) -> Circumstances:
        """What an input is judged by at a moment: the battles of the board that it names, and of all that should have
        begun by then, are looked at. Its draws are seeded with what was contributed `before` it."""
        state, moment = live.state, moment_of(at)
        fought = (state.boards[name] for each in state.rounds if each.open for name in each.boards)
        late = [board for board in fought if board.is_running and 0 < board.show <= moment]
        named = state.boards.get(board_named(fact)) if fact is not None else None
        return await circumstances(self.battles, live, at, live.recording.chance(before), late, named)

    async def _is(self, row: SetBattle, state: str) -> bool:
        await self.store.write(campaigns.battle_is(row.battle, state))
        return True


def board_named(fact: Fact) -> str:
    """The board that an input names, "" for none."""
    event: Any = fact.event
    command = event.command if isinstance(event, OrderAccepted) else UNSET
    return str(command.get("board", "") if isinstance(command, dict) else getattr(event, "board", ""))
