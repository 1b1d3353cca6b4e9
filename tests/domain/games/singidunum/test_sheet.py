"""The play-aid sheet says what the engine knows, in both languages."""

import pytest

from domain.games.singidunum.state.roster import PROFILES
from replay.aids.layout import pages_of
from replay.aids.pieces import LEAST, SLACK, SheetWords
from replay.aids.sheet import MARGIN, Table
from replay.games.singidunum.aids import LANGUAGES, SHEETS
from replay.games.singidunum.aids.asking import BETWEEN, controlled, in_reach, ways_out, what_makes_shots_harder
from replay.games.singidunum.aids.summary import RULES, chance, words

in_each_language = pytest.mark.parametrize("lang", LANGUAGES)


def tables(lang: str) -> dict[str, Table]:
    return {table.key: table for table in SHEETS["summary"](lang).tables}


def rows(lang: str, key: str) -> list[tuple[str, ...]]:
    return list(tables(lang)[key].bodies())


@in_each_language
def test_the_sheet_has_every_type_with_its_figures(lang: str) -> None:
    told = rows(lang, "units")
    assert [cells[0] for cells in told] == list(PROFILES)
    for cells, profile in zip(told, PROFILES.values(), strict=True):
        assert cells[2] == " ".join(map(str, profile.strengths))
        assert cells[4] == str(profile.moves)
        assert (words()["unit-shoots"][lang] in cells[6].split(", ")) == profile.shoots
        assert (words()["unit-extension-of"][lang] in cells[6].split(", ")) == bool(profile.module)
    assert cells[3] == "7"  # a general costs two more than its strength


@in_each_language
def test_the_sheet_has_every_result_and_the_rules(lang: str) -> None:
    assert [cells[0] for cells in rows(lang, "results")] == ["0", "1", "2", "3", "4+"]
    assert all(cell for key in RULES for cells in rows(lang, key) for cell in cells)
    assert sum(len(rows(lang, key)) for key in RULES) == sum(map(len, RULES.values()))


@pytest.mark.rule("PRG-SHT-06", "PRG-SHT-04", "PRG-SHT-09", "PRG-EXT-TER-02", "PRG-EXT-TER-03")
def test_shots_and_what_changes_totals() -> None:
    assert [cells[1] for cells in rows("en", "modifiers")] == ["−1"] * 5
    assert [cells[0] for cells in rows("en", "shots")] == ["0 or less", "1–3", "4+"]
    assert tables("en")["shots"].title == "A shot at 2 or 3 hexes"
    assert {(factor.rule, factor.why) for factor in what_makes_shots_harder()} == {
        ("PRG-SHT-06", "contact"),
        ("PRG-SHT-06", "over-friends"),
        ("PRG-SHT-04", "rampart"),
    }


@pytest.mark.rule("PRG-ARM-03", "PRG-ARM-06", "PRG-VP-07")
def test_setting_up() -> None:
    table = tables("en")["setting-up"]
    assert [column.title for column in table.columns][1:] == ["37", "50", "55", "60"]
    assert rows("en", "setting-up")[0][1:] == ("4", "7", "8", "9")
    assert "4 nearest rows" in table.notes[1] and "turn 8" in table.notes[2]


@pytest.mark.rule("PRG-SHT-02", "PRG-BRD-07", "PRG-RET-02")
def test_the_diagrams_are_those_of_the_engine() -> None:
    """Twelve hexes at distance 2 and eighteen at 3; a loser goes back to one of three."""
    assert len(in_reach()) == 12 + 18 and len(controlled()) == 6
    assert len(ways_out(BETWEEN)) == 3
    reach, retreat = tables("en")["pictures"].diagrams
    assert [shape.ink for shape in reach.shapes if not shape.is_line].count("near") == 6
    assert [shape.ink for shape in retreat.shapes if not shape.is_line].count("near") == 3


@in_each_language
def test_the_sheet_is_two_pages_and_leaves_neither(lang: str) -> None:
    pages = pages_of(SHEETS["summary"](lang))
    assert len(pages) == 2
    for page in pages:
        for mark in page.marks:
            if isinstance(mark, SheetWords):
                assert mark.size >= LEAST and mark.width <= mark.room + SLACK, mark.text
                assert mark.x + mark.width <= page.width - MARGIN + SLACK and mark.y <= page.height - MARGIN, mark.text


def test_every_word_is_there_in_each_language():
    assert all(set(said) == set(LANGUAGES) for said in words().values())


def test_the_chances_are_those_of_two_dice():
    """Of 36 pairs eight are equal: six, and the two threes crosswise."""
    assert chance(0, lambda diff: diff == 0) == 100 * 8 // 36
    assert chance(9, lambda diff: diff > 0) == 100
