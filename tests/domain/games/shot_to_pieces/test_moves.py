"""Chapters MOV, FRM and ZOC: moves, groups and formations on small tables, each rule by itself."""

import pytest

from domain.games.shot_to_pieces import RULESET
from replay.bench.bench import play_case

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.catalogue.MissingSentence")
"""Until the game has its words."""
FOOT = {"type": "infantry", "at": [9000, 3000]}


def table(orders, south, north, *, step="moves", period="acw", ap=9, **more):
    """A table with a corps of either side; units by id."""

    def corps(name, general, units, at):
        listed = [{"id": one, **FOOT, **given} for one, given in units.items()]
        return {"id": name, "ap": ap, "general": {"id": general, "at": at}, "units": listed, **more.get("corps", {})}

    far = {"FAR": {"at": [17000, 11500]}}
    return {
        "ruleset": "stp",
        "title": "A table",
        "period": period,
        "first": "south",
        "orders": [f"south: {order}" for order in orders],
        "start": {"turn": 1, "side": "south", "step": step},
        "terrain": more.get("terrain", []),
        "sides": {
            "south": {"name": "South", "corps": [corps("I", "GS", south, [9000, 1000])]},
            "north": {"name": "North", "corps": [corps("X", "GN", {**far, **north}, [9000, 11000])]},
        },
        **({"melee": more["melee"]} if "melee" in more else {}),
        "options": more.get("options", {}),
    }


def played(orders, south, north=None, **more):
    return play_case(table(orders, south, north or {}, **more), {RULESET.code: RULESET}).result


def refused(order, south, north=None, **more):
    """The code with which an order is refused; "" if it is not."""
    result = played([order], south, north, **more)
    return result.rejections[0].code if result.rejections else ""


def events(result, kind):
    return [event["data"] for event in result.events if event["type"] == kind]


@pytest.mark.rule("STP-MOV-02")
@pytest.mark.parametrize(
    ("order", "at", "facing"),
    [
        ("U1 move 10", [9000, 4000], 0),
        ("U1 face 90 move 10", [10000, 3000], 9000),
        ("U1 face left 90 move 10 right 22.5", [8076, 3383], 27000),
        ("U1 face about move 10", [9000, 2000], 18000),
        ("U1 face at GS move 10", [9000, 2000], 18000),
        ("U1 face at FAR move 0.01", [9001, 3001], 4326),
    ],
)
def test_a_unit_turns_and_goes(order, at, facing):
    (moved,) = events(played([order], {"U1": {}}), "UnitMoved")
    assert (moved["to"], moved["facing_hdeg"]) == (at, facing)


@pytest.mark.rule("STP-INT-26")
def test_behind_a_line_a_unit_slips_aside_half_as_far():
    wall = [{"id": "W1", "kind": "wall", "line": [[8000, 3200], [11000, 3200]]}]
    assert refused("U1 move 5 right 90", {"U1": {}}) == "stp.bad-direction"
    assert refused("U1 move 7.51 right 90", {"U1": {}}, terrain=wall) == "stp.too-far"
    assert refused("U1 move 7.5 right 90", {"U1": {}}, terrain=wall) == ""


@pytest.mark.rule("STP-MOV-03")
@pytest.mark.parametrize(
    ("kind", "order", "ends"),
    [
        ("infantry", "U1 about", []),
        ("infantry", "U1 about move 15", [[9000, 1500]]),
        ("cavalry_a", "U1 about left", [[8600, 3000]]),
        ("cavalry_a", "U1 about right move 25", [[9400, 500]]),
    ],
)
def test_about(kind, order, ends):
    result = played([order], {"U1": {"type": kind}})
    assert [moved["to"] for moved in events(result, "UnitMoved")] == ends
    assert all(moved["cause"] == "about" for moved in events(result, "UnitMoved"))
    assert events(result, "UnitOriented")[0]["to_hdeg"] == 18000


