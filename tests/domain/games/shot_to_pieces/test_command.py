"""General orders, activation, points, generals, detachments, morale."""

import pytest

from domain.games.shot_to_pieces.chapters.activation import sides_for
from tests.domain.games.shot_to_pieces.playing import SOUTH, corps, found, general, play, scenario, unit

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.catalogue.MissingSentence")
CHIEF = general("GC", 90, 5, quality="good", commander=True)


def commanded(*others, **more):
    """Two corps of the south: that of the commander, and one to be ordered."""
    first = corps("I", unit("U1", 90, 30), general=CHIEF)
    return [first, corps("II", unit("U2", 50, 30), **{"general": general("G2", 50, 20), **more}), *others]


# --- general orders


@pytest.mark.parametrize(
    ("quality", "needed"), [("lamentable", 6), ("bad", 6), ("normal", 7), ("good", 8), ("excellent", 8)]
)
def test_the_two_generals_make_the_number_needed(quality, needed):
    """STP-CMD-02, STP-INT-02."""
    south = commanded(general=general("G2", 50, 20, quality=quality))
    events = play(scenario(south), "south: order II hold", south=[1, 1], final={"corps": {"II": {"order": "hold"}}})
    attempt = found(events, "GeneralOrderAttempted")[0]
    assert (attempt["needed"], attempt["factors"], attempt["attempt"]) == (needed, [], 1)
    assert found(events, "GeneralOrderReceived") == [{"corps": "II", "order": "hold", "total": 2, "needed": needed}]


def test_attempts_at_the_same_order_add_up_until_another_is_tried():
    """STP-CMD-02: second +1, later +2; the counter begins again with another order. STP-CMD-01: at once in force."""
    turn = ("south: done", "north: done", "south: end turn", "north: end turn")
    far = scenario(
        commanded(), [corps("X", unit("X1", 90, 105), general=general("GN", 90, 110))], options={"turn_limit": 9}
    )
    events = play(
        far,
        *("south: order II hold", *turn) * 3,
        "south: order II advance to 50 60",
        south=[6, 6, 6, 6, 6, 6, 1, 1],
    )
    attempts = found(events, "GeneralOrderAttempted")
    assert [(data["order"], data["attempt"], data["needed"]) for data in attempts] == [
        ("hold", 1, 7),
        ("hold", 2, 8),
        ("hold", 3, 9),
        ("advance", 1, 7),
    ]
    assert [data["factors"] for data in attempts][1:3] == [
        [{"rule": "STP-CMD-02", "why": "second-try", "plus": 1}],
        [{"rule": "STP-CMD-02", "why": "later-try", "plus": 2}],
    ]
    assert found(events, "GeneralOrderReceived")[0]["goal"] == [5000, 6000]


def test_orders_are_refused_in_the_order_of_the_list():
    """STP-CMD-02, STP-MOR-03, STP-CMD-07: broken, tried, the same order, no general."""
    play(
        scenario(commanded(corps("III", unit("U3", 70, 30), goal=[7000, 6000]))),
        "south: order II advance",
        "south: order II advance to 50 60",
        "south: order II hold",
        "south: order III advance to 70 60",
        "south: order III advance to 70 61",
        "south: order III hold",
        south=[6, 6],
        refused={
            1: "stp.same-order",
            3: "stp.order-already-tried",
            4: "stp.same-order",
            5: "stp.no-general",
            6: "stp.no-general",
        },
    )


def test_a_broken_corps_takes_no_orders_and_its_loss_is_told_once():
    """STP-MOR-01, STP-MOR-03: more corps stand than are broken."""
    south = commanded(corps("III", unit("U3", 70, 30)), size=4, loss_halves=6)
    battle = scenario(south, step="fire", side="north")
    events = play(battle, "north: done", "south: order II hold", refused={2: "stp.corps-broken"})
    assert found(events, "CorpsBroken") == [{"corps": "II", "loss_halves": 6, "threshold_halves": 6}]


@pytest.mark.parametrize(("size", "shift", "threshold"), [(1, 0, 2), (8, 0, 10), (9, 0, 10), (9, -1, 8), (9, 1, 12)])
def test_the_threshold_is_half_of_the_corps_and_one_more(size, shift, threshold):
    """STP-MOR-01, STP-INT-19: N halved and rounded down, shifted by the scenario."""
    south = commanded(corps("III", unit("U3", 70, 30)), size=size, threshold_shift=shift, loss_halves=threshold)
    events = play(scenario(south, step="fire", side="north"), "north: done")
    assert found(events, "CorpsBroken")[0]["threshold_halves"] == threshold
    less = commanded(corps("III", unit("U3", 70, 30)), size=size, threshold_shift=shift, loss_halves=threshold - 1)
    assert not found(play(scenario(less, step="fire", side="north"), "north: done"), "CorpsBroken")


