"""Mail between the server and its players: lost, doubled, late, overtaken, refused for now; and people who play by it.

Who plays by mail knows their letters and nothing else. A mail that the server could not take is brought again, as mail
systems do; who hears nothing for days asks for their orders.
"""

import random
from email.message import EmailMessage
from hashlib import sha256
from typing import Any

from msgspec import Struct, field

from server.mail.outgoing.carrier import NotCarried
from server.mail.verdict import Verdict
from server.store import StoreError
from server.store.tables import correspondents
from server.store.tables.correspondents import Correspondent
from tests.mailhost import captain
from tests.server.mail.months_people import SECTION, WRITTEN, body_of, copied
from tests.simulation.host import FRONT
from tests.simulation.people import Crowd, PlayedBattle
from tests.simulation.world import DAY_S, HOUR_S, MINUTE_S, Account, Broken, Down, World

AGAIN_S = 20 * MINUTE_S
"""After so long a mail system brings a mail again that was not taken."""
OUTAGE_S = 6 * HOUR_S
SILENCE_S = 5 * DAY_S
ASIDE = ("board", "orders", "say A fine charge!", "pause", "resume", "why", "usual")
WISHES = (
    Correspondent("", picture=False),
    Correspondent("", picture=False, zone="Europe/Paris", quiet="22-8"),
    Correspondent("", picture=False, delivery="digest", zone="America/New_York"),
    Correspondent("", picture=False, delivery="urgent"),
)
NOTHING = Correspondent("", picture=False, delivery="none")


class MailPlayer(Struct):
    """Somebody who plays by mail; `gone_s` the moment from which on they never read any."""

    account: Account
    hours: float
    gone_s: float
    battles: list[PlayedBattle] = field(default_factory=list)
    done: set[str] = field(default_factory=set)
    heard_s: float = 0.0
    sent: int = 0


