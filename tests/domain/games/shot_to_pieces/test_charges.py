"""Charges: who may charge whom, the leg, what it costs, contact, pursuit, charges that are compelled."""

import pytest

from tests.domain.games.shot_to_pieces.playing import corps, found, general, names, play, scenario, unit

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.catalogue.MissingSentence")


def battle(south, north, *, period="acw", step="charges", ap=6, first="north", **more):
    """South is to move; each side is one corps whose general stands at its edge."""
    sides = corps("I", *south, general=general("GS", 90, 10), ap=ap), corps("X", *north, general=general("GN", 90, 110))
    return scenario((sides[0],), (sides[1],), period=period, step=step, first=first, **more)


def code(south, north, order, refused, **more):
    """Play one order that must be refused."""
    play(battle(south, north, **more), order, refused={1: refused})


def declared(south, north, order, **more):
    """The charge that an order declares."""
    (data,) = found(play(battle(south, north, **more), order), "ChargeDeclared")
    return data


# --- who may charge


def test_a_third_charge_running_is_refused():
    """STP-CHG-02: two charges in consecutive own phases, then a phase without one."""
    enemy = [unit("X1", 90, 45)]
    code([unit("U1", 90, 30, charges=2)], enemy, "south: U1 charge X1", "stp.charge-limit")
    assert declared([unit("U1", 90, 30, charges=1)], enemy, "south: U1 charge X1")


def test_march_columns_and_types_that_never_charge():
    """STP-CHG-03, STP-FRM-03."""
    enemy = [unit("X1", 90, 45)]
    code([unit("U1", 90, 30, formation="march")], enemy, "south: U1 charge X1", "stp.march-column")
    code([unit("U1", 90, 30, "shot")], enemy, "south: U1 charge X1", "stp.charge-forbidden", period="gsc")


@pytest.mark.parametrize(
    ("mine", "theirs", "is_allowed"),
    [
        ("skirmisher", {"type": "skirmisher"}, True),
        ("skirmisher", {"type": "cavalry_skirmisher"}, False),
        ("cavalry_skirmisher", {"type": "cavalry_skirmisher"}, True),
        ("cavalry_skirmisher", {"type": "infantry"}, False),
        ("skirmisher", {"type": "artillery_foot"}, False),
        ("skirmisher", {"type": "artillery_foot", "shaken": 1}, True),
    ],
)
def test_whom_skirmishers_charge(mine, theirs, is_allowed):
    """STP-MEL-09, STP-INT-28."""
    south, north = [unit("U1", 90, 30, mine)], [unit("X1", 90, 42, **theirs)]
    if is_allowed:
        assert declared(south, north, "south: U1 charge X1")
    else:
        code(south, north, "south: U1 charge X1", "stp.charge-forbidden")


@pytest.mark.parametrize(
    ("period", "mine", "theirs", "refused"),
    [
        ("emp", "infantry", "cavalry_heavy", "stp.charge-forbidden"),
        ("awi", "infantry", "cavalry", "stp.charge-forbidden"),
        ("awi", "indians", "cavalry", ""),
        ("gsc", "infantry", "cavalry", "stp.charge-forbidden"),
        ("gsc", "warband", "cavalry", ""),
        ("alg", "infantry", "native_camelry", "stp.charge-forbidden"),
        ("acw", "infantry", "cavalry_a", "stp.interdicted"),
        ("f70", "infantry", "cavalry", "stp.interdicted"),
        ("ww1", "infantry", "cavalry", ""),
    ],
)
def test_foot_against_cavalry(period, mine, theirs, refused):
    """STP-EMP-02, STP-AWI-03, STP-GSC-03, STP-ALG-02, STP-ACW-03, STP-F70-06, STP-ZOC-12, STP-INT-44."""
    south, north = [unit("U1", 90, 30, mine)], [unit("X1", 90, 46, theirs)]
    if refused:
        code(south, north, "south: U1 charge X1", refused, period=period)
    else:
        assert declared(south, north, "south: U1 charge X1", period=period)


def test_cossacks_keep_from_formed_troops():
    """STP-EMP-03: not cavalry, nor infantry in line, unless shaken or taken in flank."""
    cossack = [unit("U1", 90, 30, "cossack")]
    order = "south: U1 charge X1"
    code(cossack, [unit("X1", 90, 50, formation="line")], order, "stp.charge-forbidden", period="emp")
    code(cossack, [unit("X1", 90, 50, "cavalry_heavy")], order, "stp.charge-forbidden", period="emp")
    assert declared(cossack, [unit("X1", 90, 50)], order, period="emp")
    assert declared(cossack, [unit("X1", 90, 50, formation="line", shaken=1)], order, period="emp")
    assert (
        declared(cossack, [unit("X1", 90, 50, formation="line", facing=9000)], order, period="emp")["aspect"] == "flank"
    )


