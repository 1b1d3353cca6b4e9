"""The readings of an unclear draft, one test for each that no other module shows (STP-INT)."""

import pytest

from domain.games.shot_to_pieces.state.profiles import period
from tests.domain.games.shot_to_pieces.playing import corps, found, general, play, scenario, unit

FAR = unit("X9", 170, 115)
CHIEF = general("GS", 90, 10)


def battle(south, north=(FAR,), *, code="acw", step="moves", ap=9, corps_keys=None, **more):
    """One corps of units on each side; `corps_keys` are further members of that of the south."""
    own = corps("I", *south, general=CHIEF, ap=ap, **(corps_keys or {}))
    return scenario([own], [corps("X", *north, general=general("GN", 90, 110), ap=9)], period=code, step=step, **more)


def drawn(south, north=(FAR,), **more):
    """A battle in which the south's phase begins at once, and with it the D20."""
    more = {"first": "north", "side": "north", "step": "melee"} | more
    return battle(south, north, options={"d20_events": True}, **more)


def costs(events):
    return [(spent["why"], spent["cost"]) for spent in found(events, "PointsSpent")]


# --- moves


def test_increases_of_a_move_are_not_added_up():
    """STP-INT-03: a march column on a road in a strategic move goes half as far again, once."""
    road = {"id": "R1", "kind": "road", "outline": [[8900, 500], [9100, 500], [9100, 9500], [8900, 9500]]}
    column = [unit("U1", 90, 20, formation="march")]
    given = battle(column, terrain=[road], corps_keys={"strategic": True})
    events = play(given, "south: U1 move 22.51", "south: U1 move 22.5", refused={1: "stp.too-far"})
    assert [data["to"] for data in found(events, "UnitMoved")] == [[9000, 4250]]


def test_each_friend_passed_through_costs_each_unit_a_point():
    """STP-INT-30: a point for every pair of a unit that moves and one that it passes."""
    friends = [unit("U1", 90, 30), unit("U2", 90, 35), unit("U3", 90, 39)]
    assert costs(play(battle(friends), "south: U1 move 15")) == [("move", 3)]
    pair = [unit("U1", 90, 30), unit("U2", 94, 30)]
    assert costs(play(battle([*pair, unit("U3", 92, 35)]), "south: group U1 U2 move 15")) == [("group", 3)]
    assert costs(play(battle([*pair, unit("U3", 99, 35)]), "south: group U1 U2 move 15")) == [("group", 1)]


def test_a_change_of_formation_and_a_move_are_one_order():
    """STP-INT-31: paid with the change; the move after it costs nothing but friends passed through."""
    given = battle([unit("U1", 90, 30)], code="emp", step="formations")
    orders = ("south: U1 form square", "south: U1 move 5 right 180")
    assert costs(play(given, *orders)) == [("form", 1), ("move", 0)]
    assert costs(play(given, orders[0], "south: U1 move 5.01 right 180", refused={2: "stp.too-far"})) == [("form", 1)]


def test_an_about_face_costs_no_movement_but_is_an_order():
    """STP-INT-47: a point, and the one order of the phase; the whole move is left to it."""
    given = battle([unit("U1", 90, 30)])
    events = play(given, "south: U1 about", "south: U1 move 5", refused={2: "stp.already-moved"})
    assert costs(events) == [("about", 1)]
    assert not found(events, "UnitMoved")
    events = play(given, "south: U1 about move 15")
    assert costs(events) == [("about", 1)]
    assert found(events, "UnitMoved")[0]["to"] == [9000, 1500]


def test_a_point_to_advance_to_is_optional():
    """STP-INT-37: with one the order is fulfilled within 5 cm of it; without, it lasts."""
    for goal, changed in (((9000, 3650), 1), ((9000, 3651), 0), (None, 0)):
        named = {"goal": list(goal)} if goal else {}
        given = battle([unit("U1", 90, 30)], step="fire", first="north", corps_keys={"order": "advance", **named})
        assert len(found(play(given, "south: done"), "GeneralOrderChanged")) == changed


# --- charges


