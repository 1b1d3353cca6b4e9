"""A hall with a battle, its players and the writer of their letters; clock and entropy are the test's own."""

import asyncio
import os
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec

from domain.basics.data import scenario_text
from replay.writing.clock import later
from replay.writing.entropy import SeededEntropy
from server.mail.desk import Desk
from server.mail.outgoing.letters import LetterWriter
from server.mail.outgoing.occasions import letters
from server.mail.verdict import Verdict
from server.people.addresses import Addresses
from server.people.key_files import read_or_make_key
from server.people.keys import Keyring
from server.people.players import Player, enrol
from server.play.live_battles import LiveBattles
from server.play.seating import take_side
from server.play.service import OrderRequest, OrderService, RequestAnswer
from server.settings import Settings, make_folder
from server.store import EventStore
from server.store.tables import correspondents, outbox, raw_mail
from server.store.tables.outbox import Letter
from tests.support import messages
from tests.support.clock import ManualClock

PHRASE = "sixteen bytes of my own"
START = "2026-11-20T10:00:00.000Z"
HOST = "phalera.example.org"
URL = f"https://{HOST}"
SNAPSHOTS = Path(__file__).parents[1] / "server" / "mail" / "outgoing" / "letters" / "snapshots"


def no_lobby() -> Any:
    raise AssertionError("no letter here asks for lists")


class Office:
    """Anna holds the south, Bob the north."""

    def __init__(self, battles: LiveBattles, clock: ManualClock) -> None:
        self.battles, self.clock, self.store = battles, clock, battles.store
        self.addresses = Addresses(battles.settings.mailbox, b"\0" * 32)
        self.play = OrderService(battles)
        self.writer = LetterWriter(battles, self.addresses, Desk(self.play, no_lobby, self.addresses))
        self.players: dict[str, str] = {}
        self.live: Any = None

    async def enrol(self, side: str, name: str, **wishes: Any) -> Player:
        made = enrol(self.clock, self.battles.entropy, name, f"{name.lower()}@{name.lower()}.test")
        await self.store.write(*made.statements)
        self.players[side] = made.account.player
        await self.wish(side, **{"picture": False, **wishes})  # drawing is slow
        return Player(made.account.player, made.account.name)

    async def wish(self, side: str, **wishes: Any) -> None:
        found = correspondents.find(self.store, self.players[side])
        await self.store.write(correspondents.save(found._replace(**wishes)))

    async def open(self, text: str = "", pace: str = "steady", title: str = "") -> Any:
        given = tomllib.loads(text or scenario_text("tts", "skirmish"))
        if title:
            given["title"] = title
        return await self.battles.open(str(given["ruleset"]), given, "public", pace)

    async def begin(self, names: tuple[str, str] = ("Anna", "Bob"), phrase: str = PHRASE, **more: Any) -> None:
        self.live = await self.open(**more)
        for side, name in zip(("south", "north"), names, strict=True):
            player = await self.enrol(side, name) if side not in self.players else None
            await take_side(
                self.live, side, player or self.seated(side, name), phrase=messages.phrase(self.live.recording, phrase)
            )

    def seated(self, side: str, name: str) -> Player:
        return Player(self.players[side], name)

    async def order(self, side: str, text: str) -> RequestAnswer:
        orders = OrderRequest(self.live.id, side, self.players[side], "mail", text, phrase_required=False)
        return await self.play.orders(orders)

    # --- letters

    def rows(self, side: str = "") -> list[Letter]:
        return [row for row in outbox.unsent(self.store) if not side or row.recipient == self.players[side]]

    async def posted(self, side: str, kind: str, battle: str | None = None) -> Letter:
        battle = self.live.id if battle is None else battle
        n = self.live.n if battle else 0
        await self.store.write(outbox.post(battle, n, self.players.get(side, ""), kind, self.clock.now()))
        return outbox.unsent(self.store)[-1]

    async def answered(self, verdict: Verdict, raw: bytes = b"Message-ID: <mine@anna.test>\n\nend turn\n") -> Letter:
        id_ = bytes([len(self.rows())]) * 32
        await self.store.write(raw_mail.keep(id_, self.clock.now(), raw))
        await self.store.write(raw_mail.judge(id_, msgspec.json.encode(verdict).decode()))
        side = next((side for side, player in self.players.items() if player == verdict.player), "")
        return await self.posted(side, f"answer:{id_.hex()}", verdict.battle)

    async def letter(self, row: Letter) -> Any:
        """The letter of a row as it arrives: written out and parsed anew; its statements are committed. It may have
        waited for an answer in which the same would stand."""
        composed = await self.writer.compose(row)
        assert composed is not None
        if composed.wait_until and composed.wait_until <= later(self.clock.now(), 2):
            self.clock.wait(minutes=1)
            composed = await self.writer.compose(row)
            assert composed is not None
        assert not composed.wait_until
        await self.store.write(*composed.also)
        return Arrived(composed)

    async def newest(self, side: str) -> Any:
        return await self.letter(self.rows(side)[-1])

    async def send(self, row: Letter) -> Any:
        """The same, and it has left."""
        arrived = await self.letter(row)
        await self.store.write(outbox.sent(row.id, self.clock.now()))
        return arrived


class Arrived:
    """A letter in the reader's mailbox."""

    def __init__(self, composed: Any) -> None:
        self.composed = composed
        self.raw: bytes = composed.message.as_bytes()
        message = message_from_bytes(self.raw, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.message = message

    def __getitem__(self, name: str) -> str:
        return str(self.message[name] or "")

    @property
    def text(self) -> str:
        body = self.message.get_body(("plain",))
        assert body is not None
        return str(body.get_content()).replace("\r\n", "\n")

    @property
    def html(self) -> str:
        body = self.message.get_body(("html",))
        assert body is not None
        return str(body.get_content())

    def part(self, kind: str) -> Any:
        return next((part for part in self.message.walk() if part.get_content_type() == kind), None)

    @property
    def lead(self) -> str:
        return " ".join(self.text.partition("-----8<")[0].split())


@asynccontextmanager
async def opened(folder: Path, **settings: Any) -> AsyncIterator[Office]:
    chosen = Settings.at(folder, {}, synchronous="NORMAL", host=HOST, **{"url": URL, **settings})
    make_folder(chosen)
    clock, entropy = ManualClock(START), SeededEntropy("letters 1")
    with EventStore.open(chosen.store(), asyncio.get_running_loop()) as store:
        signer = read_or_make_key(chosen.key, chosen.host, entropy)
        battles = LiveBattles(chosen, store, clock, entropy, Keyring(signer), letters)
        office = Office(battles, clock)
        yield office
        await office.play.close()


def require_same(name: str, text: str) -> None:
    """Compare with a snapshot; with PHALERA_SNAPSHOTS=write it is written."""
    path = SNAPSHOTS / name
    if os.environ.get("PHALERA_SNAPSHOTS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
