"""A server without a network, whose time a test moves: hall, timekeeper and letters on a store that outlives them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from domain.basics.data import parse_toml, scenario_text
from domain.basics.pace import moment_of
from replay.proof.notes import Signer
from replay.writing.entropy import SeededEntropy
from server.mail.outgoing.occasions import letters
from server.people import players
from server.people.keys import Keyring
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.play.seating import take_side
from server.settings import Settings
from server.store import EventStore
from server.store.cache_file import CacheFile
from server.store.tables import outbox
from server.store.tables.outbox import Letter
from server.time.timekeeper import Timekeeper
from tests.support import messages
from tests.support.clock import ManualClock

PHRASE = "a phrase of sixteen bytes"


class Post:
    """A server that plays by mail, for as long as it runs."""

    def __init__(self, store: EventStore, folder: Path, clock: ManualClock, entropy: SeededEntropy) -> None:
        self.store, self.clock = store, clock
        self.battles = LiveBattles(
            Settings.at(folder, {}, memory_bytes=200_000),
            store,
            clock,
            entropy,
            Keyring(Signer("localhost", bytes(32))),
            letters,
        )
        self.keeper = Timekeeper(self.battles, CacheFile(folder / "times.db"))

    async def player(self, name: str) -> Player:
        """A new account."""
        enrolled = players.enrol(self.clock, self.battles.entropy, name, f"{name}@example.org")
        await self.store.write(*enrolled.statements)
        return Player(enrolled.account.player, name)

    async def opened(self, south: Player, pace: str) -> LiveBattle:
        """A battle that waits for its north."""
        table = await self.battles.open("tts", parse_toml(scenario_text("tts", "skirmish"), "skirmish"), "link", pace)
        await take_side(table, "south", south, phrase=messages.phrase(table.recording, PHRASE))
        return table

    async def battle(self, south: Player, north: Player, pace: str = "3d+7d") -> LiveBattle:
        """A battle that has begun; south is on the move."""
        live = await self.opened(south, pace)
        await take_side(live, "north", north, phrase=messages.phrase(live.recording, PHRASE))
        return live

    async def order(self, battle: str, side: str, text: str = "end turn") -> None:
        """A player orders."""
        live = await self.battles.get(battle)
        player = live.recording.battle.seats[side].player
        entry = messages.entry(live.recording, side, text, player, phrase=PHRASE)
        async with live.lock:
            await live.append(lambda recording, at: recording.order(entry, at))

    async def until(self, end: int) -> None:
        """Let time pass, stopping wherever something is due."""
        while True:
            due = await self.keeper.tick(self.clock.now())
            if not due or moment_of(due) > end:
                self.clock.moment = max(end, self.clock.moment)
                await self.keeper.tick(self.clock.now())
                return
            self.clock.moment = max(moment_of(due), self.clock.moment)

    async def wait(self, span_ms: int) -> None:
        """So much time passes."""
        await self.until(self.clock.moment + span_ms)

    def letters(self, *kinds: str) -> list[Letter]:
        """What has been posted, of kinds that begin so."""
        return [letter for letter in outbox.unsent(self.store, 100_000) if letter.kind.startswith(kinds or ("",))]


@asynccontextmanager
async def posting(
    folder: Path, clock: ManualClock | None = None, entropy: SeededEntropy | None = None
) -> AsyncIterator[Post]:
    """A server on a folder; one that comes later goes on with it."""
    folder.mkdir(exist_ok=True)
    store = EventStore.open(Settings.at(folder, {}, synchronous="NORMAL").store())
    post = Post(store, folder, clock or ManualClock(), entropy or SeededEntropy("post"))
    try:
        yield post
    finally:
        await post.keeper.close()
        store.close()