@pytest.mark.parametrize(("y", "aspect"), [(88.6, "flank"), (88.4, "front")])
def test_a_flank_is_taken_by_whose_ray_meets_it_first(y, aspect):
    """STP-INT-06: straight on from the front centre, after the turn; one that meets no flank edge is frontal."""
    north = [unit("X1", 90, 90)]
    events = play(battle([unit("U1", 100, y)], north, step="charges"), "south: U1 charge X1 face 270")
    assert found(events, "ChargeDeclared")[0]["aspect"] == aspect


def test_an_evader_turns_aside_by_a_cone_to_each_side():
    """STP-INT-38: 22.5 degrees left or right of the charge, and no farther."""
    given = battle([unit("V1", 90, 30, "cavalry_a")], [unit("X1", 90, 45, "skirmisher")], step="charges")
    for side, facing in (("left", 33750), ("right", 2250)):
        orders = (
            "south: V1 charge X1",
            "south: done",
            f"north: evade yes {side} 22.51",
            f"north: evade yes {side} 22.5",
        )
        events = play(
            given, *orders, "south: pursue place", north=[6], refused={3: "stp.bad-direction"}, final={"waiting": None}
        )
        assert found(events, "UnitEvaded")[0]["facing_hdeg"] == facing


def test_cavalry_breaks_off_by_an_order_of_its_own_phase():
    """STP-INT-36: in the step of charges, for a point; nobody is asked."""
    south = [unit("V1", 90, 30, "cavalry_a")]
    north = [unit("X1", 90, 33.5)]
    melee = [{"units": ["V1", "X1"], "since": 1}]
    events = play(battle(south, north, step="charges", turn=2, melee=melee), "south: V1 break", south=[4])
    assert costs(events) == [("break", 1)]
    assert found(events, "UnitEvaded")[0]["facing_hdeg"] == 18000
    assert not found(events, "DecisionAsked")
    play(battle(south, north, step="moves", turn=2, melee=melee), "south: V1 break", refused={1: "stp.wrong-step"})
    other = battle(south, north, step="charges", turn=1, side="north", melee=[{"units": ["V1", "X1"], "since": 1}])
    play(other, "south: V1 break", refused={1: "core.not-your-turn"})


def test_who_was_shot_at_or_fought_in_either_phase_is_tested():
    """STP-INT-40: warbands have no fire of their own; who was left in peace is not thrown for."""
    south = [unit("U1", 90, 30), unit("U2", 30, 30)]
    bands = [unit("W1", 90, 45, "warband"), unit("W2", 30, 33, "warband"), unit("W3", 150, 90, "warband")]
    for side, first in (("south", "north"), ("north", "north")):
        given = battle(south, bands, code="gsc", step="fire", side=side, first=first)
        given["melee"] = [{"units": ["U2", "W2"]}]
        if side == "south":
            events = play(given, "south: U1 fire W1", "south: done", south=[1, 3], north=[4, 3, 4, 4])
        else:
            orders = ("north: done", "south: U1 fire W1", "south: done", "south: end turn")
            events = play(given, *orders, south=[1, 3, 1, 3], north=[4, 3, 3, 4, 4])
        assert [(data["unit"], data["must"]) for data in found(events, "ImpetuousTested")] == [
            ("W1", False),
            ("W2", False),
        ]


# --- fire


def test_salvoes_are_fired_as_declared_unless_the_side_asks():
    """STP-INT-41: those of the side whose phase it is first."""
    south = [unit("U1", 30, 30), unit("U2", 90, 30)]
    north = [unit("X1", 30, 45), unit("X2", 90, 45)]
    given = battle(south, north, step="fire", first="north")
    orders = ("south: U2 fire X2", "south: U1 fire X1", "south: done", "north: done")
    events = play(given, *orders, south=[1, 1], north=[1, 1])
    assert [data["firer"] for data in found(events, "FireResolved")] == ["U2", "U1"]
    asked = ("south: standing fire-order ask", *orders, "south: resolve F2")
    events = play(given, *asked, south=[1, 1], north=[1, 1])
    assert [data["options"] for data in found(events, "DecisionAsked")] == [["F1", "F2"]]
    assert [data["firer"] for data in found(events, "FireResolved")] == ["U1", "U2"]


