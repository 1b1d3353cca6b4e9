"""Letters go out into the Maildir, replies come in and are played."""

import asyncio
import mailbox
import tomllib
from contextlib import asynccontextmanager
from email.message import EmailMessage

import pytest

from domain.data import scenario_text
from replay import notes
from server.clock import SystemClock, SystemEntropy
from server.hall import Hall
from server.keys import read_or_make_key
from server.mail.intake import Intake, orders_in
from server.mail.letter import CUT
from server.mail.occasions import letters
from server.mail.postman import Postman
from server.play import Play
from server.players import Player, enrol
from server.seating import take_side
from server.settings import Settings, make_folder
from server.store import EventStore

PHRASE = "sixteen bytes of my own"


class Office:
    """A hall with a battle of the skirmish, two players with addresses, and the mail."""

    def __init__(self, hall, folder):
        self.hall, self.folder = hall, folder
        self.play = Play(hall)
        self.postman = Postman(hall, folder)
        self.intake = Intake(self.play, self.postman)
        self.players = {}
        self.table = None

    async def begin(self):
        for side, name in (("south", "Anna"), ("north", "Bob")):
            made = enrol(self.hall.clock, self.hall.entropy, name, f"{name.lower()}@example.test")
            await self.hall.store.write(*made.statements)
            self.players[side] = made.account
        self.table = await self.hall.open("tts", tomllib.loads(scenario_text("tts", "skirmish")), "public")
        for side, account in self.players.items():
            await take_side(self.table, side, Player(account.player, account.name), phrase=PHRASE)

    def mails(self):
        """Everything in the Maildir, oldest first."""
        box = mailbox.Maildir(self.folder / "out", factory=None)
        found = [box.get_message(key) for key in box.iterkeys()]
        return sorted(found, key=lambda mail: mail["Message-ID"])

    async def letter(self):
        """Deliver, and give the one letter that lies in the Maildir."""
        await self.postman.deliver()
        (mail,) = self.mails()
        return mail

    def reply(self, mail, text, sender="anna@example.test", **headers):
        """A reply as a mail program writes it: orders on top, the letter quoted below."""
        answer = EmailMessage()
        answer["From"], answer["To"] = f"Anna <{sender}>", mail["Reply-To"]
        answer["Subject"], answer["Message-ID"] = f"Re: {mail['Subject']}", "<reply-1@example.test>"
        answer["In-Reply-To"] = mail["Message-ID"]
        for name, value in headers.items():
            answer[name.replace("_", "-")] = value
        quoted = "\n".join(f"> {line}" for line in text_of(mail).splitlines())
        answer.set_content(f"{text}\n\nOn Saturday Phalera wrote:\n{quoted}\n")
        return answer.as_bytes()


def text_of(mail):
    return mail.get_payload(decode=True).decode()


@asynccontextmanager
async def opened(folder):
    settings = Settings.at(folder)
    make_folder(settings)
    with EventStore.open(settings.store(), asyncio.get_running_loop()) as store:
        signer = read_or_make_key(settings.key, settings.host, SystemEntropy())
        hall = Hall(settings, store, SystemClock(), SystemEntropy(), signer)
        hall.letters = letters
        office = Office(hall, settings.maildir)
        await office.begin()
        yield office
        await office.play.close()


@pytest.fixture
async def office(tmp_path):
    async with opened(tmp_path / "data") as running:
        yield running


async def test_the_side_to_move_gets_a_letter_with_board_options_and_head(office):
    mail = await office.letter()
    assert mail["To"] == "anna@example.test"
    assert mail["Reply-To"].startswith("play+")
    text = text_of(mail)
    assert CUT in text
    assert "What you can order:" in text
    assert all(unit.id in text for unit in office.table.game.units.values())
    head = notes.open_head(notes.Verifier(office.hall.signer.key), text.partition("-- \n")[2])
    assert head.n == office.table.n


