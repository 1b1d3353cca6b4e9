"""The catalogue of To the Strongest!, its weapons, qualities and costs, and the packaged scenarios."""

from collections import Counter
from copy import deepcopy
from typing import Any

import pytest

from domain.basics.data import parse_toml, read_toml, scenario_names, scenario_text
from domain.basics.errors import BrokenInvariant, Refusal
from domain.games.to_the_strongest.state.records import Profile, load_costs, load_profiles, load_weapons
from domain.games.to_the_strongest.state.roster import (
    FLAGS,
    PROFILES,
    QUALITIES,
    WEAPONS,
    camp_cost,
    general_cost,
    general_victory_points,
    profile_of,
    rout_number,
    save_number,
    shooting_arc,
    starting_medals,
    unit_cost,
    unit_victory_points,
    victory_points,
)

rule = pytest.mark.rule


# --- TTS-CAT-01: the table


# key: class, size, speed, steps, stack, save, hit, weapon, ammo, cost, av, scouting
SPOT_CHECKS = {
    "legionaries": ("F", "standard", 1, 2, 2, 6, 6, "", 0, 9, 2, 0),
    "legionaries_small": ("F", "small", 1, 1, 1, 6, 6, "", 0, 5, 1, 0),
    "auxilia": ("F", "standard", 1, 2, 2, 6, 6, "javelin", 1, 8, 2, 0),
    "pikemen": ("F", "deep", 1, 3, 3, 7, 6, "", 0, 12, 3, 0),
    "mob": ("F", "deep", 1, 3, 3, 8, 8, "", 0, 5, 3, 0),
    "light_sling": ("F", "light", 1, 1, 1, 8, 6, "sling", 3, 4, 1, 2),
    "longbowmen": ("F", "standard", 1, 2, 2, 8, 8, "longbow", 6, 10, 2, 0),
    "light_cavalry_bow": ("M", "light", 2, 1, 1, 8, 6, "bow", 3, 5, 1, 4),
    "cavalry_bow": ("M", "standard", 2, 2, 2, 7, 6, "bow", 4, 10, 2, 2),
    "later_knights": ("M", "standard", 2, 2, 2, 6, 6, "", 0, 13, 2, 0),
    "camelry": ("M", "standard", 2, 2, 2, 7, 6, "", 0, 9, 2, 0),
    "scythed_chariots": ("M", "small", 2, 1, 2, 7, 6, "", 0, 5, 1, 0),
    "battle_cars": ("M", "standard", 1, 2, 2, 7, 6, "javelin", 2, 7, 2, 0),
    "elephants": ("F", "small", 1, 1, 2, 6, 6, "", 0, 8, 1, 0),
    "elephants_escorted": ("F", "standard", 1, 2, 2, 6, 6, "javelin", 2, 11, 2, 0),
    "artillery": ("F", "small", 1, 1, 2, 7, 8, "engine", 6, 7, 1, 0),
    "war_wagons": ("F", "standard", 1, 2, 2, 6, 8, "crossbow", 6, 9, 2, 0),
    "camp_guards": ("F", "small", 1, 1, 1, 8, 8, "", 0, 3, 1, 0),
}


def row(p: Profile) -> tuple[object, ...]:
    return p.cls, p.size, p.speed, p.steps, p.stack, p.save, p.hit, p.weapon, p.ammo, p.cost, p.av, p.scouting


@rule("TTS-CAT-01")
@pytest.mark.parametrize("key", SPOT_CHECKS)
def test_a_troop_type_is_as_the_table_says(key: str) -> None:
    assert row(PROFILES[key]) == SPOT_CHECKS[key]


@rule("TTS-CAT-01")
def test_the_catalogue_has_every_row_of_the_table() -> None:
    assert len(PROFILES) == 44
    assert all(key == profile.key for key, profile in PROFILES.items())
    assert Counter(p.cls for p in PROFILES.values()) == {"F": 30, "M": 14}
    assert Counter(p.size for p in PROFILES.values()) == {"standard": 24, "light": 8, "small": 8, "deep": 4}
    assert Counter(p.weapon for p in PROFILES.values() if p.weapon) == {
        "javelin": 9,
        "bow": 6,
        "crossbow": 3,
        "sling": 1,
        "longbow": 1,
        "handgun": 1,
        "engine": 1,
        "cannon": 1,
        "organ": 1,
    }
    assert sum(p.cost for p in PROFILES.values()) == 343
    assert sum(p.av for p in PROFILES.values()) == 76
    assert sum(p.scouting for p in PROFILES.values()) == 30


