"""Shields are data: whole, legible, apart from each other; a fault in them is named."""

from copy import deepcopy
from typing import Any

import pytest

from domain.basics.data import SCENARIOS, read_toml, scenario_names
from domain.basics.errors import BrokenInvariant
from domain.catalogue import RULESETS, army_books
from domain.contract.heraldry import FILE, Heraldry, Shield, exchanged, load_heraldry, read_heraldry
from domain.contract.ruleset import NOBODY
from domain.run.decide import evolve, opening
from tests.support.looping import some

SCENARIOS_OF_ALL = [(code, name) for code in RULESETS for name in scenario_names(code)]


def shields_of(code: str) -> list[Shield]:
    read = read_heraldry(code)
    return [*(people.shield for people in read.peoples.values()), *read.sides.values()]


ALL = [shield for code in RULESETS for shield in shields_of(code)]


def opened(code: str, table: dict[str, Any]) -> Any:
    ruleset = RULESETS[code]
    state: Any = ruleset.rules.initial
    for n, fact in enumerate(opening(ruleset, table), 1):
        state = evolve(ruleset, state, fact.event, n)
    return state


# --- what there is


def test_each_army_list_has_a_shield_of_its_own():
    for code, book in some(army_books().items()):
        borne = [RULESETS[code].shown.table.shield_of(key) for key in book.lists()]
        assert borne and None not in borne
        assert len(set(borne)) == len(borne)


@pytest.mark.parametrize(("code", "name"), SCENARIOS_OF_ALL)
def test_the_sides_of_a_scenario_bear_different_shields(code: str, name: str):
    state = opened(code, read_toml(code, SCENARIOS, f"{name}.toml"))
    south, north = RULESETS[code].shown.table.shields(state)
    assert south != north
    assert RULESETS[code].shown.view(state, NOBODY).shields == (south, north)


@pytest.mark.parametrize("name", scenario_names("tts"))
def test_the_sides_of_a_scenario_of_peoples_are_known_peoples(name: str):
    read, state = read_heraldry("tts"), opened("tts", read_toml("tts", SCENARIOS, f"{name}.toml"))
    peoples = {people.shield for people in read.peoples.values()}
    south, north = RULESETS["tts"].shown.table.shields(state)
    assert south in peoples
    assert north in peoples or exchanged(north) == south


def test_a_battle_whose_scenario_is_named_is_there():
    titles = {read_toml("tts", SCENARIOS, f"{name}.toml")["title"] for name in scenario_names("tts")}
    assert set(read_heraldry("tts").battles) <= titles


# --- who bears which


def named(name: str, other: str = "Nobody") -> tuple[Shield, ...]:
    """The shields of a battle of two armies by their names, where the troops are those of Cannae."""
    table = read_toml("tts", SCENARIOS, "cannae.toml") | {"title": "A battle"}
    table["sides"]["south"]["name"], table["sides"]["north"]["name"] = name, other
    return RULESETS["tts"].shown.table.shields(opened("tts", table))


def shield(people: str) -> Shield:
    return read_heraldry("tts").peoples[people].shield


def test_an_army_is_known_by_its_name_or_that_of_its_list():
    assert named("vikings", "Gallic") == (shield("viking"), shield("gallic"))


def test_an_army_with_a_name_of_its_own_is_known_by_its_troops():
    assert named("The Fifth")[0] == shield("republican_roman")
    table = read_toml("tts", SCENARIOS, "cannae.toml") | {"title": "A battle"}
    units = table["sides"]["south"]["corps"][0]["units"]
    table["sides"]["south"]["name"] = "The Fifth"
    units[0]["type"], units[1]["type"] = "elephants", "war_wagons"
    assert RULESETS["tts"].shown.table.shields(opened("tts", table))[0] == read_heraldry("tts").sides["south"]


def test_of_two_armies_of_one_people_the_northern_one_has_its_colours_exchanged():
    south, north = named("Sparta", "Spartans")
    assert south == shield("spartan")
    assert (north.field, north.paint) == (south.paint, south.field)


@pytest.mark.parametrize("one", ALL, ids=repr)
def test_an_exchanged_shield_is_another_one_and_as_legible(one: Shield):
    other = exchanged(one)
    assert (other.field, other.paint or other.tint) == (one.paint or one.tint, one.field)
    load_heraldry("test", {"sides": {"south": plain(one), "north": plain(other)}})


def plain(one: Shield) -> dict[str, str]:
    return {name: getattr(one, name) for name in one.__struct_fields__ if getattr(one, name)}


# --- faults


FAULTS = [
    ({"field": "pink"}, "field"),
    ({"shape": "square"}, "shape"),
    ({"charge": "unicorn", "tint": "gold"}, "charge"),
    ({"weight": 3}, "weight"),
    ({"pattern": "plain"}, "viking: paint"),
    ({"paint": "blue"}, "viking: paint: blue on red"),
    ({"tint": ""}, "viking: tint"),
    ({"pattern": "plain", "paint": "", "charge": "", "tint": ""}, "viking: charge"),
    ({"pattern": "plain", "paint": "", "tint": "black"}, "viking: tint: black on red"),
    ({"field": ""}, "viking: field"),
]


@pytest.mark.parametrize(("change", "named"), FAULTS, ids=str)
def test_a_fault_in_a_shield_is_named(change: dict[str, Any], named: str):
    table = deepcopy(read_toml("tts", FILE))
    table["peoples"]["viking"]["shield"] |= change
    with pytest.raises(BrokenInvariant, match=named):
        load_heraldry("tts/heraldry.toml", table)


def test_a_shield_a_name_and_a_side_are_there_once():
    table = read_toml("tts", FILE)
    peoples = table["peoples"]
    twice = {**peoples, "gallic": {"shield": peoples["viking"]["shield"]}}
    names = {**peoples, "gallic": peoples["gallic"] | {"names": ["VIKINGS"]}}
    battle = {"X": {"south": "nobody", "north": "viking"}}
    for change, said in (
        ({"peoples": twice}, "gallic: shield: is that of|viking: shield: is that of"),
        ({"peoples": names}, "is a name of"),
        ({"sides": {"south": table["sides"]["south"]}}, "must be south and north"),
        ({"battles": battle}, "unknown: nobody"),
        ({"battles": {"X": {"south": "viking"}}}, "names other sides"),
    ):
        with pytest.raises(BrokenInvariant, match=said):
            load_heraldry("tts/heraldry.toml", {**table, **change})


def test_a_game_without_heraldry_has_no_shields():
    assert read_heraldry("core") == Heraldry({})