def test_attack_columns_are_for_cover():
    """STP-EMP-04."""
    south = [unit("U1", 90, 30, traits=["attack-column-only"])]
    code(south, [unit("X1", 90, 42)], "south: U1 charge X1", "stp.charge-forbidden", period="emp")
    assert declared(south, [unit("X1", 90, 42, cover="light")], "south: U1 charge X1", period="emp")


def test_modes_and_who_is_poor():
    """STP-CHG-07, -09, STP-GAP-16: reserve and militia cavalry are poor."""
    enemy = [unit("X1", 90, 45)]
    code([unit("U1", 90, 30)], enemy, "south: U1 charge X1 rash", "stp.not-eligible")
    code([unit("U1", 90, 30, "cavalry_a")], enemy, "south: U1 charge X1 all-out", "stp.not-eligible")
    poor = [unit("U1", 90, 30, "cavalry_a", status="reserve")]
    assert declared(poor, enemy, "south: U1 charge X1 all-out")["mode"] == "all-out"


def test_a_melee_is_joined_from_beside_a_friend():
    """STP-MEL-06, STP-MEL-20: a unit beside the melee may charge into it, another may not."""
    south = [unit("A1", 90, 30), unit("A2", 86, 30), unit("A3", 96, 25)]
    melee = [{"units": ["A1", "D1"], "since": 1}]
    north = [unit("D1", 90, 33)]
    play(battle(south, north, melee=melee), "south: A3 charge D1", refused={1: "stp.melee-closed"})
    joined = play(battle(south, north, melee=melee), "south: A2 charge D1", "south: done")
    assert found(joined, "ContactMade")[0]["melee"] == "M1"


def test_cavalry_leaves_a_square_by_a_charge():
    """STP-MEL-10, STP-ZOC-01: its melee is over, and it has no control zone while it is released."""
    south = [unit("V1", 90, 30, "cavalry_heavy")]
    north = [unit("Q1", 90, 34, formation="square"), unit("X1", 75, 30, facing=27000)]
    melee = [{"units": ["V1", "Q1"], "since": 1}]
    final = {"units": {"Q1": {"engaged": False}, "V1": {"engaged": True}}}
    events = play(battle(south, north, period="emp", melee=melee), "south: V1 charge X1", "south: done", final=final)
    assert found(events, "ContactMade")[0]["aspect"] == "rear"
    other = [unit("V1", 90, 30, "cavalry_heavy"), unit("V2", 60, 30, "cavalry_heavy")]
    held = [unit("Q1", 90, 34, formation="square"), unit("E1", 60, 33.5)]
    melees = [{"units": ["V1", "Q1"], "since": 1}, {"units": ["V2", "E1"], "since": 1}]
    code(other, held, "south: V2 charge Q1", "stp.unit-engaged", period="emp", melee=melees)


# --- the leg


def test_a_charge_that_drifts_to_a_side():
    """STP-ORD-03, STP-CHG-01, STP-MOV-02: crab of the leg, up to 22.5 degrees."""
    south, north = [unit("U1", 90, 30)], [unit("X1", 88, 42)]
    data = declared(south, north, "south: U1 charge X1 face 0 left 10")
    assert (data["facing_hdeg"], data["bearing_hdeg"], data["distance_hcm"]) == (0, 35000, 914)
    code(south, north, "south: U1 charge X1 face 0 left 23", "stp.bad-direction")
    code(south, north, "south: U1 charge X1 face 90", "stp.path-blocked")


def test_what_bars_the_way():
    """STP-CHG-01: another enemy, impassable ground, a friend where the charge would end."""
    south, north = [unit("U1", 90, 30)], [unit("X1", 90, 43), unit("X2", 92, 37)]
    code(south, north, "south: U1 charge X1", "stp.path-blocked")
    lake = [{"id": "L1", "kind": "impassable", "outline": [[8900, 3600], [8900, 3700], [9100, 3700], [9100, 3600]]}]
    code(south, [unit("X1", 90, 43)], "south: U1 charge X1", "stp.path-blocked", terrain=lake)
    wall_of_friends = [unit("F1", 90, 40), unit("F2", 86, 40), unit("F3", 94, 40)]
    code([*south, *wall_of_friends], [unit("X1", 90, 43)], "south: U1 charge X1", "stp.path-blocked")


