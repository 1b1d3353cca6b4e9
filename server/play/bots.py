"""Bots play like anybody, one order at a time, whenever their side must act.

A bot sees `known(state, side)` and the options, and its orders go through the same append as a player's. One task per
battle wakes after each append. It thinks one thought at a time, in a worker process (`server.play.thinking`), where the
battles take turns, and without the battle's lock: if the battle has gone on meanwhile it thinks again. After a restart
it continues by itself: its next order follows from the state alone.

From header version 3 on its chance and its phrases follow from the log (`domain.run.bot_seeds`).

A battle of two bots ends, whatever its scenario: after `MOST_EVENTS` one offers a draw and the other accepts it.
"""

import asyncio
import logging
from collections.abc import Iterable
from functools import partial

from domain.basics.errors import Refusal
from domain.engine.dockets import TAKEBACK
from domain.log.fairness import Stream
from domain.run.bot_seeds import bot_phrase, is_recomputable, order_seed, orders_in_period
from domain.run.bots import BOTS, MOST_EVENTS, bot_label, bot_of, bots_answer, draw_between_bots
from domain.run.decide import to_act
from domain.run.inputs import Entry, Phrase
from replay.writing.recording import Batch, Recording
from server.entropy import new_secret
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.play.thinking import Thought, think
from server.store import StoreError
from server.workers import Busy

log = logging.getLogger(__name__)

SEED_BYTES = 32
RETRY_S = 5.0
"""The pause of a bot whose thought was lost with its process."""


class Bots:
    """All bots of the live battles. `pause_s`: between two orders, so that people can watch."""

    def __init__(self, live_battles: LiveBattles, pause_s: float = 0.0) -> None:
        self.battles = live_battles
        self.pause_s = pause_s
        self._seeds = Stream(live_battles.entropy.bytes(SEED_BYTES))
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._called: set[str] = set()
        self._closed = False
        live_battles.listeners.append(self._after)

    @property
    def playing(self) -> int:
        """The battles in which a bot is at work."""
        return len(self._playing)

    async def resume(self, battles: Iterable[str]) -> None:
        """At start, wake the bots for whom some battles wait."""
        for battle in battles:
            try:
                self.wake(await self.battles.get(battle))
            except Exception:
                log.exception("the bot in %s could not be woken", battle)

    def wake(self, live: LiveBattle) -> None:
        """Let the bots of a battle play, if it is their turn."""
        if self._closed or not has_bot(live) or not (bot_to_act(live) or bot_owing(live) or bot_for_takeback(live)):
            return
        self._called.add(live.id)
        if live.id not in self._playing:
            self._playing[live.id] = asyncio.ensure_future(self._play(live))

    def stop(self) -> None:
        """Begin no further order."""
        self._closed = True

    async def close(self) -> None:
        """Let each bot finish the order that it has thought of."""
        self.stop()
        if self._playing:
            await asyncio.wait([*self._playing.values()])

    def _after(self, live: LiveBattle, batch: Batch) -> None:
        self.wake(live)

    async def _play(self, live: LiveBattle) -> None:
        """Give orders until the bots have nothing to do and nobody has woken them again."""
        try:
            while live.id in self._called and not self._closed:
                self._called.discard(live.id)
                while await self._order(live):
                    await asyncio.sleep(self.pause_s)
        except StoreError as failure:
            log.warning("the bot in %s stops: %s", live.id, failure)
        except Busy:  # the server stops
            pass
        except Exception:
            log.exception("the bot in %s stops", live.id)
        finally:
            del self._playing[live.id]

    async def _order(self, live: LiveBattle) -> bool:
        """Give one order of a bot; False if there is none to give, or the bot has to wait for somebody."""
        async with live.lock:
            await live.freshen()
            owing = bot_owing(live)
            if owing and not self._closed:
                await live.append(partial(_contributed, owing, self._phrase(live, owing)))
            if (asked := bot_for_takeback(live)) and not self._closed:
                return await self._give(live, *asked, takes_back=True)
            side = bot_to_act(live)
            if not side or self._closed:
                return False
            battle = live.recording.battle
            n, agreed = live.n, draw_between_bots(live.ruleset, battle, side, MOST_EVENTS)
            seed = await self._seed(live, side)
            thought = Thought(live.ruleset, bot_of(battle.seats[side]), live.known(side), side, seed)
        side, texts = agreed or (side, await self._thought(thought))
        async with live.lock:
            await live.freshen()
            return live.n != n or await self._give(live, side, texts)

    async def _thought(self, thought: Thought) -> tuple[str, ...]:
        while True:
            try:
                return await self.battles.workers.background.run(think, thought)
            except Busy:
                if self._closed:
                    raise
                await asyncio.sleep(RETRY_S)

    async def _give(self, live: LiveBattle, side: str, texts: tuple[str, ...], *, takes_back: bool = False) -> bool:
        """Give the first of some orders that is accepted."""
        seat = live.recording.battle.seats[side]
        bot = bot_label(live.ruleset, bot_of(seat)) if is_recomputable(live.recording.battle) else ""
        phrase = self._phrase(live, side, takes_back)
        for text in texts:
            try:
                await live.append(partial(_ordered, Entry(side, text, seat.player, "bot", phrase=phrase, bot=bot)))
                return True
            except Refusal as refusal:
                if refusal.code == "core.waiting-for-contribution":
                    return False
                log.error("the bot in %s: %s is refused: %s", live.id, text, refusal)
        return False

    async def _seed(self, live: LiveBattle, side: str) -> bytes:
        """The seed of the next order of a bot."""
        battle, keys = live.recording.battle, live.recording.dealer.keys
        if not is_recomputable(battle):
            return bytes(self._seeds.below(256) for _ in range(SEED_BYTES))
        await live.remember()  # what it has ordered in this period is counted there
        given = orders_in_period(live.recording.timeline.events, side)
        return order_seed(keys, live.seats.seeding, battle, side, given)

    def _phrase(self, live: LiveBattle, side: str, takes_back: bool = False) -> str:
        """The phrase of a bot; behind a take-back it is that of the period which begins there."""
        battle, keys = live.recording.battle, live.recording.dealer.keys
        if not is_recomputable(battle):
            return new_secret(self.battles.entropy)
        return bot_phrase(keys, battle, side, rewound=takes_back)


