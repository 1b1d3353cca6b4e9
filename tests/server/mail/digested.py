"""A player of several battles who has chosen digests."""

import re
from email.message import EmailMessage
from typing import Any

from domain.events.battle import OrderAccepted
from server.mail.verdict import Verdict
from server.play.live_battle import LiveBattle
from server.store.tables import correspondents
from tests.server.mail.office import Office, text_of

MARK = re.compile(r"-----8<----- (?:battle|bataille) (\d+), (\w+)")
TURN = "R1 ahead\nend turn"


class Digested(Office):
    """Anna plays the south of several battles against Bob, and has chosen digests."""

    lives: list[LiveBattle]

    async def opened(self, battles: int, **wishes: Any) -> EmailMessage:
        self.lives = []
        for _ in range(battles):
            await self.begin()
            self.lives.append(self.live)
        kept = correspondents.find(self.battles.store, self.players["south"].player)
        await self.battles.store.write(correspondents.save(kept._replace(delivery="digest", **wishes)))
        return await self.next_day()

    async def next_day(self) -> EmailMessage:
        await self.letters()
        self.clock.wait(hours=24)
        return await self.letter("Anna")

    async def say(self, letter: EmailMessage, text: str, **headers: str) -> tuple[Verdict, str]:
        """A mail of Anna's, and the answer to it."""
        return await self.send(self.reply(letter, text, **headers))

    async def send(self, raw: bytes) -> tuple[Verdict, str]:
        verdict = await self.accept(raw)
        return verdict, " ".join(text_of(await self.letter("Anna")).split())

    def inline(self, letter: EmailMessage, below: dict[int, str], top: str = "", end: str = "") -> bytes:
        """A reply with lines below the marks of the quoted letter, above it, and at its end."""
        lines = []
        for line in text_of(letter).splitlines():
            lines.append(f"> {line}")
            if found := MARK.match(line):
                lines += ["", *below.get(int(found[1]), "").splitlines(), ""]
        body = "\n".join([top, "On Saturday Phalera wrote:", *lines, end])
        return self.written(letter["Reply-To"], body, about=letter)

    def orders(self, battle: int) -> list[str]:
        """The orders of Anna in a battle, by number from 1."""
        events = (entry.event for entry in self.lives[battle - 1].recording.timeline.events)
        return [str(event.text) for event in events if isinstance(event, OrderAccepted) and event.side == "south"]

    async def turn(self, battle: int) -> None:
        """A player-turn of both sides by another channel."""
        self.live = self.lives[battle - 1]
        await self.order("south", TURN)
        await self.order("north", "end turn")
