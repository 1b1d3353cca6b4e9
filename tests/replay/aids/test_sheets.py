"""The play aids say all that the engine knows, in both languages, printed in order."""

import base64
import re
import zlib
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.games.to_the_strongest import RULESET
from domain.games.to_the_strongest.chapters.activation import DIFFICULTIES, difficulties, needed_number
from domain.games.to_the_strongest.chapters.command import radius
from domain.games.to_the_strongest.chapters.elephants import amok_box
from domain.games.to_the_strongest.chapters.melee import BONUS_CARDS, HITS_BADLY, TO_HIT
from domain.games.to_the_strongest.chapters.saves import WHEN_CHARGED, WHEN_SHOT_AT
from domain.games.to_the_strongest.chapters.terrain import SHIFT_ONE
from domain.games.to_the_strongest.state.ground import BOX_KINDS, COVER, EDGE_KINDS, ROUGH
from domain.games.to_the_strongest.state.roster import COSTS, FLAGS, PROFILES, QUALITIES, WEAPONS
from domain.games.to_the_strongest.state.state import Options
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS
from replay.aids import html, measure, pdf, printing
from replay.aids.layout import SIZES, SheetPage, pages_of
from replay.aids.pieces import HIGHEST, SLACK, SMALL, Outline, SheetWords
from replay.aids.sheet import MARGIN, Column, Diagram, Label, Row, Shape, Sheet, Table, table_rows
from replay.aids.svg import page_svg
from replay.games.to_the_strongest.aids import LANGUAGES, SHEETS
from replay.games.to_the_strongest.aids.acting import FOOT, ORDERS, is_allowed, while_held
from replay.games.to_the_strongest.aids.activation import difficulty_lines
from replay.games.to_the_strongest.aids.asking import KINDS, battle_of, general_of, replays_of, unit_of
from replay.games.to_the_strongest.aids.stratagems import text_of as stratagem_text
from replay.games.to_the_strongest.aids.units import unit_name
from replay.games.to_the_strongest.aids.wording import MINUS, rule_in_words, signed, words
from tests.support.lanes import thinned
from tests.support.looping import some

MOST_PAGES = 10
PICTURE = Path(__file__).parents[3] / "docs" / "aid-activation.svg"
lang_parameter = pytest.mark.parametrize("lang", thinned(LANGUAGES, len(LANGUAGES)))


def overfull(page: SheetPage) -> list[SheetWords]:
    """The words on a page that are wider than their room, or stick out of the page."""
    wide, high = page.width - MARGIN + SLACK, page.height - MARGIN + SLACK
    words = [mark for mark in page.marks if isinstance(mark, SheetWords)]
    return [one for one in words if one.width > one.room + SLACK or one.x + one.width > wide or one.y > high]


def table(sheet, key):
    return next(one for one in sheet.tables if one.key == key)


def rows(sheet, key):
    return list(table(sheet, key).bodies())


@cache
def pages(key, lang):
    return pages_of(SHEETS[key](lang))


# --- what is on them


@lang_parameter
def test_every_unit_of_the_catalogue_is_on_the_units_sheet(lang):
    told = {cells[0]: cells for cells in rows(SHEETS["units"](lang), "catalogue")}
    assert len(told) == len(PROFILES)
    for profile in PROFILES.values():
        cells = told[unit_name(profile, lang)]
        numbers = (profile.speed, profile.steps, profile.stack, f"{profile.save}+", f"{profile.hit}+")
        assert cells[2:7] == tuple(map(str, numbers))
        assert cells[7].endswith(f" {profile.ammo}") if profile.weapon else cells[7:9] == ("–", "–")
        assert cells[-3:-1] == (str(profile.cost), str(profile.av))
        for flag in profile.flags:
            assert words()[f"flag.{flag}"][lang] in cells[9]


@lang_parameter
def test_every_special_weapon_and_quality_is_explained(lang):
    sheet = SHEETS["units"](lang)
    legend = {(cells[0], cells[2]) for cells in rows(sheet, "legend")}
    assert legend == {(words()[f"flag.{flag}"][lang], rule) for flag, rule in FLAGS.items()}
    assert len({cells[1] for cells in rows(sheet, "legend")}) > len(FLAGS) - 3  # each says something of its own
    assert [int(cells[1]) for cells in rows(sheet, "weapons")] == [weapon.range for weapon in WEAPONS.values()]
    assert [cells[2] for cells in rows(sheet, "qualities")] == [f"{one.rout}+" for one in QUALITIES.values()]


