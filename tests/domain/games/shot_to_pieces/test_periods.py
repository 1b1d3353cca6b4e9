"""The tables of the periods, against figures taken by hand from the rules text, and what is refused in them."""

import re
from copy import deepcopy

import pytest

from domain.basics.data import read_beside
from domain.basics.errors import BrokenInvariant
from domain.games.shot_to_pieces.state.factor_keys import RULES
from domain.games.shot_to_pieces.state.profiles import PACKAGE, period, read_period
from domain.games.shot_to_pieces.state.vocabulary import PERIODS
from tests.support.looping import some

FIGURES = """
ww1 infantry 15 0 3 3 3 3 20         | ww1 skirmisher 20 0 4 4 2 2 20      | ww1 cavalry 25 0 2 2 4 4 15
ww1 cossack 30 0 2 3 3 3 15          | ww1 tchanka 25 0 3 3 4 4 20         | ww1 artillery_horse 25 0 4 3 3 1 75
ww1 armoured_car 20 0 4 3 4 4 20     | ww1 machine_gun 12 0 4 3 3 3 30     | ww1 tank_heavy 10 0 4 3 5 5 20
ww1 cavalry_skirmisher 30 0 3 3 1 1 15 | ww1 bombardment_150 15 0 4 3 3 1 150 | ww1 tank_light 15 0 4 3 5 5 20
acw infantry 15 0 3 3 3 3 20         | acw skirmisher 20 0 4 4 1 1 20      | acw cavalry_a 25 0 0 2 4 4 0
acw cavalry_b 25 0 0 2 3 4 0         | acw cavalry_dismounted 18 0 3 3 2 2 15 | acw machine_gun 20 0 4 3 3 1 30
acw artillery_mounted 20 0 4 3 3 1 45 | acw indians 20 0 0 2 3 3 0         | acw cavalry_skirmisher 30 0 3 3 1 1 15
awi militia 10 0 2 2 1 1 15          | awi levy 12 0 2 2 2 2 15            | awi light_infantry 18 0 4 4 3 2 15
awi whig_tory 12 0 3 3 2 2 15        | awi skirmisher_trained 20 0 4 4 1 1 25 | awi cavalry_light 25 0 0 2 4 4 0
awi cavalry_colonial 30 0 3 3 2 2 20 | awi cavalry_skirmisher 35 0 3 3 1 1 20 | awi artillery_light_foot 10 0 3 3 3 1 30
emp infantry 15 10 3 3 3 3 15        | emp cavalry_heavy 25 17 0 3 5 5 0   | emp cavalry_medium 25 17 0 2 4 4 0
emp cavalry_british 25 17 0 2 3 3 0  | emp cavalry_light 30 20 0 3 4 3 0   | emp cossack 35 0 0 3 2 1 0
emp artillery_heavy 12 0 4 3 4 1 60  | emp artillery_medium 15 0 4 3 3 1 45 | emp artillery_light 25 0 4 3 3 1 30
gsc militia 10 0 2 2 2 2 10          | gsc infantry 15 0 3 3 3 3 15        | gsc skirmisher 20 0 3 3 1 1 15
gsc cavalry_heavy 25 0 0 3 5 5 0     | gsc reivers 30 0 0 3 3 3 0          | gsc dragoons 25 0 2 2 4 3 20
gsc warband 18 0 0 2 3 3 0           | gsc shot 15 0 3 3 2 2 15            | gsc artillery_foot 10 0 4 3 3 1 45
alg infantry 15 0 3 3 3 3 20         | alg light_infantry 18 0 4 4 3 3 20  | alg colonial_infantry 18 0 3 3 3 3 20
alg cavalry_light 30 0 0 3 4 3 0     | alg native_shot 18 0 3 3 2 2 15     | alg native_light 20 0 3 3 3 2 15
alg native_camelry 25 0 0 2 4 3 0    | alg native_cavalry_light 30 0 0 3 3 2 0 | alg rockets 15 0 4 3 3 1 45
f70 infantry 15 10 3 3 3 3 15        | f70 skirmisher 20 0 4 4 2 2 15      | f70 skirmisher_detached 20 0 4 4 1 1 15
f70 cavalry_heavy 25 17 0 3 5 5 0    | f70 cavalry_light 30 20 0 3 4 3 0   | f70 cavalry_scout 35 0 0 3 2 1 0
f70 machine_gun 20 0 4 3 3 1 30      | f70 artillery_horse 25 0 4 3 3 1 45 | f70 cavalry 25 17 0 2 4 4 0
"""
"""Period, type, move, LINE, F, R, M1, M2 and the range of the usual weapon in centimetres."""