@rule("TTS-CAT-01")
def test_flags_say_what_a_troop_type_can_do() -> None:
    assert PROFILES["pikemen"].flags == {"pike", "long_spear", "close"}
    assert PROFILES["later_knights"].flags == {"lance", "knight", "armour", "dismount"}
    assert PROFILES["warriors"].flags == frozenset()
    assert {flag for profile in PROFILES.values() for flag in profile.flags} == set(FLAGS)
    assert {key for key, p in PROFILES.items() if "evade" in p.flags} == {
        "cavalry_javelin",
        "cavalry_lance",
        "cavalry_bow",
        "camelry",
        "heavy_chariots",
    }


@rule("TTS-CAT-01")
def test_every_troop_type_has_an_english_and_a_french_name() -> None:
    for names in ([p.name for p in PROFILES.values()], [p.name_fr for p in PROFILES.values()]):
        assert len(set(names)) == len(PROFILES)


@rule("TTS-ACT-16")
def test_deep_units_and_elephants_count_as_deep() -> None:
    assert {key for key, p in PROFILES.items() if p.deep} == {
        "hoplites_deep",
        "pikemen",
        "warriors_deep",
        "mob",
        "elephants",
        "elephants_escorted",
    }


@rule("TTS-CAT-01")
def test_light_infantry_is_light_and_on_foot() -> None:
    assert {key for key, p in PROFILES.items() if p.light_infantry} == {
        "light_javelin",
        "light_bow",
        "light_sling",
        "light_crossbow",
    }
    assert all(p.foot != p.mounted for p in PROFILES.values())


@rule("TTS-SHT-08")
def test_line_foot_with_bows_and_organ_guns_shoot_twice() -> None:
    line_bows = {"bowmen", "longbowmen", "crossbowmen"}
    assert {key for key, p in PROFILES.items() if p.closing_fire} == line_bows
    assert {key for key, p in PROFILES.items() if p.double_shot} == line_bows | {"organ_gun"}


@rule("TTS-MOV-10")
def test_dismounted_knights_are_foot_with_two_handed_weapons() -> None:
    knights = profile_of("later_knights", dismounted=True)
    assert (knights.cls, knights.foot, knights.mounted, knights.speed) == ("F", True, False, 1)
    assert knights.flags == {"armour", "dismount", "two_handed"}
    assert profile_of("later_knights") is PROFILES["later_knights"]


@rule("TTS-CAT-03")
def test_lances_and_two_handed_weapons_can_be_bought() -> None:
    assert profile_of("warriors", extras=["two_handed", "standard"]).flags == {"two_handed"}
    assert "lance" in profile_of("cavalry_javelin", extras=["lance"]).flags
    assert "lance" not in PROFILES["cavalry_javelin"].flags


# --- TTS-SHT-03: weapons


@rule("TTS-SHT-03")
def test_weapons_are_as_the_table_says() -> None:
    assert {key: (w.range, w.arc, w.double, w.save) for key, w in WEAPONS.items()} == {
        "javelin": (1, "cone", False, 0),
        "sling": (2, "cone", False, 0),
        "bow": (2, "cone", True, 0),
        "longbow": (3, "cone", True, 0),
        "crossbow": (2, "cone", True, 0),
        "handgun": (1, "straight", False, -1),
        "engine": (4, "column", False, -1),
        "cannon": (5, "column", False, -2),
        "organ": (2, "straight", True, 0),
    }


@rule("TTS-SHT-03")
def test_mounted_light_bows_shoot_both_ways() -> None:
    assert shooting_arc(PROFILES["light_cavalry_bow"]) == shooting_arc(PROFILES["light_chariots"]) == "both"
    assert shooting_arc(PROFILES["cavalry_bow"]) == "cone"
    assert shooting_arc(PROFILES["legionaries"]) == ""


# --- TTS-CAT-02: qualities


@rule("TTS-CAT-02")
def test_quality_moves_the_save_and_the_rout_number() -> None:
    hoplites = PROFILES["hoplites"]
    assert [save_number(hoplites, q) for q in QUALITIES] == [5, 6, 7]
    assert [rout_number(q) for q in QUALITIES] == [5, 6, 7]


@rule("TTS-SAV-01")
def test_quality_counts_from_the_printed_one() -> None:
    mob = PROFILES["mob"]
    assert mob.quality == "raw"
    assert [save_number(mob, q) for q in QUALITIES] == [6, 7, 8]
    assert [unit_cost(mob, q) for q in QUALITIES] == [11, 8, 5]


@rule("TTS-CAT-02")
@pytest.mark.parametrize(("key", "veteran", "raw"), [("light_javelin", 5, 3), ("hoplites", 10, 6), ("pikemen", 15, 9)])
def test_quality_costs_a_point_for_each_step(key: str, veteran: int, raw: int) -> None:
    assert unit_cost(PROFILES[key], "veteran") == veteran
    assert unit_cost(PROFILES[key], "raw") == raw


