"""Count the mails that a battle by mail takes.

    python -m benchmarks.correspondence [--battles 50] [--seed 1] [--scenario skirmish] [--habit newcomer]

Bots fight battles whose every order is a line of a mail: each letter of the server is composed whole (MIME, board,
recap, legal orders), each reply quotes it and is taken in as bytes. A bot opens or joins a battle by a mail with a
command, and gives a whole turn as plain lines, as the letter lists them. Its mails are signed by their domain, as those
of providers are; `--unsigned` they are not, and opening and joining must each be confirmed by a mail more. What a bot
thinks with is what its letter describes: the battle as its side knows it at that moment. Prints mails of players per
battle and per player-turn, letters of the server, and how decisions were answered.

`--letters urgent` is the wish of all players: what came of a mail is told with the next letter that asks something.

Habits: a `newcomer` gives no standing orders, greets, signs, and mistypes an order in some mails; after `unreadable` it
sends the mail again without the slip. `numbers` writes the numbers of the letter. `usual` is a newcomer whose first
mail has the word for the usual standing orders, as the letter offers it. `advised` is a newcomer who copies the
standing order at the end of a letter that asks what one could answer. `standing` answers every decision that can be
answered in advance. `mixed` leaves a part of them open, as the figures of earlier releases did.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from email.message import EmailMessage
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.correspondents import HABITS, orders, written
from domain.events.battle import DecisionAsked, DecisionMade, OrderAccepted
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from replay.writing.clock import later
from replay.writing.entropy import SeededEntropy
from server.mail.assembly import MailParts, mail_parts
from server.mail.outgoing.letters.draft import GLANCE_S
from server.mail.outgoing.occasions import letters
from server.mail.outgoing.postman import Postman
from server.mail.verdict import Verdict
from server.people.key_files import read_or_make_key
from server.people.keys import Keyring
from server.people.players import enrol
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.play.lobby import ReadModels
from server.play.questions import question_of
from server.play.service import OrderService
from server.settings import MailSettings, Settings, make_folder
from server.store import EventStore
from server.store.tables import correspondents, deliveries
from server.store.tables.correspondents import Correspondent

MOST_MAILS = 400
DELIVERIES = ("instant", "urgent")
NEVER = "9"
"""Later than any time."""
BEGIN = "2026-01-01T08:00:00.000Z"
HOURS_BETWEEN = 7
FRONT = "mx.pbem.test"
"""The mail system in front, which has checked the signatures."""


class Calendar:
    """A clock that only moves from mail to mail."""

    def __init__(self) -> None:
        self.at = BEGIN

    def now(self) -> str:
        return self.at

    def turn(self) -> None:
        self.at = later(self.at, HOURS_BETWEEN * 3600)


class Tray:
    """Where the server's letters land."""

    def __init__(self) -> None:
        self.letters: list[tuple[str, EmailMessage]] = []

    async def reach(self) -> None:
        """It is there."""

    async def carry(self, message: EmailMessage, sender: str, recipient: str) -> None:
        self.letters.append((recipient, message))

    async def close(self) -> None:
        """Nothing is open."""


class Count(Struct):
    """What a battle, or many, took. `open` decisions were answered by a mail of their own, `standing` in advance by a
    standing order, `policies` by a line of the script that was running."""

    battles: int = 0
    ended: int = 0
    player_turns: int = 0
    mails: int = 0
    letters: int = 0
    open: int = 0
    standing: int = 0
    policies: int = 0
    verdicts: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, other: "Count") -> None:
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def decisions(self) -> int:
        return self.open + self.standing + self.policies


