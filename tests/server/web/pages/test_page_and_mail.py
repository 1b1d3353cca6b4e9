"""A battle between two sealed seats, one on the page and one by mail, through to its end."""

from email.message import EmailMessage
from pathlib import Path

from playwright.async_api import Browser, expect

from domain.events.battle import OrderAccepted
from replay.proof.verify import OK, verify
from server.mail.outgoing.postman import Postman
from server.remote.book import make_book, take_next, write_book
from server.settings import MailSettings
from tests.server.mail.office import OWN_SERVER, Tray
from tests.server.web.pages.test_browser import log_in, new_page
from tests.server.web.pages.test_seals import give
from tests.support.entropy import entropy_of_test
from tests.support.serving import RunningServer, serving

BOB = "Bob@example.org"
TURNS = 10


class Correspondent:
    """Bob, who plays by mail; the mail system in front says that his mails are his."""

    def __init__(self, server: RunningServer) -> None:
        self.parts = server.mail
        self.tray = Tray()
        self.postman = Postman(server.running.battles, self.tray, self.parts.writer.compose)
        self.sent = 0

    async def letter(self) -> EmailMessage:
        """The newest letter to him."""
        await self.postman.deliver()
        return [message for _, to, message in self.tray.taken if to == BOB][-1]

    async def write(self, text: str, about: EmailMessage | None = None) -> str:
        """Send a mail, which may answer a letter; what was made of it."""
        self.sent += 1
        mail = EmailMessage()
        mail["Authentication-Results"] = f"{OWN_SERVER}; dmarc=pass header.from=example.org"
        mail["From"], mail["Message-ID"] = BOB, f"<{self.sent}@example.org>"
        mail["To"] = about["Reply-To"] if about else self.parts.addresses.mailbox
        if about:
            mail["Subject"], mail["In-Reply-To"] = f"Re: {about['Subject']}", about["Message-ID"]
        mail.set_content(text)
        return (await self.parts.intake.accept(mail.as_bytes())).what


async def test_a_battle_between_the_page_and_the_mail_is_proven(tmp_path: Path, browser: Browser) -> None:
    post = MailSettings(trusted=(OWN_SERVER,))
    async with serving(tmp_path / "data", mail=True, host="phalera.test", post=post) as server:
        anna, _ = await server.player("Anna"), await server.player("Bob")
        battle, bob = await anna.open(), Correspondent(server)
        context = await browser.new_context()
        await log_in(context, server, anna)
        page = await new_page(context, server, f"/battles/{battle}")
        await expect(page.locator("[data-plain=by-letter]").first).to_be_visible()
        await page.locator("select[name=chance]").first.select_option("sealed")
        await page.get_by_role("button", name="Take south").click()
        await expect(page.locator("#sides")).to_contain_text("A sealed seat.")
        book = tmp_path / "seals.book"
        made = make_book(battle, "north", entropy_of_test())
        write_book(book, made)
        assert await bob.write(f"join {battle} north sealed {made.anchor}") == "command"
        assert await bob.write(f"accept {battle} seal {take_next(book)[1]}") == "command"
        for turn in range(1, TURNS + 1):
            await give(server, page, f"{'try R1 ahead' if turn < 3 else '# nothing'}\nend turn")
            orders = f"seal {take_next(book)[1]}\n{'try N1 ahead' if turn < 3 else '# nothing'}\nend turn"
            assert await bob.write(orders, await bob.letter()) == "played"
        await expect(page.locator("#status")).to_contain_text("The battle is over.")
        report = verify(await anna.export(battle))
        assert (report.exit, report.fault, report.ended) == (OK, None, True)
        assert [(seat.side, seat.mode) for seat in report.seats] == [("north", "sealed"), ("south", "sealed")]
        events = [recorded.event for recorded in (await server.running.battles.get(battle)).recording.timeline.events]
        channels = {(event.side, event.channel) for event in events if isinstance(event, OrderAccepted)}
        assert channels == {("south", "page"), ("north", "mail")}