@lang_parameter
def test_every_difficulty_of_the_engine_is_on_the_activation_sheet(lang):
    told = {(cells[3], cells[0], cells[1]) for cells in rows(SHEETS["activation"](lang), "difficulties")}
    options = Options()
    known = {(factor.rule, factor.plus) for factor in DIFFICULTIES.values()}
    known |= {("TTS-ACT-17", options.out_of_command), ("TTS-ACT-22", options.disorder_difficulty)}
    assert told == {(rule, signed(plus) if plus else "–", rule_in_words(rule, lang).title) for rule, plus in known}
    assert "TTS-ACT-11" in {rule for rule, _ in known}


def test_the_difficulties_are_those_that_the_engine_adds():
    """Ask it for an action with everything that can be difficult, unit by unit."""
    state = replace(battle_of(KINDS[0]), options=Options(disorder_difficulty=1), generals={})  # out of command
    found = set()
    for kind in ("hoplites_deep", "cannon"):
        for turning in ("turn", "swap"):
            unit = unit_of(state, type=kind, losses=1)
            factors = difficulties(
                state,
                unit,
                diagonal=True,
                sideways=True,
                backwards=True,
                turning=turning,
                rough=True,
                formation=True,
                obstacle=True,
                artillery=True,
                returning=True,
            )
            found |= {(factor.rule, factor.plus) for factor in factors}
            assert [factor.rule for factor in factors] == sorted(factor.rule for factor in factors)
    told = {(rule, plus) for rule, plus in difficulty_lines() if rule != "TTS-ACT-22"}
    assert found == {*told, ("TTS-ACT-22", 1)}


@lang_parameter
def test_the_cards_needed_are_those_of_the_engine(lang):
    for at, cells in some(enumerate(rows(SHEETS["activation"](lang), "needed"))):
        unit = unit_of(battle_of(KINDS[0]), last=at + 1 if at else 0)
        assert cells[1] == f"{needed_number(unit, ())}+"
        plus_one = needed_number(unit, (DIFFICULTIES["diagonal"],))
        assert cells[2] == (f"{plus_one}+" if plus_one <= 10 else "–")


@lang_parameter
@pytest.mark.parametrize(
    ("sheet", "key", "factors"),
    [("saves", "charged", WHEN_CHARGED), ("saves", "shot", WHEN_SHOT_AT), ("charge", "bonus", BONUS_CARDS)],
)
def test_every_factor_of_saves_and_bonus_cards_is_on_its_sheet(lang, sheet, key, factors):
    told = {(cells[2], cells[0].rstrip("*")) for cells in rows(SHEETS[sheet](lang), key)}
    assert told == {(factor.rule, signed(factor.plus)) for factor in factors.values()}


@lang_parameter
def test_only_beasts_and_armour_are_starred_for_the_reply(lang):
    starred = [cells[2] for cells in rows(SHEETS["saves"](lang), "charged") if cells[0].endswith("*")]
    assert starred == ["TTS-SAV-16", "TTS-SAV-21"]


@lang_parameter
def test_heavy_missiles_have_a_line_for_each_number(lang):
    told = {cells[0]: cells[1] for cells in rows(SHEETS["saves"](lang), "shot") if cells[2] == "TTS-SAV-38"}
    assert set(told) == {f"{MINUS}1", f"{MINUS}2"}
    assert all(rule_in_words("TTS-SAV-38", lang).title in text for text in told.values())
    assert len(set(told.values())) == 2


@lang_parameter
def test_to_hit_evade_and_rout_numbers(lang):
    sheet = SHEETS["charge"](lang)
    hits = [cells[0] for cells in rows(sheet, "to-hit")]
    assert hits[:2] == [f"{TO_HIT}+", f"{TO_HIT + HITS_BADLY['poor'].plus}+"] == ["6+", "8+"]
    assert len(hits) == 1 + len(HITS_BADLY) + 3
    assert [cells[1:] for cells in rows(sheet, "evade")] == [("5+", "7+"), ("3+", "5+"), ("3+", "3+")]
    assert re.findall(r"\d\+", rows(SHEETS["saves"](lang), "rout")[0][1]) == ["5+", "6+", "7+"]


