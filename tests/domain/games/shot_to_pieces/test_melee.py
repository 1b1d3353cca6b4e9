"""Melee: supports, overlaps, rounds, fragile charges, advances, realignments, cover taken."""

import pytest

from tests.domain.games.shot_to_pieces.playing import corps, found, general, names, play, scenario, unit

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.catalogue.MissingSentence")

LATERAL = {"rule": "STP-FAC-50", "why": "lateral", "plus": 1}
REAR = {"rule": "STP-FAC-51", "why": "rear-support", "plus": 2}


def battle(south, north, *melees, period="acw", step="melee", **more):
    """South is to move; the melees are (charger, target, more), begun in this phase unless they say otherwise."""
    fought = [{"units": [one, other], "since": 2, **rest} for one, other, rest in melees]
    sides = corps("I", *south, general=general("GS", 90, 10), ap=6), corps("X", *north, general=general("GN", 90, 110))
    spare = corps("Y", unit("Y1", 20, 100))
    return scenario((sides[0],), (sides[1], spare), period=period, step=step, first="north", melee=fought, **more)


def rounds(south, north, *melees, dice=((1,), (1,)), orders=(), **more):
    """The rounds that are fought at once."""
    events = play(battle(south, north, *melees, **more), *orders, south=dice[0], north=dice[1])
    return found(events, "MeleeResolved")


A1, D1 = unit("A1", 90, 30), unit("D1", 90, 33)
ONE: tuple[str, str, dict[str, int]] = ("A1", "D1", {})


# --- supports


def test_friends_beside_and_behind():
    """STP-MEL-04: one infantry base behind; shaken friends give nothing (STP-INT-05), cavalry nothing from behind."""
    friends = [unit("A2", 86, 30), unit("A3", 90, 27)]
    (fought,) = rounds([A1, *friends], [D1], ONE, dice=((1,), (3,)))
    assert fought["attack_factors"] == [LATERAL, REAR]
    tired = [unit("A2", 86, 30, shaken=1), unit("A3", 90, 27, shaken=1)]
    assert rounds([A1, *tired], [D1], ONE)[0]["attack_factors"] == []
    horse = [unit("V2", 86, 30, "cavalry_a"), unit("V3", 90, 26.5, "cavalry_a")]
    assert rounds([A1, *horse], [D1], ONE)[0]["attack_factors"] == [LATERAL]


def test_cavalry_and_guns_have_no_rear_support():
    """STP-MEL-04."""
    mounted = unit("A1", 90, 30, "cavalry_a")
    (fought,) = rounds([mounted, unit("A3", 90, 26.5)], [unit("D1", 90, 33.5)], ONE)
    assert fought["attack_factors"] == [{"rule": "STP-FAC-61", "why": "cavalry-v-foot", "plus": -1}]


def test_an_assault_wave():
    """STP-ACW-04: three ranks give +3 instead of +2."""
    ranks, dice = [unit("A2", 90, 27), unit("A3", 90, 24)], ((1,), (3,))
    assert rounds([A1, *ranks], [D1], ONE, dice=dice)[0]["attack_factors"] == [REAR | {"plus": 3}]
    tired = [ranks[0], unit("A3", 90, 24, shaken=1)]
    assert rounds([A1, *tired], [D1], ONE, dice=dice)[0]["attack_factors"] == [REAR]


def test_friends_on_the_same_side_cancel_each_other():
    """STP-MEL-05, -19: neither counts; those front to front fight for themselves, after the melees that exist."""
    south, north = [A1, unit("A2", 86, 30)], [D1, unit("D2", 86, 33)]
    events = play(battle(south, north, ONE), south=(3, 4), north=(1, 1))
    assert [(data["melee"], data["attack_factors"]) for data in found(events, "MeleeResolved")] == [
        ("M1", []),
        ("M2", []),
    ]
    assert found(events, "ContactMade") == [
        {"unit": "A2", "target": "D2", "aspect": "front", "melee": "M2", "since": 2}
    ]
    apart = [D1, unit("D2", 86, 33.12)]
    assert [data["attack_factors"] for data in rounds(south, apart, ONE)] == [[]]


