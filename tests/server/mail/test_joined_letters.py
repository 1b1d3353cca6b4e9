"""A letter that only informs goes with the next that asks something."""

import pytest

from server.mail.outgoing.letters.draft import GLANCE_S
from server.mail.outgoing.letters.pending import JOIN_S
from server.store.tables import correspondents
from tests.server.mail.office import opened, text_of


@pytest.fixture
async def office(tmp_path):
    async with opened(tmp_path / "data") as office:
        await office.begin()
        yield office


@pytest.fixture
async def urgent(office):
    """Anna wants nothing but urgent letters, and has her first."""
    player = office.players["south"].player
    wishes = correspondents.find(office.battles.store, player)
    await office.battles.store.write(correspondents.save(wishes._replace(delivery="urgent")))
    return await office.letter()


async def test_the_answer_to_a_turn_goes_at_once(office):
    await office.accept(office.reply(await office.letter(), "R1 ahead\nend turn"))
    assert "Your orders were played." in text_of(await office.letter())


async def test_who_wants_urgent_letters_alone_is_told_with_the_next(office, urgent):
    await office.accept(office.reply(urgent, "Hi!\n\nR1 ahead\nend turn"))
    assert await office.letters("anna") == []
    await office.order("north", "end turn")
    assert await office.letters("anna") == []  # the answer is being written
    office.clock.wait(seconds=GLANCE_S)
    letter = await office.letter()
    assert text_of(letter).startswith("Your orders were played. It is your turn: orders for South are wanted")
    assert letter["Reply-To"] != urgent["Reply-To"]
    assert "Hi!" in text_of(letter)
    office.clock.wait(seconds=JOIN_S)
    assert await office.letters("anna") == []


async def test_it_waits_for_a_day_and_no_longer(office, urgent):
    await office.accept(office.reply(urgent, "R1 ahead\nend turn"))
    assert await office.letters("anna") == []
    office.clock.wait(seconds=JOIN_S)
    assert text_of(await office.letter()).startswith("Your orders were played.")


async def test_it_does_not_come_after_a_letter_that_has_waited_too_long_for_it(office, urgent):
    await office.accept(office.reply(urgent, "R1 ahead\nend turn"))
    assert await office.letters("anna") == []
    await office.order("north", "end turn")
    office.clock.wait(seconds=120)  # the server was down
    assert text_of(await office.letter()).startswith("It is your turn")
    office.clock.wait(seconds=JOIN_S)
    assert await office.letters("anna") == []


async def test_what_was_not_played_as_written_is_told_at_once(office, urgent):
    await office.accept(office.reply(urgent, "R1 ahead\nX9 ahead\nend turn"))
    assert "wrong from the start" in " ".join(text_of(await office.letter()).split())
