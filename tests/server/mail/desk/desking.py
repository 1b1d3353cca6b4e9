"""A desk over a real hall: two players, their battles, the clock in the test's hand."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from domain.basics.message import Message
from replay.telling.words import sentence
from server.mail.blocks import (
    Block,
    BoardBlock,
    ExamplesBlock,
    HeadingLine,
    Link,
    Listing,
    MapBlock,
    MenuBlock,
    OrdersBlock,
    Paragraph,
    TableBlock,
)
from server.mail.desk import Caller, Desk, confirming, do, read, show
from server.mail.outgoing.letters.menu_text import menu_lines
from server.mail.verdict import MailRequest, Verdict
from server.people.addresses import Addresses
from server.people.key_files import read_or_make_key
from server.people.keys import Keyring
from server.people.players import enrol
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.play.lobby import ReadModels
from server.play.service import OrderRequest as Given
from server.play.service import OrderService
from server.settings import Settings, make_folder
from server.store import EventStore
from server.store.tables import outbox
from server.store.tables.accounts import Account
from server.store.tables.outbox import Letter
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test

PHRASE = "sixteen bytes of my own"


class Counter:
    """A desk, who comes to it, and what he is told."""

    def __init__(self, battles: LiveBattles, lobby: ReadModels, clock: ManualClock) -> None:
        self.battles, self.lobby, self.clock = battles, lobby, clock
        self.play = OrderService(battles)
        self.desk = Desk(self.play, lambda: lobby, Addresses("play@phalera.test", b"s" * 32))
        self.anna: Account
        self.bob: Account
        self.mails = 0

    async def account(self, name: str) -> Account:
        made = enrol(self.battles.clock, self.battles.entropy, name, f"{name.lower()}@example.test")
        await self.battles.store.write(*made.statements)
        return made.account

    def caller(self, account: Account, lang: str = "en", battle: str = "", side: str = "") -> Caller:
        return Caller(account, lang, battle, side)

    async def mail(
        self,
        account: Account,
        text: str,
        subject: str = "",
        lang: str = "",
        key: str = "",
        live: LiveBattle | None = None,
    ) -> "Answer":
        """One mail with commands; answering a letter of `table` if one is given."""
        self.mails += 1
        side = next(iter(live.recording.battle.seat_of(account.player)), "") if live else ""
        lang = lang or self.desk.wishes(account.player).lang
        caller = self.caller(account, lang, live.id if live and side else "", side)
        done, shown = [], []
        for place, request in enumerate(read(text, subject, None if live else "")):
            done.append(await do(self.desk, request, caller, f"{key or f'{self.mails:064x}'}.{place}"))
            shown += await show(self.desk, done[-1], caller)
        return Answer(tuple(done), shown, lang)

    async def battle(self, pace: str = "", readers: str = "public") -> LiveBattle:
        """A skirmish that Anna (south) and Bob (north) have begun."""
        opened = await self.mail(self.anna, f"open skirmish south {readers} {pace}\nphrase {PHRASE}")
        battle = opened.requests[0].args[0]
        await self.mail(self.bob, f"join {battle}\nphrase {PHRASE}")
        return await self.battles.get(battle)

    async def order(self, live: LiveBattle, account: Account, text: str) -> None:
        side = live.recording.battle.seat_of(account.player)[0]
        played = await self.play.orders(Given(live.id, side, account.player, "mail", text, phrase_required=False))
        assert played.refused is None, played

    async def confirm(self, token: str) -> Message:
        """The yes to what waits under a token; no mails are held here."""

        async def judge_held(id_: bytes) -> Verdict:
            return Verdict(what="unknown")

        return await confirming.confirm(self.desk, token, judge_held)

    def letters(self, kind: str = "") -> list[Letter]:
        return [row for row in outbox.unsent(self.battles.store) if row.kind.startswith(kind)]


class Answer:
    """What came of a mail, and what its answer shows."""

    def __init__(self, requests: tuple[MailRequest, ...], blocks: list[Block], lang: str) -> None:
        self.requests, self.blocks, self.lang = requests, blocks, lang

    @property
    def id(self) -> str:
        """The id of the only message."""
        (message,) = [request.message for request in self.requests if request.message]
        return message.id

    @property
    def said(self) -> str:
        return "\n".join(sentence(r.message, self.lang) for r in self.requests if r.message)

    @property
    def text(self) -> str:
        """All that can be read."""
        return "\n".join([self.said, *(text_of(block) for block in self.blocks)])

    def only(self, kind: type) -> Any:
        (found,) = [block for block in self.blocks if isinstance(block, kind)]
        return found


def text_of(block: Block) -> str:
    match block:
        case HeadingLine() | Paragraph():
            return block.text
        case Listing():
            return "\n".join(block.lines)
        case TableBlock():
            return "\n".join("  ".join(row) for row in (block.heads, *block.rows))
        case ExamplesBlock():
            return "\n".join("  ".join(line) for line in block.lines)
        case OrdersBlock():
            return "\n".join(line for _, lines in block.groups for line in lines)
        case MenuBlock():
            return "\n".join(menu_lines(block, 100, "en"))
        case Link():
            return f"{block.text} {block.href}"
        case BoardBlock():
            return f"board {block.battle} {block.n} {block.side}"
        case MapBlock():
            return f"map {block.scene.title}"


@asynccontextmanager
async def counter_at(folder: Path) -> AsyncIterator[Counter]:
    """A desk on a data folder."""
    settings = Settings.at(folder, {}, synchronous="NORMAL", mail=True)
    make_folder(settings)
    clock, entropy = ManualClock("2026-11-20T12:00:00.000Z"), entropy_of_test()
    with EventStore.open(settings.store(), asyncio.get_running_loop()) as store:
        signer = read_or_make_key(settings.key, settings.host, entropy)
        battles = LiveBattles(settings, store, clock, entropy, Keyring(signer))
        lobby = ReadModels(settings, store)
        try:
            counter = Counter(battles, lobby, clock)
            counter.anna, counter.bob = await counter.account("Anna"), await counter.account("Bob")
            yield counter
            await counter.play.close()
        finally:
            lobby.close()