def test_a_line_of_separate_melees():
    """STP-MEL-05, -16, -19: those beside the separate melees fight, too, in the order of contact."""
    south = [A1, *(unit(f"A{at}", 90 - 4 * (at - 1), 30) for at in (2, 3))]
    north = [D1, *(unit(f"D{at}", 90 - 4 * (at - 1), 33) for at in (2, 3))]
    fought = rounds(south, north, ONE, dice=((2, 2, 2), (1, 1, 1)))
    assert [(data["melee"], data["attacker"]) for data in fought] == [("M1", "A1"), ("M2", "A2"), ("M3", "A3")]


def test_a_square_has_no_rear_support():
    """STP-EMP-06."""
    square = unit("D1", 90, 33.5, formation="square")
    (fought,) = rounds([A1], [square, unit("D2", 90, 37)], ONE, period="emp", dice=((1,), (4,)))
    assert [factor["why"] for factor in fought["defence_factors"]] == ["square-v-infantry"]


def test_nobody_supports_from_behind_in_a_building():
    """STP-BLD-02: one unit in it, lateral support alone."""
    house = [{"id": "B1", "kind": "building", "outline": [[8800, 3150], [8800, 3500], [9200, 3500], [9200, 3150]]}]
    north = [D1, unit("D2", 90, 36), unit("D3", 94, 33)]
    (fought,) = rounds([A1], north, ONE, terrain=house)
    assert fought["defence_factors"] == [LATERAL]


def test_skirmishers_in_a_building_fight_as_infantry():
    """STP-BLD-03."""
    house = [{"id": "B1", "kind": "building", "outline": [[8800, 3150], [8800, 3500], [9200, 3500], [9200, 3150]]}]
    skirmisher = unit("D1", 90, 32.5, "skirmisher")
    assert rounds([A1], [skirmisher], ONE, terrain=house)[0]["defence_base"] == 3
    assert rounds([A1], [skirmisher], ONE)[0]["defence_base"] == 1


def test_a_large_battalion_has_its_other_half_beside_it():
    """STP-EMP-08, -10: at least one lateral friend, whoever is opposite."""
    halves = [unit("A1", 90, 30, traits=["large"]), unit("A2", 86, 30, traits=["large"])]
    fought = rounds(halves, [D1, unit("D2", 86, 33.2)], ONE, period="emp")
    assert fought[0]["attack_factors"] == [LATERAL]


def test_further_chargers_are_friends_beside():
    """STP-MEL-15, STP-INT-35: the worst aspect counts for the target."""
    south, north = [unit("A1", 90, 25), unit("A2", 80, 32)], [unit("D1", 90, 33)]
    fought = rounds(
        south,
        north,
        step="charges",
        orders=("south: A1 charge D1", "south: A2 charge D1", "south: done", "south: end turn"),
        dice=((1,), (2,)),
    )
    assert fought[0]["attack_factors"] == [LATERAL]
    assert fought[0]["defence_factors"] == [{"rule": "STP-FAC-56", "why": "flank", "plus": -2}]


# --- the round


def test_the_first_round_is_that_of_the_phase_of_contact():
    """STP-MEL-02, STP-MEL-01: later rounds have the later figure, and cost who fought before."""
    camels, horse = unit("A1", 90, 30, "native_camelry"), unit("D1", 90, 34, "cavalry_medium")
    (first,) = rounds([camels], [horse], ONE, period="alg")
    (second,) = rounds([camels], [horse], ("A1", "D1", {"since": 1}), period="alg", dice=((2,), (1,)))
    assert (first["round"], first["attack_base"]) == (1, 4)
    assert (second["round"], second["attack_base"]) == (2, 3)
    assert {"rule": "STP-FAC-58", "why": "again", "plus": -1} in second["attack_factors"]


def test_the_attacker_is_of_the_active_side():
    """STP-MEL-16."""
    (fought,) = rounds([A1], [D1], ("D1", "A1", {}), dice=((2,), (1,)))
    assert (fought["attacker"], fought["defender"], fought["attack"]) == ("A1", "D1", 5)