def test_ground_is_added_to_the_distance():
    """STP-GEO-21, STP-CHG-06: rough ground counts twice, a road carries half as far again."""
    rough = [{"id": "R1", "kind": "rough", "outline": [[8500, 3000], [8500, 3400], [9500, 3400], [9500, 3000]]}]
    south, order = [unit("U1", 90, 30)], "south: U1 charge X1"
    assert declared(south, [unit("X1", 90, 44)], order, terrain=rough)["distance_hcm"] == 1100
    code(south, [unit("X1", 90, 44.01)], order, "stp.out-of-reach", terrain=rough)
    road = [{"id": "R1", "kind": "road", "outline": [[8900, 2500], [8900, 6000], [9100, 6000], [9100, 2500]]}]
    assert declared(south, [unit("X1", 90, 55.5)], order, terrain=road)["distance_hcm"] == 2250
    code(south, [unit("X1", 90, 55.51)], order, "stp.out-of-reach", terrain=road)


def test_an_edge_that_is_taken_leaves_the_places_beside():
    """STP-CHG-10: the middle, then the nearer side, then the other; a fourth charger finds no place."""
    south = [unit(f"A{at}", x, 30) for at, x in enumerate((90, 86, 94, 98), start=1)]
    orders = [f"south: A{at} charge X1" for at in (1, 2, 3, 4)]
    events = play(battle(south, [unit("X1", 90, 40)]), *orders, "south: done", refused={4: "stp.path-blocked"})
    assert [data["to"] for data in found(events, "ChargeMoved")] == [[9000, 3700], [8600, 3700], [9400, 3700]]


def test_the_flank_is_shown_in_a_control_zone():
    """STP-ZOC-03, -09."""
    south, north = [unit("U1", 90, 30)], [unit("X1", 80, 30), unit("X2", 90, 36)]
    code(south, north, "south: U1 charge X1", "stp.flank-in-zoc")


# --- what it costs


def test_friends_passed_through_cost_a_point_each():
    """STP-ACT-06, STP-MOV-09: skirmishers are passed at no cost."""
    south = [unit("U1", 90, 30), unit("U2", 90, 34), unit("S1", 90, 37, "skirmisher")]
    events = play(battle(south, [unit("X1", 90, 45)]), "south: U1 charge X1")
    (paid,) = found(events, "PointsSpent")
    assert (paid["why"], paid["cost"]) == ("charge", 2)


def test_a_group_pays_once():
    """STP-ACT-05: each its own charge, in the order in which they are named."""
    south = [unit("A1", 88, 30), unit("A2", 92, 30)]
    north = [unit("X1", 88, 42), unit("X2", 92, 42)]
    events = play(battle(south, north, ap=1), "south: group A1 charge X1 + A2 charge X2", "south: done")
    assert [data["cost"] for data in found(events, "PointsSpent")] == [1]
    assert [data["unit"] for data in found(events, "ContactMade")] == ["A1", "A2"]


def test_shaken_militia_in_the_way_dissolves():
    """STP-AWI-02, in a charge too."""
    south = [unit("U1", 90, 30), unit("M1", 90, 34, "militia", shaken=1)]
    events = play(battle(south, [unit("X1", 90, 43)], period="awi"), "south: U1 charge X1", "south: done")
    assert names(events)[-5:] == ["UnitDestroyed", "ChargeMoved", "ContactMade", "StepBegan"] or found(
        events, "UnitDestroyed", cause="interpenetrated"
    )


# --- compelled charges


def test_a_charge_that_is_due_is_free_and_in_no_quota():
    """STP-ZOC-05, STP-ACT-11, STP-ZOC-04: even if the charger is threatened itself, and without points."""
    south = [unit("U1", 90, 30)]
    north = [unit("X1", 90, 37, facing=9000), unit("X2", 83, 31, facing=9000)]
    orders = "south: done", "south: U1 charge X1", "south: done"
    events = play(battle(south, north, ap=0), *orders, refused={1: "stp.charge-due"})
    (paid,) = found(events, "PointsSpent")
    assert (paid["cost"], paid["quota"]) == (0, "free")
    assert found(events, "ContactMade")[0]["aspect"] == "flank"