@lang_parameter
@pytest.mark.rule("TTS-MEL-18")
def test_mad_elephants_run_where_the_engine_sends_them(lang):
    where = {words()[f"amok.{to}"][lang]: box for to, box in (("back", "D3"), ("left", "C4"), ("right", "E4"))}
    state = battle_of(KINDS[0])
    elephants = unit_of(state, type="elephants", facing="N")
    seen = []
    for shown, said in rows(SHEETS["charge"](lang), "amok"):
        least, _, most = shown.partition("–")
        cards = range(int(least), int(most) + 1) if most else map(int, shown.split(", "))
        for card in cards:
            assert amok_box(state, elephants, "D4", card) == where.get(said, ""), card
            seen.append(card)
    assert sorted(seen) == list(range(1, 11))


@lang_parameter
def test_the_course_of_a_charge_has_all_its_steps(lang):
    course = rows(SHEETS["charge"](lang), "course")
    assert [cells[0] for cells in course] == [str(number) for number in range(1, 11)]
    assert not any("{" in cells[2] for cells in course)


# --- moves


@pytest.mark.rule("TTS-MOV-02")
@pytest.mark.parametrize(
    "asked",
    thinned([asked for asked in ORDERS if asked.foot == FOOT and not asked.unit], 3),
    ids=lambda asked: asked.key,
)
def test_every_troop_type_moves_as_the_table_says(asked):
    """Those of speed 1 as the table has it for foot, those of speed 2 as for mounted; battle cars go straight only,
    guns neither charge nor march nor join a group, war wagons do not charge."""
    for kind, profile in PROFILES.items():
        never = profile.artillery and asked.key in ("march", "group")
        never |= asked.key.startswith("charge") and (profile.artillery or "wagon" in profile.flags)
        if "straight_only" not in profile.flags:
            shown = is_allowed(asked, asked.mounted if profile.speed == 2 else asked.foot) and not never
            assert is_allowed(asked, kind) == shown, kind


@lang_parameter
@pytest.mark.rule("TTS-ZOC-03")
def test_a_held_unit_may_do_what_the_rule_allows(lang):
    may = {asked.key: while_held(asked) for asked in ORDERS}
    assert {key for key, held in may.items() if held == "yes"} == {"back", "back-2", "shoot", "shoot-back"}
    assert {key for key, held in may.items() if held == "holder"} == {
        "turn",
        "charge",
        "charge-diagonal",
        "charge-2",
        "charge-2-diagonal",
    }
    told = [cells[-1] for cells in rows(SHEETS["moves"](lang), "orders")]
    assert told == [*(words()[f"held.{held}"][lang] for held in may.values()), "–"]


@lang_parameter
def test_an_order_on_the_sheet_can_be_given_as_it_is_written(lang):
    for cells in rows(SHEETS["moves"](lang), "orders"):
        for written in cells[0].split(", "):
            said = written.replace(words()["argument.box"][lang], "D5").replace("UNITS", "U2").replace("UNITÉS", "U2")
            group = said.startswith(("group ", "groupe "))
            RULESET.orders.parse(said.replace("U2", "U1 U2") if group else f"U1 {said}")


@lang_parameter
@pytest.mark.rule("TTS-GEO-07", "TTS-GEO-08", "TTS-GEO-09", "TTS-GEO-14")
def test_the_diagrams_of_boxes_are_those_of_the_engine(lang):
    """One box is controlled, three are charged at speed 1 and six at speed 2; charges from beside strike a flank, shots
    from as far aside as ahead the front."""
    control, reach, struck, shot = table(SHEETS["moves"](lang), "pictures").diagrams
    filled = {
        one.key: [shape.ink for shape in one.shapes if not shape.is_line] for one in (control, reach, struck, shot)
    }
    assert filled["control"].count("near") == 1
    assert (filled["reach"].count("near"), filled["reach"].count("middle")) == (3, 3)
    assert [filled["struck"].count(ink) for ink in ("far", "middle", "near")] == [3, 2, 3]
    assert [filled["shot"].count(ink) for ink in ("far", "middle", "near")] == [8, 8, 8]
    assert {label.text for label in struck.labels} >= {
        words()[f"picture.{key}"][lang] for key in ("front", "flank", "rear")
    }


