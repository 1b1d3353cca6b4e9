"""The play-aid sheet says what the engine knows, in both languages."""

import pytest

from domain.games.singidunum.state.roster import PROFILES
from replay.aids.layout import pages_of
from replay.games.singidunum.aids import LANGUAGES, SHEETS
from replay.games.singidunum.aids.summary import chance, words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheet_has_every_type_and_every_result(lang):
    sheet = SHEETS["summary"](lang)
    rows = {table.key: list(table.bodies()) for table in sheet.tables}
    assert [cells[0] for cells in rows["units"]] == list(PROFILES)
    assert [cells[0] for cells in rows["results"]] == ["0", "1", "2", "3", "4+"]
    assert all(cells[1] for cells in rows["rules"])
    assert len(pages_of(sheet)) <= 2


def test_every_word_is_there_in_each_language():
    assert all(set(said) == set(LANGUAGES) for said in words().values())


def test_the_chances_are_those_of_two_dice():
    """Of 36 pairs eight are equal: six, and the two threes crosswise."""
    assert chance(0, lambda diff: diff == 0) == 100 * 8 // 36
    assert chance(9, lambda diff: diff > 0) == 100