@pytest.mark.parametrize(("gun", "mode"), [("artillery_foot", "exchange"), ("bombardment_60", "one-way")])
def test_nobody_replies_to_saturation_fire(gun, mode):
    """STP-INT-42: a field gun in the same place is answered."""
    south = [unit("G1", 90, 20, gun, traits=["emplaced"])]
    north = [unit("X1", 90, 60, "artillery_foot")]
    given = battle(south, north, code="ww1", step="fire", first="north")
    events = play(given, "south: G1 fire X1", "south: done", "north: done", south=[1], north=[2])
    assert [data["mode"] for data in found(events, "FireResolved")] == [mode]


def test_a_salvo_has_the_figures_of_its_reference_unit():
    """STP-INT-43: status and markers of the others count nothing, each of them adds 1."""
    south = [unit("U1", 90, 30), unit("U2", 94, 30, status="elite"), unit("U3", 86, 30, brittle=2)]
    north = [unit("X1", 90, 40, facing=0)]
    for first, factors in (("U1", {}), ("U2", {"elite": 1}), ("U3", {"brittle": -2})):
        others = [name for name in ("U1", "U2", "U3") if name != first and (first == "U1" or name == "U1")]
        order = f"south: fire {first} {' '.join(others)} at X1"
        given = battle(south, north, step="fire", first="north")
        events = play(given, order, "south: done", south=[1], north=[4])
        (shot,) = found(events, "FireResolved")
        assert shot["attack_base"] == 3
        assert {row["why"]: row["plus"] for row in shot["attack_factors"]} == factors | {"salvo": len(others)}


def test_only_who_is_said_to_be_hidden_is_unseen_in_cover():
    """STP-INT-46: others in cover have been seen, and may be fired at."""
    for traits, refused in (([], {}), (["hidden"], {1: "stp.not-visible"})):
        north = [unit("X1", 90, 45, cover="hard", traits=traits)]
        events = play(battle([unit("U1", 90, 30)], north, step="fire"), "south: U1 fire X1", refused=refused)
        assert len(found(events, "FireDeclared")) == 1 - len(refused)


def test_steady_troops_roll_the_steadier_die():
    """STP-INT-07: faces 2, 2, 3, 3 for all but reserve and militia, with the option alone."""
    erratic = {"erratic": True}
    rolls = [("line", 3, 3), ("elite", 2, 1), ("reserve", 4, 4), ("militia", 1, 1)]
    for status, value, face, options in [*((*roll, erratic) for roll in rolls), ("line", 2, 2, {})]:
        south, north = [unit("U1", 90, 30, status=status)], [unit("X1", 90, 45, facing=0, status="reserve")]
        given = battle(south, north, step="fire", first="north", options=options)
        events = play(given, "south: U1 fire X1", "south: done", south=[value], north=[4])
        assert [data["face"] for data in found(events, "DieRolled", purpose="fire")] == [face]


# --- tables