# --- the field


@lang_parameter
def test_the_ground_of_the_sheet_is_that_of_the_engine(lang):
    sheet = SHEETS["setup"](lang)
    told = {cells[0]: cells[1:4] for cells in rows(sheet, "terrain")}
    yes = words()["terrain.yes"][lang]

    def shown(kind):
        return told[words()[f"ground.{kind}"][lang]]

    assert len(told) == len(BOX_KINDS) + len(EDGE_KINDS)
    assert [kind for kind in sorted(BOX_KINDS) if shown(kind)[0] == words()["class.rough"][lang]] == sorted(ROUGH)
    assert {kind for kind in BOX_KINDS if shown(kind)[1] == yes} == {
        "wood",
        "building",
        "impassable",
        "steep_hill",
    }
    assert {kind for kind in BOX_KINDS if shown(kind)[2] == yes} == set(COVER)


@lang_parameter
@pytest.mark.rule("TTS-TER-11")
def test_the_terrain_cards_name_every_card_of_the_pack(lang):
    shown = " ".join(cells[0] for cells in rows(SHEETS["setup"](lang), "cards"))
    assert [shown.count(suit) for suit in "♣♠♥♦"] == [1, 2, 1, 3]
    assert "5" in shown and "6" in shown and {"A", "2", "3", "4", "5"} == SHIFT_ONE


@lang_parameter
@pytest.mark.rule("TTS-MED-02")
def test_medals_to_pay_are_those_of_the_engine(lang):
    told = {cells[0]: cells[1] for cells in rows(SHEETS["setup"](lang), "medals")}
    for profile in PROFILES.values():
        assert told[words()[f"medals.{profile.size}"][lang]] == str(profile.av), profile.key
    assert list(told.values())[-4:] == ["+1", "2", "3", "3"]


@lang_parameter
def test_every_stratagem_is_on_the_sheet_and_its_numbers_in_its_text(lang):
    told = {cells[-1]: cells for cells in rows(SHEETS["stratagems"](lang), "list")}
    assert list(told) == [f"TTS-STR-{number:02}" for number in range(3, 16)]
    for one in STRATAGEMS.values():
        cells = told[one.rule]
        assert cells[4] == stratagem_text(one, "text", lang)
        assert "{" not in cells[4]
        assert all(str(number) in cells[4] for number in one.numbers.values())


def test_the_stratagem_cards_are_the_court_cards_and_two_jokers():
    cards = [card for one in STRATAGEMS.values() for card in one.cards]
    assert sorted(cards) == sorted([value + suit for value in "JQK" for suit in "cdhs"] + ["X1", "X2"])
    assert len({one.key for one in STRATAGEMS.values()}) == 13


@lang_parameter
def test_every_number_of_a_stratagem_stands_in_its_text_of_either_language(lang):
    for one in STRATAGEMS.values():
        text = one.text if lang == "en" else one.text_fr
        assert set(re.findall(r"\{(\w+)\}", text)) == set(one.numbers)


@lang_parameter
def test_generals_have_the_numbers_of_section_7(lang):
    told = [cells[1:] for cells in rows(SHEETS["generals"](lang), "kinds")]
    assert [cells[0] for cells in told] == ["2+", "3+", "2+", "3+", "2+", "3+", "3+"]
    assert [cells[3] for cells in told] == ["1 / 2"] * 4 + ["– / 3"] * 2 + ["2 / –"]
    assert [cells[4] for cells in told] == ["1 / 2"] * 4 + ["3 / 3"] * 2 + ["–"]
    assert [cells[6] for cells in told] == ["2"] * 4 + ["3"] * 3
    assert told[4][7] == str(COSTS.general.brilliant_in_all)
    assert told[0][5] == "–"
    assert [cells[5][0] for cells in told[1:]] == ["1", "1", "2", "1", "1", "2"]