# --- activation and points


@pytest.mark.parametrize(
    ("units", "sides"), [(1, 2), (2, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4), (9, 5), (10, 5), (11, 6), (20, 6)]
)
def test_the_die_of_a_corps_follows_from_its_units(units, sides):
    """STP-ACT-01, STP-GAP-03."""
    assert sides_for(units) == sides


@pytest.mark.parametrize(
    ("quality", "bonus"), [("lamentable", -1), ("bad", 0), ("normal", 1), ("good", 2), ("excellent", 3)]
)
def test_the_quality_of_the_general_adds_to_it(quality, bonus):
    """STP-ACT-02, STP-CMD-05: never less than no point."""
    south = corps("I", unit("U1", 90, 30), general=general("GS", 90, 10, quality=quality))
    events = play(scenario([south], step="activation"), south=[1])
    rolled = found(events, "ActivationRolled")[0]
    assert (rolled["quality"], rolled["bonus"], rolled["ap"]) == (quality, bonus, max(0, 1 + bonus))


def test_corps_roll_in_the_order_of_the_scenario_and_without_a_general_as_under_a_bad_one():
    """STP-SEQ-03, STP-SCN-02."""
    south = [corps("II", unit("U2", 50, 30)), corps("I", unit("U1", 90, 30), general=CHIEF)]
    events = play(scenario(south, step="activation"), south=[2, 1])
    rolled = found(events, "ActivationRolled")
    assert [(data["corps"], data["quality"], data["ap"]) for data in rolled] == [("II", "bad", 2), ("I", "good", 3)]


def test_a_corps_without_enemies_near_moves_strategically():
    """STP-MOV-12, STP-ACT-10: 40 cm between bases is far enough; nothing is rolled."""
    near = [corps("X", unit("X1", 90, 72.99), general=general("GN", 90, 110))]
    apart = [corps("X", unit("X1", 90, 73), general=general("GN", 90, 110))]
    for north, strategic in ((near, []), (apart, ["I", "X"])):
        events = play(scenario([SOUTH], north))
        assert found(events, "RoundBegan") == [{"turn": 1, "strategic": strategic}]


# --- generals


def test_a_general_goes_for_a_point_and_joins_and_leaves_a_unit():
    """STP-ACT-04, STP-CMD-06, STP-MOV-11: whoever is attached leaves the unit to move alone."""
    south = corps("I", unit("U1", 90, 30), unit("U2", 90, 70), general=general("GS", 90, 10), ap=3)
    other = corps("II", unit("U3", 30, 30), general={"id": "G3", "with": "U3"}, ap=0)
    events = play(
        scenario([south, other], step="generals"),
        "south: general GS with U2",
        "south: general GS with U3",
        "south: general GS alone",
        "south: general GS with U1",
        "south: general GS move 30 90",
        "south: general G3 move 1 0",
        "south: general G3 alone",
        "south: general GS to 130 200",
        "south: general GN alone",
        "south: general G9 alone",
        refused={
            1: "stp.too-far",
            2: "stp.not-his-corps",
            3: "stp.not-attached",
            6: "stp.insufficient-points",
            8: "stp.too-far",
            9: "core.not-yours",
            10: "core.unknown-id",
        },
        final={"generals": {"GS": {"at": [12000, 3000], "unit": ""}, "G3": {"at": [3000, 3000], "unit": ""}}},
    )
    moved = found(events, "GeneralMoved")
    assert moved == [{"general": "GS", "from": [9000, 3000], "to": [12000, 3000], "distance_hcm": 3000}]
    spent = found(events, "PointsSpent")
    assert [(data["unit"], data["cost"], data["left"]) for data in spent] == [("GS", 1, 2), ("GS", 1, 1)]


# --- detachments


