"""Lines of a mail that waited for the other side's answer and are refused then: the next letter tells."""

from email.message import EmailMessage

import pytest

from tests.server.mail.office import Office, opened, text_of
from tests.server.play.test_orders import EVADE

CHARGE = "R1 charge D3\nR2 shoot A5\nR3 ahead"


async def asked(office: Office) -> EmailMessage:
    """The letter that asks Bob, after a charge of Anna's; the two lines behind it wait."""
    for _ in range(40):  # the charge needs a card
        await office.begin(EVADE)
        (turn,) = [letter for letter in await office.letters("anna") if office.live.id in str(letter["Message-ID"])]
        verdict = await office.accept(office.reply(turn, CHARGE))
        if any(line.status == "parked" for line in verdict.lines):
            return next(one for one in await office.letters() if "bob" in str(one["To"]) and "answer" in one["Subject"])
        await office.letters()
    pytest.fail("no charge came so far as to ask")


async def test_a_letter_tells_of_a_line_that_waited_and_was_refused(tmp_path):
    async with opened(tmp_path / "data") as office:
        question = await asked(office)
        await office.accept(office.reply(question, "evade no", "bob@example.test"))
        (letter,) = await office.letters("anna")
        said = " ".join(text_of(letter).split())
        assert "Your line “R2 shoot A5” waited for the other side’s answer and was then refused:" in said
        assert "It was not played, nor what stood behind it: | R2 shoot A5 | R3 ahead" in said
        assert "[TTS-" in said.partition("was then refused:")[2].partition("It was not played")[0]
        await office.accept(office.reply(letter, "R3 ahead\nend turn"))
        await office.order("north", "end turn")
        for later in await office.letters("anna"):
            assert "was then refused" not in text_of(later)