def test_replays_are_those_that_the_engine_grants():
    granted = {kind.key: (len(replays_of(kind, "activation")), len(replays_of(kind, "hit"))) for kind in KINDS}
    assert granted == {
        "plain": (0, 0),
        "heroic": (1, 1),
        "senior": (1, 1),
        "heroic-senior": (2, 2),
        "brilliant": (1, 1),
        "heroic-brilliant": (2, 2),
        "great": (2, 2),
    }


@lang_parameter
def test_a_serious_wound_leaves_the_radius_of_the_engine(lang):
    state = battle_of(KINDS[0])
    general = general_of(state, "serious")
    effect = {cells[0]: cells[2] for cells in rows(SHEETS["generals"](lang), "wounds")}
    assert f" {radius(state, general)}" in effect["4–6"]
    assert list(effect) == ["1–3", "4–6", "7–8", "9–10"]


# --- words


def test_every_word_is_there_in_both_languages_with_the_same_gaps():
    for key, said in some(words().items()):
        assert set(said) == set(LANGUAGES), key
        assert all(said.values()), key
        assert len({frozenset(re.findall(r"\{(\w+)\}", text)) for text in said.values()}) == 1, key


@lang_parameter
@pytest.mark.parametrize("key", thinned(SHEETS, 5))
def test_every_character_can_be_printed(key, lang):
    for page in some(pages(key, lang)):
        for mark in page.marks:
            assert not isinstance(mark, SheetWords) or mark.width > 0


# --- on paper


@lang_parameter
@pytest.mark.parametrize("key", SHEETS)
def test_no_text_is_wider_than_its_cell_or_leaves_the_page(key, lang):
    for page in some(pages(key, lang)):
        assert [mark.text for mark in overfull(page)] == []


@lang_parameter
@pytest.mark.parametrize("key", SHEETS)
def test_rows_do_not_run_into_each_other(key, lang):
    """No two lines of words overlap: they stand side by side or one below the other."""
    for page in some(pages(key, lang)):
        marks = sorted((mark for mark in page.marks if isinstance(mark, SheetWords)), key=lambda mark: mark.y)
        for at, upper in enumerate(marks):
            for lower in marks[at + 1 :]:
                if lower.y - upper.y >= lower.size * 0.7:
                    break
                beside = upper.x + upper.width <= lower.x + 0.1 or lower.x + lower.width <= upper.x + 0.1
                assert beside, (upper.text, lower.text)


@lang_parameter
@pytest.mark.slow
def test_a_whole_set_is_ten_pages_in_type_that_can_be_read(lang):
    pages = [page for sheet in SHEETS.values() for page in pages_of(sheet(lang))]
    assert len(pages) <= MOST_PAGES
    sizes = {mark.size for page in pages for mark in page.marks if isinstance(mark, SheetWords)}
    assert min(sizes) >= SIZES[-1] * SMALL


def test_what_stands_side_by_side_is_set_smaller_if_it_is_too_high_for_a_page():
    """Columns beside each other are never split: the type is as small as the highest needs."""
    columns = (Column("", share=1, weight="led"),)
    body = table_rows(*((f"Head {n}.\n" + "word " * 19 + "end",) for n in range(23)))
    tables = (
        Table("left", "Left", columns, body, tight=True),
        Table("under", "Under", columns, body[:3], under=True, tight=True),
        Table("right", "Right", columns, body[:5], beside=True, share=2, tight=True),
    )
    (page,) = pages_of(Sheet("high", "en", "High", "A game", "", tables))
    assert overfull(page) == []
    told = [mark for mark in page.marks if isinstance(mark, SheetWords)]
    sizes = {mark.size for mark in told if mark.face == "regular"}
    assert SIZES[0] > max(sizes - {9.5}) >= SIZES[-1]
    assert [mark.text for mark in told if mark.text.startswith("Head 0")] == ["Head 0."] * 3
    (left,), (under,), (right,) = (
        [mark for mark in told if mark.text == title] for title in ("Left", "Under", "Right")
    )
    assert left.x == under.x < right.x < page.width / 2 and left.y == right.y < under.y


