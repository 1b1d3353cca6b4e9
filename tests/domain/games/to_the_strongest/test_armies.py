"""Armies: what they cost, what speaks against them, how they are made and how two of them meet."""

from collections import Counter
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from domain.basics.data import parse_toml
from domain.basics.decoding import convert
from domain.basics.errors import Refusal
from domain.basics.toml_text import to_toml
from domain.catalogue import army_book, army_books
from domain.games.to_the_strongest import RULESET
from domain.games.to_the_strongest.armies.army import ArmyFile, list_of, price, read_army, units_of
from domain.games.to_the_strongest.armies.checks import findings
from domain.games.to_the_strongest.armies.lists import PRESETS, SIZES, army_list, list_keys
from domain.games.to_the_strongest.armies.making import new_army
from domain.games.to_the_strongest.armies.points_battle import points_battle
from domain.games.to_the_strongest.state.roster import PROFILES
from domain.games.to_the_strongest.state.scenario_file import GridScenarioGiven
from domain.log.fairness import Stream
from replay.telling.words import refusal
from tests.support.lanes import thinned
from tests.support.looping import some

rule = pytest.mark.rule

ARMY = """
list = "carthaginian"
name = "Army of Africa"
size = 130

[[corps]]
id = "I"
name = "Left"
general = { id = "G1", attached = "na1", mounted = true }
units = [
  { id = "na1", troop = "gallic_horse", hero = true },
  { id = "na2", troop = "numidians" },
  { id = "na3", troop = "numidians", quality = "standard" },
]

[[corps]]
id = "II"
general = { id = "G2", mounted = true, traits = ["commander", "brilliant"] }
camp = { fortified = 2 }
units = [
  { id = "LI1", troop = "libyans", extras = ["standard"] },
  { id = "LI2", troop = "libyans", quality = "veteran" },
  { id = "GA1", troop = "gauls", quality = "raw" },
  { id = "CI1", troop = "citizens" },
]

[[corps]]
id = "III"
general = { id = "G3", attached = "EL1" }
units = [
  { id = "EL1", troop = "elephants" },
  { id = "SL1", troop = "balearics" },
]
"""


def table() -> dict[str, Any]:
    return parse_toml(ARMY, "army.toml")


def changed(*path: Any, value: Any) -> ArmyFile:
    """The army with one thing changed; a path of names and numbers."""
    whole = table()
    place: Any = whole
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return read_army(whole)


def below(seed: object) -> Any:
    return Stream(sha256(str(seed).encode()).digest()).below


def told(army: ArmyFile) -> list[str]:
    return [refusal(one.code, one.rule, one.params) for one in findings(army)]


# --- reading


def test_an_army_is_read_with_its_ids_in_capitals() -> None:
    army = read_army(table())
    assert [unit.id for unit in units_of(army)] == ["NA1", "NA2", "NA3", "LI1", "LI2", "GA1", "CI1", "EL1", "SL1"]
    assert army.corps[0].general is not None
    assert army.corps[0].general.attached == "NA1"


@pytest.mark.parametrize(
    ("path", "value", "key", "fault"),
    [
        (("size",), "big", "size", "Expected `int`, got `str`"),
        (("size",), -1, "size", "Expected `int` >= 0"),
        (("size",), 10**40, "size", ""),
        (("colour",), "red", "the file", "Object contains unknown field `colour`"),
        (("corps", 0, "units", 0, "troop"), 3, "corps[0].units[0].troop", "Expected `str`, got `int`"),
        (("corps", 1, "camp", "fortified"), 10**30, "corps[1].camp.fortified", ""),
        (("ruleset",), "chess", "ruleset", "is not tts"),
    ],
)
def test_what_is_no_army_is_refused_with_the_key(path, value, key, fault) -> None:
    with pytest.raises(Refusal, match=r"tts\.bad-army") as caught:
        changed(*path, value=value)
    assert caught.value.params["key"] == key
    assert fault in caught.value.params["fault"]


def test_an_army_of_a_list_that_is_not_there_is_refused() -> None:
    with pytest.raises(Refusal, match=r"tts\.no-such-army-list"):
        changed("list", value="zulu")


# --- TTS-CAT-01 to TTS-CAT-03, TTS-MED-01: what it costs and is worth


