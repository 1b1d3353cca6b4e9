"""The battle between forces of a campaign: who fights, under which names, on which ground (CAM-TTS-01)."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.campaign_book import Element, Fielded, Ground, Recruit
from domain.games.to_the_strongest.armies.lists import USUAL_SIZE, army_lists, most_units
from domain.games.to_the_strongest.armies.making import new_army
from domain.games.to_the_strongest.campaign.battle import battle
from domain.games.to_the_strongest.campaign.forces import promoted, read, recruit, roster, stand_in
from domain.games.to_the_strongest.campaign.ground import ground
from domain.games.to_the_strongest.state import scenario

ARMY = {
    "name": "The consul's army",
    "corps": [
        {
            "id": "I",
            "general": {"id": "G1", "attached": "LE1", "mounted": True, "traits": ["commander", "heroic"]},
            "camp": {"fortified": 1},
            "units": [{"id": "LE1", "troop": "legionaries"}, {"id": "LE2", "troop": "legionaries"}],
        },
        {"id": "II", "general": {"id": "G2"}, "units": [{"id": "LE3", "troop": "light_javelin"}]},
    ],
}
FIELD = Ground((("C4", "wood"),), (("A4", "A5", "stream"),))


def fielded(name: str, *without: str, resting: frozenset[str] = frozenset()) -> Fielded:
    """A force of the army, some of it left out."""
    army = read(ARMY)
    return Fielded(name, army, tuple(each for each in roster(army) if each.id not in without), resting)


def told(south: Fielded, *north: Fielded, field: Ground | None = FIELD) -> tuple[dict[str, Any], dict[Any, str]]:
    table, names = battle([south], north, field, "The Trebia", {"turn_limit": 8})
    scenario.load(table)  # the game takes it
    return table, names


@pytest.mark.rule("CAM-TTS-01")
def test_ids_that_both_sides_have_are_renamed_and_known() -> None:
    table, names = told(fielded("F1"), fielded("F2"))
    assert [corps["id"] for corps in table["sides"]["south"]["corps"]] == ["I", "II"]
    assert [unit["id"] for unit in table["sides"]["north"]["corps"][0]["units"]] == [
        names["F2", "LE1"],
        names["F2", "LE2"],
    ]
    assert names["F1", "LE1"] == "LE1" != names["F2", "LE1"]
    assert len({*names.values()}) == len(names) == 10


def test_two_forces_of_a_side_fight_as_one_army() -> None:
    table, names = told(fielded("F1"), fielded("F2"), fielded("F3", "LE3"))
    corps = table["sides"]["north"]["corps"]
    assert len(corps) == 3 == len({one["id"] for one in corps})
    assert table["sides"]["north"]["name"] == "The consul's army"
    leaders = [one["general"].get("traits", []) for one in corps]
    assert leaders == [["commander", "heroic"], [], ["heroic"]]
    assert ("F3", "LE3") not in names


def test_corps_of_which_nobody_fights_are_left_out() -> None:
    table, _ = told(fielded("F1", "LE3", "G2"), fielded("F2"))
    assert [corps["id"] for corps in table["sides"]["south"]["corps"]] == ["I"]


@pytest.mark.rule("CAM-CAR-04")
def test_who_rests_has_no_traits_and_who_stands_in_neither() -> None:
    def traits(force: Fielded) -> Any:
        return told(force, fielded("F2"))[0]["sides"]["south"]["corps"][0]["general"]

    assert traits(fielded("F1"))["traits"] == ["commander", "heroic"]
    assert traits(fielded("F1", resting=frozenset({"G1"})))["traits"] == ["commander"]
    force = fielded("F1", "G1")
    follower = stand_in(force.army, Element("G1", "leader", "I"), "G1-2", "LE2")
    told_of = traits(replace(force, elements=(*force.elements, follower)))
    assert told_of == {"id": "G1-2", "mounted": True, "attached": "LE2", "traits": ["commander"]}


def test_a_general_whose_unit_does_not_fight_is_with_the_first_that_does() -> None:
    table, _ = told(fielded("F1", "LE1"), fielded("F2"))
    assert table["sides"]["south"]["corps"][0]["general"]["attached"] == "LE2"


@pytest.mark.rule("CAM-TTS-04")
def test_units_are_what_they_have_become() -> None:
    force = fielded("F1")
    rows = list(force.elements)
    for _ in range(2):
        better = promoted(force.army, rows[0])
        assert better is not None and better.points > rows[0].points
        rows[0] = better
    assert promoted(force.army, rows[0]) is None
    rows.insert(3, recruit(force.army, rows, Recruit("II", "warriors", "raw", "LE9")))
    table, _ = told(replace(force, elements=tuple(rows)), fielded("F2"))
    first, second = table["sides"]["south"]["corps"]
    assert first["units"][0] == {"id": "LE1", "type": "legionaries", "quality": "veteran", "hero": True}
    assert second["units"][-1] == {"id": "LE9", "type": "warriors", "quality": "raw"}


@pytest.mark.rule("CAM-TTS-05")
def test_the_ground_is_given_or_placed_by_the_players() -> None:
    table, _ = told(fielded("F1"), fielded("F2"))
    assert (table["terrain"], table["edge"]) == (
        [{"box": "C4", "kind": "wood"}],
        [{"between": ["A4", "A5"], "kind": "stream"}],
    )
    assert table["options"] == {"turn_limit": 8}
    assert "terrain" not in told(fielded("F1"), fielded("F2"), field=None)[0]
    told(fielded("F1"), fielded("F2"), field=ground("river", (12, 8), lambda limit: limit - 1))


def test_a_kind_of_ground_that_there_is_not_is_refused() -> None:
    with pytest.raises(Refusal) as refusal:
        ground("lunar", (12, 8), lambda limit: 0)
    assert (refusal.value.code, refusal.value.params["ground"]) == ("campaign.no-such-ground", "lunar")


@pytest.mark.rule("CAM-TTS-06")
def test_the_list_says_how_many_of_a_line_there_may_be() -> None:
    entry = next(iter(army_lists().values()))
    army = new_army(entry, USUAL_SIZE, lambda limit: 0)
    now, line, troop = list(roster(army)), *next(iter(entry.troops.items()))
    had = sum(each.troop == line for each in now)
    with pytest.raises(Refusal) as refusal:
        for number in range(100):
            now.append(recruit(army, now, Recruit("I", line, "", f"ZZ{number}")))
    most = most_units(troop, army.size)
    assert (refusal.value.code, refusal.value.params["most"]) == ("campaign.too-many-of-line", most)
    assert sum(each.troop == line for each in now) == most >= had
