"""The modifiers of chapter FAC, row by row: what counts in which period, and in which order the rows come."""

import pytest
from msgspec.structs import replace

from domain.games.shot_to_pieces.chapters.factors import (
    Special,
    WeighedShot,
    fire_factors,
    gun_weight,
    pays_for_firing,
    resilience_factors,
)
from domain.games.shot_to_pieces.chapters.melee_factors import Stance, melee_factors, melee_value, rear_support
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.state.factor_keys import RULES
from domain.games.shot_to_pieces.state.figures import fire_effect, is_fat, melee_effect
from domain.games.shot_to_pieces.state.state import Corps, EventInForce, Ground, Options, Shaken, State, Unit

K = 5
OWN, FOE = "A", "B"


def unit(side, key, *, at=(0, 0), facing=0, status="line", formation="battle", traits=(), **members):
    name, base = OWN if side == "south" else FOE, Base(at, facing, 400, 300)
    corps = side[0].upper()
    return Unit(name, side, corps, key, status, base, formation, key=key, traits=frozenset(traits), **members)


def battle(period, own, foe, **members):
    corps = {name: Corps(name, side) for name, side in (("S", "south"), ("N", "north"))}
    made = State(period=period, k=K, side="south", units={OWN: own, FOE: foe}, corps=corps)
    return replace(made, **members)


def whys(factors):
    assert all(row.rule == RULES[row.why] for row in factors)
    order = [int(row.rule[-2:]) for row in factors]
    assert order == sorted(order)
    return {row.why: row.plus for row in factors}


def south(key="infantry", **members):
    return unit("south", key, **members)


def north(key="infantry", **members):
    return unit("north", key, at=(0, 1500), facing=18000, **members)


def fires(period, own, foe=None, *, band="short", distance=1200, options=None, special=None, others=0, **members):
    foe = foe or north()
    state = battle(period, own, foe, options=options or Options(), **members)
    return whys(fire_factors(state, WeighedShot(own, foe, distance, band, others, special)))


def resists(period, own, foe=None, **members):
    foe = foe or north()
    return whys(resilience_factors(battle(period, own, foe, **members), own, foe))


def fights(period, own, foe=None, *, is_first=True, terrain=(), **stance):
    foe = foe or north()
    return whys(melee_factors(battle(period, own, foe, terrain=terrain), Stance(own, foe, is_first, **stance)))


SHAKEN = (Shaken(K + 1, "fire"),)


# --- shared rows (STP-FAC-01 to -11)


@pytest.mark.parametrize(
    ("period", "status", "plus"),
    [
        ("acw", "elite", {"elite": 1}),
        ("emp", "elite", {"elite": 2}),
        ("emp", "veteran", {"veteran": 1}),
        ("f70", "reserve", {"reserve": -1}),
        ("emp", "militia", {"militia": -2}),
        ("acw", "militia", {}),
        ("acw", "line", {}),
    ],
)
def test_status(period, status, plus):
    """STP-FAC-01 to -04, in fire, resilience and melee alike."""
    own = south(status=status)
    assert fires(period, own) == plus
    assert resists(period, own) == plus
    assert fights(period, own) == plus


def test_skill():
    """STP-FAC-05, -06: fire everywhere, melee in the first round of some periods, never resilience."""
    for trait, why, plus in (("experienced", "experienced", 1), ("inexperienced", "inexperienced", -1)):
        own = south(traits={trait})
        assert fires("awi", own) == {why: plus}
        assert resists("acw", own) == {}
        for period in ("ww1", "acw", "gsc", "alg"):
            assert fights(period, own) == {why: plus}
            assert fights(period, own, is_first=False) == {}
        for period in ("awi", "emp", "f70"):
            assert fights(period, own) == {}


def test_detached_skirmishers_are_inexperienced():
    assert fires("f70", south("skirmisher_detached")) == {"inexperienced": -1}


def test_the_cap_of_the_empire():
    """STP-EMP-01, STP-FAC-07: base, status and skill, before all else; artillery has no cap."""
    own = south(status="elite", traits={"experienced"}, formation="line")
    assert fires("emp", own) == {"elite": 2, "experienced": 1, "cap": -1, "line": 1}
    assert resists("emp", south("cavalry_heavy", status="elite")) == {"elite": 2, "cap": -2}
    assert resists("emp", south("cavalry_medium", status="veteran")) == {"veteran": 1}
    assert fires("emp", south("artillery_medium", status="elite", traits={"experienced"}), distance=1200) == {
        "elite": 2,
        "experienced": 1,
    }
    assert resists("emp", south("skirmisher", status="elite")) == {"elite": 2, "cap": -1}