# --- TTS-CAT-03: costs


@rule("TTS-CAT-03")
def test_extras_and_heroes_cost_points() -> None:
    bowmen = PROFILES["bowmen"]
    assert unit_cost(bowmen) == 8
    assert unit_cost(bowmen, extras=["standard", "pavise", "stakes"], hero=True) == 8 + 2 + 1 + 1 + 1
    assert camp_cost() == 1
    assert camp_cost(fortified_sides=2) == 3


@rule("TTS-CAT-03")
def test_generals_cost_points_for_what_they_are() -> None:
    assert general_cost() == 4
    assert general_cost(["heroic", "senior"], detached=True, mounted=True) == 8
    assert general_cost(["commander"]) == 4
    assert general_cost(["brilliant"], detached=True, mounted=True) == 10
    assert general_cost(["great"]) == 9


# --- TTS-MED-01: victory points and medals


@rule("TTS-MED-01")
def test_victory_points_add_up_over_units_generals_and_camps() -> None:
    units = [(PROFILES["pikemen"], ()), (PROFILES["hoplites"], ("standard",)), (PROFILES["light_sling"], ())]
    assert [unit_victory_points(*unit) for unit in units] == [3, 3, 1]
    assert [general_victory_points(t) for t in ([], ["heroic"], ["brilliant"], ["great"])] == [2, 2, 3, 3]
    assert victory_points(units, [["heroic"], ["great"]], camps=1) == 7 + 5 + 3


@rule("TTS-MED-01")
@pytest.mark.parametrize(("total", "medals"), [(0, 1), (1, 1), (4, 1), (5, 2), (49, 16), (50, 17), (56, 19)])
def test_medals_are_a_third_of_the_victory_points(total: int, medals: int) -> None:
    assert starting_medals(total) == medals


# --- a fault in the data is named


def faulty(key: str, **values: object) -> dict[str, Any]:
    table = read_toml("tts", "units.toml")
    table["units"][key].update(values)
    return table


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"save": "six"}, r"tts/units.toml: hoplites: Expected `int`, got `str` - at `\$.save`"),
        ({"speeed": 1}, r"tts/units.toml: hoplites: .*`speeed`"),
        ({"class": "X"}, r"tts/units.toml: hoplites: .*'X' - at `\$.class`"),
        ({"name_fr": ""}, "tts/units.toml: hoplites: name: "),
        ({"speed": 2}, "tts/units.toml: hoplites: speed: must be 1 for foot"),
        ({"steps": 3}, "tts/units.toml: hoplites: steps: is 3, must be 2 for size standard"),
        ({"stack": 1}, "tts/units.toml: hoplites: stack: is 1, must be 2"),
        ({"hit": 8}, "tts/units.toml: hoplites: hit: is 8"),
        ({"weapon": "boomerang", "ammo": 1}, "tts/units.toml: hoplites: weapon: 'boomerang'"),
        ({"ammo": 2}, "tts/units.toml: hoplites: ammo: "),
        ({"flags": ["invincible"]}, "tts/units.toml: hoplites: flags: unknown: invincible"),
        ({"av": 1}, "tts/units.toml: hoplites: av: "),
    ],
)
def test_a_fault_in_a_troop_type_names_file_key_and_field(values: dict[str, object], message: str) -> None:
    with pytest.raises(BrokenInvariant, match=message):
        load_profiles(faulty("hoplites", **values), WEAPONS)


def test_a_missing_field_is_named() -> None:
    table = read_toml("tts", "weapons.toml")
    del table["weapons"]["bow"]["range"]
    with pytest.raises(BrokenInvariant, match=r"tts/weapons.toml: bow: .*`range`"):
        load_weapons(table)


def test_every_value_has_its_rule() -> None:
    for name, load in (
        ("units.toml", lambda table: load_profiles(table, WEAPONS)),
        ("weapons.toml", load_weapons),
        ("costs.toml", load_costs),
    ):
        table = read_toml("tts", name)
        load(deepcopy(table))
        table["rules"].popitem()
        with pytest.raises(BrokenInvariant, match=f"tts/{name}: rules: "):
            load(table)


def test_a_table_that_was_read_belongs_to_the_reader() -> None:
    read_toml("tts", "weapons.toml")["weapons"].clear()
    assert read_toml("tts", "weapons.toml")["weapons"]


def test_a_file_that_is_not_in_the_package_is_a_fault_of_ours() -> None:
    with pytest.raises(BrokenInvariant, match=r"tts/nowhere.toml"):
        read_toml("tts", "nowhere.toml")