@pytest.mark.parametrize("reach", [60, 75, 80, 90])
def test_rifled_guns_of_four_ranges(reach):
    """STP-INT-11: the scenario names one; the bands are thirds, rounded down."""
    weapon = f"rifled_{reach}"
    assert period("acw").weapons[weapon].bands == (100 * reach // 3, 200 * reach // 3, 100 * reach)
    gun = unit("G1", 90, 10, "artillery_foot", weapon=weapon)
    for beyond, refused in ((0, {}), (1, {1: "stp.out-of-range"})):
        north = [unit("X1", 90, 13.5 + reach + beyond / 100)]
        play(battle([gun], north, step="fire"), "south: G1 fire X1", refused=refused)


@pytest.mark.parametrize("code", ["awi", "gsc", "alg"])
def test_ranges_of_guns_are_calibres_of_three_equal_bands(code):
    """STP-INT-23: a stroke between two ranges parts two guns, not two bands."""
    guns = {key: weapon for key, weapon in period(code).weapons.items() if key.startswith("gun_")}
    assert [weapon.range for weapon in guns.values()] == [3000, 4500, 6000, *([7500] if code == "alg" else [])]
    for weapon in guns.values():
        third = weapon.range // 3
        found_bands = [weapon.band(at) for at in (third, third + 1, 2 * third, 2 * third + 1, weapon.range)]
        assert found_bands == ["short", "medium", "medium", "long", "long"]


SUBTYPES = {
    "ww1": (
        ("artillery_foot", 15, "artillery_horse", 25),
        ("machine_gun", 12, "machine_gun_mounted", 20),
        ("tank_heavy", 10, "tank_light", 15),
    ),
    "acw": (("artillery_foot", 15, "artillery_mounted", 20), ("artillery_mounted", 20, "artillery_horse", 25)),
    "awi": (("artillery_foot", 10, "artillery_horse", 20), ("artillery_light_foot", 10, "artillery_light_horse", 20)),
    "gsc": (("artillery_foot", 10, "artillery_horse", 20),),
    "alg": (("artillery_foot", 15, "artillery_horse", 25),),
    "f70": (("artillery_foot", 15, "artillery_mounted", 20), ("artillery_mounted", 20, "artillery_horse", 25)),
}
"""The rows of the tables of the periods with two or three figures of movement, in centimetres."""


@pytest.mark.parametrize("code", SUBTYPES)
def test_two_figures_of_movement_are_two_types(code):
    """STP-INT-24: on foot or heavy first; all other figures are the same."""
    held = period(code)
    for slow, pace, fast, other in SUBTYPES[code]:
        one, two = held.types[slow], held.types[fast]
        assert (one.move, two.move) == (100 * pace, 100 * other)
        assert held.rule_of(one, "move") == held.rule_of(two, "move") == "STP-INT-24"
        assert (one.fire, one.resilience, one.melee, one.effect) == (two.fire, two.resilience, two.melee, two.effect)


# --- events of the D20


def test_no_quarter_is_for_the_next_charge_of_the_side_whose_phase_it_is():
    """STP-INT-27: the first that is declared, and no other."""
    south = [unit("U1", 90, 40), unit("U2", 60, 40)]
    north = [unit("X1", 90, 50), unit("X2", 60, 50)]
    orders = ("south: U2 charge X2", "south: U1 charge X1", "south: end turn")
    events = play(drawn(south, north), *orders, south=[4, 2, 1, 1], north=[1, 1], final={"waiting": None})
    assert [data["units"] for data in found(events, "EventApplied", number=4) if data["units"]] == [["U2"]]
    fought = {
        data["attacker"]: [row["why"] for row in data["attack_factors"]] for data in found(events, "MeleeResolved")
    }
    assert ("no-quarter" in fought["U2"], "no-quarter" in fought["U1"]) == (True, False)


def test_the_color_guard_is_that_of_the_side_whose_phase_it_is():
    """STP-INT-27: an enemy shaken before it is shaken."""
    south, north = [unit("U1", 90, 40)], [unit("X1", 90, 55, facing=0), unit("X2", 90, 25, facing=0)]
    orders = ("south: U1 fire X1", "south: done", "north: X2 fire U1", "north: done")
    events = play(drawn(south, north), *orders, south=[8, 2, 3, 1], north=[1, 3])
    marked = [(data["unit"], data["marker"]) for data in found(events, "MarkerAdded")]
    assert marked == [("X1", "shaken"), ("U1", "brittle")]


def test_the_nice_shot_is_at_the_enemy_nearest_to_a_shooter():
    """STP-INT-39: cavalry without fire may stand nearer to another."""
    south = [unit("U1", 90, 60), unit("V1", 30, 80, "cavalry_a")]
    north = [unit("X1", 90, 90), unit("X2", 30, 88)]
    events = play(drawn(south, north), south=[10, 2])
    assert [(data["unit"], data["marker"]) for data in found(events, "MarkerAdded")] == [("X1", "brittle")]


@pytest.mark.parametrize(("gone", "applied"), [("5", [["G1"]]), ("5.01", [])])
def test_a_battery_is_in_action_that_has_moved_5_cm_at_most(gone, applied):
    """STP-INT-34, STP-MOV-16: since its last own phase began; only such a one is found by the sodden ground."""
    given = battle([unit("G1", 90, 30, "artillery_foot")], options={"d20_events": True})
    orders = (f"south: G1 face 0 move {gone}", "south: end turn", "north: end turn", "south: done", "north: done")
    events = play(given, *orders, south=[12, 1] if applied else [12], north=[17, 1])
    assert [data["units"] for data in found(events, "EventApplied", number=12)] == applied
    assert len(found(events, "EventWithoutEffect", number=12)) == 1 - len(applied)