def test_markers():
    """STP-FAC-08, -09, STP-INT-21: SHAKEN once, BRITTLE two at most."""
    own = south(shaken=SHAKEN * 2, brittle=1)
    assert resists("acw", own) == fights("acw", own) == {"shaken": -2, "brittle": -1}
    assert fires("acw", south(brittle=3)) == {"brittle": -2}


def test_march_column():
    own = south(formation="march")
    assert fires("acw", own) == resists("acw", own) == fights("acw", own) == {"march-column": -2}


def test_fat_against_skeleton():
    """STP-RES-11: for the FAT side, in every roll."""
    fat, skeleton = south(traits={"fat"}), north(traits={"skeleton"})
    assert fires("awi", fat, skeleton) == resists("awi", fat, skeleton) == {"fat-v-skeleton": 1}
    assert fights("awi", fat, skeleton) == {"fat-v-skeleton": 1}
    assert fires("awi", south(traits={"skeleton"}), north(traits={"fat"})) == {}


# --- who is FAT


@pytest.mark.parametrize(
    ("period", "own", "fire", "resilience", "first", "later"),
    [
        ("awi", south(traits={"fat"}), True, True, True, True),
        ("emp", south("artillery_medium", traits={"double"}), True, True, True, True),
        ("awi", south(traits={"dense"}), True, False, False, False),
        ("awi", south("skirmisher", traits={"dense"}), False, False, False, False),
        ("emp", south("artillery_light", traits={"regimental"}), True, False, True, False),
        ("ww1", south("artillery_foot", weapon="gun_75"), True, False, True, False),
        ("ww1", south("artillery_foot", traits={"heavy-fat"}), True, False, True, False),
        ("awi", south("artillery_light_foot"), True, False, False, False),
        ("f70", south(traits={"prussian"}), True, True, True, True),
        ("f70", south("artillery_foot", traits={"prussian"}), False, False, False, False),
        ("f70", south("artillery_foot", weapon="gun_12f"), True, False, True, False),
        ("f70", south("artillery_foot", traits={"republican"}), True, False, True, False),
        ("emp", south(traits={"prussian"}), False, False, False, False),
    ],
)
def test_who_is_fat(period, own, fire, resilience, first, later):
    """STP-RES-11, STP-EMP-09, STP-F70-01, -05 and the "+ fat" of the tables."""
    state = battle(period, own, north())
    assert is_fat(state, own, "fire") is fire
    assert is_fat(state, own, "resilience") is resilience
    assert is_fat(state, own, "melee", is_first=True) is first
    assert is_fat(state, own, "melee", is_first=False) is later


# --- fire


def test_salvo():
    assert fires("acw", south(), others=1) == {"salvo": 1}
    assert fires("acw", south(), others=3) == {"salvo": 2}


def test_cover_of_the_target():
    """STP-FAC-21, -22, STP-INT-04: it is nothing to the resilience."""
    assert fires("acw", south(), north(cover="light")) == {"cover-light": -1}
    assert fires("acw", south(), north(cover="hard")) == {"cover-hard": -2}
    assert resists("acw", south(cover="hard")) == {}


@pytest.mark.parametrize(
    ("period", "key", "band", "plus"),
    [
        ("acw", "infantry", "long", {"long-range": -1}),
        ("acw", "machine_gun", "long", {"long-range": -1}),
        ("ww1", "machine_gun", "medium", {"medium-band": -1}),
        ("ww1", "machine_gun", "long", {"long-band": -2}),
        ("alg", "machine_gun", "long", {"long-band": -2}),
        ("gsc", "artillery_foot", "medium", {"medium-band": -1}),
        ("gsc", "artillery_foot", "long", {"long-band": -2}),
    ],
)
def test_bands(period, key, band, plus):
    """STP-FAC-23 to -25, STP-INT-08."""
    assert fires(period, south(key), band=band) == plus


def test_guns_that_moved_or_fired():
    """STP-FAC-26, -27: pushed in this phase, fired in the one before."""
    assert fires("gsc", south("artillery_foot", moved_k=K, moved_hcm=300)) == {"prolonged": -1}
    assert fires("gsc", south("artillery_foot", moved_k=K - 1, moved_hcm=300)) == {}
    assert fires("gsc", south("artillery_foot", fired_k=K - 1)) == {"fired-before": -1}
    assert fires("gsc", south("artillery_foot", fired_k=K, fired_earlier_k=K - 1)) == {"fired-before": -1}
    assert fires("gsc", south("artillery_foot", fired_k=K)) == {}
    assert fires("acw", south(moved_k=K, moved_hcm=300)) == {}