@pytest.mark.rule("STP-MOV-04")
def test_a_unit_steps_beside_the_friend_before_it():
    result = played(["U2 beside U1 left"], {"U1": {}, "U2": {"at": [9000, 2700]}})
    (moved,) = events(result, "UnitMoved")
    assert (moved["to"], moved["cause"], moved["distance_hcm"]) == ([8600, 3000], "beside", 500)
    assert events(result, "PointsSpent")[0]["cost"] == 1


@pytest.mark.rule("STP-MOV-06")
@pytest.mark.parametrize(
    ("period", "unit", "most"),
    [
        ("acw", {"type": "infantry"}, "5"),
        ("acw", {"type": "infantry", "status": "militia"}, "3.33"),
        ("acw", {"type": "infantry", "formation": "march"}, None),
        ("ww1", {"type": "infantry"}, "5"),
        ("ww1", {"type": "cavalry"}, "5"),
        ("ww1", {"type": "skirmisher"}, "20"),
        ("emp", {"type": "infantry"}, None),
        ("emp", {"type": "infantry", "formation": "line"}, "3.33"),
        ("emp", {"type": "cavalry_heavy", "formation": "line"}, None),
        ("gsc", {"type": "warband"}, None),
        ("emp", {"formation": "square"}, "10"),
    ],
)
def test_how_far_a_unit_backs(period, unit, most):
    if most is None:
        assert refused("U1 back 1", {"U1": unit}, period=period) == "stp.cannot-back"
        return
    assert refused(f"U1 back {most}", {"U1": unit}, period=period) == ""
    beyond = f"{float(most) + 0.01:.2f}"
    assert refused(f"U1 back {beyond}", {"U1": unit}, period=period) == "stp.too-far"


@pytest.mark.rule("STP-MOV-13")
@pytest.mark.parametrize(
    ("unit", "most"),
    [({"formation": "march"}, 2250), ({}, 2250), ({"status": "militia"}, 1500)],
)
def test_increases_do_not_add_up(unit, most):
    road = [{"id": "RD", "kind": "road", "outline": [[8900, 0], [9100, 0], [9100, 9000], [8900, 9000]]}]
    assert refused(f"U1 move {most / 100:.2f}", {"U1": unit}, terrain=road) == ""
    assert refused(f"U1 move {(most + 1) / 100:.2f}", {"U1": unit}, terrain=road) == "stp.too-far"


@pytest.mark.rule("STP-MOV-12")
@pytest.mark.parametrize(
    ("enemy", "most"),
    [([9000, 11000], 2250), ([9000, 9000], 1700), ([9000, 8000], 1500)],
)
def test_a_strategic_move_is_tactical_in_the_friction_zone(enemy, most):
    """It stops at 40 cm once its tactical figure is used up."""
    corps = {"strategic": True}
    north = {"E1": {"at": enemy}}
    assert refused(f"U1 move {most / 100:.2f}", {"U1": {}}, north, corps=corps) == ""
    assert refused(f"U1 move {(most + 1) / 100:.2f}", {"U1": {}}, north, corps=corps) == "stp.too-far"
    assert events(played(["U1 move 5"], {"U1": {}}, north, corps=corps), "PointsSpent") == []


@pytest.mark.rule("STP-ACT-06")
@pytest.mark.parametrize(
    ("mover", "friend", "cost"),
    [({}, {}, 2), ({}, {"type": "skirmisher"}, 1), ({"type": "skirmisher"}, {}, 1), ({}, {"at": [9000, 2000]}, 1)],
)
def test_friends_passed_cost_points(mover, friend, cost):
    result = played(["U1 move 13"], {"U1": mover, "U2": {"at": [9000, 3500], **friend}})
    assert events(result, "PointsSpent")[0]["cost"] == cost