@pytest.mark.parametrize("row", [row.split() for line in FIGURES.strip().splitlines() for row in line.split("|")])
def test_figures_of_section_15(row):
    code, key, *figures = row
    move, line, fire, resilience, first, later, reach = map(int, figures)
    held = period(code)
    found = held.types[key]
    weapon = held.weapons.get(found.weapon)
    assert (found.move, found.line) == (100 * move, 100 * line)
    assert (found.fire, found.resilience, *found.melee) == (fire, resilience, first, later)
    assert (weapon.range if weapon else 0) == 100 * reach


@pytest.mark.parametrize(
    ("code", "effects"),
    [
        ("ww1", {"skirmisher": "kills-only-shaken", "cavalry_skirmisher": "shaken-only"}),
        ("acw", {"skirmisher": "shaken-only", "machine_gun": "normal"}),
        ("awi", {"cavalry_colonial": "second-line", "light_infantry": "normal"}),
        ("alg", {"native_shot": "kills-only-shaken", "native_light": "kills-only-shaken", "skirmisher": "shaken-only"}),
        ("f70", {"skirmisher": "kills-only-shaken", "skirmisher_detached": "shaken-only"}),
    ],
)
def test_effects(code, effects):
    """STP-FIR-10, STP-INT-18, STP-INT-20."""
    assert {key: period(code).types[key].effect for key in effects} == effects


@pytest.mark.parametrize(
    ("code", "weapon", "distance", "band"),
    [
        ("f70", "dreyse", 800, "short"),
        ("f70", "dreyse", 801, "long"),
        ("f70", "chassepot", 1500, "short"),
        ("f70", "chassepot", 2001, ""),
        ("acw", "rifled_80", 2666, "short"),
        ("acw", "rifled_80", 2667, "medium"),
        ("acw", "rifled_80", 5334, "long"),
        ("acw", "mg", 1501, "long"),
        ("ww1", "mg", 1501, "medium"),
        ("alg", "grenade", 250, "short"),
    ],
)
def test_bands(code, weapon, distance, band):
    """STP-FIR-09, STP-INT-08: a machine gun of 1861 has two bands, one of 1914 three."""
    assert period(code).weapons[weapon].band(distance) == band


ABSENT = {
    "ww1": {"close-range-gun", "line", "square", "pikes", "heavy-gun", "cavalry-v-foot", "large-battalion"},
    "acw": {"line", "square", "pikes", "foot-v-cavalry", "dispersion"},
    "awi": {"heavy", "extra-heavy", "high-rate", "pikes", "line"},
    "emp": {"extra-heavy", "high-rate", "foot-v-cavalry", "heavy-gun", "pikes"},
    "gsc": {"extra-heavy", "close-range-gun", "high-rate", "line", "foot-v-cavalry"},
    "alg": {"extra-heavy", "high-rate", "line", "pikes"},
    "f70": {"close-range-gun", "heavy-gun", "closed-v-cavalry", "veteran", "militia", "pikes"},
}
"""Rows of chapter FAC that a period does not have."""


@pytest.mark.parametrize("code", PERIODS)
def test_rows_that_a_period_has_not(code):
    assert not ABSENT[code] & period(code).factors.keys()


def test_rows_that_differ():
    """STP-FAC-01, -04, -51, -57."""
    plus = {code: period(code).factors for code in PERIODS}
    assert [plus[code]["elite"] for code in PERIODS] == [1, 1, 1, 2, 1, 1, 1]
    assert [plus[code]["rear-support"] for code in PERIODS] == [2, 2, 1, 2, 1, 2, 2]
    assert [plus[code]["rear"] for code in PERIODS] == [-2, -2, -2, -3, -2, -2, -2]
    assert plus["emp"]["militia"] == -2
    assert plus["acw"]["assault-wave"] == 3
    assert plus["emp"]["rear-v-cavalry"] == plus["alg"]["rear-natives"] == 1


def test_switches():
    """STP-OPT-04, STP-ART-01, STP-WW1-02, STP-ZOC-12, -13, STP-EMP-01, -06."""
    switches = {code: period(code).switches for code in PERIODS}
    assert [switches[code].infantry_fired for code in PERIODS] == ["never", *["option"] * 4, "always", "always"]
    assert [switches[code].free_fire for code in PERIODS] == [5000, *[4000] * 6]
    assert [switches[code].back for code in PERIODS] == [500, *[0] * 6]
    assert [code for code in PERIODS if not switches[code].cavalry_interdicts_foot] == ["ww1"]
    assert [code for code in PERIODS if switches[code].foot_never_charges_cavalry] == ["awi", "emp", "gsc", "alg"]
    assert [code for code in PERIODS if switches[code].square_zone] == ["emp", "f70"]
    assert switches["emp"].cap == {"cav": 3, "inf": 5, "skm": 5}
    assert switches["ww1"].braced == ("inf", "skm", "mg")