@pytest.mark.parametrize(
    ("period", "is_on", "pays"),
    [("acw", False, False), ("acw", True, True), ("ww1", True, False), ("alg", False, True), ("f70", False, True)],
)
def test_foot_that_fired(period, is_on, pays):
    """STP-OPT-04."""
    own = south(fired_k=K - 1)
    state = battle(period, own, north(), options=Options(infantry_fired=is_on))
    assert pays_for_firing(state, own) is pays
    assert not pays_for_firing(state, replace(own, key="machine_gun"))


def test_resilience_of_who_fired():
    """STP-INT-22: it counts for the shaken alone."""
    assert resists("alg", south(fired_k=K - 1)) == {}
    assert resists("alg", south(fired_k=K - 1, shaken=SHAKEN)) == {"shaken": -2, "fired-before": -1}


def test_supported_target():
    """STP-FAC-28: guns at infantry with a base behind it."""
    gun, foe = south("artillery_foot"), north()
    behind = replace(foe, id="C", base=Base((0, 1800), 18000, 400, 300))
    state = battle("gsc", gun, foe)
    state = replace(state, units={**state.units, "C": behind})
    assert whys(fire_factors(state, WeighedShot(gun, foe, 1200, "short"))) == {"supported-target": 1}
    assert whys(fire_factors(state, WeighedShot(replace(gun, key="infantry"), foe, 1200, "short"))) == {}
    horse = replace(foe, key="cavalry")
    state = replace(state, units={**state.units, FOE: horse})
    assert whys(fire_factors(state, WeighedShot(gun, horse, 1200, "short"))) == {}


@pytest.mark.parametrize(
    ("period", "own", "weight"),
    [
        ("ww1", south("artillery_foot", traits={"heavy"}), "heavy"),
        ("ww1", south("artillery_foot", traits={"extra-heavy-fat"}), "extra-heavy"),
        ("acw", south("artillery_foot", weapon="extra_120"), "extra-heavy"),
        ("emp", south("artillery_heavy"), "heavy"),
        ("emp", south("artillery_heavy", traits={"fat-gun"}), ""),
        ("gsc", south("artillery_foot"), ""),
    ],
)
def test_weight_of_guns(period, own, weight):
    """STP-FAC-29, -30, STP-INT-13."""
    assert gun_weight(battle(period, own, north()), own) == weight


def test_weight_counts_where_the_period_has_it():
    heavy = {"traits": {"heavy"}}
    assert fires("gsc", south("artillery_foot", **heavy)) == {"heavy": 1}
    assert fires("awi", south("artillery_foot", **heavy)) == {}
    assert fires("gsc", south("artillery_foot", traits={"extra-heavy"})) == {}


def test_close_guns():
    """STP-FAC-31: strictly closer than 10 cm; in 1861 smoothbores alone."""
    assert fires("awi", south("artillery_foot"), distance=999) == {"close-range-gun": 1}
    assert fires("awi", south("artillery_foot"), distance=1000) == {}
    assert fires("acw", south("artillery_foot"), distance=999) == {"close-range-gun": 1}
    assert fires("acw", south("artillery_foot", weapon="rifled_60"), distance=999) == {}
    assert fires("gsc", south("artillery_foot"), distance=999) == {}
    assert fires("acw", south("infantry"), distance=999) == {}


def test_fast_weapons():
    own = south(traits={"high-rate"})
    assert fires("acw", own) == fires("ww1", own) == fires("f70", own) == {"high-rate": 1}
    assert fires("emp", own) == {}
    assert fights("acw", own) == {"high-rate-melee": 1}
    assert fights("acw", own, is_first=False) == fights("f70", own) == {}


def test_lines_and_squares_in_fire():
    """STP-FAC-33 to -35."""
    gun = north("artillery_foot")
    assert fires("f70", south(formation="line")) == {"line": 1}
    assert resists("f70", south(formation="line"), gun) == {"line-v-artillery": 1}
    assert resists("f70", south("cavalry", formation="line"), gun) == {}
    assert resists("emp", south("cavalry_heavy", formation="line"), north("artillery_medium")) == {
        "line-v-artillery": 1
    }
    assert resists("f70", south(formation="line"), north("machine_gun")) == {}
    assert fires("emp", south(formation="square")) == resists("emp", south(formation="square")) == {"square": -2}


def test_large_battalion():
    assert resists("emp", south(traits={"large"})) == {"large-battalion": 1}
    assert fires("emp", south(traits={"large"})) == {}