def test_an_impetuous_unit_takes_the_nearest():
    """STP-GSC-04, STP-ACT-11: of those whom it can charge."""
    south = [unit("W1", 90, 30, "warband")]
    north = [unit("X1", 90, 40), unit("X2", 82, 40)]
    events = play(
        battle(south, north, period="gsc", step="fire"),
        "south: done",
        "north: X1 fire W1",
        "north: done",
        "north: done",
        "south: done",
        "north: end turn",
        "south: W1 charge X2",
        "south: W1 charge X1",
        south=(4, 6, 1),
        north=(1, 1),
        refused={7: "stp.not-nearest"},
    )
    assert found(events, "ChargeDeclared")[0]["target"] == "X1"


# --- resolution


def test_a_full_pursuit_hits_the_next_enemy():
    """STP-CHG-05, -12, STP-DEC-01: the first enemy on the way that may be charged."""
    south = [unit("V1", 90, 30, "cavalry_a")]
    north = [unit("S1", 90, 40, "skirmisher"), unit("X1", 90, 50)]
    events = play(
        battle(south, north),
        "south: V1 charge S1",
        "south: done",
        "north: evade yes left 22.5",
        "south: pursue full",
        north=(6,),
    )
    assert found(events, "DecisionAsked", kind="pursue")[0]["options"] == ["place", "full"]
    assert found(events, "ChargeMoved") == [
        {
            "unit": "V1",
            "from": [9000, 3000],
            "to": [9000, 4650],
            "facing_hdeg": 0,
            "distance_hcm": 1650,
            "reason": "contact",
        }
    ]
    assert found(events, "ContactMade")[0]["target"] == "X1"


def test_a_full_pursuit_into_the_open():
    """STP-CHG-05: the whole move."""
    south, north = [unit("V1", 90, 30, "cavalry_a")], [unit("S1", 90, 40, "skirmisher"), unit("X1", 20, 100)]
    orders = "south: V1 charge S1", "south: done", "north: evade yes", "south: pursue full"
    (moved,) = found(play(battle(south, north), *orders, north=(1,)), "ChargeMoved")
    assert (moved["to"], moved["reason"]) == ([9000, 5500], "pursuit")


def test_a_pursuit_may_be_evaded_in_turn():
    """STP-CHG-05, STP-EVD-01."""
    south = [unit("V1", 90, 30, "cavalry_a")]
    north = [unit("S1", 90, 40, "skirmisher"), unit("S2", 90, 48, "skirmisher")]
    events = play(
        battle(south, north),
        "south: V1 charge S1",
        "south: done",
        "north: evade yes left 20",
        "south: pursue full",
        "north: evade yes",
        north=(6, 1),
    )
    assert found(events, "UnitDestroyed", unit="S2", cause="evade")
    assert found(events, "ChargeMoved")[0]["to"] == [9000, 5500]


def test_the_second_charger_finds_its_target_gone():
    """STP-CHG-11: it pursues as if the target had evaded."""
    south = [unit("V1", 88, 30, "cavalry_a"), unit("V2", 93, 30, "cavalry_a")]
    north = [unit("S1", 90, 45, "skirmisher"), unit("X1", 20, 100)]
    events = play(
        battle(south, north),
        "south: V1 charge S1",
        "south: V2 charge S1",
        "south: done",
        "north: evade yes",
        "south: pursue place",
        "south: pursue place",
        north=(6,),
    )
    assert len(found(events, "DecisionAsked", kind="evade")) == 1
    assert [data["unit"] for data in found(events, "ChargeMoved", reason="pursuit")] == ["V1", "V2"]


def test_a_rash_charge_reaches_by_its_die():
    """STP-CHG-09: one D6 in centimetres more."""
    south, north = [unit("L1", 90, 30, "cavalry_medium")], [unit("E1", 90, 61, "cavalry_light")]
    events = play(battle(south, north, period="emp"), "south: L1 charge E1 rash", "south: done", south=(2,))
    assert found(events, "ContactMade")[0]["target"] == "E1"


def test_a_large_battery_of_rules_about_lines():
    """STP-EMP-05: an attack on a line hits its middle; two columns fight it in one melee."""
    south = [unit("A1", 86, 30), unit("A2", 93, 30)]
    events = play(
        battle(south, [unit("L1", 90, 40, formation="line")], period="emp"),
        "south: A1 charge L1",
        "south: A2 charge L1",
        "south: done",
    )
    assert [data["to"] for data in found(events, "ChargeMoved")] == [[9000, 3775], [9400, 3775]]
    assert {data["melee"] for data in found(events, "ContactMade")} == {"M1"}