@pytest.mark.rule("STP-ACW-05")
def test_nobody_passes_extended_lines():
    south = {"U1": {}, "U2": {"at": [9000, 3500], "formation": "extended"}}
    assert refused("U1 move 13", south) == "stp.no-interpenetration"
    assert refused("U1 move 5", south) == "stp.overlap"


@pytest.mark.rule("STP-GEO-02")
@pytest.mark.parametrize(
    ("order", "north", "code"),
    [
        ("U1 move 15", {"E1": {"at": [9000, 3900]}}, "stp.path-blocked"),
        ("U1 move 15", {"E1": {"at": [9390, 3900]}}, "stp.path-blocked"),
        ("U1 move 15 left 1", {}, ""),
        ("U1 move 2", {}, ""),
    ],
)
def test_enemies_bar_the_way(order, north, code):
    assert refused(order, {"U1": {}}, north) == code


@pytest.mark.rule("STP-GEO-21")
def test_what_nobody_enters_stops_a_move():
    lake = [{"id": "L1", "kind": "water", "outline": [[8000, 3500], [10000, 3500], [10000, 6000], [8000, 6000]]}]
    assert refused("U1 move 5.01", {"U1": {}}, terrain=lake) == "stp.path-blocked"
    assert refused("U1 move 5", {"U1": {}}, terrain=lake) == ""


@pytest.mark.rule("STP-GEO-01")
def test_bases_stay_on_the_table():
    assert refused("U1 move 2", {"U1": {"at": [9000, 11650]}}) == ""
    assert refused("U1 move 2.01", {"U1": {"at": [9000, 11650]}}) == "stp.leaves-table"


@pytest.mark.rule("STP-ORD-04")
@pytest.mark.parametrize(
    ("order", "code"),
    [
        ("U1 move 5.51", "stp.graze"),
        ("U1 move 5.51 engage E1", ""),
        ("U1 move 5.51 engage FAR", "stp.graze"),
        ("U1 move 5.5", ""),
        ("U1 move 1 engage U1", "stp.not-an-enemy"),
        ("U1 move 1 engage E9", "core.unknown-id"),
    ],
)
def test_who_grazes_engages_by_fire(order, code):
    assert refused(order, {"U1": {}}, {"E1": {"at": [9000, 4350]}}) == code


@pytest.mark.rule("STP-ORD-04")
def test_a_bound_unit_fires_when_the_step_opens():
    orders = ["U1 move 6 engage E1", "done", "done"]
    result = played(orders, {"U1": {}}, {"E1": {"at": [9000, 4350], "facing": 0}})
    assert events(result, "UnitMoved")[0]["engages"] == "E1"
    (declared,) = events(result, "FireDeclared")
    assert (declared["target"], declared["standing"]) == ("E1", True)


@pytest.mark.rule("STP-ZOC-09")
@pytest.mark.parametrize(
    ("order", "code"),
    [
        ("U1 face 90", "stp.flank-in-zoc"),
        ("U1 face 90 move 5", "stp.flank-in-zoc"),
        ("U1 face 40", ""),
        ("U1 back 5", ""),
        ("U1 about", "stp.flank-in-zoc"),
    ],
)
def test_nobody_shows_its_flank_in_a_control_zone(order, code):
    assert refused(order, {"U1": {}}, {"E1": {"at": [9000, 3900]}}) == code


@pytest.mark.rule("STP-ZOC-01")
def test_broken_corps_have_no_control_zone():
    north = {"E1": {"at": [9000, 3900]}}
    assert refused("U1 form march", {"U1": {}}, north, step="formations") == "stp.in-zoc"


@pytest.mark.rule("STP-FRM-04")
def test_a_base_between_obstructs_a_control_zone():
    north = {"E1": {"at": [9000, 3950]}}
    south = {"U1": {}, "U2": {"at": [9000, 3460]}}
    assert refused("U1 form march", {"U1": {}}, north, step="formations") == "stp.in-zoc"
    assert refused("U1 form march", south, north, step="formations") == ""