def test_special_dice_and_events():
    """STP-FAC-37 to -43: left out when 0."""
    gun = south("artillery_foot")
    assert fires("acw", gun, special=Special("indirect", -2)) == {"indirect": -2}
    assert fires("acw", gun, special=Special("indirect", 0)) == {}
    rain = (EventInForce(17, K, "south"),)
    assert fires("acw", gun, events=rain) == {"rain": -1}
    assert resists("acw", gun, events=rain) == {}
    for number, why, plus in ((6, "no-ammunition", -1), (7, "devastation", 1)):
        event = EventInForce(number, K, "south", units=(OWN,))
        assert fires("acw", gun, events=(event,)) == {why: plus}
        assert fires("acw", gun, events=(replace(event, used=True),)) == {}
        assert fires("acw", gun, events=(replace(event, units=(FOE,)),)) == {}


def test_dispersion():
    gun, foe = south("bombardment_60"), north()
    state = battle("ww1", gun, foe)
    shot = WeighedShot(gun, foe, 3000, "medium", is_dispersed=True)
    assert whys(fire_factors(state, shot)) == {"medium-band": -1, "dispersion": -2}


# --- melee


def test_support():
    """STP-FAC-50 to -52."""
    assert fights("acw", south(), laterals=1, is_supported=True) == {"lateral": 1, "rear-support": 2}
    assert fights("acw", south(), laterals=2, is_supported=True) == {"lateral": 2, "rear-support": 2, "support-cap": -1}
    assert fights("acw", south(), is_supported=True, is_wave=True) == {"rear-support": 3}
    assert fights("f70", south(), is_supported=True, is_wave=True) == {"rear-support": 2}


@pytest.mark.parametrize(
    ("period", "own", "foe", "plus"),
    [
        ("awi", south(), north(), 1),
        ("gsc", south(), north(), 1),
        ("emp", south(), north(), 2),
        ("emp", south(), north("cavalry_heavy"), 1),
        ("alg", south(), north(), 2),
        ("alg", south("warband"), north(), 1),
    ],
)
def test_rear_support(period, own, foe, plus):
    assert rear_support(battle(period, own, foe), own, foe, is_wave=False) == plus


def test_ground_in_melee():
    """STP-FAC-53 to -55."""
    hill = Ground("H1", "hill", ((-300, 1300), (-300, 1700), (300, 1700), (300, 1300)), level=1)
    assert fights("acw", south(), terrain=(hill,)) == {"enemy-higher": -1}
    assert fights("acw", south(), north(cover="light")) == {"enemy-cover-light": -1}
    assert fights("acw", south(), north(cover="hard")) == {"enemy-cover-hard": -2}


def test_taken_in_flank_or_rear():
    assert fights("acw", south(), taken="flank") == {"flank": -2}
    assert fights("acw", south(), taken="rear") == {"rear": -2}
    assert fights("emp", south(), taken="rear") == {"rear": -3}


def test_in_melee_again():
    """STP-FAC-58: not Russian foot."""
    assert fights("emp", south(fought_k=K - 1), is_first=False) == {"again": -1}
    assert fights("emp", south(fought_k=K - 1, traits={"russian"}), is_first=False) == {}
    horse = south("cavalry_heavy", fought_k=K - 1, traits={"russian"})
    assert fights("emp", horse, is_first=False) == {"again": -1}
    assert fights("emp", south(fought_k=K - 2), is_first=False) == {}


def test_impetus_and_no_quarter():
    assert fights("acw", south("indians"), has_impetus=True) == {"impetus": 1}
    assert fights("acw", south("indians"), has_impetus=True, is_first=False) == {}
    assert fights("acw", south(), gives_no_quarter=True) == {"no-quarter": 1}


@pytest.mark.parametrize(
    ("period", "own", "foe", "plus"),
    [
        ("ww1", south(), north("cavalry"), {"foot-v-cavalry": 1}),
        ("ww1", south("machine_gun"), north("cossack"), {"foot-v-cavalry": 1}),
        ("ww1", south("artillery_foot"), north("cavalry"), {}),
        ("ww1", south(), north(), {}),
        ("f70", south("skirmisher"), north("cavalry"), {"foot-v-cavalry": 1}),
        ("f70", south("machine_gun"), north("cavalry"), {}),
        ("emp", south(), north("cavalry_heavy"), {}),
        ("acw", south("cavalry_a"), north(), {"cavalry-v-foot": -1}),
        ("acw", south("cavalry_a"), north("artillery_foot"), {}),
        ("gsc", south(traits={"pikes"}), north("cavalry"), {"pikes": 1}),
        ("gsc", south(traits={"pikes"}), north(), {}),
        ("awi", south("artillery_foot", traits={"heavy"}), north(), {"heavy-gun": 1}),
        ("acw", south("artillery_foot", traits={"heavy"}), north(), {"heavy-gun": 1}),
        ("acw", south("artillery_foot", traits={"heavy"}, weapon="rifled_60"), north(), {}),
        ("emp", south("artillery_heavy"), north(), {}),
    ],
)
def test_rows_of_the_first_round(period, own, foe, plus):
    """STP-FAC-60 to -63."""
    assert fights(period, own, foe) == plus
    assert fights(period, own, foe, is_first=False) == {}