class Club:
    """A server with two correspondents on it."""

    def __init__(
        self,
        live_battles: LiveBattles,
        calendar: Calendar,
        parts: MailParts,
        seed: str,
        is_signed: bool,
        habit: str,
        delivery: str = "instant",
    ) -> None:
        self.habit = habit
        self.delivery = delivery
        self.battles = live_battles
        self.calendar = calendar
        self.parts = parts
        self.tray = Tray()
        self.postman = Postman(live_battles, self.tray, parts.writer.compose)
        self.whims = random.Random(seed)
        self.chance = StreamChance(Stream(seed.encode().ljust(32, b".")[:32]))
        self.sent = 0
        self.is_signed = is_signed
        self.players: dict[str, str] = {}  # address: player

    async def enrol(self, name: str) -> str:
        """A new player; returns their address."""
        made = enrol(self.battles.clock, self.battles.entropy, name, f"{name.lower()}@players.test")
        wishes = Correspondent(made.account.player, picture=False, delivery=self.delivery)
        await self.battles.store.write(*made.statements, correspondents.save(wishes))
        self.players[made.account.email] = made.account.player
        return made.account.email

    async def mail(self, sender: str, to: str, text: str, about: EmailMessage | None = None) -> Verdict:
        """Send a mail, below it the letter that it answers, as mail programs quote it."""
        self.sent += 1
        self.calendar.turn()
        message = EmailMessage()
        if self.is_signed:
            message["Authentication-Results"] = f"{FRONT}; dkim=pass header.d=players.test"
        message["From"], message["To"], message["Message-ID"] = sender, to, f"<{self.sent}@players.test>"
        quoted = ""
        if about is not None:
            message["Subject"], message["In-Reply-To"] = f"Re: {about['Subject']}", about["Message-ID"]
            body = about.get_body(("plain",))
            lines = str(body.get_content()).splitlines() if body else []
            quoted = "\n\nOn Monday Phalera wrote:\n" + "\n".join(f"> {line}" for line in lines)
        message.set_content(f"{text}{quoted}\n")
        return await self.parts.intake.accept(message.as_bytes())

    async def post(self) -> list[tuple[str, EmailMessage]]:
        """All letters that the server has to send now."""
        await self.parts.desk.play.close()  # parked scripts go on first
        store = self.battles.store
        while await self.postman.deliver() or (deliveries.next_due(store) or NEVER) <= later(
            self.calendar.at, GLANCE_S
        ):
            self.calendar.at = later(self.calendar.at, GLANCE_S)  # a letter may wait for an answer that says the same
        taken, self.tray.letters = self.tray.letters, []
        return taken


async def fight(club: Club, scenario: str, number: int, say: Callable[[Club, LiveBattle, str], list[str]]) -> Count:
    """One battle from the mail that opens it to its end, or to a limit of mails; `say` is what a side replies."""
    count, mailbox = Count(battles=1), club.parts.addresses.mailbox
    anna, bob = await club.enrol(f"Anna{number}"), await club.enrol(f"Bob{number}")
    opened = await club.mail(anna, mailbox, f"open {scenario} south phrase the first words of battle {number}")
    count.mails += await confirmed(club, anna, opened)
    battle = club.battles.store.battles()[-1].battle
    joined = await club.mail(bob, mailbox, f"join {battle} north phrase the other words of battle {number}")
    count.mails += await confirmed(club, bob, joined)
    live = await club.battles.get(battle)
    answered: dict[str, str] = {}
    while count.mails < MOST_MAILS and not live.recording.battle.ended:
        letters_ = await club.post()
        count.letters += len(letters_)
        asked = list(asking(club, live, letters_, answered))  # before anybody replies: letters show what was then
        for address, side, letter in asked:
            lines = say(club, live, side)
            verdict = await club.mail(address, letter["Reply-To"], written(club, live, side, lines), letter)
            count.verdicts[verdict.what] += 1
            count.mails += 1
            if verdict.what not in ("played", "closed"):  # the answer says what was wrong: the same without the slip
                answer = [one for to, one in await club.post() if to == address][-1]
                verdict = await club.mail(address, answer["Reply-To"], "\n".join(lines), answer)
                count.verdicts[verdict.what] += 1
                count.letters += 1
                count.mails += 1
        if not letters_ and not asked:
            raise RuntimeError(f"{battle} waits for {live.to_act()}, and no letter says so")
    count.letters += len(await club.post())
    count.ended += live.recording.battle.ended
    count.player_turns += live.game.t
    _decisions(live, count)
    return count


def asking(
    club: Club, live: LiveBattle, posted: list[tuple[str, EmailMessage]], answered: dict[str, str]
) -> Iterator[tuple[str, str, EmailMessage]]:
    """The letters that ask a side something it has not answered: (address, side, letter)."""
    seats = live.recording.battle.seats
    for address, letter in posted:
        side = next((side for side, seat in seats.items() if club.players[address] == seat.player), "")
        question = question_of(live, side)
        if question and answered.get(side) != question and live.game.title in letter["Subject"]:
            answered[side] = question
            yield address, side, letter