async def test_a_letter_is_written_once(office):
    await office.letter()
    assert await office.postman.deliver() == 0


async def test_a_reply_is_played_and_answered(office):
    mail = await office.letter()
    verdict = await office.intake.accept(office.reply(mail, f"phrase {PHRASE}\nend turn"))
    assert verdict.what == "played"
    assert office.table.game.active == "north"
    answer = next(mail for mail in office.mails() if mail["Auto-Submitted"] == "auto-replied")
    assert "> end turn\n    accepted" in text_of(answer)
    await office.postman.deliver()
    assert any(mail["To"] == "bob@example.test" for mail in office.mails())


async def test_a_mail_without_a_phrase_is_played(office):
    verdict = await office.intake.accept(office.reply(await office.letter(), "end turn"))
    assert verdict.what == "played"


async def test_the_same_mail_again_does_nothing(office):
    raw = office.reply(await office.letter(), "end turn")
    await office.intake.accept(raw)
    n = office.table.n
    assert (await office.intake.accept(raw)).what == "duplicate"
    assert office.table.n == n


async def test_a_line_that_is_no_order_plays_nothing(office):
    n = office.table.n
    verdict = await office.intake.accept(office.reply(await office.letter(), "end turn\nsee you on Sunday"))
    assert verdict.what == "unreadable"
    assert office.table.n == n
    answer = next(mail for mail in office.mails() if mail["Auto-Submitted"] == "auto-replied")
    assert "see you on Sunday" in text_of(answer)


async def test_a_refused_order_is_answered_with_its_rule(office):
    verdict = await office.intake.accept(office.reply(await office.letter(), "accept draw"))
    assert verdict.what == "refused"
    answer = next(mail for mail in office.mails() if mail["Auto-Submitted"] == "auto-replied")
    assert "[CORE-DRAW]" in text_of(answer)


async def test_another_sender_is_not_the_player(office):
    n = office.table.n
    verdict = await office.intake.accept(office.reply(await office.letter(), "end turn", sender="mallory@example.test"))
    assert verdict.what == "wrong-sender"
    assert (office.table.n, len(office.mails())) == (n, 1)


async def test_a_question_that_was_answered_elsewhere_is_closed(office):
    mail = await office.letter()
    await office.intake.accept(office.reply(mail, "end turn"))
    late = office.reply(mail, "end turn").replace(b"<reply-1@", b"<reply-2@")
    n = office.table.n
    assert (await office.intake.accept(late)).what == "closed"
    assert office.table.n == n


async def test_machines_get_no_answer(office):
    mail = await office.letter()
    verdict = await office.intake.accept(office.reply(mail, "end turn", Auto_Submitted="auto-replied"))
    assert verdict.what == "automatic"
    assert len(office.mails()) == 1


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b"no mail at all", "no-token"),
        (b"From: x@example.test\nTo: play+aaaaaaaaaaaaaaaaaaaaaaaa@localhost\n\nend turn\n", "no-token"),
        (b"x" * (1024 * 1024 + 1), "too-large"),
    ],
)
async def test_other_mail_is_harmless(office, raw, what):
    n = office.table.n
    assert (await office.intake.accept(raw)).what == what
    assert office.table.n == n


async def test_a_letter_tells_nothing_of_the_other_sides_standing_orders(office):
    unit = next(unit.id for unit in office.table.game.units.values() if unit.side == "north")
    from server.play import Orders

    orders = Orders(office.table.id, "north", office.players["north"].player, "api", f"standing evade {unit} never")
    await office.play.orders(orders)
    assert "never" not in text_of(await office.letter())


def test_what_stands_below_the_cut_line_is_no_order():
    mail = EmailMessage()
    mail.set_content(f"R1 ahead\n> R2 ahead\n{CUT} x {CUT}\nR3 ahead\n")
    assert orders_in(mail).split() == ["R1", "ahead"]
