"""The battles that somebody can see: public, their own, waiting, ended.

Answered by the read models, which follow the store in a thread of their own. An answer shows at least what this process
had committed when the question came.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from domain.engine.errors import Refusal
from projections import lobby as entries
from projections.database import ModelReader, NotReady
from projections.follower import Follower
from projections.lobby import LobbyEntry
from projections.runner import Runner
from server.settings import Settings
from server.store import EventStore

PATIENCE_S = 2.0
"""How long a question waits for the read models; then they answer as they are."""
TRIES = 40
FILE = "models.db"


class Lobby(Protocol):
    """Lists battles, most recently active first. `player` "" is a stranger, who holds no side."""

    async def battles(self, which: str, player: str, limit: int, offset: int) -> Sequence[LobbyEntry]:
        """`which` is "" (public ones), mine, waiting or ended."""


class ReadModels:
    """The lobby of the projections; owns their file and the thread that keeps it up."""

    def __init__(self, settings: Settings, store: EventStore) -> None:
        settings.read_models.mkdir(mode=0o700, exist_ok=True)
        path = settings.read_models / FILE
        self._store = store
        self._runner = Runner(path, store)
        self._follower = Follower(self._runner)
        self._silence = store.on_commit(self._follower.wake)
        self.rows = ModelReader(path)
        """For callers that query the projections directly."""
        self._follower.start()

    async def caught_up(self) -> None:
        """Wait until the rows show what is committed now, or until the timeout."""
        await asyncio.to_thread(self._follower.wait_for, self._store.position(), PATIENCE_S)

    async def battles(self, which: str, player: str, limit: int, offset: int) -> Sequence[LobbyEntry]:
        """See `Lobby`.

        Raises: Refusal core.busy if there are no read models yet
        """
        await self.caught_up()
        for _ in range(TRIES):
            try:
                return self._battles(which, player, limit, offset)
            except NotReady:  # a new folder: the tables are being created
                await asyncio.sleep(PATIENCE_S / TRIES)
        raise Refusal("core.busy", "CORE-ACCESS")

    def _battles(self, which: str, player: str, limit: int, offset: int) -> Sequence[LobbyEntry]:
        if which == "mine":
            return entries.mine(self.rows, player, "", limit, offset)
        if which == "waiting":
            return entries.waiting_for(self.rows, player, limit, offset)
        if which == "ended":
            return entries.ended(self.rows, player, limit, offset)
        return entries.public(self.rows, "", limit, offset)

    def close(self) -> None:
        """Stop the thread and leave the file in order."""
        self._silence()
        self._follower.stop()
        self.rows.close()
        self._runner.close()