def test_cavalry_driven_by_an_event_charges_all_out_alone():
    """STP-EVT-03, STP-CHG-07: it makes no rash charge."""
    sides = (
        corps("I", unit("V1", 90, 30, "cavalry_a"), general=general("GS", 90, 10)),
        corps("X", unit("X1", 90, 45), general=general("GN", 90, 110)),
    )
    battle_of = scenario((sides[0],), (sides[1],), options={"d20_events": True}, step="orders")
    orders = "south: done", "north: done", "south: V1 charge X1 rash", "south: V1 charge X1"
    events = play(battle_of, *orders, south=(3, 1), refused={3: "stp.not-eligible"})
    assert found(events, "ChargeDeclared")[0]["mode"] == "all-out"


def test_charges_do_not_cross():
    """STP-MOV-01, STP-ZOC-08: the lines of the centres; two chargers of one target may meet."""
    south = [unit("A1", 86, 30, "cavalry_a"), unit("A2", 94, 30, "cavalry_a")]
    north = [unit("X1", 86, 45), unit("X2", 94, 45)]
    orders = "south: A1 charge X2", "south: A2 charge X1"
    play(battle(south, north), *orders, refused={2: "stp.crossing-charge"})
    assert len(found(play(battle(south, north), "south: A1 charge X1", "south: A2 charge X1"), "ChargeDeclared")) == 2


def test_a_threat_from_behind_compels_as_well():
    """STP-ZOC-05, STP-INT-45, STP-ZOC-10: shaken and engaged units compel nobody, nor does a square show a flank."""
    mine = [unit("U1", 90, 30)]
    play(battle(mine, [unit("X1", 90, 38, facing=0)]), "south: done", refused={1: "stp.charge-due"})
    play(battle([unit("U1", 90, 30, shaken=1)], [unit("X1", 90, 38, facing=0)]), "south: done")
    play(battle(mine, [unit("X1", 90, 38, facing=0, formation="square")], period="emp"), "south: done")
    play(battle(mine, [unit("X1", 90, 43.1, facing=0)]), "south: done")


def test_an_extended_line_charges_as_close_order():
    """STP-FRM-06, STP-ACW-05: and nobody charges through it."""
    line = [unit("U1", 90, 30, formation="extended")]
    assert declared(line, [unit("X1", 90, 45)], "south: U1 charge X1")
    behind = [*line, unit("U2", 90, 26)]
    code(behind, [unit("X1", 90, 38)], "south: U2 charge X1", "stp.path-blocked")


def test_the_events_of_a_charge_in_their_order():
    """STP-SEQ-10: at the declaration, then at the resolution."""
    south, north = [unit("V1", 90, 30, "cavalry_a")], [unit("S1", 90, 45, "skirmisher")]
    orders = "south: V1 charge S1 rash", "south: done", "north: evade no", "south: pursue place"
    events = names(play(battle(south, north), *orders, south=(1,), north=(1, 6)))
    at = events.index("PointsSpent")
    assert events[at : at + 3] == ["PointsSpent", "ChargeDeclared", "DieRolled"]
    assert events[at + 3 : -1] == [
        "DecisionAsked",
        "DecisionMade",
        "DieRolled",
        "EvadeForced",
        "DieRolled",
        "UnitEvaded",
        "MarkerAdded",
        "DecisionAsked",
        "DecisionMade",
        "ChargeMoved",
    ]


def test_the_halves_of_a_large_battalion_charge_together():
    """STP-EMP-10: one alone is refused, unless the other is gone."""
    halves = [unit("A1", 86, 30, traits=["large"]), unit("A2", 90, 30, traits=["large"])]
    enemy = [unit("X1", 88, 42)]
    code(halves, enemy, "south: A1 charge X1", "stp.not-a-group", period="emp")
    orders = "south: group A1 charge X1 + A2 charge X1", "south: done"
    events = play(battle(halves, enemy, period="emp"), *orders)
    assert [data["unit"] for data in found(events, "ContactMade")] == ["A1", "A2"]
    assert declared(halves[:1], enemy, "south: A1 charge X1", period="emp")


