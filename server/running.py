"""The parts of one running server, started and stopped in order."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from domain.run.bots import BOT, BOTS
from replay.writing.entropy import Entropy
from server.acts.campaigns.ladders import open_host_ladders
from server.acts.clubs.daily import DailyLetters
from server.acts.clubs.editing import Bulletins
from server.acts.clubs.seating import resume_lists
from server.acts.services import Services
from server.campaigns.live_campaigns import LiveCampaigns
from server.campaigns.steward import Steward
from server.clock import MachineClock
from server.people.addresses import addresses_of
from server.people.keys import keys_of_server
from server.play.bots import Bots
from server.play.fault_letters import fault_letters
from server.play.foreign_writes import watch
from server.play.live_battle import WriteLetters
from server.play.live_battles import LiveBattles
from server.play.proof_process import ProofProcess, ProofState
from server.play.service import OrderService
from server.play.snapshots import Snapshots
from server.play.tail_proof import FILE as PROOFS
from server.play.tail_proof import ProofFault
from server.settings import Settings, make_folder
from server.store import EventStore
from server.store.cache_file import CacheFile
from server.time.clock_doubts import ClockDoubts, known_late, newest_at
from server.time.timekeeper import FILE as TIMES
from server.time.timekeeper import Timekeeper
from server.watched_clock import WatchedClock
from server.witness.parts import WitnessParts
from server.workers import INLINE, Workers

if TYPE_CHECKING:
    from server.play.lobby import Lobby

log = logging.getLogger(__name__)


class Server:
    """A server's parts. `letters` makes those that an append causes, None if it sends no mail; `apart`: the read models
    follow in a process of their own."""

    def __init__(
        self,
        settings: Settings,
        clock: MachineClock,
        entropy: Entropy,
        store: EventStore,
        letters: WriteLetters | None = None,
        lobby: "Lobby | None" = None,
        apart: bool = False,
        workers: Workers = INLINE,
    ) -> None:
        make_folder(settings)
        self.settings = settings
        self.machine = clock
        newest = newest_at(store)
        self.clock = clock = WatchedClock(clock, newest, known_late(settings))
        self.doubts = ClockDoubts(clock, settings, newest)
        self.entropy = entropy
        self.store = store
        self.keys = keys_of_server(settings, store, entropy)
        is_kept = store.settings.is_kept
        self._snapshots = Snapshots(settings.read_models) if is_kept else None
        self.battles = LiveBattles(
            settings, store, clock, entropy, self.keys, letters, workers=workers, snapshots=self._snapshots
        )
        self.acts = Services(self.battles, addresses_of(settings, self.keys))
        self.steward = Steward(LiveCampaigns(store, clock, entropy, self.keys, letters is not None), self.battles)
        self.daily = DailyLetters(self.acts, lambda: self.lobby) if letters is not None else None
        self.bulletins = Bulletins(self.acts, self.steward, lambda: self.lobby)
        self.play = OrderService(self.battles)
        self.bots = Bots(self.battles)
        self.timekeeper = Timekeeper(
            self.battles, CacheFile(settings.read_models / TIMES) if is_kept else None, self.doubts
        )
        self.witness = WitnessParts(settings.data, self.keys.current, self.clock.now, entropy)
        self.webhook_results = Counter[str]()  # what came of telling them, since the start
        self._lobby = lobby
        self._apart = apart
        proofs = ProofProcess(store.settings, settings.read_models / PROOFS, self._fault_found)
        self._proofs = proofs if is_kept else None  # it is started where the read models have a process of their own
        self._closing: list[Callable[[], None]] = []
        self._resuming: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None

    @property
    def lobby(self) -> "Lobby":
        """The lists of battles; the read models start with the first query."""
        if self._lobby is None:
            from server.play.lobby import ReadModels  # a server is ready without them

            models = ReadModels(self.settings, self.store, self._apart)
            self._closing.append(models.close)
            self._lobby = models
        return self._lobby

    def behind(self) -> int | None:
        """How many events the lists have not seen yet; None while nobody has asked for any."""
        return None if self._lobby is None else self._lobby.behind()

    @property
    def proofs(self) -> ProofState | None:
        """How far the battles of the server are verified; None where nobody does that."""
        return self._proofs.state if self._proofs else None

    async def _fault_found(self, fault: ProofFault) -> None:
        """Write to those who run the server, where letters are sent: once for each battle and fault."""
        if self.battles.letters is not None:
            statements = fault_letters(self.store, self.settings.operators, fault, self.clock.now())
            await self.store.write(*statements)

    def follow(self) -> None:
        """Keep the lists up from now on, and not only from the first question; bots begin when these are up."""
        self._lobby = self.lobby
        self._resuming = asyncio.ensure_future(self._wake_bots())
        if self._proofs is not None and self._apart:
            self._proofs.start()

    async def start(self) -> None:
        """Continue requests that a crash cut before anybody is served; wake the bots meanwhile, or, where the read
        models have a process of their own, with `follow`."""
        await self.play.resume()
        await resume_lists(self.acts)
        await open_host_ladders(self.steward, self.settings.ladders)
        if not self._apart:
            self._resuming = asyncio.ensure_future(self._wake_bots())
        self._watching = asyncio.ensure_future(watch(self.battles))
        self.timekeeper.start()
        self.steward.start()
        self.bulletins.rounds.start()
        if self.daily is not None:
            self.daily.rounds.start()

    async def _wake_bots(self) -> None:
        """Wake the bots that the last stop has interrupted. The lists know them, so that no other battle is read."""
        if self.store.position():
            try:
                await self.bots.resume(await self.lobby.waiting_for([BOT + kind for kind in BOTS]))
            except Exception:
                log.exception("the bots could not be woken")

    async def stop(self) -> None:
        """Begin no more long work, so that who waits for it is answered at once; letters may still be finished."""
        self.bots.stop()
        await self.battles.workers.people.close()
        await self.battles.workers.pictures.close()

    async def close(self) -> None:
        """After the last answer, finish bots, parked scripts and read models."""
        for task in (self._resuming, self._watching):
            if task is not None:
                task.cancel()
        if self._proofs is not None:
            await self._proofs.close()
        await self.steward.close()
        await self.bulletins.rounds.close()
        if self.daily is not None:
            await self.daily.rounds.close()
        await self.timekeeper.close()
        self.bots.stop()
        await self.battles.workers.close()
        await self.bots.close()
        await self.play.close()
        if self._snapshots is not None:
            await self._snapshots.close()
        for close in (*self._closing, self.witness.close):
            await asyncio.to_thread(close)
