"""Count the mails that a battle by mail takes.

    python -m benchmarks.correspondence [--battles 50] [--seed 1] [--scenario skirmish] [--habit newcomer] [--unsigned]

Bots fight battles whose every order is a line of a mail: each letter of the server is composed whole (MIME, board,
recap, legal orders), each reply quotes it and is taken in as bytes. A bot opens or joins a battle by a mail with a
command, and gives a whole turn as plain lines, as the letter lists them. Its mails are signed by their domain, as those
of providers are; `--unsigned` they are not, and opening and joining must each be confirmed by a mail more. What a bot
thinks with is what its letter describes: the battle as its side knows it at that moment. Prints mails of players per
battle and per player-turn, letters of the server, and how decisions were answered.

Habits: a `newcomer` gives no standing orders, greets, signs, and mistypes an order in some mails; after `unreadable` it
sends the mail again without the slip. `numbers` writes the numbers of the letter. `standing` answers every decision
that can be answered in advance. `mixed` leaves a part of them open, as the figures of earlier releases did.
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
from typing import Any

import msgspec
from msgspec import Struct

from domain.engine.bots import BOTS
from domain.engine.decide import decide, evolve
from domain.engine.errors import Refusal
from domain.engine.events import DecisionAsked, DecisionMade, OrderAccepted
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from server.clock import later
from server.mail.assembly import MailParts, assemble
from server.mail.numbering import list_of, listed
from server.mail.outgoing.occasions import letters
from server.mail.outgoing.postman import Postman
from server.mail.verdict import Verdict
from server.offline.match import SeededEntropy
from server.people.keys import read_or_make_key
from server.people.players import enrol
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.play.lobby import ReadModels
from server.play.questions import question_of
from server.play.service import OrderService
from server.settings import MailSettings, Settings, make_folder
from server.store import EventStore
from server.store.tables import correspondents
from server.store.tables.correspondents import Correspondent

HABITS = ("newcomer", "numbers", "mixed", "standing")
OPEN = {"newcomer": 1.0, "numbers": 1.0, "mixed": 0.25, "standing": 0.0}
"""The part of the turns, and of the units that may evade, for which a bot answers nothing in advance."""
SLIPS = 0.15
"""The part of a person's mails in which an order is mistyped."""
GREETINGS = ("", "Hi Bob,", "Hello!", "Nice move last time :)", "Hallo zusammen", "Bonjour,")
ENDINGS = (
    "",
    "Cheers,\nAnna",
    "Anna",
    "Sent from my iPhone",
    "Mvh, Anders",
    "-Abhishek",
    "Best regards\nA. N. Other\nAcme Ltd",
)
MOST_ORDERS = 60
MOST_MAILS = 400
BEGIN = "2026-01-01T08:00:00.000Z"
HOURS_BETWEEN = 7
BOT = "sensible"
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
        self, live_battles: LiveBattles, calendar: Calendar, parts: MailParts, seed: str, is_signed: bool, habit: str
    ) -> None:
        self.habit = habit
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
        wishes = Correspondent(made.account.player, picture=False)
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
        while await self.postman.deliver():
            pass
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


def orders(club: Club, live: LiveBattle, side: str) -> list[str]:
    """What a bot answers: the decision it is asked, or a whole turn; in its first turn its standing orders above it."""
    known = live.known(side)
    if known.waiting:
        return script(club, live, side)
    lines = [] if known.turn > 1 or known.phase != "turns" else list(standing(club, known, side))
    if club.whims.random() >= OPEN[club.habit]:
        lines.append("on replay: yes if needs at most 8, else no")
    return [f"phrase {club.whims.getrandbits(64):016x}", *lines, *script(club, live, side)]


