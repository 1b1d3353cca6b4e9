"""The play-aid sheet says what the engine knows, in both languages."""

import pytest

from domain.games.warmaster_shooting.state.profiles import PROFILES
from replay.aids.layout import pages_of
from replay.games.warmaster_shooting.aids import LANGUAGES, SHEETS
from replay.games.warmaster_shooting.aids.summary import chance, words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheet_has_every_profile_and_class(lang):
    sheet = SHEETS["summary"](lang)
    rows = {table.key: list(table.bodies()) for table in sheet.tables}
    assert [cells[-1] for cells in rows["troops"]] == [str(profile.points) for profile in PROFILES.values()]
    assert [cells[1:3] for cells in rows["hits"]] == [("4+", "4+"), ("5+", "4+"), ("6", "5+")]
    assert all(all(cells) for key in ("phase", "targets", "losses", "driven", "charges") for cells in rows[key])
    assert len(pages_of(sheet)) == 2


def test_every_word_is_there_in_each_language():
    assert all(set(said) == set(LANGUAGES) for said in words().values())


def test_the_chances_of_a_rout_are_those_of_the_dice():
    """Beyond 10 cm with two dice: 5 and 6, 6 and 5, 6 and 6, of 36."""
    assert chance(2, 10) == "8\N{NO-BREAK SPACE}%"
    assert chance(3, 10) == "50\N{NO-BREAK SPACE}%"
    assert chance(1, 10) == "\N{EN DASH}"
    assert chance(6, 10) == "99\N{NO-BREAK SPACE}%"
    assert chance(6, 30) == "<1\N{NO-BREAK SPACE}%"