def test_impetus_needs_a_charge():
    """STP-CHG-08, STP-INT-17: not for the unit that is charged, nor for a melee of friends beside."""
    wild = unit("A1", 90, 30, "indians")
    assert [one["why"] for one in rounds([wild], [D1], ONE)[0]["attack_factors"]] == ["impetus"]
    assert rounds([wild], [D1], ("D1", "A1", {}))[0]["attack_factors"] == []
    beside = [A1, unit("A2", 86, 30, "indians")]
    fought = rounds(beside, [D1, unit("D2", 86, 33)], ONE, dice=((2, 2), (1, 1)))
    assert fought[1]["attack_factors"] == []


def test_a_shaken_all_out_charger_is_destroyed():
    """STP-CHG-07: in the first round two dice, and for the whole melee any SHAKEN destroys it."""
    poor = unit("A1", 90, 30, "cavalry_a", traits=["poor"])
    events = play(battle([poor], [unit("D1", 90, 33.5)], ("A1", "D1", {"mode": "all-out"})), south=(1, 1), north=(3,))
    assert found(events, "DieKept")[0]["values"] == [1, 1]
    assert found(events, "UnitDestroyed") == [{"unit": "A1", "cause": "fragile-charge", "at": [9000, 3000]}]
    late = battle([poor], [unit("D1", 90, 33.5)], ("A1", "D1", {"mode": "all-out", "since": 1}))
    events = play(late, south=(2,), north=(3,))
    assert not found(events, "DieKept")
    assert found(events, "UnitDestroyed", cause="fragile-charge")


def test_a_rash_charger_has_one_die():
    """STP-CHG-09: a tie destroys it, and does nothing to its enemy."""
    horse = unit("A1", 90, 30, "cavalry_medium")
    events = play(
        battle([horse], [unit("D1", 90, 34, "cavalry_medium")], ("A1", "D1", {"mode": "rash"}), period="emp"),
        south=(2,),
        north=(2,),
    )
    assert names(events).count("DieRolled") == 2
    assert found(events, "UnitDestroyed", unit="A1", cause="fragile-charge")
    assert not found(events, "MarkerAdded")


def test_a_tie_devastates_both():
    """STP-RES-10, STP-RES-14 in melee."""
    events = play(battle([A1], [D1], ONE), south=(2,), north=(2,))
    assert [(data["unit"], data["marker"]) for data in found(events, "MarkerAdded")] == [
        ("A1", "brittle"),
        ("D1", "brittle"),
    ]


def test_who_supports_does_not_fire():
    """STP-MEL-07, -18: nor is it fired at, whether or not it counts."""
    south, north = [A1, unit("A2", 86, 30), unit("A4", 78, 27)], [D1, unit("D2", 86, 40), unit("D3", 94, 33)]
    order = battle(south, north, ONE, step="fire")
    orders = "south: A2 fire D2", "south: A4 fire D2"
    events = play(order, *orders, "south: standing fire all hold", refused={1: "stp.unit-engaged"})
    assert found(events, "FireDeclared")[0]["unit"] == "A4"


# --- after a victory


def test_the_charger_advances_in_the_first_round_alone():
    """STP-MEL-11, STP-GAP-06, STP-INT-33: up to the far edge of the loser; a later victory and a defence bring none."""
    weak = unit("D1", 90, 33, status="reserve", brittle=2)
    events = play(battle([A1], [weak], ONE), "south: advance yes", south=(4,), north=(1,))
    assert found(events, "UnitAdvanced") == [
        {"unit": "A1", "from": [9000, 3000], "to": [9000, 3300], "distance_hcm": 300}
    ]
    for melee in (("A1", "D1", {"since": 1}), ("D1", "A1", {})):
        events = play(battle([A1], [weak], melee), south=(4,), north=(1,))
        assert found(events, "UnitDestroyed", unit="D1")
        assert not found(events, "DecisionAsked")


def test_an_advance_may_be_left():
    """STP-DEC-01, STP-DEC-02."""
    weak = unit("D1", 90, 33, status="reserve", brittle=2)
    events = play(battle([A1], [weak], ONE), "south: advance no", south=(4,), north=(1,))
    assert not found(events, "UnitAdvanced")


def test_an_advance_into_contact_is_fought_in_the_next_phase():
    """STP-GAP-06."""
    column = unit("D1", 90, 34.5, status="reserve", brittle=2, formation="march")
    events = play(battle([A1], [column, unit("D2", 93.1, 36)], ONE), "south: advance yes", south=(4,), north=(1,))
    assert found(events, "UnitAdvanced")[0]["distance_hcm"] == 300
    contact = {"unit": "A1", "target": "D2", "aspect": "front", "melee": "M2", "since": 3}
    assert found(events, "ContactMade") == [contact]
    assert len(found(events, "MeleeResolved")) == 1


