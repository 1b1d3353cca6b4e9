"""Simulated people who play by mail: what they answer, when, and what they do when nothing comes back.

They know nothing but their letters. (What a letter describes, a bot thinks about in place of some of them, at the
moment it is written.)
"""

import random
import re
from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from benchmarks.correspondents import orders as thought_of
from domain.basics.pace import DAY_MS, HOUR_MS, MINUTE_MS, text_of
from server.mail.outgoing.preferences import name_of
from server.mail.verdict import Verdict
from server.people.players import enrol
from server.play.questions import question_of
from server.store.tables import correspondents
from server.store.tables.correspondents import Correspondent
from server.store.tables.outbox import Letter
from tests.mailhost import captain

if TYPE_CHECKING:
    from tests.server.mail.months import World

FRONT = "mx.phalera.test"
"""The mail system in front of the server, which has checked signatures."""
WRITTEN = re.compile(r"^\| (.+?)\s*#.*$", re.M)
"""An order of the whole list, which “orders” brings."""
CUT = re.compile(r"8<-+ ([a-z2-7]{16}), ")
"""The line that names the battle of a letter."""
SECTION = re.compile(r"^-+8<-+ (?:battle|bataille) \d+, ([a-z2-7]{16})", re.M)
"""The line that begins the section of a battle in a letter about several."""
TRIES = 5
WISHES = (
    Correspondent("", picture=False),
    Correspondent("", picture=False, zone="Europe/Paris", quiet="22-8"),
    Correspondent("", picture=False, delivery="digest", zone="America/New_York"),
    Correspondent("", picture=False, delivery="urgent", quiet="23-6"),
    Correspondent("", picture=False, lang="fr", delivery="digest", quiet="21-7", zone="Europe/Paris"),
)


class Sent(Struct):
    """A reply, of whose arrival nothing is known yet."""

    battle: str
    to: str
    text: str
    about: EmailMessage
    at: int
    tries: int = 1


class Person(Struct):
    """A player: what he is like, and what he remembers."""

    player: str
    address: str
    wishes: Correspondent
    is_signed: bool
    is_thinker: bool
    answers_away: bool
    hours: int
    away: list[tuple[int, int]]
    gone: list[tuple[int, int]]
    heard: dict[str, int] = {}
    newest: dict[str, str] = {}
    thoughts: dict[str, str] = {}
    done: set[str] = set()
    noted: int = 0

    def is_gone(self, moment: int) -> bool:
        """Whether his mailbox refuses mail."""
        return any(first <= moment < last for first, last in self.gone)

    def back(self, moment: int) -> int:
        """When he looks into his mailbox, at the earliest."""
        return max((last for first, last in self.away if first <= moment < last), default=moment)