def has_bot(live: LiveBattle) -> bool:
    """Whether a bot has a side of the battle: in most there is none to be woken."""
    for seat in live.recording.battle.seats.values():  # noqa: SIM110 - `any` takes three times as long
        if seat.kind == "bot":
            return True
    return False


def bot_to_act(live: LiveBattle) -> str:
    """The side that must act now and is held by a bot, or ""."""
    seats = live.recording.battle.seats
    if not live.recording.battle.begun:
        return ""
    return next((side for side in live.to_act() if side in seats and bot_of(seats[side]) in BOTS), "")


def bot_for_takeback(live: LiveBattle) -> tuple[str, tuple[str, ...]] | None:
    """The bot who is asked for a take-back, and what it says; None if none is asked."""
    battle, past = live.recording.battle, live.recording.timeline
    for docket in () if live.closed else battle.disputes.open:
        asked = [side for side in live.seats.others(docket.side) if side not in docket.offers]
        bots = [side for side in asked if side in battle.seats and bot_of(battle.seats[side]) in BOTS]
        if docket.kind == TAKEBACK and bots:
            return bots[0], (bots_answer(past, docket),)
    return None


def bot_owing(live: LiveBattle) -> str:
    """A side whose bot has not contributed and need not act, or "": nothing can be drawn before (fairness.md 2)."""
    if live.closed or live.recording.battle.is_halted:
        return ""
    battle, acting = live.recording.battle, to_act(live.ruleset, live.game)
    return next((side for side in battle.owing if bot_of(battle.seats[side]) in BOTS and side not in acting), "")


def _contributed(side: str, phrase: str, recording: Recording, at: str) -> Batch:
    return recording.contribute(side, Phrase(phrase, "bot"), at)


def _ordered(entry: Entry, recording: Recording, at: str) -> Batch:
    return recording.order(entry, at)