@rule("TTS-CAT-03")
def test_each_thing_has_its_price() -> None:
    bill = price(read_army(table()))
    assert {item.id: item.points for corps in bill.corps for item in corps.items} == {
        "G1": 5,  # 4, mounted 1
        "NA1": 10,  # 9, hero 1
        "NA2": 6,  # 5, veteran 1: the first quality of the line is the usual one
        "NA3": 5,
        "G2": 10,  # brilliant, in all
        "II": 3,  # a camp with two sides
        "LI1": 9,  # 7, standard 2
        "LI2": 9,  # 7, veteran 2
        "GA1": 7,  # 10, raw −3
        "CI1": 5,  # 7, raw −2
        "G3": 4,
        "EL1": 8,
        "SL1": 5,
    }
    assert [corps.points for corps in bill.corps] == [26, 43, 17]
    assert bill.points == 86


@rule("TTS-MED-01")
def test_victory_points_make_the_medals() -> None:
    bill = price(read_army(table()))
    assert [corps.vp for corps in bill.corps] == [2 + 2 + 1 + 1, 3 + 3 + 3 + 2 + 3 + 2, 2 + 1 + 1]
    assert (bill.vp, bill.medals) == (26, 9)


@rule("TTS-SCT-01")
def test_scouting_is_counted_in_quarter_points() -> None:
    bill = price(read_army(table()))
    assert [corps.scouting for corps in bill.corps] == [2 + 4 + 4, 0, 2]
    raw = changed("corps", 0, "units", 2, "quality", value="raw")
    assert price(raw).corps[0].scouting == 2 + 4 + 2


def test_what_the_catalogue_does_not_know_costs_nothing() -> None:
    army = changed("corps", 2, "units", 0, "troop", value="mammoths")
    assert price(army).points == 86 - 8
    army = changed("corps", 1, "units", 0, "extras", value=["banner"])
    assert price(army).points == 86 - 2


# --- findings


def test_nothing_speaks_against_a_legal_army() -> None:
    assert findings(read_army(table())) == ()


CASES = [
    (("size",), 85, "tts.army-over", "The army costs 86 points, 1 more than its 85."),
    (("size",), 50, "tts.army-size", "An army has 80 to 250 points, not 50."),
    (("corps", 0, "units"), [], "tts.army-corps-units", "Corps I has 0 units; 2 to 7 are allowed."),
    (("corps", 0, "general"), None, "tts.army-no-general", "Corps I has no general."),
    (
        ("corps", 0, "units", 0, "troop"),
        "punic_horse",
        "tts.army-too-few",
        "The army has 0 units of Gallic and Spanish horse (gallic_horse); it needs at least 1.",
    ),
    (("corps", 0, "units", 1, "troop"), "libyan", "tts.army-no-such-troop", "NA2 is “libyan”: the list carthaginian"),
    (("corps", 0, "units", 1, "quality"), "raw", "tts.army-quality", "NA2 cannot be raw: veteran or standard is"),
    (("corps", 0, "units", 1, "quality"), "elite", "tts.army-quality", "NA2 cannot be elite: veteran or standard is"),
    (("corps", 0, "units", 1, "extras"), ["lance"], "tts.army-extra", "NA2 cannot have lances; it may have no extras"),
    (("corps", 0, "units", 1, "extras"), ["wings"], "tts.army-extra", "NA2 cannot have wings; it may have no extras"),
    (("corps", 1, "units", 0, "extras"), ["standard"] * 2, "tts.army-extra", "LI1 cannot have standard; it may have"),
    (("corps", 2, "units", 0, "hero"), True, "tts.army-hero", "EL1 cannot have a hero: Elephants have none."),
    (("corps", 2, "general", "traits"), ["commander"], "tts.army-generals", "The army has 2 generals with the trait"),
    (("corps", 2, "general", "traits"), ["lucky"], "tts.army-traits", "G3 cannot be lucky; allowed are"),
    (("corps", 1, "general", "attached"), "LI1", "tts.army-brilliant-attached", "G2 is brilliant: such a general is"),
    (
        ("corps", 1, "general", "traits"),
        ["great", "brilliant"],
        "tts.army-brilliant-and-great",
        "G2 cannot be both brilliant and great.",
    ),
    (("corps", 1, "general", "traits"), ["great"], "tts.army-great-detached", "G2 is great: such a general is attac"),
    (("corps", 2, "general", "attached"), "LI1", "tts.army-attached", "G3 is attached to LI1, which is not a unit"),
    (("corps", 1, "camp", "fortified"), 3, "tts.army-camp-sides", "The camp of corps II has 3 sides fortified; 2 is"),
    (("corps", 1, "camp"), None, "tts.army-camps", "The army has 0 camps; 1 to 2 are allowed."),
    (("corps", 0, "id"), "II", "tts.army-corps-twice", "Two corps are called II."),
    (("corps", 0, "id"), "I I", "tts.army-id", "“I I” cannot be an id"),
    (("corps", 0, "units", 1, "id"), "SL1", "tts.army-id-twice", "The id SL1 is used twice."),
    (("corps", 0, "units", 1, "id"), "G3", "tts.army-id-twice", "The id G3 is used twice."),
    (("corps", 0, "units", 1, "id"), "", "tts.army-id", "“” cannot be an id"),
    (("corps", 0, "units", 1, "id"), "Ünit", "tts.army-id", "“ÜNIT” cannot be an id"),
    (("corps", 0, "units", 1, "id"), "group", "tts.army-id", "“GROUP” cannot be an id"),
    (("corps", 0, "units", 1, "id"), "groupe", "tts.army-id", "“GROUPE” cannot be an id"),
    (("corps", 0, "units", 1, "id"), "c4", "tts.id-is-box", "A unit cannot be called C4: that is a box of the board."),
]


