"""The battles that somebody can see: public, their own, waiting, ended.

Answered by the read models, which follow the store in a process of their own, or in a thread. An answer shows at least
what this process had committed when the question came.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from domain.basics.errors import Refusal
from projections import inbox, luck, overview, statistics
from projections import lobby as entries
from projections.database import ModelReader, NotReady
from projections.lobby import ANY, LobbyEntry, Place, Sought
from projections.luck import LuckRow
from projections.overview import GameFigures
from projections.statistics import BattleStatistics
from server.play.models_process import FollowerProcess
from server.settings import Settings
from server.store import EventStore
from server.store.tables import closings

PATIENCE_S = 2.0
"""How long a question waits for the read models; then they answer as they are."""
TRIES = 40
MOST_IN_TREE = 200
"""Branches that are listed of a battle."""
MOST_COUNTED = 5000
"""Results of a player that are counted."""
MOST_OF_GAME = 50
"""Scenarios and armies of a game of which figures are told."""
FILE = "models.db"

T = TypeVar("T")


class Results(Struct, frozen=True):
    """How often a player has won, lost and drawn."""

    won: int = 0
    lost: int = 0
    drawn: int = 0


class Lobby(Protocol):
    """Lists battles, most recently active first. `player` "" is a stranger, who holds no side."""

    async def battles(
        self, which: str, player: str, limit: int, before: Place | None = None, sought: Sought = ANY
    ) -> Sequence[LobbyEntry]:
        """`which` is "" (public ones, as `sought`), mine, public-of (the public ones of a player), waiting or ended;
        those behind `before`, None: from the start."""

    async def among_mine(self, player: str, battles: Sequence[str]) -> set[str]:
        """Which of some battles, 500 at most, a player holds a side in, or is the umpire of; closed ones, too."""

    async def tree(self, battle: str) -> Sequence[LobbyEntry]:
        """The battles that a battle branches from, itself, and all that branch from any of them, regardless of who may
        read them; closed ones are left out."""

    async def waiting_for(self, players: Sequence[str]) -> list[str]:
        """The battles that wait for any of some players, however long the lists take to show the whole log."""

    async def statistics(self, battle: str) -> tuple[BattleStatistics, Sequence[LuckRow]]:
        """The statistics of a battle and its luck, as far as the log is public."""

    async def results(self, player: str, only_public: bool) -> Results:
        """How often a player has won, lost and drawn; closed battles do not count."""

    async def outcomes(self, ruleset: str, title: str) -> Mapping[str, int]:
        """How often each side has won a public battle with a title, and under "" how often nobody has; closed ones do
        not count."""

    async def figures(self) -> tuple[GameFigures, ...]:
        """How the public battles have ended, by game; closed ones do not count."""

    def behind(self) -> int:
        """Events of the store that the lists have not seen yet."""


class Follows(Protocol):
    """Keeps the rows up to date with the log."""

    def start(self) -> None:
        """Begin."""

    def wait_for(self, position: int) -> bool:
        """Wait until the rows show everything up to a position of the feed; False if that takes long."""

    def stop(self) -> None:
        """Stop after the current batch."""


class ThreadHere:
    """The follower in a thread of this process: for a log in memory, tests, and commands that soon end."""

    def __init__(self, path: Path, store: EventStore) -> None:
        from projections.follower import Follower  # a server whose follower is a process needs neither
        from projections.runner import ProjectionRunner

        self._runner = ProjectionRunner(path, store)
        self._follower = Follower(self._runner)
        self.start = self._follower.start

    def wait_for(self, position: int) -> bool:
        """See `Follows`."""
        return self._follower.wait_for(position, PATIENCE_S)

    def stop(self) -> None:
        """Leave the file in order, too."""
        self._follower.stop()
        self._runner.close()


class ReadModels:
    """The lobby of the projections; owns their file and the follower that keeps it up to date: with `apart` a process,
    if the store is kept."""

    def __init__(self, settings: Settings, store: EventStore, apart: bool = False) -> None:
        settings.read_models.mkdir(mode=0o700, exist_ok=True)
        path = settings.read_models / FILE
        self._store = store
        is_apart = apart and store.settings.is_kept
        self._follower: Follows = FollowerProcess(store.settings, path) if is_apart else ThreadHere(path, store)
        self.rows = ModelReader(path)
        """For callers that query the projections directly."""
        self._searches = ModelReader(path)
        self._summing = threading.Lock()
        self._figures: tuple[tuple[Any, ...], tuple[GameFigures, ...]] | None = None
        self._follower.start()

    async def caught_up(self) -> None:
        """Wait until the rows show what is committed now, or until the timeout."""
        await asyncio.to_thread(self._follower.wait_for, self._store.position())

    async def waiting_for(self, players: Sequence[str]) -> list[str]:
        """See `Lobby`."""
        position = self._store.position()
        while not await asyncio.to_thread(self._follower.wait_for, position):
            await asyncio.sleep(PATIENCE_S)
        return inbox.battles_waiting_for(self.rows, players)

    async def statistics(self, battle: str) -> tuple[BattleStatistics, Sequence[LuckRow]]:
        """See `Lobby`.

        Raises: Refusal core.busy if there are no read models yet
        """
        return await self._asked(lambda: (statistics.of_battle(self.rows, battle), luck.of_battle(self.rows, battle)))

    async def results(self, player: str, only_public: bool) -> Results:
        """See `Lobby`; of very many battles the newest are counted.

        Raises: Refusal core.busy if there are no read models yet
        """
        fought = await self._asked(lambda: entries.results(self.rows, player, only_public, MOST_COUNTED))
        closed = closings.among(self._store, [battle for battle, _ in fought])
        return Results(**Counter(outcome for battle, outcome in fought if battle not in closed))

    async def outcomes(self, ruleset: str, title: str) -> Mapping[str, int]:
        """See `Lobby`; of very many battles of the game the newest are counted.

        Raises: Refusal core.busy if there are no read models yet
        """
        fought = await self._asked(lambda: entries.outcomes(self.rows, ruleset, title, MOST_COUNTED))
        closed = closings.among(self._store, [battle for battle, _ in fought])
        return Counter(winner for battle, winner in fought if battle not in closed)

    async def figures(self) -> tuple[GameFigures, ...]:
        """See `Lobby`. They are summed beside the loop, and again only when a battle has ended or was closed.

        Raises: Refusal core.busy if there are no read models yet
        """
        return await self._tried(lambda: asyncio.to_thread(self._summed))

    def _summed(self) -> tuple[GameFigures, ...]:
        fresh = overview.freshness(self._searches), closings.freshness(self._store)
        with self._summing:
            if self._figures is None or self._figures[0] != fresh:
                closed = [*closings.all_of(self._store)]
                self._figures = fresh, overview.figures(self._searches, closed, MOST_OF_GAME)
            return self._figures[1]

    def behind(self) -> int:
        """See `Lobby`."""
        return max(0, self._store.position() - self.rows.position())

    async def battles(
        self, which: str, player: str, limit: int, before: Place | None = None, sought: Sought = ANY
    ) -> Sequence[LobbyEntry]:
        """See `Lobby`. Closed battles are left out; fewer than `limit` mean that the list ends there.

        Raises: Refusal core.busy if there are no read models yet
        """
        if sought.is_long:
            return await self._searched(which, player, limit, before, sought)
        return await self._asked(lambda: self._open_ones(which, player, limit, before, sought, self.rows))

    async def _searched(
        self, which: str, player: str, limit: int, before: Place | None, sought: Sought
    ) -> list[LobbyEntry]:
        """A long search looks at all battles of the list: beside the loop, and on a connection of its own, so that
        nobody who asks for anything else waits for it.

        Raises: Refusal core.busy if there are no read models yet
        """
        await self.caught_up()
        try:
            return await asyncio.to_thread(self._open_ones, which, player, limit, before, sought, self._searches)
        except NotReady:
            raise Refusal("core.busy", "CORE-ACCESS") from None

    async def _asked(self, question: Callable[[], T]) -> T:
        """The answer of the rows, once they show what is committed now."""

        async def ask() -> T:
            return question()

        return await self._tried(ask)

    async def _tried(self, ask: Callable[[], Awaitable[T]]) -> T:
        await self.caught_up()
        for _ in range(TRIES):
            try:
                return await ask()
            except NotReady:  # a new folder: the tables are being created
                await asyncio.sleep(PATIENCE_S / TRIES)
        raise Refusal("core.busy", "CORE-ACCESS")

    async def among_mine(self, player: str, battles: Sequence[str]) -> set[str]:
        """See `Lobby`.

        Raises: Refusal core.busy if there are no read models yet
        """
        return await self._asked(lambda: entries.among_mine(self.rows, player, battles))

    async def tree(self, battle: str) -> Sequence[LobbyEntry]:
        """See `Lobby`. Of a large tree some branches are left out, those first that nobody has played for longest."""
        await self.caught_up()
        found: dict[str, LobbyEntry] = {}
        above = entries.entry(self.rows, battle)
        while above is not None and above.battle not in found and len(found) < MOST_IN_TREE:
            found[above.battle] = above
            above = entries.entry(self.rows, above.branch_of) if above.branch_of else None
        newest = list(found)
        while newest and len(found) < MOST_IN_TREE:
            below = entries.branches(self.rows, newest, MOST_IN_TREE - len(found))
            newest = [entry.battle for entry in below if entry.battle not in found]
            found |= {entry.battle: entry for entry in below}
        closed = closings.among(self._store, list(found))
        return [entry for entry in found.values() if entry.battle not in closed or entry.battle == battle]

    def _open_ones(
        self, which: str, player: str, limit: int, before: Place | None, sought: Sought, rows: ModelReader
    ) -> list[LobbyEntry]:
        """A page without the closed battles, filled up from behind."""
        found: list[LobbyEntry] = []
        while (wanted := limit - len(found)) > 0:
            page = self._battles(which, player, wanted, before, sought, rows)
            closed = closings.among(self._store, [entry.battle for entry in page])
            found += [entry for entry in page if entry.battle not in closed]
            if len(page) < wanted:
                break
            before = page[-1].at, page[-1].battle
        return found

    def _battles(
        self, which: str, player: str, limit: int, before: Place | None, sought: Sought, rows: ModelReader
    ) -> Sequence[LobbyEntry]:
        if which == "mine":
            return entries.mine(rows, player, sought, limit, before)
        if which == "public-of":
            return entries.public_of(rows, player, limit, before)
        if which == "waiting":
            return entries.waiting_for(rows, player, sought, limit, before)
        if which == "ended":
            return entries.ended(rows, player, sought, limit, before)
        return entries.public(rows, sought, limit, before)

    def close(self) -> None:
        """Stop following."""
        self._follower.stop()
        self.rows.close()
        self._searches.close()
