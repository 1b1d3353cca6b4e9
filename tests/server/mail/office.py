"""A hall with a battle, two players with addresses, and all of the mail between them, as bytes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from domain.basics.data import parse_toml, scenario_text
from replay.writing.entropy import Entropy
from server.mail.assembly import mail_parts
from server.mail.outgoing.occasions import letters
from server.mail.outgoing.postman import Postman
from server.mail.verdict import Verdict
from server.people.keys import keys_of_server
from server.people.players import Player, enrol
from server.play.live_battles import LiveBattles
from server.play.lobby import ReadModels
from server.play.seating import take_side
from server.play.service import OrderRequest, OrderService
from server.settings import MailSettings, Settings, make_folder
from server.store import EventStore
from server.store.tables import correspondents
from server.store.tables.accounts import Account
from server.store.tables.correspondents import Correspondent
from tests.support import messages
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test

PHRASE = "sixteen bytes of my own"
OWN_SERVER = "mx.phalera.test"
"""The name under which the mail system in front reports what it has checked."""


class Tray:
    """Where letters land: (envelope sender, recipient, message)."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, str, EmailMessage]] = []

    async def reach(self) -> None:
        """It is there."""

    async def carry(self, message: EmailMessage, sender: str, recipient: str) -> None:
        self.taken.append((sender, recipient, message))

    async def close(self) -> None:
        """Nothing is open."""


class Office:
    """The mail of one server; `table` is a battle of the skirmish between Anna (south) and Bob (north)."""

    host = "phalera.test"
    people = "example.test"
    """Where the server's mailbox is; where those of the players are."""

    def __init__(self, battles: LiveBattles, lobby: ReadModels, clock: ManualClock) -> None:
        self.battles, self.clock = battles, clock
        self.play = OrderService(battles)
        self.parts = mail_parts(self.play, lambda: lobby)
        self.intake = self.parts.intake
        self.tray = Tray()
        self.postman = Postman(battles, self.tray, self.parts.writer.compose)
        self.players: dict[str, Account] = {}
        self.live: Any = None
        self.sent = 0

    async def enrol(self, name: str, lang: str = "en") -> Account:
        made = enrol(self.battles.clock, self.battles.entropy, name, f"{name.lower()}@{self.people}")
        wishes = Correspondent(made.account.player, lang=lang, picture=False)
        await self.battles.store.write(*made.statements, correspondents.save(wishes))
        return made.account

    async def begin(self, scenario: str = "") -> None:
        """Open a battle, of a scenario in TOML or the skirmish, and take its sides."""
        text = scenario or scenario_text("tts", "skirmish")
        self.live = await self.battles.open("tts", parse_toml(text, ""), "public")
        for side, name in (("south", "Anna"), ("north", "Bob")):
            account = self.players.get(side) or await self.enrol(name)
            self.players[side] = account
            await take_side(
                self.live,
                side,
                Player(account.player, account.name),
                phrase=messages.phrase(self.live.recording, PHRASE),
            )

    async def letters(self, name: str = "") -> list[EmailMessage]:
        """Send what is due; the new letters, those to one player if he is named."""
        await self.play.close()
        await self.postman.deliver()
        taken, self.tray.taken = self.tray.taken, []
        return [message for _, to, message in taken if to.startswith(name.lower())]

    async def letter(self, name: str = "Anna") -> EmailMessage:
        """The one new letter to a player."""
        (found,) = await self.letters(name)
        return found

    async def order(self, side: str, text: str) -> None:
        """Orders by another channel."""
        player = self.players[side].player
        await self.play.orders(OrderRequest(self.live.id, side, player, "page", text, PHRASE))

    def reply(self, letter: EmailMessage, text: str, sender: str = "anna@example.test", **headers: str) -> bytes:
        """A reply as a mail program writes it: orders on top, the letter quoted below."""
        quoted = "\n".join(f"> {line}" for line in text_of(letter).splitlines())
        body = f"{text}\n\nOn Saturday Phalera wrote:\n{quoted}\n"
        return self.written(letter["Reply-To"], body, sender, letter, **headers)

    def written(
        self, to: str, body: str, sender: str = "anna@example.test", about: EmailMessage | None = None, **headers: str
    ) -> bytes:
        """A mail, with a Message-ID of its own."""
        self.sent += 1
        mail = EmailMessage()
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail["From"], mail["To"], mail["Message-ID"] = sender, to, f"<{self.sent}@example.test>"
        if about is not None:
            mail["Subject"], mail["In-Reply-To"] = f"Re: {about['Subject']}", about["Message-ID"]
        mail.set_content(body)
        return mail.as_bytes()

    async def accept(self, raw: bytes) -> Verdict:
        """Take a mail in."""
        return await self.intake.accept(raw)


def text_of(letter: EmailMessage) -> str:
    """The plain body of a letter."""
    body = letter.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


@asynccontextmanager
async def opened(
    folder: Path,
    clock: ManualClock | None = None,
    kind: type[Office] = Office,
    entropy: Entropy | None = None,
    **post: Any,
) -> AsyncIterator[Office]:
    """An office on a data folder; opened again on the same folder it finds what was there."""
    clock = clock or ManualClock()
    settings = Settings.at(folder, host=kind.host, post=MailSettings(trusted=(OWN_SERVER,), **post))
    make_folder(settings)
    entropy = entropy or entropy_of_test()
    with EventStore.open(settings.store(), asyncio.get_running_loop()) as store:
        keys = keys_of_server(settings, store, entropy)
        battles = LiveBattles(settings, store, clock, entropy, keys, letters)
        lobby = ReadModels(settings, store)
        office = kind(battles, lobby, clock)
        try:
            yield office
        finally:
            await office.play.close()
            await asyncio.to_thread(lobby.close)
