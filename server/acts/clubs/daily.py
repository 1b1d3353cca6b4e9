"""The daily letter of an organiser: posted at their hour, on days on which something needs them (CAM-CLB-09)."""

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime

from server.acts.clubs.chores import chores_of
from server.acts.services import Services
from server.play.lobby import Lobby
from server.shown.moments import zone_of
from server.store import Statement, StoreError
from server.store.tables import campaigns, clubs, outbox
from server.store.tables.outbox import LetterKind

log = logging.getLogger(__name__)

HOUR = 18
"""The hour of the letter, in the zone of its reader: that at which letters of the day go."""
POLL_S = 60.0


class DailyLetters:
    """Posts the daily letters of all organisers; `lobby` is called when there is somebody to look for."""

    def __init__(self, services: Services, lobby: Callable[[], Lobby]) -> None:
        self.services = services
        self._lobby = lobby
        self._looked: dict[str, str] = {}  # by player the day on which it was asked what needs them
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start posting."""
        self._task = asyncio.ensure_future(self._run())

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            try:
                await self.tick(self.services.now())
            except StoreError as failure:
                log.warning("organisers were not written to: %s", failure)
            except Exception:
                log.exception("organisers were not written to")
            await asyncio.sleep(POLL_S)

    async def tick(self, now: str) -> int:
        """Post what is due at a moment; returns how many letters. A day is told once, also over restarts."""
        posted = 0
        for player in sorted({*clubs.organisers(self.services.store), *campaigns.officers(self.services.store)}):
            day = self._day(player, now)
            if day and self._looked.get(player) != day:
                self._looked[player] = day
                posted += await self._post(player, day, now)
        if posted:
            self.services.ring()
        return posted

    def _day(self, player: str, now: str) -> str:
        """The day of which a player may be told now, in their zone; "" before their hour."""
        local = datetime.fromisoformat(now).astimezone(UTC).astimezone(zone_of(self.services.wishes(player).zone))
        return str(local.date()) if local.hour >= HOUR else ""

    async def _post(self, player: str, day: str, now: str) -> int:
        kind, store = f"{LetterKind.ORGANISING}:{day}", self.services.store
        account = self.services.account(player)
        if account is None or not account.email or outbox.was_posted(store, "", player, kind):
            return 0
        if not await chores_of(store, self._lobby(), player, now):
            return 0
        letter: Statement = outbox.post_if_reached("", 0, player, kind, now)
        await store.write(letter)
        return 1