@pytest.mark.parametrize("text", ["a = ", "a = 1\na = 2", "a = " + "9" * 5000])
def test_a_text_that_is_no_toml_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_toml(text, "mine.toml")
    assert (refused.value.code, refused.value.params["file"]) == ("core.bad-toml", "mine.toml")


# --- the packaged scenarios


def scenario(name: str) -> dict[str, Any]:
    return parse_toml(scenario_text("tts", name), name)


def units_of(side: dict[str, Any]) -> list[dict[str, Any]]:
    return [unit for corps in side["corps"] for unit in corps["units"]]


def points_of(side: dict[str, Any]) -> int:
    return sum(
        sum(unit_cost(PROFILES[unit["type"]], unit.get("quality")) for unit in corps["units"])
        + general_cost(
            corps["general"].get("traits", ()),
            detached="box" in corps["general"],
            mounted=corps["general"].get("mounted", False),
        )
        + (camp_cost(len(corps["camp"].get("fortified", ()))) if "camp" in corps else 0)
        for corps in side["corps"]
    )


def medals_of(side: dict[str, Any]) -> int:
    units = [(PROFILES[unit["type"]], unit.get("extras", ())) for unit in units_of(side)]
    generals = [corps["general"].get("traits", ()) for corps in side["corps"]]
    return starting_medals(victory_points(units, generals, sum("camp" in corps for corps in side["corps"])))


def touching(box: str) -> set[str]:
    column, number = ord(box[0]), int(box[1:])
    steps = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
    return {f"{chr(column + right)}{number + ahead}" for right, ahead in steps}


def test_scenarios_are_packaged() -> None:
    assert {"cannae", "skirmish", "zama"} <= set(scenario_names("tts"))
    assert scenario_names("nothing") == ()
    with pytest.raises(Refusal) as refused:
        scenario_text("tts", "../units")
    assert refused.value.code == "core.unknown-scenario"


@pytest.mark.parametrize(
    ("name", "points", "medals"),
    [("cannae", (130, 126), (13, 12)), ("zama", (131, 129), (11, 12)), ("skirmish", (54, 53), (6, 6))],
)
def test_sides_are_balanced(name: str, points: tuple[int, int], medals: tuple[int, int]) -> None:
    sides = scenario(name)["sides"]
    assert (points_of(sides["south"]), points_of(sides["north"])) == points
    assert (medals_of(sides["south"]), medals_of(sides["north"])) == medals


@rule("TTS-SCN-02")
@pytest.mark.parametrize("name", scenario_names("tts"))
def test_a_packaged_scenario_keeps_the_rules(name: str) -> None:
    live = scenario(name)
    columns, rows = live["board"]["columns"], live["board"]["rows"]
    boxes = {f"{chr(65 + column)}{number}" for column in range(columns) for number in range(1, rows + 1)}
    rough = {piece["box"] for piece in live.get("terrain", ()) if piece["kind"] not in ("open", "gentle_hill")}
    assert live["ruleset"] == "tts"
    assert live["history"] and live["sources"]
    assert {piece["box"] for piece in live.get("terrain", ())} <= boxes
    ids: list[str] = []
    held: dict[str, str] = {}
    for side_name, side in live["sides"].items():
        own_half = range(1, rows // 2 + 1) if side_name == "south" else range(rows // 2 + 1, rows + 1)
        stacks: dict[str, list[Profile]] = {}
        for unit in units_of(side):
            ids.append(unit["id"])
            assert unit["id"] not in boxes
            assert unit["box"] in boxes
            assert int(unit["box"][1:]) in own_half
            assert unit["facing"] in set("NESW")
            assert held.setdefault(unit["box"], side_name) == side_name
            stacks.setdefault(unit["box"], []).append(PROFILES[unit["type"]])
        for stack in stacks.values():
            assert len(stack) <= 2
            assert sum(profile.stack for profile in stack) <= 4
        commanders = 0
        for corps in side["corps"]:
            ids += [corps["id"], corps["general"]["id"]]
            own = {unit["id"]: unit["box"] for unit in corps["units"]}
            general = corps["general"]
            commanders += "commander" in general.get("traits", ())
            assert 2 <= len(own) <= 7
            assert ("attached" in general) != ("box" in general)
            assert general.get("attached", next(iter(own))) in own
            if "camp" in corps:
                camp = corps["camp"]["box"]
                assert camp in boxes - rough
                assert int(camp[1:]) in own_half
                assert touching(camp) & set(own.values())
        assert commanders <= 1
    assert len(set(ids)) == len(ids)
