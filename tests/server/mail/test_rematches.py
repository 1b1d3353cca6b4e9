"""A rematch by mail: asked for after the end, taken with a word, one battle however often it is asked for."""

import asyncio

import pytest

from domain.basics.data import parse_toml, scenario_text
from domain.events.battle import BattleOpened
from server.acts.invite import LASTS_S
from server.acts.rematch import rematch
from server.limits import Invitations
from server.people.players import Player
from server.play.seating import seat_bot, take_side
from server.play.service import OrderRequest
from server.store.tables import accounts
from tests.server.mail.office import OWN_SERVER, PHRASE, Office, opened, text_of

MAILBOX = "play@phalera.test"
ANNA, BOB = "anna@example.test", "bob@example.test"


@pytest.fixture
async def office(tmp_path):
    async with opened(tmp_path) as office:
        await office.begin()
        await office.letters()
        await office.order("north", "resign")
        yield office


async def asked(office: Office, text: str, sender: str = ANNA) -> str:
    """A mail whose mail system signs; what its answer says."""
    stamp = f"Authentication-Results: {OWN_SERVER}; dmarc=pass header.from=example.test\n".encode()
    assert (await office.accept(stamp + office.written(MAILBOX, text, sender))).what == "command"
    return " ".join(text_of(await answered(office, sender)).split())


async def answered(office: Office, sender: str):
    """The answer to a mail; if it has begun a battle, that is the first letter of orders."""
    begins = ("Here is the answer to your mail", "It is your turn")
    (found,) = [mail for mail in await office.letters() if mail["To"] == sender and text_of(mail).startswith(begins)]
    return found


def battles(office: Office) -> list[str]:
    return [battle for (battle,) in office.battles.store.rows("SELECT battle FROM battles ORDER BY rowid")]


async def seats(office: Office) -> dict[str, str]:
    live = await office.battles.get(battles(office)[-1])
    return {side: seat.name for side, seat in live.recording.battle.seats.items()}


async def test_the_letter_of_the_end_offers_it_and_an_answer_asks_for_it(office) -> None:
    ends = {mail["To"]: mail for mail in await office.letters()}
    assert "“rematch” in answer" in " ".join(text_of(ends[ANNA]).split())
    assert (await office.accept(office.reply(ends[ANNA], "rematch"))).what == "command"
    letters = {mail["To"]: mail for mail in await office.letters()}
    assert letters[BOB]["Subject"] == "Anna asks for a rematch"
    assert "You would play South" in " ".join(text_of(letters[BOB]).split())
    assert await seats(office) == {"north": "Anna"}
    await office.accept(office.reply(letters[BOB], "accept", BOB))
    assert await seats(office) == {"north": "Anna", "south": "Bob"}
    assert (await office.battles.get(battles(office)[-1])).recording.battle.begun
    assert len(accounts.by_email(office.battles.store, BOB)) == 1


async def test_it_is_the_same_battle_with_the_same_options(office) -> None:
    await asked(office, "rematch")
    old, new = [(await office.battles.get(battle)).recording for battle in battles(office)]
    first, second = old.timeline.events[0].event, new.timeline.events[0].event
    assert isinstance(first, BattleOpened) and isinstance(second, BattleOpened)
    same = [name for name in first.__struct_fields__ if name not in ("commitment", "keys")]
    assert [getattr(first, name) for name in same] == [getattr(second, name) for name in same]
    assert first.commitment != second.commitment
    assert old.timeline.events[0].type == new.timeline.events[0].type


@pytest.mark.parametrize("text", ["rematch same sides", "revanche mêmes côtés"])
async def test_the_sides_stay_if_it_is_asked_so(office, text) -> None:
    await asked(office, text)
    assert await seats(office) == {"south": "Anna"}


async def test_both_asking_is_one_battle(office) -> None:
    assert "is asked by letter" in await asked(office, f"rematch {office.live.id}")
    assert "had asked for it, too" in await asked(office, "rematch", BOB)
    assert await seats(office) == {"north": "Anna", "south": "Bob"}
    assert "The rematch has begun" in await asked(office, f"rematch {office.live.id}")
    assert len(battles(office)) == 2


