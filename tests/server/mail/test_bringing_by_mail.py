"""Armies by mail: both are in the letter of an invitation, and its answer may bring another one."""

import pytest

from domain.basics.data import parse_toml
from server.acts.invite import invite, recipient_of
from server.armies import army_toml, battle_between, new_army
from server.mail.incoming.bringing_answer import army_in_answer
from server.people.players import Player
from server.play.seating import take_side
from tests.server.mail.office import PHRASE, Office, opened, text_of
from tests.support import messages

FRIEND = "friend@other.test"


@pytest.fixture
async def office(tmp_path):
    async with opened(tmp_path) as office:
        anna = office.players["south"] = await office.enrol("Anna")
        scenario = battle_between("tts", "carthaginian", "gallic", 130, 7, {"blind_deployment": True})
        player = Player(anna.player, anna.name, anna.email)
        office.live = await office.battles.open("tts", scenario, "link", opener=player)
        await take_side(office.live, "south", player, phrase=messages.phrase(office.live.recording, PHRASE))
        desk = office.parts.desk
        to = recipient_of(desk, player, FRIEND)
        await invite(desk, player, office.live, to, "north", "", "0f" * 16)
        yield office


def of(letters, name: str):
    (found,) = [letter for letter in letters if str(letter["To"]).startswith(name)]
    return found


async def seats(office: Office, at: int = -1) -> dict[str, str]:
    rows = office.battles.store.rows("SELECT battle FROM battles ORDER BY rowid")
    live = await office.battles.get(rows[at][0])
    return {side: seat.name for side, seat in live.recording.battle.seats.items()} | {"closed": live.closed}


async def test_the_letter_shows_both_armies_and_how_to_bring_another(office) -> None:
    text = " ".join(text_of(of(await office.letters(), "friend")).split())
    for said in ("South: Carthaginian, 130 points", "North: Gallic, 130 points", "light chariots", "Blind depl"):
        assert said in text
    assert "bring seleucid 7" in text


@pytest.mark.parametrize("how", ["list", "text"])
async def test_an_army_is_brought_by_an_answer_and_accepted_by_another(office, how: str) -> None:
    letter = of(await office.letters(), "friend")
    text = "bring seleucid 7" if how == "list" else f"bring\n{army_toml(new_army('tts', 'seleucid', 130, 7))}"
    await office.accept(office.reply(letter, text, FRIEND))
    letters = await office.letters()
    assert "is asked to accept it" in " ".join(text_of(of(letters, "friend")).split())
    annas = of(letters, "anna")
    told = " ".join(text_of(annas).split())
    assert str(annas["Subject"]).endswith("brings another army")
    assert "North: Seleucid" in told and "South: Carthaginian, 130 points" in told
    assert (await seats(office))["closed"] == "" and "south" not in await seats(office)
    await office.accept(office.reply(annas, "accept"))
    now = await seats(office)
    assert now["south"] == "Anna" and now["north"].startswith("Guest ")
    assert (await seats(office, 0))["closed"] == "cancelled"


async def test_declined_it_leaves_the_battle_as_it_was(office) -> None:
    letter = of(await office.letters(), "friend")
    await office.accept(office.reply(letter, "bring seleucid 7", FRIEND))
    await office.accept(office.reply(of(await office.letters(), "anna"), "decline"))
    await office.accept(office.reply(letter, "accept", FRIEND))
    assert set(await seats(office, 0)) == {"south", "north", "closed"}
    assert (await seats(office, 0))["closed"] == "" and (await seats(office))["closed"] == "cancelled"


@pytest.mark.parametrize("text", ["bring nobody 3", 'bring\nlist = "gallic"\nsize = 10', "bring\nno army", "bring"])
async def test_what_cannot_be_brought_brings_the_invitation_again(office, text: str) -> None:
    letter = of(await office.letters(), "friend")
    await office.accept(office.reply(letter, text, FRIEND))
    again = of(await office.letters(), "friend")
    assert again["Subject"] == letter["Subject"]
    assert len(office.battles.store.rows("SELECT battle FROM battles")) == 1


async def test_nobody_else_brings_an_army(office) -> None:
    letter = of(await office.letters(), "friend")
    await office.accept(office.reply(letter, "bring seleucid 7", "mallory@other.test"))
    assert len(office.battles.store.rows("SELECT battle FROM battles")) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("bring seleucid 7", ("seleucid", 7, "")),
        ("Amener republican roman.", ("republican_roman", -1, "")),
        ("Bonjour,\namène gallic 12", ("gallic", 12, "")),
        ("bring\na = 1\nunits = [\n{ id = 5 },\n]\n\nRegards, Anna", ("", -1, "a = 1\nunits = [\n{ id = 5 },\n]")),
        ("amener :\na = 1", ("", -1, "a = 1")),
        ("bring\nnothing", None),
        ("I accept, and bring wine from my cellar, the good one", None),
        ("bring me more mails, please!", None),
    ],
)
def test_an_army_in_an_answer(text: str, found) -> None:
    assert army_in_answer(text) == found


def test_the_army_of_a_text_is_read_as_toml() -> None:
    army = new_army("tts", "gallic", 130, 7)
    answer = army_in_answer(f"bring\n{army_toml(army)}")
    assert answer is not None and parse_toml(answer.text, "army")["list"] == "gallic"