def test_a_victor_and_an_enemy_beside_it_realign():
    """STP-MEL-13, -17: the unit of the active side goes in front of the other; they fight in the next phase. It is
    free (STP-SEQ-06)."""
    north = [unit("D1", 90, 33, status="reserve", brittle=2), unit("D2", 94.2, 30)]
    events = play(battle([A1], north, ONE), "south: advance no", south=(4,), north=(1,))
    assert found(events, "UnitsRealigned") == [
        {"units": ["A1", "D2"], "melee": "M2", "at": [9420, 2700], "facing_hdeg": 0}
    ]
    assert len(found(events, "MeleeResolved")) == 1
    assert not found(events, "PointsSpent")


def test_cover_is_taken_at_the_end_of_the_turn():
    """STP-BLD-01, STP-MEL-14: the cover then counts for its new holder; who won in the open takes nothing."""
    covered = unit("D1", 90, 33, cover="hard", brittle=2, status="reserve")
    melee = ("A1", "D1", {"since": 1})
    events = play(battle([A1], [covered], melee), south=(4,), north=(1,))
    assert found(events, "BuildingOccupied") == [{"unit": "A1", "from": "D1", "cover": "hard"}]
    orders = "north: done", "south: done", "north: end turn", "south: end turn"
    longer = play(battle([A1], [covered], melee), *orders, south=(4,), north=(1,))
    assert len(found(longer, "RoundEnded")) == 2
    assert len(found(longer, "BuildingOccupied")) == 1
    bare = unit("D1", 90, 33, brittle=2, status="reserve")
    assert not found(play(battle([A1], [bare], melee), south=(4,), north=(1,)), "BuildingOccupied")


def test_occupying_refuses_who_took_nothing():
    """STP-ORD-09, STP-BLD-01."""
    play(battle([unit("A1", 90, 20)], [D1], step="charges"), "south: A1 occupy 90", refused={1: "stp.not-eligible"})


# --- pinned


def test_who_is_pinned_by_a_melee():
    """STP-MEL-12, -20: behind it, and beside a frontal one; beside a flank melee a unit is free, but not towards it."""
    south = [A1, unit("A2", 86, 30)]
    frontal = battle(south, [D1], ONE, step="moves")
    play(frontal, "south: A2 face 90", refused={1: "stp.pinned"})
    taken = [unit("D1", 93.5, 30, facing=27000)], ("D1", "A1", {"aspect": "flank"})
    events = play(battle(south, *taken, step="moves"), "south: A2 face right 90")
    assert found(events, "UnitOriented", unit="A2")


# --- melees that go on


def test_the_next_charger_takes_the_place_of_the_first():
    """STP-MEL-15: a melee of several chargers goes on without its reference unit."""
    south = [unit("A1", 90, 25, brittle=2, status="reserve"), unit("A2", 85, 25)]
    orders = "south: A1 charge D1", "south: A2 charge D1", "south: done", "south: end turn"
    events = play(battle(south, [D1], step="charges"), *orders, south=(1,), north=(4,))
    assert found(events, "UnitDestroyed", unit="A1")
    fought = found(events, "MeleeResolved")
    assert len(fought) == 1
    again = "north: done", "south: done", "north: end turn"
    events = play(battle(south, [D1], step="charges"), *orders, *again, south=(1, 3, 1), north=(4, 1, 1))
    assert [(data["attacker"], data["defender"], data["round"]) for data in found(events, "MeleeResolved")][1:] == [
        ("D1", "A2", 2)
    ]


def test_an_advance_stops_at_a_friend():
    """STP-GAP-06, STP-GEO-02: and where there is no room at all nothing is asked."""
    weak = unit("D1", 90, 34.5, status="reserve", brittle=2, formation="march")
    friend = unit("A2", 93.1, 34, facing=27000)
    events = play(battle([A1, friend], [weak], ONE), "south: advance yes", south=(4,), north=(1,))
    assert found(events, "UnitAdvanced")[0]["distance_hcm"] == 50
    blocked = unit("A2", 93.1, 33.5, facing=27000)
    events = play(battle([A1, blocked], [weak], ONE), south=(4,), north=(1,))
    assert found(events, "UnitDestroyed", unit="D1")