@pytest.mark.rule("STP-ZOC-04")
@pytest.mark.parametrize(
    ("enemy", "code"),
    [
        ({"at": [9900, 3000], "facing": 27000}, "stp.immobilised"),
        ({"at": [9900, 3000], "facing": 27000, "shaken": 1}, "stp.flank-in-zoc"),
        ({"at": [10351, 3000], "facing": 27000}, ""),
        ({"at": [9900, 3000], "facing": 0}, ""),
        ({"at": [9000, 2400], "facing": 0}, "stp.immobilised"),
    ],
)
def test_who_is_threatened_in_flank_stays(enemy, code):
    assert refused("U1 back 5", {"U1": {}}, {"E1": enemy}) == code


@pytest.mark.rule("STP-ZOC-13")
@pytest.mark.parametrize(
    ("period", "unit", "code"),
    [
        ("acw", {}, "stp.interdicted"),
        ("acw", {"type": "skirmisher"}, "stp.interdicted"),
        ("acw", {"type": "artillery_foot"}, ""),
        ("ww1", {}, ""),
        ("ww1", {"type": "skirmisher"}, "stp.interdicted"),
        ("awi", {"type": "indians"}, ""),
        ("emp", {"formation": "square"}, ""),
        ("emp", {}, "stp.interdicted"),
    ],
)
def test_whom_cavalry_interdicts(period, unit, code):
    horse = {"at": [9000, 4650], "type": {"acw": "cavalry_a", "emp": "cavalry_heavy"}.get(period, "cavalry")}
    assert refused("U1 move 4", {"U1": unit}, {"E1": horse}, period=period) == code


@pytest.mark.rule("STP-INT-15")
def test_squares_keep_half_as_far_from_cavalry_with_the_option():
    square, horse = {"U1": {"formation": "square"}}, {"E1": {"at": [9000, 4400], "type": "cavalry_heavy", "facing": 0}}
    options = {"square_zone": "cavalry"}
    assert refused("U1 move 5", square, horse, period="emp", options=options) == ""
    assert refused("U1 move 5.01", square, horse, period="emp", options=options) == "stp.graze"
    melee = [{"units": ["E1", "U2"], "since": 0}]
    south = square | {"U2": {"at": [9000, 4750]}}
    assert refused("U1 move 5.01", south, horse, period="emp", options=options, melee=melee) == "stp.interdicted"
    assert refused("U1 move 5.01", south, horse, period="emp", melee=melee) == ""


@pytest.mark.rule("STP-ZOC-07")
def test_an_obstacle_keeps_cavalry_off():
    horse = {"E1": {"at": [9000, 4650], "type": "cavalry_a", "facing": 0}}
    wall = [{"id": "W1", "kind": "wall", "line": [[8000, 4300], [10000, 4300]]}]
    assert refused("U1 move 4", {"U1": {}}, horse) == "stp.interdicted"
    assert refused("U1 move 4", {"U1": {}}, horse, terrain=wall) == ""


@pytest.mark.rule("STP-ZOC-11")
def test_who_is_near_cavalry_may_draw_away():
    horse = {"E1": {"at": [9000, 4000], "type": "cavalry_a", "facing": 0}}
    assert refused("U1 move 1", {"U1": {}}, horse) == "stp.interdicted"
    assert refused("U1 back 5", {"U1": {}}, horse) == ""


@pytest.mark.rule("STP-MEL-12")
def test_who_stands_beside_a_friend_taken_in_flank_keeps_off_that_flank():
    south = {"D1": {}, "D2": {"at": [8600, 3000]}}
    north = {"A1": {"at": [9350, 3000], "facing": 27000}}
    melee = [{"units": ["A1", "D1"], "since": 0, "aspect": "flank"}]
    assert refused("D2 face 90 move 2", south, north, melee=melee) == "stp.pinned"
    assert refused("D2 face 90", south, north, melee=melee) == ""
    assert refused("D2 back 5", south, north, melee=melee) == "stp.flank-in-zoc"