def test_bold_words_at_the_head_of_a_cell_run_into_the_others():
    lines = measure.wrapped_after("One two", "three four five", measure.width_after("One two", "three", 8), 8)
    assert lines == [("One two", "three"), ("", "four five")]
    assert measure.wrapped_after("One two", "three", 1, 8) == [("One", ""), ("two", ""), ("", "three")]


def test_a_diagram_keeps_its_proportions_and_is_painted_as_svg_and_pdf():
    square = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    shapes = (Shape(square, "near"), Shape(square, "edge", is_line=True, dashed=True))
    drawing = Diagram("d", "A square", 10, 10, shapes, (Label(5, 5, "middle"), Label(0, 9, "left", "left")))
    (page,) = pages_of(Sheet("d", "en", "D", "A game", "", (Table("t", "T", (), (), diagrams=(drawing, drawing)),)))
    outlines = [mark for mark in page.marks if isinstance(mark, Outline)]
    assert len(outlines) == 4
    for mark in outlines:
        wide, high = (max(point[at] for point in mark.points) for at in (0, 1))
        assert wide == high == HIGHEST
    said = page_svg(page)
    assert said.count("<polygon ") == said.count("<polyline ") == said.count("stroke-dasharray") == 2
    assert ">middle</text>" in said
    pytest.importorskip("reportlab")
    assert pdf.pages_pdf([page], "D", "en").startswith(b"%PDF")


def test_a_table_that_is_too_long_goes_on_under_its_heads():
    columns = (Column("Number", weight="bold"), Column("Words", share=1))
    long = Table("long", "A long table", columns, table_rows(*((str(n), f"line {n}") for n in range(120))))
    pages = pages_of(Sheet("many", "en", "Many", "A game", "", (long,)))
    assert len(pages) > 1
    for page in pages:
        said = [mark.text for mark in page.marks if isinstance(mark, SheetWords)]
        assert said.count("Number") == 1
        assert overfull(page) == []
    told = [mark.text for page in pages for mark in page.marks if isinstance(mark, SheetWords)]
    assert all(told.count(f"line {n}") == 1 for n in range(120))


def test_a_heading_never_stands_alone_at_the_foot():
    columns = (Column("", share=1),)
    body = [Row((f"row {n}",)) for n in range(150)]
    for at in range(0, 150, 3):
        body.insert(at, Row((f"heading {at}",), heading=True))
    pages = pages_of(Sheet("heads", "en", "Heads", "A game", "", (Table("t", "T", columns, tuple(body)),)))
    for page in some(pages):
        said = [mark.text for mark in page.marks if isinstance(mark, SheetWords)]
        assert not said[-2].startswith("heading")  # the last words are the page's number


def test_a_word_wider_than_its_cell_is_found():
    wide = Table("t", "T", (Column("", share=1),), table_rows(("W" * 200,)))
    (page,) = pages_of(Sheet("wide", "en", "Wide", "A game", "", (wide,)))
    assert [mark.text for mark in overfull(page)] == ["W" * 200]


def test_french_spaces_do_not_end_a_line():
    said = measure.typeset("Qui : « moi » ; 50 %", "fr")
    assert measure.wrapped(said, 1, 10) == ["Qui\xa0:", "«\xa0moi\xa0»\xa0;", "50\xa0%"]
    assert measure.typeset("Who: 50 %", "en") == "Who: 50 %"


def test_a_character_without_metrics_is_an_error():
    with pytest.raises(measure.Unprintable, match=r"U\+4E00"):
        measure.width("一", 10)


# --- the forms


@lang_parameter
@pytest.mark.parametrize("to", printing.FORMS)
@pytest.mark.slow
def test_the_same_sheets_give_the_same_bytes(lang, to):
    first, second = (printing.printed([sheet(lang) for sheet in SHEETS.values()], to) for _ in range(2))
    assert first == second
    assert all(lang in name and name.endswith(f".{to}") for name in first)


