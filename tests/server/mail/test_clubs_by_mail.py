"""An organiser of a club opens battles between its members by mail: checked whole, answered line by line."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.basics.message import Message
from server.acts.clubs import founding
from server.mail.verdict import Verdict
from server.people.players import Player
from server.store.tables import club_battles, clubs
from server.store.tables.clubs import MEMBER
from tests.server.mail.office import OWN_SERVER, Office, opened, text_of

MEMBERS = ("Anna", "Bob", "Carol", "Dave")


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    """An office with a club that Anna organises."""
    async with opened(tmp_path / "data") as found:
        store, now = found.battles.store, found.clock.now()
        people = [await found.enrol(name) for name in MEMBERS]
        anna, *others = people
        await founding.found(
            found.parts.desk, Player(anna.player, "Anna"), founding.ClubWish("chester", "Chester Club")
        )
        for one in others:
            await store.write(clubs.join("chester", one.player, MEMBER, now, 100))
        yield found


def signed(office: Office, name: str, text: str) -> bytes:
    return office.written(
        "play@phalera.test",
        text,
        f"{name.lower()}@example.test",
        Authentication_Results=f"{OWN_SERVER}; dkim=pass header.d=example.test",
    )


async def told(office: Office, name: str, text: str) -> tuple[Verdict, str]:
    verdict = await office.accept(signed(office, name, text))
    letters = [one for one in await office.letters(name) if "answer to your mail" in text_of(one)]
    return verdict, " ".join(text_of(letters[0]).split())


async def test_lines_seat_members_and_each_is_answered_with_its_battle(office: Office) -> None:
    verdict, answer = await told(
        office, "Anna", "club chester tag spring\nseat Anna Bob skirmish\nseat Carol, Dave, skirmish"
    )
    (request,) = verdict.requests
    assert [line.status for line in request.lines] == ["ok", "ok"]
    battles = club_battles.of_club(office.battles.store, "chester")
    assert len(battles) == 2
    assert all(battle.lower() in answer.lower() for battle in battles)


async def test_if_one_line_is_wrong_nothing_is_opened(office: Office) -> None:
    verdict, answer = await told(office, "Anna", "seat Anna Bob skirmish\nseat Carol Eve skirmish")
    (request,) = verdict.requests
    assert [line.status for line in request.lines] == ["not-played", "refused"]
    assert "Eve is no member of this club" in answer
    assert club_battles.of_club(office.battles.store, "chester") == []


async def test_a_mail_that_is_processed_again_opens_nothing_twice(office: Office) -> None:
    raw = signed(office, "Anna", "place Anna Bob skirmish")
    await office.accept(raw)
    key = office.battles.store.rows("SELECT id FROM raw_mail ORDER BY rowid DESC LIMIT 1")[0][0].hex()

    async def nobody(token: str) -> Message:
        raise AssertionError(token)

    await office.intake.processor.judge(key, office.parts.read(raw), nobody)
    assert len(club_battles.of_club(office.battles.store, "chester")) == 1


async def test_who_organises_no_club_seats_nobody(office: Office) -> None:
    verdict, _ = await told(office, "Bob", "seat Anna Bob skirmish")
    message = verdict.requests[0].message
    assert message is not None and message.id == "desk.no-club"
