"""The armies of a battle as anybody may know them before it begins, and another one in their place."""

from typing import Any

import pytest

from domain.basics.data import SCENARIOS, read_toml, scenario_names
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS, army_book
from domain.contract.ruleset import NOBODY
from domain.engine.state import OTHER, SIDES
from domain.games.to_the_strongest.state.setup import BattleOpened
from domain.run.decide import evolve, opening
from domain.run.inputs import facts_of_opening, facts_of_rematch
from server.armies import battle_between, new_army

TTS = RULESETS["tts"]


def known_after(facts: Any) -> Any:
    """What a stranger knows of a battle that facts have opened."""
    state: Any = TTS.rules.initial
    for n, fact in enumerate(facts, 1):
        state = evolve(TTS, state, fact.event, n)
    return TTS.secrets.known(state, NOBODY)


def told(forces: Any) -> dict[str, Any]:
    return {force.side: force for force in forces}


@pytest.mark.parametrize("name", sorted(scenario_names("tts")))
def test_a_scenario_has_its_units_and_costs_what_it_is_said_to(name: str) -> None:
    table = read_toml("tts", SCENARIOS, f"{name}.toml")
    forces = TTS.shown.table.forces(known_after(opening(TTS, table)))
    assert forces is not None
    for force, points in zip(forces, TTS.shown.size(table).points, strict=True):
        units = [unit for corps in table["sides"][force.side]["corps"] for unit in corps["units"]]
        counted = [one for part in force.parts for one in part.troops if one.type not in ("general", "camp")]
        assert sum(one.count for one in counted) == len(units)
        assert force.points == points


@pytest.mark.parametrize("blind", [False, True])
def test_armies_of_points_are_open_before_anything_is_placed(blind: bool) -> None:
    table = battle_between("tts", "carthaginian", "republican_roman", 130, 7, {"blind_deployment": blind})
    forces = told(TTS.shown.table.forces(known_after(opening(TTS, table))))
    book, army = army_book("tts"), new_army("tts", "carthaginian", 130, 7, "south")
    assert forces["south"].points == book.price(army).points
    assert [part.id for part in forces["south"].parts] == [corps.id for corps in army.corps]


def opened(south: str = "carthaginian", north: str = "republican_roman", **options: Any) -> BattleOpened:
    event = facts_of_opening(TTS, battle_between("tts", south, north, 130, 7, options))[0].event
    assert isinstance(event, BattleOpened)
    return event


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("own", ["carthaginian", "republican_roman", "seleucid"])
def test_another_army_takes_the_place_of_a_sides_own(side: str, own: str) -> None:
    before = opened(stratagems_per_side=3, blind_deployment=True)
    army = new_army("tts", own, 130, 11)
    after = army_book("tts").bring(before, side, army)
    was, now = (told(TTS.shown.table.forces(known_after(facts_of_rematch(TTS, one)))) for one in (before, after))
    assert now[OTHER[side]] == was[OTHER[side]]
    assert now[side].points == army_book("tts").price(army).points
    assert after.options == before.options and after.title.endswith(", 130 points")
    ids = [unit.id for one in SIDES for corps in after.sides[one].corps for unit in corps.units]
    assert len(set(ids)) == len(ids)
    again = army_book("tts").bring(after, side, new_army("tts", "republican_roman", 160, 3))
    assert "160" in again.title


def test_an_army_brought_is_as_if_the_battle_had_been_opened_with_it() -> None:
    south, north = (new_army("tts", "carthaginian", 130, 7, "south"), new_army("tts", "gallic", 130, 5))
    as_table = army_book("tts").battle(south, north, {})
    there = facts_of_opening(TTS, as_table)[0].event
    assert army_book("tts").bring(opened(), "north", north) == there


@pytest.mark.parametrize("name", ["skirmish", "cannae"])
def test_the_armies_of_a_scenario_are_its_own(name: str) -> None:
    event = facts_of_opening(TTS, read_toml("tts", SCENARIOS, f"{name}.toml"))[0].event
    with pytest.raises(Refusal) as refused:
        army_book("tts").bring(event, "north", new_army("tts", "gallic", 130, 5))
    assert refused.value.code == "core.armies-fixed"


def test_an_army_that_is_not_legal_is_not_brought() -> None:
    army = army_book("tts").change(new_army("tts", "gallic", 130, 5), "size", "", "10")
    with pytest.raises(Refusal) as refused:
        army_book("tts").bring(opened(), "north", army)
    assert refused.value.code == "tts.army-not-legal"
