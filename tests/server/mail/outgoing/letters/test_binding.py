"""The first letter of a battle has what binds its host; a letter has the keys of its reader's own hand."""

import re
from pathlib import Path

import pytest

from domain.basics.data import scenario_text
from domain.log.record import first_hash
from server.play.seating import take_side
from tests.support.letter_writing import Office, opened

HEADINGS = {"en": "What binds the host", "fr": "Ce qui lie l’hôte"}


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_the_first_letter_has_it_and_no_later_one(office: Office, lang: str):
    await office.wish("south", lang=lang)
    row = office.rows("south")[-1]
    text = (await office.send(row)).text
    assert HEADINGS[lang] in text
    recording = office.live.recording
    keys = recording.secrets.keys
    assert f"\nC {recording.battle.commitment}\n" in text
    for chain, anchor in keys.anchors(0).items():
        assert f"\n{chain} {anchor.hex()}\n" in text
    assert f"\nhash_0 {first_hash(recording.header_line).hex()}\n" in text
    assert "\nsouth plain\n" in text
    assert "\nrules tts " in text
    later = await office.posted("south", "turn")
    assert HEADINGS[lang] not in (await office.letter(later)).text


async def test_the_same_letter_tried_again_has_it_again(office: Office):
    row = office.rows("south")[-1]
    assert (await office.letter(row)).text == (await office.letter(row)).text


async def test_before_the_battle_begins_nothing_is_bound_yet(tmp_path: Path):
    async with opened(tmp_path / "data") as office:
        office.live = await office.open()
        await office.enrol("south", "Anna")
        await take_side(office.live, "south", office.seated("south", "Anna"), phrase=None)
        row = await office.posted("south", "joined")
        assert HEADINGS["en"] not in (await office.letter(row)).text


async def test_the_key_of_a_hand_goes_to_its_side_alone(tmp_path: Path):
    text = scenario_text("tts", "skirmish").replace("[sides.south]", '[sides.south]\nstratagems = ["oracle"]', 1)
    async with opened(tmp_path / "data") as office:
        await office.begin(text=text)
        answer = await office.order("south", "play oracle\nend turn")
        assert answer.refused is None
        secret, period = office.live.recording.secrets.keys, office.live.recording.battle.period - 1
        assert period > 0
        letters = [await office.letter(await office.posted(side, "joined")) for side in ("south", "north")]
        south, north = (re.sub(r"\s+", " ", letter.text) for letter in letters)
        assert f"Key of your hand in period {period}, which is over" in south
        assert secret.key("hand:south", period).hex() in south
        assert secret.key("hand:south", period + 1).hex() not in south
        assert "Key of your hand" not in north  # that nothing was drawn for it
        assert not any(secret.key(f"hand:{side}", period).hex() in north for side in ("south", "north"))
