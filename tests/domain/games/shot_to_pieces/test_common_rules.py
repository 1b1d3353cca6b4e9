"""Rules that hold in every period and that no other module shows: dice, lanes, what costs points."""

import pytest

from domain.games.shot_to_pieces.state.factor_keys import RULES
from domain.games.shot_to_pieces.state.profiles import period
from tests.domain.games.shot_to_pieces.playing import corps, found, general, names, play, scenario, unit

FAR = unit("X9", 170, 115)
CHIEF = general("GS", 90, 10)


def battle(south, north=(FAR,), *, code="acw", step="moves", ap=9, **more):
    """One corps of units on each side; the north is first, so that a turn ends with the phase of the south."""
    own = corps("I", *south, general=CHIEF, ap=ap)
    other = corps("X", *north, general=general("GN", 90, 110), ap=9)
    return scenario([own], [other], period=code, step=step, **{"first": "north", **more})


# --- dice


@pytest.mark.parametrize(("units", "sides"), [(1, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4), (9, 5), (10, 5), (11, 6)])
def test_every_die_is_told_with_its_face_and_what_it_counts(units, sides):
    """STP-GEN-01: D2 to D6 of points; two D6 of an order are two dice, and their sum is told apart."""
    south = corps("I", *(unit(f"U{at}", 10 + 10 * at, 30) for at in range(1, units + 1)))
    south |= {"general": general("GS", 90, 10, commander=True)}
    given = scenario([south], [corps("X", FAR, general=general("GN", 90, 110))], step="activation", first="north")
    (rolled,) = found(play(given, south=[sides]), "DieRolled")
    assert (rolled["sides"], rolled["face"], rolled["value"]) == (sides, sides, sides)
    given["start"]["step"] = "orders"
    events = play(given, "south: order I hold", south=[2, 5])
    assert [(data["sides"], data["face"]) for data in found(events, "DieRolled")] == [(6, 2), (6, 5)]
    assert found(events, "GeneralOrderFailed")[0]["total"] == 7


def test_modifiers_change_the_score_and_leave_the_die():
    """STP-GEN-03: a score may be less than nothing."""
    south = [unit("U1", 90, 30, "militia", status="reserve", brittle=2)]
    north = [unit("X1", 90, 45, facing=0, cover="hard", status="reserve")]
    events = play(
        battle(south, north, code="awi", step="fire"), "south: U1 fire X1", "south: done", south=[1], north=[1]
    )
    (shot,) = found(events, "FireResolved")
    assert (shot["attack_base"], shot["attack_die"], shot["attack"]) == (2, 1, -3)
    assert sum(row["plus"] for row in shot["attack_factors"]) == -6
    assert [data["value"] for data in found(events, "DieRolled", purpose="fire")] == [1]


def test_a_unit_moves_fires_and_fights_once_in_a_phase():
    """STP-SEQ-02: a reply counts as fire; both sides fire and fight in the phase of either."""
    south = [unit("U1", 90, 30), unit("U2", 30, 30), unit("U3", 150, 30)]
    north = [unit("X1", 90, 45), unit("X3", 150, 33)]
    melee = [{"units": ["U3", "X3"], "since": 1}]
    orders = ("south: U2 move 1", "south: U2 move 1", "south: U1 fire X1", "south: U1 fire X1", "south: done")
    given = battle(south, north, melee=melee)
    refused = {2: "stp.already-moved", 4: "stp.already-fired"}
    events = play(given, *orders, "north: done", refused=refused, south=[1, 1], north=[1, 1])
    assert [(data["firer"], data["mode"]) for data in found(events, "FireResolved")] == [("U1", "exchange")]
    assert [(data["attacker"], data["round"]) for data in found(events, "MeleeResolved")] == [("U3", 2)]
    other = battle(south, north, melee=melee, step="fire", first="south")
    exchanges = ("south: U1 fire X1", "south: done", "north: done", "north: X1 fire U1", "north: done", "south: done")
    events = play(other, *exchanges, south=[1] * 4, north=[1] * 5)
    assert [(data["firer"], data["mode"]) for data in found(events, "FireResolved")] == [
        ("U1", "exchange"),
        ("X1", "exchange"),
    ]
    assert [data["round"] for data in found(events, "MeleeResolved")] == [1, 2]


OPEN = {"waiting": {"side": "south", "kind": "reroll", "unit": "U1"}}