def written(club: Club, live: LiveBattle, side: str, lines: list[str]) -> str:
    """The lines as a person writes them into a mail: with a greeting, a name, and now and then a slip."""
    if club.habit == "mixed":
        return "\n".join(lines)
    if club.habit == "numbers":
        numbers = {order: str(at) for at, order in enumerate(listed(list_of(live, side)), 1)}
        lines = [numbers.get(line, line) for line in lines]
    elif club.whims.random() < SLIPS:
        at = club.whims.randrange(len(lines))
        lines = [*lines[:at], slip(club, lines[at]), *lines[at + 1 :]]
    parts = (club.whims.choice(GREETINGS), "\n".join(lines), club.whims.choice(ENDINGS))
    return "\n\n".join(part for part in parts if part)


def slip(club: Club, line: str) -> str:
    """A line with two letters of its last word exchanged; a phrase may be what it likes."""
    if line.startswith("phrase") or len(line) < 2:
        return line
    at = club.whims.randrange(len(line) - 1)
    return line[:at] + line[at + 1] + line[at] + line[at + 2 :]


def standing(club: Club, known: Any, side: str) -> Iterator[str]:
    """Standing orders for most of the units."""
    for unit in known.units.values():
        if unit.side == side and club.whims.random() >= OPEN[club.habit]:
            yield f"standing evade {unit.id} heavier"


def script(club: Club, live: LiveBattle, side: str) -> list[str]:
    """The orders of a turn as a bot imagines it; what fails on the way makes others impossible."""
    ruleset, state, n = live.ruleset, live.known(side), live.n
    think, turn = BOTS[BOT], state.t
    lines: list[str] = []
    mine_to_answer = state.waiting is not None
    while len(lines) < MOST_ORDERS and state.winner is None and state.t == turn:
        asked = state.waiting
        mover = asked.side if asked else side
        options = ruleset.orders.options(state, mover)
        if not options or (not asked and side not in ruleset.rules.active(state)):
            break
        order = think(ruleset, state, mover, options, club.chance)
        try:
            facts = decide(ruleset, state, mover, ruleset.orders.parse(order), club.chance)
        except Refusal:
            break
        if mover == side and (not asked or mine_to_answer):
            lines.append(order)
        mine_to_answer = False
        for fact in facts:
            n += 1
            state = evolve(ruleset, state, fact.event, n)
    if not lines:
        lines = [live.options(side)[-1].order]
    if live.known(side).phase == "turns" and not _answers(live, side) and "end turn" not in lines[-1]:
        lines.append("end turn")
    return lines


def _answers(live: LiveBattle, side: str) -> bool:
    """Whether the side only answers, in the other's turn."""
    return side not in live.ruleset.rules.active(live.known(side))


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
    folder: Path, battles: int, seed: int, scenario: str, is_signed: bool = True, habit: str = "newcomer"
) -> Count:
    """So many battles, one after another, on one server."""
    whole = Count()
    async with club_in(folder, seed, is_signed, habit) as club:
        for number in range(1, battles + 1):
            whole.add(await fight(club, scenario, number, orders))
    return whole


@asynccontextmanager
async def club_in(folder: Path, seed: int, is_signed: bool = True, habit: str = "mixed") -> AsyncIterator[Club]:
    """A server in a folder, with its correspondents."""
    settings = Settings.at(folder, host="pbem.test", post=MailSettings(trusted=(FRONT,)))
    make_folder(settings)
    calendar = Calendar()
    with EventStore.open(
        msgspec.structs.replace(settings.store(), synchronous="NORMAL"), asyncio.get_running_loop()
    ) as store:
        entropy = SeededEntropy(f"correspondence {seed}")
        signer = read_or_make_key(settings.key, settings.host, entropy)
        live_battles = LiveBattles(settings, store, calendar, entropy, signer, letters)
        models = ReadModels(settings, store)
        try:
            play = OrderService(live_battles)
            yield Club(live_battles, calendar, assemble(play, lambda: models), f"{seed}", is_signed, habit)
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
            )
        )
    show(count, time.monotonic() - begun)
    sys.exit(0 if count.ended == count.battles else 1)


if __name__ == "__main__":
    main()
