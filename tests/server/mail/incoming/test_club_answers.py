"""The answer to an invitation to a club, by mail and on its page: from its address alone, once."""

from collections.abc import AsyncIterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from server.acts.clubs.inviting import KIND
from server.mail.outgoing.letters import LetterWriter
from server.store.tables import accounts, clubs, invitations, outbox
from tests.server.web.pages.visiting import Visitor
from tests.support.serving import RunningServer, serving

CLUBS = "/api/v1/clubs"
FRIEND = "cato@example.net"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server with a club to which somebody is invited."""
    async with serving(tmp_path / "data", mail=True) as running:
        anna = await running.player("Anna")
        await anna.post(CLUBS, {"club": "leeds", "name": "Night Owls", "readers": "members"})
        (line,) = (await anna.post(f"{CLUBS}/leeds/roster", {"csv": f"Cato, {FRIEND}, Europe/Rome"})).json["lines"]
        assert line["what"] == "invited"
        yield running


def invitation(server: RunningServer) -> tuple[outbox.Letter, str]:
    """The letter of the invitation, and its token."""
    (row,) = [row for row in outbox.unsent(server.running.store) if row.kind.startswith("club-invite:")]
    return row, server.running.acts.addresses.token(KIND, row.kind.partition(":")[2])


async def answer(server: RunningServer, text: str, sender: str = FRIEND, id_: str = "1") -> str:
    """A mail to the address of the invitation: what became of it."""
    mail = EmailMessage()
    mail["From"], mail["To"] = sender, server.running.acts.addresses.to(invitation(server)[1])
    mail["Message-ID"] = f"<{id_}@example.net>"
    mail.set_content(text)
    verdict = await server.mail.intake.accept(mail.as_bytes())
    return verdict.what


def members(server: RunningServer) -> list[str]:
    """The names of who is in the club."""
    return [one.name for one in clubs.members(server.running.store, "leeds")]


async def test_the_letter_says_who_invites_and_how_it_is_answered(server: RunningServer) -> None:
    row, token = invitation(server)
    composed = await LetterWriter(server.running.battles, server.running.acts.addresses).compose(row)
    assert composed is not None
    assert composed.message["To"] == FRIEND
    body = composed.message.get_body(("plain",))
    assert body is not None
    text = " ".join(body.get_content().split())
    assert "Anna" in text and "Night Owls" in text and f"/clubs/leeds/invited/{token}" in text and "never" in text


async def test_a_yes_by_mail_makes_an_account_and_a_member(server: RunningServer) -> None:
    assert await answer(server, "accept") == "command"
    assert members(server) == ["Anna", "Cato"]
    (account,) = accounts.by_email(server.running.store, FRIEND)
    assert server.running.acts.wishes(account.player).zone == "Europe/Rome"
    assert await answer(server, "accept", id_="2") == "closed"


async def test_a_yes_may_choose_another_name(server: RunningServer) -> None:
    await answer(server, "accept as Marcus")
    assert members(server) == ["Anna", "Marcus"]


@pytest.mark.parametrize(("text", "sender"), [("accept", "eve@example.net"), ("Who is this?", FRIEND)])
async def test_nothing_else_is_a_yes(server: RunningServer, text: str, sender: str) -> None:
    assert await answer(server, text, sender) == "stranger"
    assert members(server) == ["Anna"]


async def test_a_never_keeps_all_invitations_away(server: RunningServer) -> None:
    row, _ = invitation(server)
    assert await answer(server, "never") == "command"
    assert await LetterWriter(server.running.battles, server.running.acts.addresses).compose(row) is None
    assert server.running.store.rows("SELECT COUNT(*) FROM unwanted") == [(1,)]
    assert invitations.count(server.running.store, "") == 0
    assert await answer(server, "accept", id_="2") == "closed"


async def test_the_page_of_the_invitation_takes_in_and_logs_in_who_is_new(server: RunningServer) -> None:
    _, token = invitation(server)
    cato = Visitor(server)
    path = f"/clubs/leeds/invited/{token}"
    page = await cato.get(path)
    assert (
        page.status == 200 and "Anna invites you to the club Night Owls" in page.words and 'value="Cato"' in page.text
    )
    entered = await cato.send(path, do="accept", name="Cato")
    assert entered.path == "/clubs/leeds" and "Night Owls" in entered.words
    assert (await cato.get(path)).status == 410
    assert (await Visitor(server).get(f"/clubs/leeds/invited/{token[:-1]}a")).status == 410


async def test_who_declines_is_no_member_and_may_be_asked_again(server: RunningServer) -> None:
    _, token = invitation(server)
    assert (await Visitor(server).send(f"/clubs/leeds/invited/{token}", do="decline")).status == 200
    assert members(server) == ["Anna"]
