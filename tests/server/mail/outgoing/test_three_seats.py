"""Letters of a battle with three seats: each player gets theirs, and each names the others."""

import pytest

from server.play.seating import take_side
from tests.support import messages
from tests.support.letter_writing import opened
from tests.support.serving import PHRASE
from tests.support.three_seats import GAMES
from tests.toys.lots import SEATS

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")

NAMES = dict(zip(SEATS.names, ("Anna", "Bob", "Cleo"), strict=True))


async def begun(office):
    office.battles.rulesets = GAMES
    office.live = await office.battles.open("lots", {"ruleset": "lots"}, "public")
    for seat, name in NAMES.items():
        phrase = messages.phrase(office.live.recording, PHRASE)
        await take_side(office.live, seat, await office.enrol(seat, name), phrase=phrase)


async def test_who_is_to_move_gets_a_letter_that_names_both_others(tmp_path):
    async with opened(tmp_path / "data") as office:
        await begun(office)
        await office.order("red", "hide 3")
        assert [row.recipient for row in office.rows("green") if row.kind == "turn"]
        letter = await office.letter(await office.posted("green", "turn"))
        assert "vs Anna, Cleo" in letter["Subject"]
        assert "hide 1" in letter.text


async def test_who_waits_reads_for_whom_and_how_all_three_stand(tmp_path):
    async with opened(tmp_path / "data") as office:
        await begun(office)
        await office.order("red", "hide 3")
        letter = await office.letter(await office.posted("blue", "news"))
        assert "waits for green (Bob)" in letter.text
        for line in ("- Red, Anna:", "- Green, Bob:", "- Blue, Cleo (you):", "hand:green ", "red plain"):
            assert line in letter.text


async def test_each_who_sits_hears_that_another_has_sat_down(tmp_path):
    async with opened(tmp_path / "data") as office:
        await begun(office)
        told = {seat: [row.kind for row in office.rows(seat)] for seat in SEATS.names}
        assert told == {"red": ["joined", "turn"], "green": ["joined"], "blue": []}