class Post:
    """The carrier of the server's letters, and the way back. It is given to the world before the server starts."""

    def __init__(self) -> None:
        self.world: World
        self.players: dict[str, MailPlayer] = {}
        self.unwilling: set[str] = set()
        self.tokens: set[str] = set()
        """All that stood in letters that were handed over: by them it is known who has been asked what."""
        self.broken: list[Broken] = []
        """What was found while a letter was handed over: the server would take an exception for a fault of the way."""
        self._letters = 0
        self._ids: dict[str, str] = {}

    # --- out

    async def reach(self) -> None:
        """It is there."""

    async def close(self) -> None:
        """Nothing is open."""

    async def carry(self, message: EmailMessage, sender: str, recipient: str) -> None:
        """Take a letter, and bring it.

        Raises: NotCarried
        """
        world = self.world
        self._letters += 1
        window = int(world.now_s // OUTAGE_S)
        if world.strikes("smtp down", window) or world.strikes("smtp down", window, self._letters):
            world.trouble()
            raise NotCarried(451, "later", False, is_down=world.chance("smtp", window).random() < 0.5)
        name, text = str(message["Message-ID"]), body_of(message)
        digest = sha256(f"{message['Subject']}{text}".encode()).hexdigest()
        world.note(f"letter {recipient} {digest[:16]}")
        world.count["letters"] += 1
        self._manners(message, name, recipient)
        self.tokens.update(world.up.whole.mail.addresses.tokens_in(f"{message['Reply-To']} {text}"))
        player = self.players.get(recipient)
        if player is None:
            return
        for delay_s in self._ways("letter", name):
            world.at(world.now_s + delay_s, f"letter to {player.account.name}", self._later(player, message))

    def _manners(self, message: EmailMessage, name: str, recipient: str) -> None:
        """SIM-LETTER: no letter is handed over twice without a fault, none to who wants none."""
        world = self.world
        if name in self._ids and world.now_s - world.trouble_s > HOUR_S:
            said = f"{name} is handed over again, and nothing explains it: {message['Subject']}"
            self.broken.append(Broken("SIM-LETTER", said))
        self._ids[name] = recipient
        if recipient in self.unwilling:
            self.broken.append(Broken("SIM-LETTER", f"{recipient} wants no letters: {message['Subject']}"))

    def _ways(self, what: str, name: str) -> list[float]:
        """How long it takes: not at all, once or twice, minutes or days."""
        world = self.world
        ways = [] if world.strikes(f"{what} lost", name) else [MINUTE_S]
        if world.strikes(f"{what} doubled", name):
            ways.append(world.chance("doubled", name).uniform(1, 30 * HOUR_S))
        if ways and world.strikes(f"{what} late", name):
            ways[0] = world.chance("late", name).uniform(HOUR_S, 4 * DAY_S)
        world.count[f"{what} lost"] += not ways
        return ways

    def _later(self, player: MailPlayer, message: EmailMessage) -> Any:
        async def arrived() -> None:
            chance = self.world.chance("read", message["Message-ID"], self.world.steps)
            at_s = self.world.now_s + chance.uniform(0.1, 2.0) * player.hours * HOUR_S
            if at_s < player.gone_s:
                self.world.at(at_s, player.account.name, lambda: self._read(player, message))

        return arrived

    # --- in

    def send(self, player: MailPlayer, to: str, text: str, about: EmailMessage | None = None) -> None:
        """Somebody sends a mail."""
        player.sent += 1
        mail = EmailMessage()
        mail["Authentication-Results"] = f"{FRONT}; dkim=pass header.d=players.test"
        mail["From"], mail["To"] = player.account.address, to
        mail["Message-ID"] = name = f"<{player.account.name}.{player.sent}@players.test>"
        if about is not None:
            mail["Subject"], mail["In-Reply-To"] = f"Re: {about['Subject']}", about["Message-ID"]
        mail.set_content(f"{text}\n")
        raw = f"Return-Path: <{player.account.address}>\r\nDelivered-To: {to}\r\n".encode() + mail.as_bytes()
        self.world.note(f"{player.account.name} writes {text!r:.60}")
        for delay_s in self._ways("mail", name):
            self.bring(self.world.now_s + delay_s, raw)

    def bring(self, at_s: float, raw: bytes) -> None:
        """A mail comes to the server at a moment, and again until it is taken."""
        world = self.world

        async def taken() -> None:
            service = world.up.mail
            if service is None:
                raise Down
            try:
                verdict = await service.accept(raw)
            except StoreError:
                again()
                return
            assert isinstance(verdict, Verdict)
            world.note(f"mail {sha256(raw).hexdigest()[:12]} {verdict.what} {verdict.why}")
            world.count[f"mail {verdict.what}"] += 1

        def again() -> None:
            self.bring(world.now_s + AGAIN_S, raw)

        world.at(at_s, "mail", taken, again)

    # --- people

    def begin(self, crowd: Crowd) -> None:
        """Some of the crowd play by mail alone from now on, some of the others want no letters."""
        world = self.world
        for player in list(crowd.players.values()):
            chance, account = world.chance("ways", player.account.name), player.account
            if chance.random() < 0.5:
                wishes = chance.choice(WISHES)
                mine = MailPlayer(account, chance.choice((3.0, 9.0, 24.0)), player.gone_s, player.battles)
                self.players[account.address] = mine
                player.gone_s = 0.0
                self._wonder(mine)
            elif chance.random() < 0.4:
                wishes = NOTHING
                self.unwilling.add(account.address)
            else:
                continue
            world.write(correspondents.save(wishes._replace(player=account.player)))

    def _wonder(self, player: MailPlayer) -> None:
        """Who has heard nothing for days asks for their orders."""
        world = self.world
        at_s = world.now_s + SILENCE_S * world.chance("wonder", player.account.name, world.steps).uniform(0.5, 1.5)
        if at_s < player.gone_s:
            world.at(at_s, player.account.name, lambda: self._ask(player), lambda: self._wonder(player))

    async def _ask(self, player: MailPlayer) -> None:
        world = self.world
        if world.now_s - player.heard_s > SILENCE_S / 2:
            for battle in player.battles:
                self.send(player, world.up.whole.mail.addresses.mailbox, f"orders {battle.id}")
        self._wonder(player)

    async def _read(self, player: MailPlayer, letter: EmailMessage) -> None:
        """Read a letter, and do what it asks for."""
        world, name, text = self.world, str(letter["Message-ID"]), body_of(letter)
        chance = world.chance("answer", name, world.steps)
        player.heard_s = world.now_s
        if "/confirm/" in text:
            if chance.random() < 0.9:
                self.send(player, letter["Reply-To"], "yes", letter)
            return
        for to, part in self._sections(letter, text):
            said = self._said(player, to, part, chance)
            if said:
                self.send(player, to, said, letter)
        if chance.random() < 0.04:
            self.send(player, letter["Reply-To"], chance.choice(ASIDE), letter)

    def _sections(self, letter: EmailMessage, text: str) -> list[tuple[str, str]]:
        """The address and the text of each battle that a letter is about."""
        parts = SECTION.split(text)[1:]
        if not parts:
            return [(str(letter["Reply-To"]), text)]
        addresses, found = self.world.up.whole.mail.addresses, []
        for below in parts[1::2]:
            part = below.partition("\n-----8<-----")[0]
            tokens = addresses.tokens_in(part)
            if tokens:
                found.append((addresses.to(tokens[-1]), part))
        return found

    def _said(self, player: MailPlayer, to: str, part: str, chance: random.Random) -> str:
        """The orders that somebody copies from a letter, "" for none."""
        listed = WRITTEN.findall(part) or [offer.whole for offer in captain.offers(part)]
        is_again = to in player.done and chance.random() < 0.8
        if is_again or (not listed and "phrase" not in part.partition("-----8<-----")[0]):
            return ""
        player.done.add(to)
        text = copied(listed, chance)
        return f"{text}\nand then charge at once" if self.world.strikes("slip", to) else text
