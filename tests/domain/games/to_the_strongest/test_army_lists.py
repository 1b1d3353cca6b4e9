"""The army lists are all there and hold together, and a fault in one is named."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from domain.basics.data import read_toml
from domain.basics.errors import BrokenInvariant, Refusal
from domain.games.to_the_strongest.armies.lists import (
    PRESETS,
    REGIONS,
    army_list,
    army_lists,
    extra_fits,
    least_units,
    list_keys,
    load_list,
    most_units,
)
from domain.games.to_the_strongest.state.roster import PROFILES

rule = pytest.mark.rule
FOLDER = Path(__file__).parents[4] / "domain" / "games" / "to_the_strongest" / "data" / "armies"
FILE = "tts/armies/carthaginian.toml"


def carthage() -> dict[str, Any]:
    return deepcopy(read_toml("tts", "armies", "carthaginian.toml"))


# --- what there is


def test_the_index_names_every_list_file() -> None:
    assert sorted(read_toml("tts", "armies.toml")["lists"]) == sorted(path.stem for path in FOLDER.glob("*.toml"))


def test_the_lists_come_in_the_order_of_their_years() -> None:
    years = [(entry.first, entry.last) for entry in army_lists().values()]
    assert years == sorted(years)
    assert read_toml("tts", "armies.toml")["lists"] == list(list_keys())


@rule("TTS-CAT-04")
def test_there_are_peoples_of_every_age_and_region() -> None:
    entries = army_lists().values()
    assert len(entries) >= 26
    assert {entry.region for entry in entries} == set(REGIONS)
    for first, last in ((-1600, -600), (-600, -300), (-300, 0), (0, 500), (500, 1000), (1000, 1500)):
        assert sum(first <= entry.last and entry.first <= last for entry in entries) >= 4, (first, last)


def test_no_two_lists_tell_the_same() -> None:
    for field in ("name", "name_fr", "about", "about_fr"):
        told = [getattr(entry, field) for entry in army_lists().values()]
        assert len(set(told)) == len(told)


@rule("TTS-CAT-01")
def test_the_lists_use_nearly_the_whole_catalogue() -> None:
    used = {troop.type for entry in army_lists().values() for troop in entry.troops.values()}
    assert set(PROFILES) - used <= {"battle_cars", "camp_guards"}


@pytest.mark.parametrize("key", list_keys())
def test_a_list_leaves_a_choice(key: str) -> None:
    entry = army_list(key)
    for size in PRESETS:
        dearest = sum(most_units(troop, size) * PROFILES[troop.type].cost for troop in entry.troops.values())
        demanded = sum(least_units(troop, size) * PROFILES[troop.type].cost for troop in entry.troops.values())
        assert demanded <= size * 3 // 4
        assert dearest >= size * 5 // 4


@rule("TTS-CAT-04")
def test_numbers_go_with_the_size() -> None:
    triarii = army_list("republican_roman").troops["triarii"]
    assert (triarii.least, triarii.most) == (2, 4)
    assert [(least_units(triarii, size), most_units(triarii, size)) for size in PRESETS] == [
        (1, 4),
        (2, 4),
        (2, 5),
        (3, 7),
    ]


def test_what_need_not_be_there_is_never_demanded() -> None:
    elephants = army_list("carthaginian").troops["elephants"]
    assert [least_units(elephants, size) for size in PRESETS] == [0, 0, 0, 0]


def test_what_must_be_there_is_demanded_of_the_smallest_army() -> None:
    libyans = army_list("carthaginian").troops["libyans"]
    assert (libyans.least, least_units(libyans, 80)) == (1, 1)


def test_a_list_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(Refusal, match=r"tts\.no-such-army-list") as caught:
        army_list("zulu")
    assert "carthaginian" in caught.value.params["known"]


# --- TTS-CAT-03: what may be bought for whom


@rule("TTS-CAT-03")
@pytest.mark.parametrize(
    ("extra", "types", "others"),
    [
        ("standard", ("legionaries", "later_knights", "elephants"), ("light_bow", "cannon", "light_cavalry_bow")),
        ("pavise", ("crossbowmen", "bowmen", "handgunners"), ("light_crossbow", "war_wagons", "legionaries", "cannon")),
        ("stakes", ("longbowmen", "spearmen"), ("light_bow", "cavalry_bow", "elephants", "war_wagons")),
        ("two_handed", ("warriors", "spearmen"), ("axemen", "cataphracts", "elephants", "artillery")),
        ("lance", ("cavalry_bow", "cataphracts"), ("cavalry_lance", "spearmen", "scythed_chariots")),
        ("banner", (), ("legionaries",)),
    ],
)
def test_an_extra_is_for_those_who_have_use_for_it(extra, types, others) -> None:
    assert [kind for kind in types if not extra_fits(PROFILES[kind], extra)] == []
    assert [kind for kind in others if extra_fits(PROFILES[kind], extra)] == []


# --- faults are named


def broken(*path: str, value: Any) -> dict[str, Any]:
    """The Carthaginians with one thing changed."""
    live = carthage()
    place = live
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return live


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("key",), "punic", "list: key: is 'punic', must be the name of the file"),
        (("name_fr",), " ", "list: name_fr: is empty"),
        (("about",), "", "list: about: is empty"),
        (("to",), -300, "list: from: the years are not in order"),
        (("from",), -4000, "list: from: the years are not in order"),
        (("to",), 1800, "list: from: the years are not in order"),
        (("region",), "atlantis", "list: region: 'atlantis' is none of africa, near-east"),
        (("sources",), [], "list: sources: names no source"),
        (("corps", "max"), 6, "corps: min: must be 2 to 5"),
        (("corps", "min"), 1, "corps: min: must be 2 to 5"),
        (("camps", "max"), 4, "camps: min: must be 1 to 3"),
        (("camps", "fortified"), 5, "camps: fortified: must be 0 to 4"),
        (("generals", "traits"), ["shrewd"], "generals: traits: unknown: shrewd"),
        (("generals", "great"), -1, "generals: great: is negative"),
        (("generals", "detached"), False, "generals: brilliant: such a general is detached"),
        (("troops",), {}, "list: troops: needs at least two"),
        (("troops", "gauls", "type"), "gauls", "gauls: type: no such troop type: gauls"),
        (("troops", "gauls", "name"), "", "gauls: name: needs an English and a French name"),
        (("troops", "gauls", "qualities"), ["elite"], "gauls: qualities: unknown: elite"),
        (("troops", "gauls", "qualities"), [], "gauls: qualities: is empty"),
        (("troops", "gauls", "type"), "mob", "gauls: qualities: this type is always raw"),
        (("troops", "gauls", "min"), 9, "gauls: min: is 9 with max 4"),
        (("troops", "gauls", "max"), 0, "gauls: max: is less than 1"),
        (("troops", "gauls", "extras"), ["banner"], "gauls: extras: unknown: banner"),
        (("troops", "gauls", "extras"), ["pavise"], "gauls: extras: warriors_deep has no use for pavise"),
        (("troops", "gauls", "most"), 3, "Object contains unknown field `most`"),
        (("name",), 3, "Expected `str`, got `int` - at `$.name`"),
    ],
)
def test_a_fault_is_named_with_file_record_and_field(path, value, told) -> None:
    with pytest.raises(BrokenInvariant) as caught:
        load_list(FILE, broken(*path, value=value))
    assert str(caught.value).startswith(f"{FILE}: {told}")


def test_a_list_that_demands_more_than_its_corps_hold_is_a_fault() -> None:
    live = broken("troops", "gauls", value={**carthage()["troops"]["gauls"], "min": 40, "max": 40})
    with pytest.raises(BrokenInvariant, match="43 units do not fit"):
        load_list(FILE, live)