async def test_both_asking_at_once_is_one_battle(office) -> None:
    desk, live = office.parts.desk, office.live
    people = [(side, office.players[side]) for side in ("south", "north")]
    came = await asyncio.gather(
        *(rematch(desk, Player(a.player, a.name, a.email), live, side, "mail", side * 9) for side, a in people)
    )
    assert sorted(one.what for one in came) == ["accepted", "asked"]
    assert len(battles(office)) == 2


async def test_asking_again_asks_nobody_twice(office) -> None:
    await office.letters()
    await asked(office, "rematch")
    assert "asked for a rematch already" in await asked(office, f"rematch {office.live.id}")
    assert [mail["To"] for mail in await office.letters()] == []
    assert len(battles(office)) == 2


async def test_a_rematch_that_nobody_took_can_be_asked_for_again(office) -> None:
    await asked(office, "rematch")
    office.clock.wait(seconds=LASTS_S + 1)
    assert any("Nobody has answered" in text_of(mail) for mail in await office.letters())
    assert "is asked by letter" in await asked(office, f"rematch {office.live.id}", BOB)
    assert await seats(office) == {"south": "Bob"}


async def test_a_rematch_that_is_cancelled_can_be_asked_for_again(office) -> None:
    await asked(office, "rematch")
    await asked(office, f"cancel {battles(office)[-1]}")
    assert "is asked by letter" in await asked(office, f"rematch {office.live.id}")
    assert len(battles(office)) == 3


async def test_a_declined_rematch_is_told(office) -> None:
    await office.letters()
    await asked_quietly(office, "rematch")
    (letter,) = await office.letters("bob")
    await office.accept(office.reply(letter, "decline", BOB))
    (told,) = await office.letters()
    assert told["To"] == ANNA and "was declined" in text_of(told)


async def asked_quietly(office: Office, text: str) -> None:
    stamp = f"Authentication-Results: {OWN_SERVER}; dmarc=pass header.from=example.test\n".encode()
    await office.accept(stamp + office.written(MAILBOX, text))


async def test_a_rematch_that_was_joined_on_the_page_is_the_rematch_for_good(office) -> None:
    await asked(office, "rematch")
    bob = office.players["north"]
    live = await office.battles.get(battles(office)[-1])
    await take_side(live, "south", Player(bob.player, bob.name, bob.email))
    office.clock.wait(seconds=LASTS_S + 60)
    await office.letters()
    await asked(office, f"rematch {office.live.id}")
    assert len(battles(office)) == 2


async def test_who_declines_a_rematch_is_not_asked_all_day(office) -> None:
    await office.letters()
    letters = 0
    for _ in range(5):
        stamp = f"Authentication-Results: {OWN_SERVER}; dmarc=pass header.from=example.test\n".encode()
        await office.accept(stamp + office.written(MAILBOX, f"rematch {office.live.id}"))
        for mail in await office.letters("bob"):
            letters += "asks for a rematch" in mail["Subject"]
            await office.accept(office.reply(mail, "decline", BOB))
    assert letters == Invitations().mailbox


async def test_nobody_else_takes_the_side_that_is_kept(office) -> None:
    await asked(office, "rematch")
    eve = await office.enrol("Eve")
    assert "is kept for somebody" in await asked(office, f"join {battles(office)[-1]}", eve.email)


async def test_a_battle_that_goes_on_has_no_rematch_and_strangers_ask_for_none(office) -> None:
    first = office.live
    await office.begin()
    assert "goes on" in await asked(office, f"rematch {office.live.id}")
    eve = await office.enrol("Eve")
    assert "You hold no side" in await asked(office, f"rematch {first.id}", eve.email)


async def test_a_bot_plays_again_at_once(office) -> None:
    anna = office.players["south"]
    player = Player(anna.player, anna.name, anna.email)
    live = await office.battles.open("tts", parse_toml(scenario_text("tts", "skirmish"), ""), "public")
    await seat_bot(live, "north", "easy", office.battles.entropy, player)
    await take_side(live, "south", player)
    await office.play.orders(OrderRequest(live.id, "south", anna.player, "page", "resign", PHRASE))
    assert "The rematch begins" in await asked(office, f"rematch {live.id}")
    assert await seats(office) == {"north": "Anna", "south": "Easy bot"}