def test_a_shaken_winner_does_not_advance():
    """STP-GAP-06: a unit that was shaken before."""
    tired = unit("A1", 90, 30, shaken=1, status="elite")
    weak = unit("D1", 90, 33, "militia", status="reserve", brittle=2)
    events = play(battle([tired], [weak], ONE, period="awi"), south=(4,), north=(1,))
    assert found(events, "UnitDestroyed", unit="D1") or found(events, "MarkerAdded")
    assert not found(events, "DecisionAsked")


def test_an_enemy_joined_on_its_own_side_of_a_melee():
    """STP-MEL-06, -15: who charges the charger from beside a friend is a friend beside it, and strikes its flank."""
    south = [unit("A1", 90, 30), unit("A2", 86, 30)]
    north = [unit("D1", 90, 33)]
    events = play(
        battle(south, north, ("D1", "A1", {"since": 1}), step="charges"),
        "south: A2 charge D1",
        "south: done",
        "south: end turn",
        south=(2,),
        north=(1,),
    )
    (fought,) = found(events, "MeleeResolved")
    assert (fought["attacker"], fought["round"]) == ("A1", 2)
    assert LATERAL in fought["attack_factors"]


def test_who_has_to_leave_a_burning_building_leaves_its_melee():
    """STP-EVT-15: it goes on past a friend who stands where it would end."""
    house = [{"id": "B1", "kind": "building", "outline": [[8700, 2700], [8700, 3300], [9300, 3300], [9300, 2700]]}]
    south = corps("I", unit("A1", 90, 30), unit("A2", 90, 25.5), general=general("GS", 90, 10))
    north = corps("X", unit("D1", 90, 33), general=general("GN", 90, 110))
    battle_of = scenario(
        (south,),
        (north,),
        options={"d20_events": True},
        step="orders",
        terrain=house,
        melee=[{"units": ["D1", "A1"], "since": 0}],
    )
    orders = "south: done", "north: done"
    final = {"units": {"A1": {"at": [9000, 2250], "engaged": False}, "D1": {"engaged": False}}}
    play(battle_of, *orders, south=(15, 1), final=final)


def test_who_counts_beside_a_unit():
    """STP-MEL-04, -05, -15: not who fights elsewhere, nor a large half beside an ordinary one that is opposed."""
    south = [A1, unit("A2", 86, 30, traits=["large"])]
    fought = rounds(south, [D1, unit("D2", 86, 33.2)], ONE, period="emp")
    assert fought[0]["attack_factors"] == []
    twins = [unit("A1", 90, 30, traits=["large"]), unit("A2", 86, 30)]
    assert rounds(twins, [D1, unit("D2", 86, 33.2)], ONE, period="emp")[0]["attack_factors"] == []
    engaged = [A1, unit("A2", 86, 30)], [D1, unit("E2", 82.5, 30, facing=9000)]
    fought = rounds(*engaged, ONE, ("E2", "A2", {"aspect": "flank"}), dice=((1, 4), (1, 1)))
    assert fought[0]["attack_factors"] == []


def test_chargers_of_the_other_side_help_the_other_side():
    """STP-MEL-15: a further charger is a friend of its own side alone, and of use while it is not shaken."""
    south, north = [unit("A1", 90, 25), unit("A2", 80, 32)], [D1]
    orders = "south: A1 charge D1", "south: A2 charge D1", "south: done", "south: end turn"
    (fought,) = rounds(south, north, step="charges", orders=orders, dice=((1,), (2,)))
    assert "lateral" not in {factor["why"] for factor in fought["defence_factors"]}


def test_a_line_against_two_columns_beside_each_other():
    """STP-EMP-05, STP-MEL-05: a column before the line itself is not opposite its neighbour."""
    south = [unit("A1", 90, 30, formation="line"), unit("A2", 96, 29.25)]
    north = [unit("D1", 88, 32.25), unit("D2", 92, 32.25)]
    (fought,) = rounds(south, north, ONE, period="emp", dice=((2,), (1,)))
    assert LATERAL in fought["attack_factors"]
