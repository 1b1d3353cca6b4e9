"""Three players of a toy with three seats, by mail: invited, seated, asked in their turn, and told of the end."""

from collections.abc import AsyncIterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from replay.proof.verify import verify
from server.people.players import Player
from server.play.archive import export_battle
from server.play.seating import take_side
from tests.server.mail.office import OWN_SERVER, PHRASE, Office, opened, text_of
from tests.support import messages
from tests.support.three_seats import GAMES, HIDING, THROWING
from tests.toys.lots import SEATS

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")

NAMES = dict(zip(SEATS.names, ("Anna", "Bob", "Cleo"), strict=True))
ANNA, BOB, CLEO = (f"{name.lower()}@{Office.people}" for name in NAMES.values())


@pytest.fixture
async def waiting(tmp_path: Path) -> AsyncIterator[Office]:
    """An office of which Anna holds the first of three seats; Bob and Cleo have accounts."""
    async with opened(tmp_path / "data") as office:
        office.battles.rulesets = GAMES
        office.live = await office.battles.open("lots", {"ruleset": "lots"}, "public", "1d+1d")
        for seat, name in NAMES.items():
            office.players[seat] = await office.enrol(name, "fr" if name == "Cleo" else "en")
        anna = office.players["red"]
        phrase = messages.phrase(office.live.recording, PHRASE)
        await take_side(office.live, "red", Player(anna.player, anna.name), phrase=phrase)
        yield office


def signed(raw: bytes) -> bytes:
    """As the mail system in front hands it on: the sender's domain is proven."""
    return f"Authentication-Results: {OWN_SERVER}; dmarc=pass header.from={Office.people}\n".encode() + raw


async def asked(office: Office, sender: str, text: str) -> tuple[str, dict[str, EmailMessage]]:
    """The answer to a mail of its own, and the letters to others that come of it, by address."""
    mail = office.written(office.parts.addresses.mailbox, text, sender)
    assert (await office.accept(signed(mail))).what == "command"
    letters = {letter["To"]: letter for letter in await office.letters()}
    return words_of(letters.pop(sender)), letters


def words_of(letter: EmailMessage) -> str:
    """A letter without its line breaks."""
    return " ".join(text_of(letter).split())


@pytest.fixture
async def office(waiting: Office) -> Office:
    """All three have joined by mail; the letters so far are out."""
    for sender in (BOB, CLEO):
        mail = waiting.written(waiting.parts.addresses.mailbox, f"join {waiting.live.id}\nphrase {PHRASE}", sender)
        assert (await waiting.accept(signed(mail))).what == "command"
    assert waiting.live.recording.battle.begun
    return waiting


async def test_each_free_seat_is_joined_by_its_name_and_the_others_are_told(waiting: Office) -> None:
    await waiting.letters()
    told, letters = await asked(waiting, CLEO, f"rejoindre {waiting.live.id} blue\nphrase {PHRASE}")
    assert waiting.live.recording.battle.seats["blue"].name == "Cleo", told
    assert not waiting.live.recording.battle.begun
    assert letters.keys() == {ANNA} and "Cleo" in text_of(letters[ANNA])
    told, _ = await asked(waiting, BOB, f"join {waiting.live.id} blue\nphrase {PHRASE}")
    assert "green" not in waiting.live.recording.battle.seats and "Blue is held by Cleo" in told
    mail = waiting.written(waiting.parts.addresses.mailbox, f"join {waiting.live.id}\nphrase {PHRASE}", BOB)
    assert (await waiting.accept(signed(mail))).what == "command"
    assert waiting.live.recording.battle.seats["green"].name == "Bob"
    assert {letter["To"] for letter in await waiting.letters()} >= {ANNA, BOB, CLEO}


async def test_a_whole_battle_is_played_by_replies_and_all_three_hear_of_its_end(office: Office) -> None:
    senders = dict(zip(SEATS.names, (ANNA, BOB, CLEO), strict=True))
    for line in (*HIDING, *THROWING):
        seat, _, order = line.partition(": ")
        due = {letter["To"]: letter for letter in await office.letters()}
        reply = office.reply(due[senders[seat]], f"{order}\nphrase {PHRASE}", senders[seat])
        verdict = await office.accept(signed(reply))
        assert (verdict.what, verdict.side) == ("played", seat), (line, verdict)
    assert office.live.recording.battle.ended
    ends = {letter["To"]: text_of(letter) for letter in await office.letters()}
    assert ends.keys() == {ANNA, BOB, CLEO}
    won = senders[office.live.recording.battle.game.winner]
    assert [to for to, text in ends.items() if "You have won" in text or "Vous avez gagné" in text] == [won], ends
    content = export_battle(office.battles.store, office.battles.keys, office.live.id)
    assert verify(content, rulesets=GAMES).fault is None


async def test_words_above_orders_are_offered_to_both_others(office: Office) -> None:
    due = {letter["To"]: letter for letter in await office.letters()}
    prose = "It was a great pleasure to play with both of you, my friends."
    assert (await office.accept(office.reply(due[ANNA], prose))).params["offer"] == "Bob, Cleo"
    told, letters = await asked(office, ANNA, f"say #{office.live.id} Good luck to you both.")
    assert "Bob, Cleo" in told
    assert {to for to, letter in letters.items() if "Good luck" in text_of(letter)} == {BOB, CLEO}


async def test_somebody_is_invited_to_a_seat_by_its_name(waiting: Office) -> None:
    dora = f"dora@{Office.people}"
    told, letters = await asked(waiting, ANNA, f"invite {dora} {waiting.live.id} as green")
    assert letters.keys() == {dora}, told
    assert (await waiting.accept(signed(waiting.reply(letters[dora], "accept", dora)))).what == "command"
    assert waiting.live.recording.battle.seats["green"].player not in {one.player for one in waiting.players.values()}
    assert "blue" not in waiting.live.recording.battle.seats


async def test_a_pause_begins_when_the_last_of_three_agrees_and_each_is_told_how_it_stands(office: Office) -> None:
    await office.letters()
    told, letters = await asked(office, ANNA, f"pause {office.live.id}")
    assert letters.keys() == {BOB, CLEO} and "asks for a pause" in words_of(letters[BOB])
    told, letters = await asked(office, BOB, f"pause {office.live.id}")
    assert "It begins when all others have agreed" in told
    assert letters.keys() == {ANNA, CLEO} and "quand tous les autres ont accepté" in words_of(letters[CLEO])
    assert not office.live.recording.clocks.paused
    told, letters = await asked(office, CLEO, f"pause {office.live.id}")
    assert "toutes les pendules s’arrêtent" in told
    assert letters.keys() == {ANNA, BOB} and "all clocks stand still" in words_of(letters[BOB])
    assert office.live.recording.clocks.paused