@rule("TTS-CAT-04")
@rule("TTS-ORD-01")
@pytest.mark.parametrize(("path", "value", "code", "sentence"), CASES, ids=[f"{case[2]}-{case[1]}" for case in CASES])
def test_what_speaks_against_an_army_is_said(path, value, code, sentence) -> None:
    army = changed(*path, value=value)
    assert code in [one.code for one in findings(army)]
    assert any(line.startswith(sentence) for line in told(army)), told(army)


@rule("TTS-CAT-04")
def test_too_many_corps_and_units_are_found() -> None:
    whole = table()
    whole["corps"] = [{**whole["corps"][2], "id": name} for name in ("I", "II", "III", "IV", "V", "VI")]
    codes = Counter(one.code for one in findings(read_army(whole)))
    assert codes["tts.army-corps"] == 1
    assert codes["tts.army-too-many"] == 2  # six elephants and six slingers
    assert codes["tts.army-id-twice"] == 3


@rule("TTS-GEN-01")
def test_a_list_whose_generals_walk_with_their_men_says_so() -> None:
    whole = {
        "list": "viking",
        "corps": [
            {
                "id": "I",
                "general": {"id": "G1", "mounted": True, "traits": ["brilliant"]},
                "units": [{"id": "HI1", "troop": "hird"}, {"id": "BO1", "troop": "bondi"}],
            }
        ],
    }
    codes = {one.code for one in findings(read_army(whole))}
    assert codes >= {"tts.army-mounted", "tts.army-generals", "tts.army-corps", "tts.army-too-few"}


def test_all_findings_come_not_only_the_first() -> None:
    whole = table()
    whole["size"] = 80
    whole["corps"][0]["general"] = None
    whole["corps"][1]["camp"] = None
    whole["corps"][2]["units"][0]["hero"] = True
    assert [one.code for one in findings(read_army(whole))] == [
        "tts.army-no-general",
        "tts.army-hero",
        "tts.army-camps",
    ]


def test_an_army_without_a_list_is_checked_on_the_catalogue() -> None:
    whole: dict[str, Any] = {
        "size": 80,
        "corps": [
            {
                "id": name,
                "general": {"id": f"G{name}", "traits": ["great"], "attached": f"{name}A"},
                "camp": {"fortified": 4, "boxes": boxes},
                "units": [
                    {"id": f"{name}A", "troop": "later_knights", "quality": "veteran", "hero": True},
                    {"id": f"{name}B", "troop": "mob"},
                ],
            }
            for name, boxes in (("X", 2), ("Y", 1))
        ],
    }
    army = read_army(whole)
    assert list_of(army) is None
    assert price(army).points == 2 * (9 + 16 + 5) + 2 * 4 + 3
    assert findings(army) == ()
    whole["corps"][0]["units"][1] = {"id": "XB", "troop": "mob", "quality": "veteran", "extras": ["lance"]}
    assert [one.code for one in findings(read_army(whole))] == ["tts.army-quality", "tts.army-extra"]
    whole["corps"][0]["units"][1] = {"id": "XB", "troop": "gauls"}
    assert "there is no such troop type" in told(read_army(whole))[0]


@rule("TTS-CMP-01", "TTS-CMP-04")
@pytest.mark.parametrize(("boxes", "fits"), [(0, False), (1, True), (3, True), (4, False)])
def test_an_army_without_a_list_has_one_to_three_camp_boxes_too(boxes: int, fits: bool) -> None:
    camp = {"camp": {"boxes": boxes}} if boxes else {}
    army = read_army({"corps": [{"id": "I", "units": [], **camp}]})
    codes = [one.code for one in findings(army)]
    assert ("tts.army-camps" in codes) is not fits


