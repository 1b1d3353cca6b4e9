"""A letter that could not be handed over is written anew when it goes again: its numbers are those that it shows."""

from email.message import EmailMessage

import pytest

from domain.events.battle import OrderAccepted
from server.mail.outgoing.carrier import NotCarried
from tests.mailhost.captain import offers
from tests.server.mail.office import Office, Tray, opened, text_of


class Greylisting(Tray):
    """Takes nothing at the first try, as many mail systems do with who is new to them; keeps what it has seen."""

    def __init__(self) -> None:
        super().__init__()
        self.refused: list[EmailMessage] = []
        self.is_first = True

    async def carry(self, message: EmailMessage, sender: str, recipient: str) -> None:
        if self.is_first:
            self.refused.append(message)
            raise NotCarried(451, "try again later", False)
        await super().carry(message, sender, recipient)


class Waiting(Office):
    """An office with such a way out."""

    tray: Greylisting


@pytest.fixture
async def office(tmp_path):
    async with opened(tmp_path, kind=Waiting) as office:
        await office.begin()
        yield office


async def refused(office: Waiting, orders: str) -> EmailMessage:
    """The answer to Anna's orders, which her mail system would not take; the letter was made all the same."""
    (letter,) = await office.letters("Anna")
    office.tray = office.postman.carrier = Greylisting()
    await office.accept(office.reply(letter, orders))
    assert not await office.letters("Anna")
    return next(one for one in office.tray.refused if one["Subject"].startswith("Re:"))


async def next_try(office: Waiting) -> EmailMessage:
    """The same answer when it goes again."""
    office.clock.wait(minutes=2)
    office.tray.is_first = False
    (letter,) = await office.letters("Anna")
    return letter


def numbered(letter: EmailMessage, order: str) -> int:
    """The number of an order in a letter's list."""
    return next(offer.number for offer in offers(text_of(letter)) if offer.whole == order)


def given(office: Office) -> list[str]:
    """The orders of the log, without the ends of turns."""
    events = [recorded.event for recorded in office.live.recording.timeline.events]
    orders = [str(event.text) for event in events if isinstance(event, OrderAccepted)]
    return [order for order in orders if order != "end turn"]


async def test_a_letter_that_asked_nothing_at_the_first_try_can_be_answered_by_number_at_the_next(office) -> None:
    assert not offers(text_of(await refused(office, "end turn")))
    await office.order("north", "end turn")
    letter = await next_try(office)
    verdict = await office.accept(office.reply(letter, str(numbered(letter, "R2 ahead"))))
    assert verdict.what == "played"
    assert given(office) == ["R2 ahead"]


async def test_a_number_means_what_the_letter_shows_though_the_board_has_moved_since_the_first_try(office) -> None:
    await refused(office, "R1 ahead")
    await office.order("south", "R2 ahead")
    letter = await next_try(office)
    offer = offers(text_of(letter))[-1]
    verdict = await office.accept(office.reply(letter, str(offer.number)))
    assert verdict.what == "played"
    assert given(office) == ["R1 ahead", "R2 ahead", offer.whole]


async def test_a_first_copy_that_came_all_the_same_is_not_read_by_the_list_of_the_second(office) -> None:
    first = await refused(office, "R1 ahead")
    await office.order("south", "R2 ahead")
    await next_try(office)
    verdict = await office.accept(office.reply(first, str(numbered(first, "R2 ahead"))))
    assert verdict.what == "closed"
    assert given(office) == ["R1 ahead", "R2 ahead"]
