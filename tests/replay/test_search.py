"""A search finds the events of which all that is asked for is so, and refuses what it does not know."""

from fractions import Fraction as F
from functools import cache
from pathlib import Path

import pytest

from domain.events.battle import CardDrawn, DieRolled
from replay import battle_file
from replay.battle_file import BattleFile
from replay.reports import plain, selected
from replay.search import FIELDS, BadSearch, SearchIndex, folded, read_search
from replay.telling.luck import luck_of, of_events

GOLDEN = Path(__file__).parents[1] / "golden"


@cache
def battle(name: str) -> BattleFile:
    return battle_file.parse((GOLDEN / f"{name}.battle").read_bytes())


@cache
def index(name: str, lang: str = "en") -> SearchIndex:
    found = SearchIndex()
    for line in plain.lines(battle(name), 1, battle(name).last, lang):
        found.add(battle(name).events[line.n - 1], line.said)
    return found


def find(text: str, name: str = "medals", lang: str = "en") -> list[int]:
    return index(name, lang).find(read_search(text))


def test_words_are_parts_of_the_sentence():
    said = [line.said for line in plain.lines(battle("medals"), 1, battle("medals").last)]
    wanted = [n for n, text in enumerate(said, 1) if "destroyed" in text and "melee" in text]
    assert wanted
    assert find("melee destroyed") == find("DESTROYED Melee") == wanted


def test_quotation_marks_keep_a_phrase_together():
    assert find("melee is destroyed")
    assert not find('"melee is destroyed"')
    assert find('"is destroyed in melee"') == find("“is destroyed in melee”") == find("destroyed melee")
    assert find('"is destroyed in mel') == find("destroyed melee")


def test_accents_and_apostrophes_are_as_people_type_them():
    assert find("detruite melee", lang="fr") == find("détruite mêlée", lang="fr") == find("destroyed melee")
    assert find("l'ordre", lang="fr") == find("l’ordre", lang="fr")
    assert folded("L’UNITÉ") == "l'unite"


def test_nothing_asked_for_finds_every_event():
    assert find("") == find('  ""  ') == list(range(1, battle("medals").last + 1))


@pytest.mark.parametrize("name", ["medals", "singidunum-goal", "warmaster-volleys"])
def test_type_and_rule_may_be_shortened_and_the_author_may_not(name):
    events = battle(name).events
    assert find("type:turn", name) == [one.n for one in events if one.type.startswith("Turn")]
    assert find("rule:core-", name) == [one.n for one in events if one.rule.startswith("CORE-")]
    assert find("by:North", name) == [one.n for one in events if one.by == "north"]
    assert not find("by:nor", name)


def test_cards_by_number_and_by_name():
    drawn = {one.n: str(one.event.card) for one in battle("medals").events if isinstance(one.event, CardDrawn)}
    assert find("card:10") == [n for n, card in drawn.items() if card.startswith("10")]
    assert find("card:1") == [n for n, card in drawn.items() if card[0] == "1" and card[:2] != "10"]
    assert find("card:10h2") == [n for n, card in drawn.items() if card == "10h2"]


@pytest.mark.parametrize("name", ["singidunum-goal", "warmaster-volleys"])
def test_dice_by_their_value(name):
    sixes = [one.n for one in battle(name).events if isinstance(one.event, DieRolled) and one.event.value == 6]
    assert sixes
    assert find("die:6", name) == sixes


def test_a_unit_is_found_in_members_lists_and_orders_but_not_in_other_names():
    found = {battle("medals").events[n - 1].type for n in find("unit:r1")}
    assert {"OrderAccepted", "CardDrawn", "HitScored", "UnitMoved"} <= found
    assert "BattleOpened" not in found
    group = [n for n in find("unit:R5 type:ActivationPassed") if n in find("unit:R6 type:ActivationPassed")]
    assert group  # a group is a list of units
    assert not find("unit:R")


def test_everything_asked_for_must_hold():
    both = find("unit:N6 by:north type:OrderAccepted")
    assert both == [n for n in find("unit:N6") if n in find("by:north") and n in find("type:OrderAccepted")]
    assert both


@pytest.mark.parametrize("text", ["odds>0.5", "units:R1", "card>3", "n:", "TYPE=x", "destroyed colour:red"])
def test_an_unknown_field_is_refused_with_those_that_there_are(text):
    with pytest.raises(BadSearch) as refused:
        read_search(text)
    assert all(f"{field}:" in str(refused.value) for field in FIELDS)
    with pytest.raises(BadSearch, match="champ"):
        read_search(text, "fr")


def test_a_field_wants_a_value():
    with pytest.raises(BadSearch, match="right after “unit:”"):
        read_search("unit: R1")


def test_a_word_with_a_sign_can_be_quoted():
    assert find('"South: "')
    assert [term.field for term in read_search('"a:b" 12:30')] == ["", ""]


# --- as lines


def test_csv_has_no_formulas_and_no_control_characters():
    line = next(plain.lines(battle("medals"), 1, 1))
    hostile = type(line)(1, line.at, "south", "=1+1", "T", "@SUM(A1)\x1b[2J, “a”\n", True)
    assert list(selected.written(battle("medals"), [hostile], "csv")) == [
        "n,at,by,rule,type,said,voided",
        f"1,{line.at},south,'=1+1,T,\"'@SUM(A1)?[2J, “a”?\",1",
    ]
    assert "\x1b" not in next(selected.written(battle("medals"), [hostile], "txt"))


@pytest.mark.slow
def test_luck_is_measured():
    rows = luck_of(battle("medals").timeline)
    lucky = [n for n, sides in of_events(rows).items() if any(luck > F(1, 2) for luck in sides)]
    assert find_luck("luck>0.5") == find_luck("luck>0,5") == lucky
    assert 432 in lucky
    assert find_luck("luck<=-0.7") == [757]
    assert find_luck("luck>=-9 luck<9") == sorted({row.settled for row in rows})
    assert find_luck("luck>0.5 destroyed") == []


def find_luck(text: str) -> list[int]:
    return [line.n for line in selected.find(battle("medals"), read_search(text))]


@pytest.mark.parametrize(
    "text", ["luck>", "luck>much", "luck>1e5", "luck>1/0", "luck>>1", "unit>R1", "luck:+-1", "luck>٣"]
)
def test_luck_that_means_nothing_is_refused(text):
    with pytest.raises(BadSearch):
        read_search(text)