@rule("TTS-CMP-04", "TTS-CAT-03", "TTS-MED-01")
def test_each_box_of_joined_camps_is_paid_for_and_counts() -> None:
    army = read_army({"corps": [{"id": "I", "camp": {"fortified": 2, "boxes": 3}}]})
    items = [(item.kind, item.id, item.rank, item.points, item.vp) for item in price(army).corps[0].items]
    assert items == [("camp", "I", ("fortified",) * 2, 3, 3), ("camp", "I", (), 1, 3), ("camp", "I", (), 1, 3)]


def test_every_finding_has_its_sentence() -> None:
    for path, value, *_ in CASES:
        for line in told(changed(*path, value=value)):
            assert not line.startswith("tts."), line


# --- new armies


@rule("TTS-CAT-04")
@pytest.mark.parametrize("key", thinned(list_keys(), 4))
def test_an_army_made_of_a_list_is_legal_and_spends_its_points(key: str) -> None:
    for size in PRESETS:
        for seed in range(2):
            army = new_army(army_list(key), size, below((key, size, seed)))
            assert told(army) == []
            assert size - 3 <= price(army).points <= size
            commanders = [c for c in army.corps if c.general and "commander" in c.general.traits]
            assert len(commanders) == 1


def test_the_same_chance_makes_the_same_army() -> None:
    entry = army_list("macedonian")
    assert new_army(entry, 130, below(7)) == new_army(entry, 130, below(7))
    assert len({repr(new_army(entry, 130, below(seed))) for seed in range(8)}) > 4


@pytest.mark.slow
def test_an_army_is_a_mix_of_what_its_list_has() -> None:
    entry = army_list("carthaginian")
    used = Counter(unit.troop for seed in range(30) for unit in units_of(new_army(entry, 130, below(seed))))
    assert set(used) == set(entry.troops)
    kinds = [len({unit.troop for unit in units_of(new_army(entry, 130, below(seed)))}) for seed in range(30)]
    assert min(kinds) >= 5


def test_horse_stands_on_the_wings() -> None:
    for seed in range(10):
        army = new_army(army_list("republican_roman"), 130, below(seed))
        entry = army_list("republican_roman")
        horse = [any(PROFILES[entry.troops[unit.troop].type].mounted for unit in corps.units) for corps in army.corps]
        assert horse[0]
        assert not any(horse[1:-1])


@pytest.mark.parametrize("size", [SIZES[0] - 1, SIZES[-1] + 1, 0, -5])
def test_a_size_out_of_bounds_is_refused(size: int) -> None:
    with pytest.raises(Refusal, match=r"tts\.army-size"):
        new_army(army_list("gallic"), size, below(1))


def test_a_list_that_cannot_be_had_for_so_little_says_so() -> None:
    entry = army_list("carthaginian")
    many_gauls = msgspec.structs.replace(entry.troops["gauls"], least=14, most=14)
    hungry = msgspec.structs.replace(entry, troops={**entry.troops, "gauls": many_gauls})
    with pytest.raises(Refusal, match=r"tts\.army-too-small"):
        new_army(hungry, 130, below(1))


@pytest.mark.slow
def test_no_size_makes_an_illegal_army() -> None:
    for key in some(list_keys()[::5]):
        for size in range(SIZES[0], SIZES[-1] + 1, 17):
            assert told(new_army(army_list(key), size, below((key, size)))) == []


# --- battles of two armies


def two(south: str = "carthaginian", north: str = "republican_roman", size: int = 130) -> tuple[ArmyFile, ArmyFile]:
    return new_army(army_list(south), size, below(1)), new_army(army_list(north), size, below(2))


def names(scenario: dict[str, Any]) -> list[str]:
    corps = [one for side in scenario["sides"].values() for one in side["corps"]]
    units = [unit["id"] for one in corps for unit in one["units"]]
    return [*units, *(one["general"]["id"] for one in corps), *(one["id"] for one in corps)]


@rule("TTS-ORD-01")
@pytest.mark.parametrize("north", ["carthaginian", "republican_roman", "mongol"])
def test_every_id_of_a_battle_is_used_once(north: str) -> None:
    found = names(points_battle(*two(north=north)))
    assert len(set(found)) == len(found)


@rule("TTS-ORD-01")
def test_a_one_letter_id_that_is_a_box_of_a_larger_board_gets_another() -> None:
    south = changed("corps", 0, "units", 1, "id", value="M3")
    scenario = points_battle(south, two()[1])
    ids = [unit["id"] for corps in scenario["sides"]["south"]["corps"] for unit in corps["units"]]
    assert "M3" not in ids
    assert "MX1" in ids


