"""Battles by mail in which nobody waits: whoever has to act hears of it as soon as the last mail has been judged."""

import asyncio
from email.message import EmailMessage

import pytest

from replay.writing.entropy import SeededEntropy
from server.mail.outgoing.letters.draft import GLANCE_S
from server.mail.verdict import Verdict
from tests.mailhost import captain
from tests.server.mail.office import Office, opened, text_of

PLAYERS = ("anna@example.test", "bob@example.test")
MOST_MAILS = 400
GLANCES = 2
"""How often a letter looks for what belongs into it before it goes, at most."""


async def heard(office: Office) -> list[EmailMessage]:
    """The letters that go within a few glances."""
    letters = await office.letters()
    for _ in range(GLANCES):
        if not letters:
            office.clock.wait(seconds=GLANCE_S)
            letters = await office.letters()
    return letters


async def judged(office: Office, raw: bytes) -> Verdict:
    """Take a mail in while the postman looks at the outbox again and again: at every append, before memory has it."""
    judging = asyncio.create_task(office.accept(raw))
    while not judging.done():
        await office.postman.deliver()
        await asyncio.sleep(0)
    return judging.result()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 5, 7, 8])
async def test_a_battle_of_two_captains_never_waits_for_a_letter(tmp_path, seed):
    """Charges make parked lines, with these seeds at least: they are played after the other side's answer."""
    async with opened(tmp_path / "data", entropy=SeededEntropy(f"letters {seed}")) as office:
        await office.begin()
        written = parked = 0
        while not office.live.recording.battle.ended:
            letters = await heard(office)
            assert letters, "the battle waits, and nobody has been told"
            for address in PLAYERS:
                asking = [one for one in letters if address in str(one["To"]) and captain.answer(text_of(one))]
                if not asking:
                    continue
                verdict = await judged(office, office.reply(asking[-1], captain.answer(text_of(asking[-1])), address))
                assert verdict.what == "played"
                written += 1
                parked += any(line.status == "parked" for line in verdict.lines)
            assert written < MOST_MAILS
        assert parked