def test_what_is_left_to_settle_waits_for_the_answer():
    """STP-SEQ-09: it stops for a decision alone, goes on from there, and is dropped when the battle ends."""
    south = [unit("U1", 90, 30), unit("U2", 30, 30)]
    north = [unit("X1", 90, 45, facing=0), unit("X2", 30, 45, facing=0)]
    given = battle(south, north, step="fire")
    given["sides"]["south"]["corps"][0]["general"] = {"id": "GS", "with": "U1"}
    orders = ("south: U1 fire X1", "south: U2 fire X2", "south: done")
    stopped = play(given, *orders, south=[1], final=OPEN)
    assert names(stopped)[-1] == "DecisionAsked"
    play(given, *orders, "south: done", south=[1], refused={4: "core.decision-pending"}, final=OPEN)
    on = play(given, *orders, "south: reroll no", south=[1, 2], north=[4, 4])
    assert [data["firer"] for data in found(on, "FireResolved")] == ["U1", "U2"]
    over = play(given, *orders, "south: resign", "south: reroll no", south=[1], refused={5: "core.battle-ended"})
    assert names(over)[-1] == "BattleEnded"
    assert not found(over, "FireResolved")


# --- what costs points


def test_only_orders_cost_points():
    """STP-ACT-07: charges, moves and changes of formation do; marching columns, fire, replies, melee and evasion do
    not."""
    horse, foot = unit("V1", 90, 30, "cavalry_a"), unit("U1", 50, 30)
    north = [unit("X1", 90, 45, "skirmisher"), unit("X2", 50, 45)]
    for step, order in (("charges", "V1 charge X1"), ("moves", "U1 move 1"), ("moves", "U1 face 90")):
        given = battle([horse, foot], north, step=step, ap=0)
        play(given, f"south: {order}", refused={1: "stp.insufficient-points"})
    given = battle([unit("U1", 50, 30)], [], code="emp", step="formations", ap=0)
    given["sides"]["north"]["corps"][0]["units"] = [FAR]
    events = play(given, "south: U1 form line", "south: U1 form march", refused={1: "stp.insufficient-points"})
    assert not found(events, "PointsSpent")
    events = play(
        battle([horse, foot], north, step="fire", ap=0),
        "south: U1 fire X2",
        "south: done",
        "north: done",
        south=[1],
        north=[1],
    )
    assert (len(found(events, "ReplyObliged")), found(events, "PointsSpent")) == (1, [])
    given = battle([horse, foot], north, step="charges")
    orders = ("south: V1 charge X1", "south: done", "north: evade yes", "south: pursue place")
    events = play(given, *orders, north=[6])
    assert len(found(events, "UnitEvaded")) == 1
    assert [(data["unit"], data["why"]) for data in found(events, "PointsSpent")] == [("V1", "charge")]


def test_who_is_shaken_does_not_move():
    """STP-MOV-14: nor charge, turn or change its formation; it can after the end of its time."""
    for step, order in (
        ("moves", "move 1"),
        ("moves", "face 90"),
        ("moves", "about"),
        ("charges", "charge X1"),
        ("formations", "form line"),
        ("formations", "form march"),
    ):
        south = [unit("U1", 90, 30, shaken=1)]
        given = battle(south, [unit("X1", 90, 45)], code="emp", step=step)
        play(given, f"south: U1 {order}", refused={1: "stp.unit-shaken"})
        play(battle([unit("U1", 90, 30)], [unit("X1", 90, 45)], code="emp", step=step), f"south: U1 {order}")


# --- lanes, ways, hills, zones


@pytest.mark.parametrize(
    ("other", "is_clear"),
    [
        (unit("U2", 90, 38), False),
        (unit("U2", 92, 38), False),
        (unit("U2", 93, 38), True),
        (unit("U2", 87, 38), True),
    ],
)
def test_a_lane_must_be_clear(other, is_clear):
    """STP-GEO-07: a strip of 2.5 cm from the front centre to some point of the target."""
    given = battle([unit("U1", 90, 30), other], [unit("X1", 90, 48)], step="fire")
    play(given, "south: U1 fire X1", refused={} if is_clear else {1: "stp.no-lane"})


def test_enemies_and_woods_bar_a_lane_and_friends_side_by_side_do_not():
    """STP-GEO-07."""
    given = battle([unit("U1", 90, 30)], [unit("X1", 90, 48), unit("X2", 90, 40)], step="fire")
    play(given, "south: U1 fire X1", refused={1: "stp.no-lane"})
    wood = {"id": "W1", "kind": "wood", "outline": [[8500, 3700], [9500, 3700], [9500, 4000], [8500, 4000]]}
    given = battle([unit("U1", 90, 30)], [unit("X1", 90, 48)], step="fire", terrain=[wood])
    play(given, "south: U1 fire X1", refused={1: "stp.no-lane"})
    # the same base beside the firer: side by side with it, or turned the other way
    for facing, refused in ((0, {}), (18000, {1: "stp.no-lane"})):
        south = [unit("U1", 90, 30), unit("U2", 94, 31.5, facing=facing)]
        play(battle(south, [unit("X1", 97.5, 36)], step="fire"), "south: U1 fire X1", refused=refused)