@pytest.mark.rule("STP-VIS-03")
@pytest.mark.parametrize(("length", "seen"), [("5.5", []), ("5.51", [{"unit": "E1", "to": "U1"}])])
def test_a_hidden_unit_is_seen_under_ten_centimetres(length, seen):
    result = played([f"U1 move {length}"], {"U1": {}}, {"E1": {"at": [9000, 4850], "traits": ["hidden"]}})
    assert events(result, "UnitRevealed") == seen


@pytest.mark.rule("STP-EMP-06")
def test_a_square_goes_in_any_direction():
    assert refused("U1 move 10 left 120", {"U1": {"formation": "square"}}, period="emp") == ""
    assert refused("U1 move 10.01 left 120", {"U1": {"formation": "square"}}, period="emp") == "stp.too-far"


@pytest.mark.rule("STP-CMD-03")
def test_turning_is_no_advance():
    """A corner comes nearer to the enemy, the unit does not move."""
    result = played(["U1 face 40"], {"U1": {}}, {"E1": {"at": [9000, 6000]}})
    assert [spent["quota"] for spent in events(result, "PointsSpent")] == ["else"]
    result = played(["U1 face 40 move 1"], {"U1": {}}, {"E1": {"at": [9000, 6000]}})
    assert [spent["quota"] for spent in events(result, "PointsSpent")] == ["near"]


# --- groups


@pytest.mark.rule("STP-ACT-05")
@pytest.mark.rule("STP-ORD-05")
@pytest.mark.parametrize(
    ("order", "code"),
    [
        ("group U1 U2 move 5", ""),
        ("group U1 U1 move 5", "stp.not-a-group"),
        ("group U1 U3 move 5", "stp.not-a-group"),
        ("group U1 U2 U3 move 5", ""),
        ("group U1 move 5 + U2 move 4", ""),
        ("group U1 move 5 + U2 face 20", "stp.mixed-orders"),
        ("group U2 back 4 + U3 back 5", ""),
        ("group U1 move 15.01 + U2 move 2", "stp.too-far"),
        ("group U1 U2 move 5 left 22.51", "stp.bad-direction"),
        ("group U1 face 10 + U2 face 10", "stp.overlap"),
        ("group U1 U2 wheel right 10", ""),
    ],
)
def test_groups(order, code):
    south = {"U1": {}, "U2": {"at": [9400, 3000]}, "U3": {"at": [9400, 2700]}}
    result = played([order], south)
    assert [one.code for one in result.rejections] == ([code] if code else [])
    assert [spent["cost"] for spent in events(result, "PointsSpent")] == ([] if code else [1])


@pytest.mark.rule("STP-MOV-07")
def test_a_group_is_as_slow_as_its_slowest():
    south = {"U1": {"type": "skirmisher"}, "U2": {"at": [9400, 3000], "status": "militia"}}
    assert refused("group U1 U2 move 10.01", south) == "stp.too-far"
    assert refused("group U1 U2 move 10", south) == ""


@pytest.mark.rule("STP-GEO-20")
def test_a_wheel_keeps_the_group_together():
    """Rounding of places does not count as passing through, or as overlapping."""
    south = {"U1": {}, "U2": {"at": [9400, 3000]}, "U3": {"at": [9800, 3000]}}
    orders = ["group U1 U2 U3 wheel left 37.31", "done", "done", "done"]
    result = played(orders, south)
    assert not result.rejections
    places = [moved["to"] for moved in events(result, "UnitMoved")]
    assert len(places) == 3


@pytest.mark.rule("STP-EMP-10")
def test_a_large_battalion_moves_as_one():
    south = {"U1": {"traits": ["large"]}, "U2": {"at": [9400, 3000], "traits": ["large"]}}
    assert refused("U1 move 5", south, period="emp") == "stp.not-a-group"
    assert refused("group U1 U2 move 5", south, period="emp") == ""
    assert refused("U1 form march", south, period="emp", step="formations") == "stp.not-a-group"