def test_a_general_follows_the_unit_that_got_another_id() -> None:
    whole = table()
    whole["corps"][0]["units"][0]["id"] = whole["corps"][0]["general"]["attached"] = "m1"
    corps = points_battle(read_army(whole), two()[1])["sides"]["south"]["corps"][0]
    assert corps["general"]["attached"] == corps["units"][0]["id"] == "MX1"


def test_nothing_is_placed() -> None:
    scenario = points_battle(*two())
    assert "terrain" not in scenario  # so that the terrain is placed (TTS-SCN-03)
    given = convert(scenario, GridScenarioGiven)
    for side in given.sides.values():
        for corps in side.corps:
            assert corps.general is not None
            assert not corps.general.box
            assert all(not unit.box for unit in corps.units)
            assert corps.camp is None or not corps.camp.box


def test_a_battle_keeps_what_was_paid_for() -> None:
    south = read_army(table())
    corps = points_battle(south, two()[1])["sides"]["south"]["corps"]
    assert corps[0]["units"][0] == {"id": "NA1", "type": "cavalry_javelin", "hero": True}
    assert corps[0]["units"][1] == {"id": "NA2", "type": "light_cavalry_javelin", "quality": "veteran"}
    assert corps[1]["units"][3] == {"id": "CI1", "type": "spearmen", "quality": "raw"}
    assert corps[1]["units"][0]["extras"] == ["standard"]
    assert corps[1]["general"] == {"id": "G2", "mounted": True, "traits": ["commander", "brilliant"]}
    assert corps[1]["camp"] == {"fortified": ["N", "E"]}
    assert "camp" not in corps[0]


@rule("TTS-CMP-04")
def test_joined_camps_wait_for_deployment() -> None:
    whole = table()
    whole["corps"][1]["camp"]["boxes"] = 2
    whole["size"] = 131
    corps = points_battle(read_army(whole), two()[1])["sides"]["south"]["corps"]
    assert corps[1]["camp"] == {"fortified": ["N", "E"], "boxes": 2}


def test_the_north_fortifies_towards_the_south() -> None:
    south, north = two()[0], read_army(table())
    corps = points_battle(south, north)["sides"]["north"]["corps"]
    assert [one["camp"] for one in corps if "camp" in one] == [{"fortified": ["S", "W"]}]


def test_a_battle_tells_who_meets_whom() -> None:
    scenario = points_battle(*two())
    assert scenario["title"] == "Carthaginian against Republican Roman, 130 points"
    assert "Livy, History of Rome 21-30" in scenario["sources"]
    unequal = points_battle(two(size=100)[0], two(size=160)[1])
    assert unequal["title"].endswith("100 against 160 points")


def test_an_army_that_is_not_legal_does_not_fight() -> None:
    with pytest.raises(Refusal, match=r"tts\.army-not-legal") as caught:
        points_battle(two()[0], changed("size", value=80))
    assert caught.value.params == {"side": "north", "count": 1}


def test_a_battle_is_written_as_toml_and_read_again() -> None:
    scenario = points_battle(*two())
    assert parse_toml(to_toml(scenario), "battle.toml") == scenario


@rule("TTS-SCN-01")
@pytest.mark.parametrize("north", ["mongol", "swiss", "hussite", "british", "seleucid"])
def test_a_points_battle_opens(north: str) -> None:
    opened: Any = RULESET.opening.load(points_battle(*two(north=north)))
    assert all(not unit.box for side in opened.sides.values() for corps in side.corps for unit in corps.units)
    assert opened.sides["south"].medals == price(two()[0]).medals


# --- which games have armies


def test_a_game_without_armies_says_so() -> None:
    assert army_book("tts") is army_books()["tts"]
    with pytest.raises(Refusal, match=r"core\.no-armies"):
        army_book("chess")


def test_corps_that_bear_every_numeral_still_get_an_id() -> None:
    numerals = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
    whole = table()
    for name, unit in zip(numerals, (unit for corps in whole["corps"] for unit in corps["units"]), strict=False):
        unit["id"] = f"{name}-A"
    whole["corps"][0]["units"][0]["id"] = whole["corps"][0]["general"]["attached"] = "NA1"
    whole["corps"][2]["units"][0]["id"] = whole["corps"][2]["general"]["attached"] = "EL1"
    for name, unit in zip(numerals[3:], whole["corps"][1]["units"], strict=False):
        unit["id"] = name
    found = names(points_battle(read_army(whole), read_army(whole)))
    assert len(set(found)) == len(found)


def test_options_are_handed_on() -> None:
    assert points_battle(*two(), {"turn_limit": 12})["options"] == {"turn_limit": 12}