@lang_parameter
def test_html_fetches_nothing_and_its_tables_have_heads(lang):
    document = html.document([sheet(lang) for sheet in SHEETS.values()], "To the Strongest!")
    assert f'<html lang="{lang}">' in document
    assert not re.search(r"https?:|src=|@import|url\(|<script", document)
    assert document.count("<table") == document.count("aria-labelledby=")
    assert document.count("<table") == document.count("</table>")
    for key in SHEETS:
        assert f'<section id="{key}"' in document and f'href="#{key}"' in document
    for profile in PROFILES.values():
        assert f">{measure.typeset(unit_name(profile, lang), lang)}</th>" in document


@lang_parameter
def test_a_browser_prints_the_pages_of_the_layout(lang):
    """`tests/server/web/pages/test_printing.py` prints them."""
    sheets = [SHEETS["stratagems"](lang), SHEETS["units"](lang)]
    document = html.document(sheets, "To the Strongest!")
    assert re.findall(
        r'<div aria-hidden="true" class="([a-z ]+)">\n<svg viewBox="0 0 ([\d.]+) ([\d.]+)"', document
    ) == [
        ("printed wide" if page.width > page.height else "printed", f"{page.width:.2f}", f"{page.height:.2f}")
        for sheet in sheets
        for page in pages_of(sheet)
    ]
    assert document.count("<title") == 1


@pytest.mark.slow
@lang_parameter
def test_svg_stands_alone(lang):
    for name, content in printing.printed([SHEETS["stratagems"](lang), SHEETS["units"](lang)], "svg").items():
        picture = content.decode()
        assert picture.startswith("<?xml") and picture.count("<svg") == 1, name
        assert not re.search(r"href|<style|<script|@font-face", picture)
    assert "♥" in printing.printed([SHEETS["stratagems"](lang)], "svg")[f"aid-stratagems-{lang}.svg"].decode()


def test_the_picture_of_the_documentation_is_fresh():
    (content,) = printing.printed([SHEETS["activation"]("en")], "svg").values()
    assert PICTURE.read_bytes() == content, (
        f"run: phalera aids --ruleset tts --sheet activation --to svg --out {PICTURE} --force"
    )


@pytest.mark.slow
def test_pdf_has_every_page_with_accents_and_suits():
    pytest.importorskip("reportlab")
    (content,) = printing.printed([SHEETS["stratagems"]("fr"), SHEETS["saves"]("fr")], "pdf").values()
    said = text_of(content)
    assert content.startswith(b"%PDF")
    assert content.count(b"/Type /Page\n") == 2
    assert "Stratagèmes" in said and "éclaireurs" in said and "Flèches" in said
    assert "♥" in said and "♠" in said
    assert "CreationDate (D:20000101" in content.decode("latin-1")


def test_the_metrics_are_those_of_the_fonts_in_the_pdf():
    metrics = pytest.importorskip("reportlab.pdfbase.pdfmetrics")
    for face, font in pdf.FONTS.items():
        for sample in ("♥♣♦♠",) if face == "symbol" else ("Éléphants – « 6+ » ½ œuvre’s", "ABC xyz 0123456789"):
            assert measure.width(sample, 10, face) == pytest.approx(metrics.stringWidth(sample, font, 10))


SYMBOL_LETTERS = {167: "♣", 168: "♦", 169: "♥", 170: "♠"}
SHOWN = re.compile(r"/(F\d+) [\d.]+ Tf|\(((?:[^()\\]|\\.)*)\) Tj")


def text_of(content):
    """The words that the pages of a PDF show, each in the coding of its font."""
    fonts = dict(re.findall(r"/BaseFont /(\S+)[^>]*?/Name /(F\d+)", content.decode("latin-1")))
    symbol = fonts["Symbol"]
    said = []
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", content, re.S):
        page = zlib.decompress(base64.a85decode(stream.strip().removesuffix(b"~>"))).decode("latin-1")
        font = ""
        for shown in SHOWN.finditer(page):
            font = shown[1] or font
            letters = re.sub(
                r"\\(\d{3}|.)", lambda code: chr(int(code[1], 8)) if len(code[1]) == 3 else code[1], shown[2] or ""
            )
            if font == symbol:
                said.append("".join(SYMBOL_LETTERS[ord(letter)] for letter in letters))
            else:
                said.append(letters.encode("latin-1").decode("cp1252"))
    return "\n".join(said)