async def confirmed(club: Club, address: str, verdict: Verdict) -> int:
    """A command to the server's own address that is not signed is held; a reply to what it then asks confirms it.
    Gives how many mails it took."""
    if verdict.what != "held":
        return 1
    asked = [letter for recipient, letter in await club.post() if recipient == address]
    await club.mail(address, asked[-1]["Reply-To"], "yes", asked[-1])
    return 2


def _decisions(live: LiveBattle, count: Count) -> None:
    """How the decisions of a battle were answered: in advance, by the running script, or by a mail."""
    last: OrderAccepted | None = None
    asked_by: OrderAccepted | None = None
    for recorded in live.recording.timeline.events:
        event = recorded.event
        if isinstance(event, OrderAccepted):
            last = event
        elif isinstance(event, DecisionAsked):
            asked_by = last
        elif isinstance(event, DecisionMade):
            if event.standing:
                count.standing += 1
            elif asked_by is not None and last is not None and asked_by.key == last.key:
                count.policies += 1
            else:
                count.open += 1


async def correspond(
    folder: Path,
    battles: int,
    seed: int,
    scenario: str,
    is_signed: bool = True,
    habit: str = "newcomer",
    delivery: str = "instant",
) -> Count:
    """So many battles, one after another, on one server."""
    whole = Count()
    async with club_in(folder, seed, is_signed, habit, delivery) as club:
        for number in range(1, battles + 1):
            whole.add(await fight(club, scenario, number, orders))
    return whole


@asynccontextmanager
async def club_in(
    folder: Path, seed: int, is_signed: bool = True, habit: str = "mixed", delivery: str = "instant"
) -> AsyncIterator[Club]:
    """A server in a folder, with its correspondents."""
    settings = Settings.at(folder, host="pbem.test", post=MailSettings(trusted=(FRONT,)))
    make_folder(settings)
    calendar = Calendar()
    with EventStore.open(
        msgspec.structs.replace(settings.store(), synchronous="NORMAL"), asyncio.get_running_loop()
    ) as store:
        entropy = SeededEntropy(f"correspondence {seed}")
        signer = read_or_make_key(settings.key, settings.host, entropy)
        live_battles = LiveBattles(settings, store, calendar, entropy, Keyring(signer), letters)
        models = ReadModels(settings, store)
        try:
            play = OrderService(live_battles)
            parts = mail_parts(play, lambda: models)
            yield Club(live_battles, calendar, parts, f"{seed}", is_signed, habit, delivery)
        finally:
            await asyncio.to_thread(models.close)


def show(count: Count, seconds: float) -> None:
    """The table."""
    rows = [
        ("battles (ended)", f"{count.battles} ({count.ended})"),
        ("player-turns", f"{count.player_turns:,}"),
        ("mails of players", f"{count.mails:,}"),
        ("mails per battle", f"{count.mails / count.battles:.1f}"),
        ("mails per player-turn", f"{count.mails / max(count.player_turns, 1):.2f}"),
        ("… from the first letter on", f"{count.verdicts.total() / max(count.player_turns, 1):.2f}"),
        ("letters of the server per player-turn", f"{count.letters / max(count.player_turns, 1):.2f}"),
        ("decisions", f"{count.decisions:,}"),
        ("… left open, answered by a mail", f"{count.open:,} ({100 * count.open // max(count.decisions, 1)}%)"),
        ("… answered by standing orders", f"{count.standing:,}"),
        ("… answered by the script", f"{count.policies:,}"),
        ("what became of the mails", ", ".join(f"{what} {n:,}" for what, n in count.verdicts.most_common())),
        ("seconds", f"{seconds:.0f}"),
    ]
    print("| what | measured |\n|---|---|")
    for what, measured in rows:
        print(f"| {what} | {measured} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scenario", default="skirmish")
    parser.add_argument("--habit", choices=HABITS, default="newcomer")
    parser.add_argument("--unsigned", action="store_true")
    parser.add_argument("--letters", choices=DELIVERIES, default="instant", help="the players' wish")
    arguments = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        count = asyncio.run(
            correspond(
                Path(folder),
                arguments.battles,
                arguments.seed,
                arguments.scenario,
                not arguments.unsigned,
                arguments.habit,
                arguments.letters,
            )
        )
    show(count, time.monotonic() - begun)
    sys.exit(0 if count.ended == count.battles else 1)


if __name__ == "__main__":
    main()
