"""A player without a browser that knows them logs in by a letter; nobody else learns anything from it."""

import re

import pytest
import pytest_asyncio

from server.acts.log_in import MOST_A_DAY
from server.people.players import LOGIN_S
from server.store.tables import accounts, outbox
from tests.server.web.pages.visiting import OWN, Visitor
from tests.support.clock import ManualClock
from tests.support.serving import RunningServer, serving

ASKED = "If an account has this address, a letter with a link is on its way."


@pytest_asyncio.fixture(loop_scope="session")
async def mailing(tmp_path):
    async with serving(tmp_path / "data", mail=True) as server:
        yield server


def posted(server: RunningServer) -> list[outbox.Letter]:
    return [row for row in outbox.unsent(server.running.store) if row.kind.startswith("login:")]


async def letter(server: RunningServer, row: outbox.Letter) -> str:
    """The text of a letter as it would go."""
    composed = await server.mail.writer.compose(row)
    body = composed.message.get_body(("plain",)) if composed else None
    return body.get_content() if body else ""


def let_pass(server: RunningServer, **stretch: float) -> None:
    clock = server.running.machine
    assert isinstance(clock, ManualClock)
    clock.wait(**stretch)


async def test_a_link_by_mail_logs_in_once(mailing: RunningServer) -> None:
    anna = await mailing.player("Anna")
    visitor = Visitor(mailing)
    page = await visitor.send("/login", address=" anna@EXAMPLE.org")
    assert ASKED in page.words and "for 15 minutes" in page.words
    (row,) = posted(mailing)
    found = re.search(r"/login/\S+", await letter(mailing, row))
    assert found
    assert "Log in as Anna" in (await visitor.get(found[0])).words
    assert visitor.cookies == {}, "looking at the page logs nobody in"
    assert "Anna" in (await visitor.send(found[0])).words
    assert "Your battles" in (await visitor.get("/")).words and "Log out" in (await visitor.get("/")).words
    assert (await Visitor(mailing).get(found[0])).status != 200
    assert accounts.by_player(mailing.running.store, anna.player)


@pytest.mark.parametrize("address", ["nobody@example.org", "", "no address", "a" * 300, "x@example.org\r\nBcc: y@z.de"])
async def test_an_address_that_no_account_has_gets_the_same_answer_and_no_letter(
    mailing: RunningServer, address: str
) -> None:
    await mailing.player("Anna")
    there = await Visitor(mailing).send("/login", address="Anna@example.org")
    count = len(posted(mailing))
    nowhere = await Visitor(mailing).send("/login", address=address)
    assert (nowhere.status, nowhere.text) == (there.status, there.text)
    assert len(posted(mailing)) == count


async def test_a_player_gets_few_such_letters_a_day(mailing: RunningServer) -> None:
    await mailing.player("Anna")
    for _ in range(MOST_A_DAY + 3):
        assert ASKED in (await Visitor(mailing).send("/login", address="Anna@example.org")).words
    assert len(posted(mailing)) == MOST_A_DAY
    let_pass(mailing, hours=24)
    await Visitor(mailing).send("/login", address="Anna@example.org")
    assert len(posted(mailing)) == MOST_A_DAY + 1


async def test_a_letter_that_comes_too_late_is_not_sent(mailing: RunningServer) -> None:
    await mailing.player("Anna")
    await Visitor(mailing).send("/login", address="Anna@example.org")
    (row,) = posted(mailing)
    let_pass(mailing, seconds=LOGIN_S + 1)
    assert await letter(mailing, row) == ""


async def test_another_site_cannot_ask_for_a_letter(mailing: RunningServer) -> None:
    await mailing.player("Anna")
    other = {**OWN, "Sec-Fetch-Site": "cross-site"}
    assert (await Visitor(mailing).send("/login", other, address="Anna@example.org")).status == 403
    assert posted(mailing) == []


async def test_a_server_without_mail_says_so(server: RunningServer) -> None:
    page = await Visitor(server).get("/login")
    assert "This server sends no mail." in page.words and 'name="address"' not in page.text
    assert (await Visitor(server).send("/login", address="a@b.example")).status == 409