def test_a_short_charge_pays_for_its_ground():
    """STP-CHG-06, STP-GEO-21: it stops where its reach is used up, and is not engaged."""
    rough = [{"id": "R1", "kind": "rough", "outline": [[8500, 4000], [8500, 4500], [9500, 4500], [9500, 4000]]}]
    south, north = [unit("V1", 90, 30, "cavalry_a")], [unit("X1", 90, 57)]
    orders = "south: V1 charge X1 rash", "south: done"
    (moved,) = found(play(battle(south, north, terrain=rough), *orders, south=(1,)), "ChargeMoved")
    assert (moved["distance_hcm"], moved["reason"]) == (2100, "short")


def test_a_short_charge_stops_short_of_whoever_stands_there():
    """STP-CHG-12."""
    south = [unit("V1", 90, 30, "cavalry_a"), unit("F1", 90, 55)]
    orders = "south: V1 charge X1 rash", "south: done"
    (moved,) = found(play(battle(south, [unit("X1", 90, 62)]), *orders, south=(1,)), "ChargeMoved")
    assert moved["to"] == [9000, 5150]


@pytest.mark.parametrize(
    ("period", "mine", "next_one", "to"),
    [
        ("acw", unit("U1", 90, 30), unit("X1", 90, 50, "cavalry_a"), [9000, 3650]),
        ("acw", unit("U1", 90, 30, "skirmisher"), unit("X1", 90, 48), [9000, 4550]),
    ],
)
def test_a_pursuit_stops_short_of_whom_it_may_not_charge(period, mine, next_one, to):
    """STP-CHG-05, -12, STP-ZOC-07, STP-MEL-09."""
    south, north = [mine], [unit("S1", 90, 38, "skirmisher"), next_one]
    orders = "south: U1 charge S1", "south: done", "north: evade yes", "south: pursue full"
    events = play(battle(south, north, period=period), *orders, north=(1,))
    assert found(events, "ChargeMoved") == [
        {
            "unit": "U1",
            "from": [9000, 3000],
            "to": to,
            "facing_hdeg": 0,
            "distance_hcm": to[1] - 3000,
            "reason": "pursuit",
        }
    ]
    assert not found(events, "ContactMade")


def test_a_charge_runs_into_an_evader_that_stopped_in_its_way():
    """STP-CHG-05, STP-EVD-09: whoever stands in the way then is struck instead."""
    south = [unit("V1", 92, 45, "cavalry_a"), unit("V2", 100, 30, "cavalry_a")]
    north = [unit("S1", 100, 45, "skirmisher"), unit("X1", 92, 70)]
    orders = "south: V2 charge S1", "south: V1 charge X1", "south: done", "north: evade yes left 22.5"
    events = play(battle(south, north), *orders, "south: pursue place", north=(6,))
    assert found(events, "UnitEvaded")[0]["to"] == [9235, 6348]
    assert found(events, "ContactMade") == [{"unit": "V1", "target": "S1", "aspect": "rear", "melee": "M1", "since": 2}]


def test_a_strategic_move_makes_charges_free_but_no_longer():
    """STP-ACT-10, STP-MOV-12: contact is in the friction zone."""
    south = corps("I", unit("V1", 90, 30, "cavalry_a"), general=general("GS", 90, 10), strategic=True)
    near = scenario(
        (south,), (corps("X", unit("X1", 90, 58), general=general("GN", 90, 110)),), step="charges", first="north"
    )
    assert names(play(near, "south: V1 charge X1"))[-1] == "ChargeDeclared"
    far = scenario(
        (south,), (corps("X", unit("X1", 90, 58.6), general=general("GN", 90, 110)),), step="charges", first="north"
    )
    play(far, "south: V1 charge X1", refused={1: "stp.out-of-reach"})


def test_a_wide_drift_from_behind_cover_at_half_the_reach():
    """STP-MOV-02, STP-INT-26."""
    south = [unit("U1", 90, 30, cover="light")]
    data = declared(south, [unit("X1", 87, 36)], "south: U1 charge X1 face 0 left 30")
    assert data["distance_hcm"] == 346
    code(south, [unit("X1", 84, 42)], "south: U1 charge X1 face 0 left 30", "stp.out-of-reach")


def test_what_a_charger_leaves_and_where_it_stands():
    """STP-CHG-04: it has moved in this phase, and cannot have another order; its cover stays behind."""
    south = [unit("U1", 90, 30, cover="light")]
    orders = "south: U1 charge X1", "south: U1 face 90", "south: done"
    play(
        battle(south, [unit("X1", 90, 42)]),
        *orders,
        refused={2: "stp.already-moved"},
        final={"units": {"U1": {"at": [9000, 3900], "engaged": True}, "X1": {"engaged": True}}},
    )