@pytest.mark.parametrize(
    ("period", "own", "foe", "plus"),
    [
        ("emp", south(formation="line"), north("cavalry_heavy"), {"line-melee": -1}),
        ("f70", south(formation="line"), north(), {"line-melee": -1}),
        ("f70", south(formation="line"), north("cavalry"), {}),
        ("emp", south(formation="square"), north("cavalry_heavy"), {"square-v-cavalry": 3}),
        ("emp", south(formation="square"), north(), {"square-v-infantry": -3}),
        ("emp", south(formation="square"), north("artillery_light"), {}),
        ("emp", south(formation="closed-column"), north("cavalry_heavy"), {"closed-v-cavalry": 2}),
        ("emp", south(formation="closed-column"), north("skirmisher"), {"closed-v-infantry": -2}),
        ("alg", south("native_camelry"), north("cavalry_light"), {"vs-cavalry": 1}),
        ("alg", south("native_camelry"), north(), {}),
    ],
)
def test_rows_of_every_round(period, own, foe, plus):
    """STP-FAC-64, -66 to -69, -71."""
    assert fights(period, own, foe, is_first=False) == plus


def test_cavalry_in_line():
    """STP-FAC-65."""
    own = south("cavalry", formation="line")
    assert fights("f70", own, north("cavalry", formation="column")) == {"line-v-column": 1}
    assert fights("f70", own, north("cavalry", formation="line")) == {}


def test_superior_fire_of_lines():
    """STP-FAC-73, -74, STP-INT-14."""
    assert fights("emp", south(formation="line", traits={"experienced"})) == {"line-melee": -1, "superior-fire": 1}
    assert fights("f70", south(formation="line", traits={"inexperienced"})) == {"line-melee": -1, "inferior-fire": -1}
    assert fights("emp", south(formation="column", traits={"experienced"})) == {}


# --- values and classes of effect


@pytest.mark.parametrize(
    ("period", "own", "foe", "first", "later"),
    [
        ("acw", south("cavalry_b"), north(), 3, 4),
        ("emp", south("cavalry_light"), north("cavalry_heavy"), 4, 3),
        ("emp", south("cavalry_light"), north(), 4, 4),
        ("alg", south("cavalry_light"), north(), 4, 3),
        ("ww1", south("cavalry"), north(cover="light"), 2, 2),
        ("ww1", south("cavalry", cover="light"), north(), 2, 2),
        ("gsc", south("dragoons"), north(cover="hard"), 2, 2),
        ("ww1", south("cossack"), north(cover="light"), 3, 3),
    ],
)
def test_melee_values(period, own, foe, first, later):
    """STP-MEL-01, STP-INT-10, -12, STP-WW1-04, STP-GSC-02."""
    state = battle(period, own, foe)
    assert melee_value(state, Stance(own, foe, True)) == first
    assert melee_value(state, Stance(own, foe, False)) == later


@pytest.mark.parametrize(
    ("period", "own", "fire", "melee"),
    [
        ("acw", south(), "normal", "normal"),
        ("acw", south("skirmisher"), "shaken-only", "normal"),
        ("ww1", south("skirmisher"), "kills-only-shaken", "normal"),
        ("alg", south("native_shot"), "kills-only-shaken", "kills-only-shaken"),
        ("awi", south("cavalry_colonial"), "second-line", "normal"),
        ("acw", south(formation="extended"), "shaken-only", "shaken-only"),
        ("gsc", south("artillery_foot"), "normal", "normal"),
    ],
)
def test_effects_at_short_range(period, own, fire, melee):
    """STP-RES-02, STP-INT-20, STP-ACW-05."""
    state = battle(period, own, north())
    assert fire_effect(state, own, "short") == fire
    assert melee_effect(state, own) == melee


def test_effects_of_guns():
    """STP-ART-05, STP-RES-06: second-line guns differ at medium range alone."""
    gun = south("artillery_foot")
    for period, medium in (("acw", "shaken-only"), ("gsc", "second-line")):
        state = battle(period, gun, north())
        assert [fire_effect(state, gun, band) for band in ("short", "medium", "long")] == [
            "normal",
            medium,
            "brittle-only",
        ]