def test_formations():
    """STP-GAP-25, STP-FRM-05, STP-ACW-05; the first is the usual one."""
    emp, acw, alg = period("emp").types, period("acw").types, period("alg").types
    assert emp["infantry"].formations == ("column", "line", "square", "closed-column", "march")
    assert "skirmish" in emp["light_infantry"].formations
    assert emp["cavalry_light"].formations == ("column", "line", "march")
    assert emp["cossack"].usual_formation == "battle"
    assert acw["infantry"].formations == ("battle", "march", "extended")
    assert "skirmish" in alg["light_infantry"].formations


def test_extended_line():
    """STP-ACW-05, STP-INT-25."""
    line = period("acw").extended
    assert line is not None
    assert (line.move, line.fire, line.resilience, line.melee) == (1800, 4, 4, (1, 1))
    assert line.effect == "shaken-only" and "inexperienced" in line.flags


@pytest.mark.parametrize("code", PERIODS)
def test_every_value_has_a_rule(code):
    held = period(code)
    for record in some(held.types.values()):
        for member in ("arm", "move", "fire", "resilience", "melee", "effect", "weapon", "formations"):
            assert held.rule_of(record, member).startswith("STP-")
    for weapon in held.weapons.values():
        assert held.rule_of(weapon, "bands").startswith("STP-")


def test_rules_of_single_values():
    assert period("emp").rule_of(period("emp").weapons["gun_30"], "bands") == "STP-GAP-04"
    assert period("alg").rule_of(period("alg").types["machine_gun"], "move") == "STP-GAP-22"
    assert period("acw").flags["back3"] == "STP-ACW-01"


def test_factor_keys():
    """Each row of chapter FAC has its sentence."""
    assert RULES["elite"] == "STP-FAC-01"
    assert RULES["fat-v-skeleton"] == "STP-FAC-11"
    assert RULES["supported-target"] == "STP-FAC-28"
    assert RULES["devastation"] == "STP-FAC-43"
    assert RULES["no-quarter"] == "STP-FAC-72"
    assert RULES["inferior-fire"] == "STP-FAC-74"
    assert len(RULES) == 11 + 24 + 25


# --- what is refused


def table(code="emp"):
    return deepcopy(read_beside(PACKAGE, "data", "periods", f"{code}.toml"))


def spoilt(place, value):
    given = table()
    *way, last = place.split("/")
    inner = given
    for key in way:
        inner = inner[key]
    inner[last] = value
    return given


@pytest.mark.parametrize(
    ("place", "value", "fault"),
    [
        ("types/infantry/speed", 1, r"periods/emp.toml: .*`speed`"),
        ("types/infantry/move", 0, r"periods/emp.toml: types.infantry.move: 0 is not within"),
        ("types/infantry/line", 1600, r"types.infantry.line"),
        ("types/infantry/fire", 10, r"types.infantry.fire"),
        ("types/infantry/weapon", "pike", r"types.infantry.weapon: no weapon 'pike'"),
        ("types/infantry/flags", ["brave"], r"flags"),
        ("types/infantry/flags", ["evade"], r"flags: no rule of \['evade'\]"),
        ("types/infantry/formations", ["column", "wedge", "line"], r"types.infantry.formations: unknown \['wedge'\]"),
        ("types/infantry/formations", ["column"], r"types.infantry.formations"),
        ("types/infantry/dismounts", "walkers", r"types.infantry.dismounts"),
        ("types/infantry/rules", {"fire": "STP-XYZ-01"}, r"types.infantry.rules.fire: no rule 'STP-XYZ-01'"),
        ("weapons/musket/bands", [1500, 0, 750], r"weapons.musket.bands"),
        ("weapons/musket/kind", "bow", r"periods/emp.toml: .*bow"),
        ("rules/bands", "STP-FIR-99", r"rules.bands: no rule 'STP-FIR-99'"),
        ("factors/courage", 1, r"factors: unknown \['courage'\]"),
        ("switches/strafing", True, r"rules.strafing: no rule of switches"),
        ("statuses", ["line", "guard"], r"statuses: unknown \['guard'\]"),
        ("colour", "red", r"`colour`"),
    ],
)
def test_a_wrong_table_is_refused_with_file_and_key(place, value, fault):
    with pytest.raises(BrokenInvariant) as raised:
        read_period("emp", spoilt(place, value))
    assert re.search(fault, str(raised.value))


def test_the_table_as_it_is_is_read():
    assert read_period("emp", table()) == period("emp")


def test_real_fire_and_weapon_go_together():
    given = table()
    del given["types"]["infantry"]["weapon"]
    with pytest.raises(BrokenInvariant, match="real fire and a weapon"):
        read_period("emp", given)