def test_what_a_base_passes_over_counts():
    """STP-GEO-13: an enemy more than 5 cm from both ends of a move is grazed on the way."""
    given = battle([unit("U1", 90, 30)], [unit("X1", 97.9, 37, facing=9000)])
    play(given, "south: U1 move 15", "south: U1 move 1", refused={1: "stp.graze"})
    given = battle([unit("U1", 90, 30)], [unit("X1", 99, 37, facing=9000)])
    assert found(play(given, "south: U1 move 15"), "UnitMoved")


@pytest.mark.parametrize(("edge", "is_higher"), [(3300, True), (3301, False)])
def test_higher_ground_is_that_of_the_centre(edge, is_higher):
    """STP-GEO-11: a hill below a part of the enemy's base does not count."""

    hill = {"id": "H1", "kind": "hill", "outline": [[8000, edge], [10000, edge], [10000, 4000], [8000, 4000]]}
    melee = [{"units": ["U1", "X1"], "since": 2}]
    given = battle([unit("U1", 90, 30)], [unit("X1", 90, 33)], step="melee", terrain=[hill], melee=melee)
    (fought,) = found(play(given, south=[1], north=[1]), "MeleeResolved")
    assert ("enemy-higher" in [row["why"] for row in fought["attack_factors"]]) == is_higher
    assert fought["defence_factors"] == []


def test_no_formation_is_changed_in_an_enemy_zone():
    """STP-ZOC-06: also if its owner is in melee, or if the unit would come into it by the change."""
    north = [unit("X1", 90, 42)]
    for y, refused in ((30, {1: "stp.in-zoc"}), (28, {1: "stp.in-zoc"}), (27, {})):
        south = [unit("U1", 90, y), unit("U2", 90, 45, facing=18000)]
        melee = [{"units": ["U2", "X1"], "since": 1, "aspect": "rear"}]
        for fights in ([], melee):
            given = battle(south if fights else south[:1], north, code="emp", step="formations", melee=fights)
            play(given, "south: U1 form march", refused=refused)


# --- fire, and who suffers


def test_nobody_has_to_fire_but_in_reply():
    """STP-FIR-03: targets in range oblige neither side."""
    given = battle([unit("U1", 90, 30)], [unit("X1", 90, 45)], step="fire")
    events = play(given, "south: done", "north: done")
    assert not {"FireDeclared", "FireResolved", "DieRolled"} & set(names(events))
    events = play(given, "south: U1 fire X1", "south: done", "north: done", south=[1], north=[1])
    assert found(events, "ReplyObliged") == [{"unit": "X1", "against": "U1", "units": ["X1"]}]


def test_supports_suffer_nothing():
    """STP-RES-13: neither the others of a salvo nor friends beside or behind who fights."""
    south = [unit("U1", 90, 30, brittle=2), unit("U2", 94, 30)]
    given = battle(south, [unit("X1", 90, 40, status="elite")], step="fire")
    events = play(given, "south: fire U1 U2 at X1", "south: done", "north: done", south=[1], north=[4])
    assert [data["unit"] for data in found(events, "UnitDestroyed")] == ["U1"]
    assert not found(events, "MarkerAdded")
    ranks = [unit("U1", 90, 30), unit("U2", 94, 30), unit("U3", 90, 27)]
    melee = [{"units": ["U1", "X1"], "since": 2}]
    given = battle(ranks, [unit("X1", 90, 33, status="elite")], step="melee", melee=melee)
    events = play(given, south=[1], north=[4])
    assert [(data["unit"], data["marker"]) for data in found(events, "MarkerAdded")] == [("U1", "shaken")]
    assert not found(events, "UnitDestroyed")


SHARED = """
elite reserve experienced inexperienced shaken brittle march-column fat-v-skeleton salvo cover-light cover-hard
long-range medium-band long-band prolonged fired-before supported-target rain no-ammunition devastation
"""
OWN = {
    "ww1": "heavy extra-heavy high-rate dispersion",
    "acw": "heavy extra-heavy high-rate close-range-gun",
    "awi": "close-range-gun",
    "emp": "veteran militia heavy close-range-gun line line-v-artillery square large-battalion",
    "gsc": "heavy",
    "alg": "heavy close-range-gun",
    "f70": "heavy extra-heavy high-rate line line-v-artillery square",
}
"""The modifiers of fire in the tables of the periods, without those of a die and the cap."""


@pytest.mark.parametrize("code", OWN)
def test_the_table_of_fire_of_a_period_is_complete(code):
    """STP-FIR-07: it has these modifiers and no others."""
    of_fire = {why for why, rule in RULES.items() if int(rule[-2:]) < 50}
    assert period(code).factors.keys() & of_fire == {*SHARED.split(), *OWN[code].split()}
