"""The daily letter of an organiser: posted at their hour, on days on which something needs them (CAM-CLB-09)."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from server.acts.clubs.chores import chores_of
from server.acts.services import Services
from server.play.lobby import Lobby
from server.play.rounds import Rounds
from server.shown.moments import zone_of
from server.store import Statement
from server.store.tables import campaigns, clubs, outbox
from server.store.tables.outbox import LetterKind

HOUR = 18
"""The hour of the letter, in the zone of its reader: that at which letters of the day go."""
POLL_S = 60.0


class DailyLetters:
    """Posts the daily letters of all organisers; `lobby` is called when there is somebody to look for."""

    def __init__(self, services: Services, lobby: Callable[[], Lobby]) -> None:
        self.services = services
        self._lobby = lobby
        self._looked: dict[str, str] = {}  # by player the day on which it was asked what needs them
        self.rounds = Rounds(lambda: self.tick(self.services.now()), POLL_S, "organisers were not written to")

    async def tick(self, now: str) -> int:
        """Post what is due at a moment; returns how many letters. A day is told once, also over restarts."""
        posted = 0
        for player in sorted({*clubs.organisers(self.services.store), *campaigns.officers(self.services.store)}):
            await asyncio.sleep(0)  # there may be thousands: others are served in between
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