# --- formations


@pytest.mark.rule("STP-FRM-01")
@pytest.mark.parametrize(
    ("period", "unit", "formation", "left"),
    [
        ("emp", {}, "line", 500),
        ("emp", {"status": "veteran"}, "square", 500),
        ("emp", {"status": "elite"}, "closed-column", 1125),
        ("emp", {"status": "militia"}, "line", 0),
        ("emp", {"type": "light_infantry"}, "skirmish", 1000),
        ("emp", {"type": "light_infantry", "formation": "skirmish"}, "column", 750),
        ("emp", {}, "skirmish", None),
        ("emp", {}, "battle", None),
        ("emp", {}, "column", None),
        ("emp", {"type": "cavalry_heavy"}, "square", None),
        ("f70", {}, "closed-column", None),
        ("acw", {}, "march", 2250),
        ("acw", {"formation": "march"}, "battle", 750),
        ("acw", {}, "extended", 900),
        ("acw", {"status": "reserve"}, "extended", None),
        ("acw", {}, "line", None),
        ("acw", {"type": "cavalry_b"}, "dismounted", 900),
        ("gsc", {"type": "dragoons"}, "dismounted", 900),
        ("gsc", {"type": "dragoons_dismounted"}, "mounted", 1250),
        ("gsc", {"type": "cavalry"}, "dismounted", None),
    ],
)
def test_formations(period, unit, formation, left):
    result = played([f"U1 form {formation}"], {"U1": unit}, period=period, step="formations")
    assert [changed["left_hcm"] for changed in events(result, "FormationChanged")] == ([] if left is None else [left])
    assert [one.code for one in result.rejections] == (["stp.bad-formation"] if left is None else [])


@pytest.mark.rule("STP-FRM-02")
def test_into_march_column_is_free_and_the_move_is_paid():
    result = played(["U1 form march", "U1 move 22.5"], {"U1": {}}, step="formations")
    assert [(spent["why"], spent["cost"]) for spent in events(result, "PointsSpent")] == [("move", 1)]


@pytest.mark.rule("STP-ACT-08")
def test_one_change_of_formation_in_a_phase():
    result = played(["U1 form line", "U1 form column"], {"U1": {}}, period="emp", step="formations")
    assert [one.code for one in result.rejections] == ["stp.already-moved"]


@pytest.mark.rule("STP-ACW-05")
def test_two_extended_lines_in_a_corps():
    south = {f"U{at}": {"at": [2000 * at, 3000]} for at in (1, 2, 3)}
    orders = ["U1 form extended", "U2 form extended", "U3 form extended"]
    result = played(orders, south, step="formations")
    assert [(one.order, one.code) for one in result.rejections] == [(3, "stp.limit-reached")]


@pytest.mark.rule("STP-GEO-02")
def test_a_line_needs_room():
    south = {"U1": {}, "U2": {"at": [9400, 3000]}}
    assert refused("U1 form line", south, period="emp", step="formations") == "stp.overlap"
    together = "group U1 form line + U2 form line"
    assert refused(together, south, period="emp", step="formations") == "stp.overlap"
    assert refused("group U1 form march + U2 form march", south, period="emp", step="formations") == ""


@pytest.mark.rule("STP-FRM-04")
def test_no_change_of_formation_near_cavalry():
    horse = {"E1": {"at": [9000, 4300], "type": "cavalry_heavy", "facing": 0}}
    for unit, code in (({}, "stp.interdicted"), ({"type": "artillery_light"}, "")):
        assert refused("U1 form march", {"U1": unit}, horse, period="emp", step="formations") == code
    column = {"U1": {"formation": "square"}}
    assert refused("U1 form column", column, horse, period="emp", step="formations") == "stp.interdicted"