class People:
    """All players of a world, and what they do."""

    def __init__(self, world: "World", battles: int) -> None:
        self.world = world
        self.pairs = [(number, (number + 1 + number % 2) % battles) for number in range(battles)]
        self.all: list[Person] = []
        self.sent = 0
        self.tray: list[EmailMessage] = []

    def of(self, address: str) -> Person:
        """Whose address that is."""
        return next(person for person in self.all if person.address == address)

    # --- the first day, on which nothing goes wrong

    async def begin(self) -> None:
        """Accounts, and battles opened and joined by mail."""
        for number in range(len(self.pairs)):
            await self._enrol(number)
        for number, (south, north) in enumerate(self.pairs):
            await self._open(number, self.all[south], self.all[north])
        for person in self.all:
            self.world.at(self.world.moment + DAY_MS, self._later(self.look, person))

    async def _enrol(self, number: int) -> None:
        world, chance = self.world, self.world.chance("person", number)
        made = enrol(world, world.entropy, f"Player {number}", f"player{number}@players.test")
        wishes = WISHES[number % len(WISHES)]._replace(player=made.account.player)
        await world.up.store.write(*made.statements, correspondents.save(wishes))

        def spans(most: int, longest: int) -> list[tuple[int, int]]:
            begun = [world.moment + chance.randint(4, 70) * DAY_MS for _ in range(chance.randint(0, most))]
            return [(at, at + chance.randint(1, longest) * DAY_MS) for at in begun]

        self.all.append(
            Person(
                made.account.player,
                made.account.email,
                wishes,
                is_signed=chance.random() < 0.5,
                is_thinker=chance.random() < 0.6,
                answers_away=chance.random() < 0.5,
                hours=chance.choice((2, 6, 20)),
                away=spans(4, 8),
                gone=spans(2, 4),
            )
        )

    async def _open(self, number: int, south: Person, north: Person) -> None:
        from tests.server.mail.months import PACES

        world = self.world
        mailbox = world.up.parts.addresses.mailbox
        pace = PACES[number % len(PACES)]
        await self._command(south, mailbox, f"open skirmish south {pace} phrase the first words of {number}, secret")
        battle = world.up.store.battles()[-1].battle
        await self._command(north, mailbox, f"join {battle} north phrase the other words of {number}, secret")
        world.battles.append(battle)
        assert (await world.up.battles.get(battle)).recording.battle.begun

    async def _command(self, person: Person, to: str, text: str) -> None:
        """A mail that arrives, confirmed if the server asks for it."""
        self.tray.clear()
        await self.world.taken_in(self.mail(person, to, text))
        await self.world._settle()
        for letter in self.tray:
            if letter["To"] == person.address and "/confirm/" in body_of(letter):
                await self.world.taken_in(self.mail(person, letter["Reply-To"], "yes", letter))
                await self.world._settle()
                break

    # --- letters

    async def describe(self, person: Person, letter: EmailMessage) -> None:
        """A letter leaves: a thinker's bot looks at what it shows."""
        self.tray.append(letter)
        if not person.is_thinker:
            return
        server = self.world.up
        for token in server.parts.addresses.tokens_in(f"{letter['Reply-To']} {body_of(letter)}"):
            known = self.world.person_of_token(token)
            if known is None or known.kind != "question" or not known.question or token in person.thoughts:
                continue
            live = await server.battles.get(known.battle)
            if question_of(live, known.side) == known.question and live.options(known.side):
                whims = self.world.chance("thought", known.battle, known.question)
                club: Any = SimpleNamespace(whims=whims, chance=self.world.bots, habit="mixed")
                person.thoughts[token] = "\n".join(thought_of(club, live, known.side))

    async def arrived(self, person: Person, row: Letter, letter: EmailMessage) -> None:
        """A letter is in the mailbox; its owner looks into it when he does."""
        world, chance = self.world, self.world.chance("read", letter["Message-ID"])
        back = person.back(world.moment)
        is_away = back > world.moment
        if is_away and person.answers_away and world.moment > person.noted + 4 * DAY_MS:
            person.noted = world.moment
            world.post(self._note(person, letter, back))
        delay = chance.randint(5 * MINUTE_MS, person.hours * HOUR_MS)
        on_the_phone = is_away and "/confirm/" in body_of(letter) and chance.random() < 0.5
        at = world.moment if on_the_phone else back
        world.at(at + delay, self._later(self.read, person, row, letter))

    async def read(self, person: Person, row: Letter, letter: EmailMessage) -> None:
        """He reads a letter, and does something about it."""
        world, chance = self.world, self.world.chance("act", letter["Message-ID"])
        name, text = name_of(row.kind), body_of(letter)
        reply = letter["Reply-To"]
        if "/confirm/" in text:
            if reply not in person.done and chance.random() < 0.85:
                person.done.add(reply)
                world.post(self.mail(person, reply, "yes" if chance.random() < 0.9 else "Yes, please.", letter))
            return
        sections = self._sections(letter, text)
        is_together = SECTION.search(text) is not None and chance.random() < 0.7
        together: list[tuple[str, str]] = []
        for battle, to, part in sections:
            person.heard[battle] = world.moment
            if name == "flag" and chance.random() < 0.6:
                world.post(self.mail(person, world.addresses.mailbox, f"claim {battle}"))
            elif row.kind.startswith("pause:asked"):
                word = chance.choice(("pause", "pause", "resume"))
                world.post(self.mail(person, to, word, letter))
            elif name != "say":
                said = self._answer(person, battle, to, part, letter, chance, is_warned=name == "reminder")
                if said and is_together:
                    together.append((battle, f"battle {battle}\n{said}"))
                elif said:
                    self._reply(person, Sent(battle, to, said, letter, world.moment), chance)
            if chance.random() < 0.04:
                self._aside(person, battle, to, letter, chance)
        if together:
            world.count["several in one"] += len(together) > 1
            for at, (battle, said) in enumerate(together):
                whole = "\n\n".join(text for _, text in together)
                sent = Sent(battle, reply, said, letter, world.moment)
                self._reply(person, sent, chance, text="" if at else whole)

    def _sections(self, letter: EmailMessage, text: str) -> list[tuple[str, str, str]]:
        """(battle, address of an answer, text) of each battle that a letter tells of."""
        addresses = self.world.addresses
        named = CUT.search(text)
        if named:
            return [(named[1], letter["Reply-To"], text)]
        parts = SECTION.split(text)[1:]
        found = []
        for battle, below in zip(parts[::2], parts[1::2], strict=True):
            part = below.partition("\n-----8<-----")[0]
            tokens = addresses.tokens_in(part)
            if tokens:
                found.append((battle, addresses.to(tokens[-1]), part))
        return found

    def _answer(
        self,
        person: Person,
        battle: str,
        to: str,
        part: str,
        letter: EmailMessage,
        chance: random.Random,
        is_warned: bool,
    ) -> str:
        """What he orders, "" if the letter asks for nothing or he forgets it."""
        listed = WRITTEN.findall(part) or [offer.whole for offer in captain.offers(part)]
        token = next(iter(self.world.addresses.tokens_in(to)), "")
        is_old = _written(letter) < person.newest.get(battle, "")
        if to in person.done or (not listed and "phrase" not in part.partition("-----8<-----")[0]):
            return ""
        if (is_old and chance.random() < 0.8) or chance.random() < (0.2 if is_warned else 0.1):
            self.world.count["forgotten"] += not is_old
            return ""
        person.newest[battle] = max(_written(letter), person.newest.get(battle, ""))
        person.done.add(to)
        text = person.thoughts.get(token) or copied(listed, chance)
        if chance.random() < 0.03:
            text += "\nand then charge at once"
        if chance.random() < 0.003:
            text = "resign"
        return text

    def _reply(self, person: Person, sent: Sent, chance: random.Random, text: str | None = None) -> None:
        """Send a reply, or another `text` ("": nothing) that holds it, and wait for what comes of it."""
        written = sent.text if text is None else text
        if written:
            self.world.post(self.mail(person, sent.to, written, sent.about))
        self.world.at(self.world.moment + self._patience(chance), self._later(self.missing, person, sent))

    def _patience(self, chance: random.Random) -> int:
        return chance.randint(18 * HOUR_MS, 3 * DAY_MS)

    async def missing(self, person: Person, sent: Sent) -> None:
        """Has anything come of a reply? If not it is sent again, as it was; then the orders are asked for."""
        world, chance = self.world, self.world.chance("missing", person.player, sent.to, sent.tries)
        if person.back(world.moment) > world.moment:
            world.at(person.back(world.moment) + HOUR_MS, self._later(self.missing, person, sent))
            return
        if person.heard.get(sent.battle, 0) > sent.at or sent.tries >= TRIES:
            return
        sent.tries += 1
        if sent.tries == 2 or (sent.tries == 3 and chance.random() < 0.5):
            world.count["sent again"] += 1
            world.post(self.mail(person, sent.to, sent.text, sent.about))
        else:
            world.count["asked for orders"] += 1
            world.post(self.mail(person, world.addresses.mailbox, f"orders {sent.battle}"))
        world.at(world.moment + self._patience(chance), self._later(self.missing, person, sent))

    def _aside(self, person: Person, battle: str, to: str, letter: EmailMessage, chance: random.Random) -> None:
        """Something beside the battle: a vacation, a word, a pause, the end of one."""
        world = self.world
        first, days = world.moment + chance.randint(1, 6) * DAY_MS, chance.randint(1, 7)
        vacation = f"vacation {text_of(first)[:10]} {text_of(first + days * DAY_MS)[:10]}"
        word = chance.choice((vacation, vacation, "say A fine charge!", "pause", "resume", "board", "orders"))
        if word == vacation:
            person.away.append((first, first + days * DAY_MS))
        world.count[f"aside {word.split()[0]}"] += 1
        world.post(self.mail(person, to, word, letter))

    async def look(self, person: Person) -> None:
        """Now and then he wonders what has become of a battle."""
        world, chance = self.world, self.world.chance("look", person.player)
        if person.back(world.moment) == world.moment:
            for battle, heard in person.heard.items():
                if heard < world.moment - 6 * DAY_MS:
                    world.count["wondered"] += 1
                    person.heard[battle] = world.moment
                    world.post(self.mail(person, world.addresses.mailbox, f"orders {battle}"))
        world.at(world.moment + chance.randint(1, 4) * DAY_MS, self._later(self.look, person))

    async def told(self, raw: bytes, verdict: Verdict) -> None:
        """Nobody tells him what the server thinks of his mail; only a letter does."""

    def _later(self, do: Callable[..., Any], *about: Any) -> Callable[[], Any]:
        return lambda: do(*about)

    # --- mails

    def mail(self, person: Person, to: str, text: str, about: EmailMessage | None = None, **more: str) -> bytes:
        """A mail as his program writes it, with what the systems on the way put in front."""
        self.sent += 1
        mail = EmailMessage()
        if person.is_signed:
            mail["Authentication-Results"] = f"{FRONT}; dkim=pass header.d=players.test"
        mail["From"], mail["To"], mail["Message-ID"] = person.address, to, f"<{self.sent}@players.test>"
        quoted = ""
        if about is not None:
            mail["Subject"] = more.get("subject", f"Re: {about['Subject']}")
            mail["In-Reply-To"] = about["Message-ID"]
            quoted = "\n\nOn Monday Phalera wrote:\n" + "".join(f"> {line}\n" for line in body_of(about).splitlines())
        if "automatic" in more:
            mail["Auto-Submitted"] = more["automatic"]
            quoted = ""
        mail.set_content(f"{text}{quoted}\n")
        front = f"Return-Path: <{person.address}>\r\nDelivered-To: {to}\r\n".encode()
        return front + mail.as_bytes()

    def _note(self, person: Person, letter: EmailMessage, back: int) -> bytes:
        self.world.count["vacation note"] += 1
        return self.mail(
            person,
            letter["Reply-To"],
            f"I am out of the office and will be back on {text_of(back)[:10]}.",
            letter,
            subject="Automatic reply: away",
            automatic="auto-replied",
        )

    def report(self, letter: EmailMessage, sender: str, recipient: str) -> bytes:
        """A delivery report about a letter."""
        self.sent += 1
        return (
            f"Return-Path: <>\r\nDelivered-To: {sender}\r\nFrom: MAILER-DAEMON@players.test\r\nTo: {sender}\r\n"
            f"Message-ID: <report{self.sent}@players.test>\r\nSubject: Undelivered Mail\r\nMIME-Version: 1.0\r\n"
            'Content-Type: multipart/report; report-type=delivery-status; boundary="r"\r\n\r\n'
            "--r\r\nContent-Type: text/plain\r\n\r\nNo such user.\r\n"
            "--r\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.players.test\r\n\r\n"
            f"Final-Recipient: rfc822; {recipient}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
            "--r\r\nContent-Type: text/rfc822-headers\r\n\r\n"
            f"Message-ID: {letter['Message-ID']}\r\n\r\n--r--\r\n"
        ).encode()


def copied(listed: list[str], chance: random.Random) -> str:
    """Orders copied from the list of a letter."""
    phrase = f"phrase {chance.getrandbits(64):016x}"
    last = next((order for order in listed if order in ("end turn", "fin tour")), "")
    others = [order for order in listed if order != last]
    if not listed:
        return phrase
    if not last:
        return f"{phrase}\n{chance.choice(listed)}"
    tries = [f"try {order}" for order in chance.sample(others, min(len(others), chance.randint(0, 3)))]
    return "\n".join([phrase, *tries, last])


def body_of(letter: EmailMessage) -> str:
    """The plain text of a letter."""
    body = letter.get_body(("plain",))
    return str(body.get_content()) if body else ""


def _written(letter: EmailMessage) -> str:
    at = letter["Date"].datetime
    assert isinstance(at, datetime)
    return at.isoformat()