def test_the_reserve_of_the_army_goes_to_a_corps_for_good():
    """STP-OPT-01, STP-OPT-07: within 50 cm of its general, and the numbers of both corps change."""
    chief = corps("I", unit("U1", 90, 30), unit("U4", 150, 30), unit("U5", 86, 30), general=CHIEF)
    south = [chief, corps("II", unit("U2", 50, 30), general=general("G2", 50, 20))]
    options = {"army_reserve": True}
    events = play(
        scenario(south, options=options),
        "south: detach U4 to II",
        "south: detach U2 to I",
        "south: detach U1 to I",
        "south: detach U1 U5 to II",
        "south: detach U1 to X",
        refused={
            1: "stp.too-far",
            2: "stp.option-off",
            3: "stp.partial-detachment",
            5: "core.not-yours",
        },
    )
    assert found(events, "UnitsDetached") == [{"units": ["U1", "U5"], "from": "I", "to": "II", "for_good": True}]


def test_a_brigade_is_lent_whole_and_comes_back_when_its_host_breaks():
    """STP-OPT-02, STP-OPT-07."""
    lender = corps("I", unit("U1", 90, 30, brigade="B1"), unit("U3", 94, 30, brigade="B1"), unit("U4", 100, 30))
    host = corps("II", unit("U2", 50, 30), size=8, loss_halves=10, general=general("G2", 50, 20))
    third = corps("III", unit("U5", 30, 30))
    events = play(
        scenario([lender, host, third], options={"detachment": True}),
        "south: detach U1 to II",
        "south: detach U4 to II",
        "south: detach U1 U3 to II",
        "south: done",
        "north: done",
        "south: end turn",
        refused={1: "stp.partial-detachment", 2: "stp.partial-detachment"},
    )
    assert found(events, "UnitsDetached") == [
        {"units": ["U1", "U3"], "from": "I", "to": "II", "for_good": False},
        {"units": ["U1", "U3"], "from": "II", "to": "I", "for_good": False},
    ]
    assert found(events, "CorpsBroken")[0]["corps"] == "II"


def test_a_unit_that_is_lent_to_the_commander_does_not_join_another_corps_for_good():
    """STP-OPT-07: the numbers N change by who counts in them, so that no corps grows by being lent and sent back."""
    reserve = corps("I", unit("U1", 90, 30), unit("U4", 94, 30), general=CHIEF)
    lender = corps("II", unit("U2", 50, 30, brigade="B2"), unit("U6", 86, 36), general=general("G2", 80, 20))
    begun = scenario([reserve, lender], options={"army_reserve": True, "detachment": True})
    lent = ["south: detach U2 to I", "south: detach U2 to II"]
    events = play(begun, *lent, "south: detach U1 to II", *lent)
    assert [(one["units"], one["to"], one["for_good"]) for one in found(events, "UnitsDetached")] == [
        (["U2"], "I", False),
        (["U2"], "II", False),
        (["U1"], "II", True),
        (["U2"], "I", False),
        (["U2"], "II", False),
    ]
    play(begun, lent[0], "south: detach U4 U2 to II", refused={2: "stp.partial-detachment"})


# --- retreats


def test_a_broken_corps_goes_home_through_friends_and_not_over_them():
    """STP-MOR-04, STP-MOR-05: shaken units stay; it ends where nobody stands; at the edge it leaves."""
    broken = corps(
        "X",
        unit("X1", 90, 90),
        unit("X2", 90, 103),
        unit("X3", 50, 90, shaken=1),
        unit("X4", 30, 118),
        size=4,
        loss_halves=6,
    )
    north = [broken, corps("Y", unit("Y1", 130, 90)), corps("Z", unit("Z1", 150, 90))]
    battle = scenario([SOUTH], north, step="fire")
    events = play(battle, "south: done", "north: done", "north: done", north=[1, 1])
    moved = {data["unit"]: data for data in found(events, "UnitMoved")}
    assert "X3" not in moved
    assert (moved["X1"]["to"], moved["X1"]["cause"]) == ([9000, 10000], "retreat")
    assert moved["X2"]["to"] == [9000, 11800]
    assert found(events, "UnitLeftTable") == [{"unit": "X4", "cause": "retreat"}]
    assert [data["to_hdeg"] for data in found(events, "UnitOriented")] == [0, 0, 0]


def test_the_south_goes_home_to_the_south():
    """STP-MOR-05."""
    broken = SOUTH | {"size": 1, "loss_halves": 2}
    south = [broken, corps("II", unit("U2", 50, 30)), corps("III", unit("U3", 30, 30))]
    orders = ("north: done", "south: done", "north: done", "south: done", "south: done")
    events = play(scenario(south, step="fire", side="north"), *orders)
    moved = found(events, "UnitMoved")[0]
    assert (moved["to"], moved["facing_hdeg"], moved["distance_hcm"]) == ([9000, 1500], 18000, 1500)
