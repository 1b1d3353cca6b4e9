"""Evading: who may, who must, who lives, where they run; cavalry that breaks off."""

import pytest

from tests.domain.games.shot_to_pieces.playing import corps, found, general, names, play, scenario, unit

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.catalogue.MissingSentence")

CAVALRY = unit("V1", 90, 30, "cavalry_a")


def battle(south, north, *, period="acw", **more):
    """South is to charge; each side is one corps whose general stands at its edge."""
    sides = corps("I", *south, general=general("GS", 90, 10), ap=6), corps("X", *north, general=general("GN", 90, 110))
    return scenario((sides[0],), (sides[1],), period=period, step="charges", first="north", **more)


def charged(target, *answers, north=(), mine=CAVALRY, others=(), friends=(), **more):
    """What comes of a charge by V1 on a target, with the answers of both sides."""
    orders = "south: standing pursue place", f"south: V1 charge {target['id']}", "south: done", *answers
    return play(battle([mine, *friends], [target, *others], **more), *orders, north=north)


def asked(events):
    """The units that were asked whether they evade."""
    return [data["unit"] for data in found(events, "DecisionAsked", kind="evade")]


# --- who may


def test_the_target_is_asked_first_then_those_grazed_by_id():
    """STP-EVD-01, STP-DEC-01: skirmishers closer than 5 cm to the trajectory."""
    grazed = [unit("S3", 98.99, 43, "skirmisher"), unit("S2", 81.01, 44, "skirmisher")]
    others = [*grazed, unit("S9", 99, 47, "skirmisher")]
    target = unit("T1", 90, 45, "skirmisher")
    events = charged(target, *["north: evade yes"] * 3, north=(1, 1, 1), others=others)
    assert asked(events) == ["T1", "S2", "S3"]
    assert [data["unit"] for data in found(events, "UnitDestroyed")] == ["T1", "S2", "S3"]


def test_skirmishers_who_stand_fight():
    """STP-EVD-02: with 4 to 6 they stay."""
    events = charged(unit("T1", 90, 45, "skirmisher"), "north: evade no", north=(4,))
    assert not found(events, "EvadeForced")
    assert found(events, "ContactMade")[0]["target"] == "T1"


def test_types_that_evade_choose_for_themselves():
    """STP-EVD-06, -11: no stand check, and 1 chance in 3 for those marked so."""
    target = unit("T1", 90, 45, "reivers")
    mine = unit("V1", 90, 30, "cavalry")
    stays = charged(target, "north: evade no", mine=mine, period="gsc")
    assert found(stays, "ContactMade")
    lives = charged(target, "north: evade yes", north=(3,), mine=mine, period="gsc")
    assert found(lives, "UnitEvaded")
    dies = charged(target, "north: evade yes", north=(2,), mine=mine, period="gsc")
    assert found(dies, "UnitDestroyed", unit="T1", cause="evade")


def test_others_are_not_asked():
    """STP-EVD-04: infantry, shaken skirmishers (STP-EVD-09), and cavalry that nobody pins."""
    for target in (unit("T1", 90, 45), unit("T1", 90, 45, "skirmisher", shaken=1), unit("T1", 90, 45, "cavalry_a")):
        assert asked(charged(target)) == []


def test_a_pinned_flank_costs_the_relief():
    """STP-EVD-04, -11, STP-GEN-04: 1 chance in 2, even for the elite; its rule is told."""
    pinning = [unit("P1", 98.5, 45, facing=27000, charges=2)]
    target = unit("T1", 90, 45, "skirmisher", status="elite")
    events = charged(target, "north: evade yes", north=(3,), friends=pinning)
    assert found(events, "UnitDestroyed", unit="T1", cause="evade")
    assert found(charged(target, "north: evade yes", north=(3,)), "UnitEvaded")


def test_units_in_retreat_have_no_choice_that_their_type_has_not():
    """STP-GAP-15: cavalry pinned in flank stands, in a broken corps."""
    pinning = [unit("P1", 98.5, 45, facing=27000, charges=2)]
    broken = corps("X", unit("T1", 90, 45, "cavalry_a"), loss_halves=9, general=general("GN", 90, 110))
    whole = [corps(name, unit(f"{name}1", x, 110)) for name, x in (("Y", 20), ("Z", 30))]
    south = corps("I", CAVALRY, *pinning, general=general("GS", 90, 10))
    turn = scenario((south,), (broken, *whole), step="fire", side="north", first="north")
    orders = "north: done", "south: done", "south: V1 charge T1", "south: done"
    events = play(turn, *orders, south=(1,))
    assert found(events, "CorpsBroken", corps="X")
    assert not asked(events)
    assert found(events, "ContactMade")[0]["target"] == "T1"


def test_standing_orders_for_evading():
    """STP-DEC-02: `close` means from close order alone."""
    target = unit("T1", 90, 38, "skirmisher")
    mine = unit("V1", 90, 30, "skirmisher")
    orders = "north: standing evade T1 close", "south: V1 charge T1", "south: done"
    stood = play(battle([mine], [target]), *orders, north=(5,))
    assert found(stood, "DecisionMade")[0]["answer"] == "no"
    ran = play(battle([CAVALRY], [target]), *orders, "south: pursue place", north=(5,))
    assert found(ran, "DecisionMade")[0]["answer"] == "yes"


# --- running


def test_the_direction_of_the_run():
    """STP-EVD-07, STP-GEO-19: the bearing of the charge, turned by 22.5 degrees at most; facing with it."""
    events = charged(unit("T1", 90, 45, "skirmisher"), "north: evade yes right 22.5", north=(6,))
    (ran,) = found(events, "UnitEvaded")
    assert (ran["to"], ran["facing_hdeg"], ran["distance_hcm"]) == ([9765, 6348], 2250, 2000)


def test_the_edge_and_what_cannot_be_passed():
    """STP-EVD-07: an evader leaves the table, or is destroyed by impassable ground."""
    high = unit("V1", 90, 90, "cavalry_a")
    gone = charged(unit("T1", 90, 105, "skirmisher"), "north: evade yes", north=(6,), mine=high)
    assert found(gone, "UnitLeftTable", unit="T1", cause="evade")
    rock = [{"id": "L1", "kind": "impassable", "outline": [[8900, 5500], [8900, 5600], [9100, 5600], [9100, 5500]]}]
    lost = charged(unit("T1", 90, 45, "skirmisher"), "north: evade yes", north=(6,), terrain=rock)
    assert found(lost, "UnitDestroyed", unit="T1", cause="obstacle")


def test_an_evader_passes_friends_and_stops_short_of_one_at_its_end():
    """STP-EVD-09."""
    passed, reached = unit("X1", 90, 50), unit("X2", 90, 64)
    events = charged(unit("T1", 90, 45, "skirmisher"), "north: evade yes", north=(6,), others=[passed, reached])
    assert found(events, "UnitEvaded")[0]["to"] == [9000, 6150]


def test_its_marker_counts_for_the_limit():
    """STP-EVD-08, STP-RES-09."""
    events = charged(unit("T1", 90, 45, "skirmisher", brittle=2), "north: evade yes", north=(6,))
    assert found(events, "MarkerAdded", unit="T1", cause="evade", until=3)
    assert found(events, "UnitDestroyed", unit="T1", cause="marker-limit")


def test_nobody_is_asked_who_must_run():
    """STP-EVD-03, -10: skirmishers that fight skirmishers, charged in close order; the die of survival falls."""
    south = [unit("S1", 90, 30, "skirmisher"), unit("U1", 99, 34)]
    north = [unit("S2", 90, 32, "skirmisher")]
    melee = [{"units": ["S1", "S2"], "since": 1}]
    events = play(
        battle(south, north, melee=melee), "south: U1 charge S2", "south: done", "south: pursue place", north=(1,)
    )
    assert not asked(events)
    assert found(events, "EvadeForced") == [{"unit": "S2", "face": 0}]
    assert found(events, "UnitDestroyed", unit="S2", cause="evade")


# --- breaking off


def broken_off(order, kind="cavalry_a", enemy="infantry", *, faces=(), refused=None, period="acw", **more):
    """What comes of an order to break off from a melee."""
    south, north = [unit("V1", 90, 30, kind, **more)], [unit("D1", 90, 33 if kind == "infantry" else 33.5, enemy)]
    melee = [{"units": ["V1", "D1"], "since": 1}]
    return play(battle(south, north, period=period, melee=melee), order, south=faces, refused=refused)


def test_cavalry_breaks_off_for_one_order():
    """STP-EVD-05, STP-ORD-07, STP-EVD-10: it is lost on 1 to 3, light cavalry on 1 or 2."""
    events = broken_off("south: V1 break right 20", faces=(4,))
    assert found(events, "PointsSpent")[0]["cost"] == 1
    assert found(events, "UnitEvaded")[0]["facing_hdeg"] == 20000
    assert found(broken_off("south: V1 break", faces=(3,)), "UnitDestroyed", unit="V1", cause="evade")
    assert found(broken_off("south: V1 break", "cavalry_light", period="awi", faces=(3,)), "UnitEvaded")
    assert found(broken_off("south: V1 break", status="elite", faces=(3,)), "UnitDestroyed")


def test_who_may_not_break_off():
    """STP-EVD-10: foot, and cavalry that fights cavalry."""
    broken_off("south: V1 break", "infantry", refused={1: "stp.not-eligible"})
    broken_off("south: V1 break right 23", refused={1: "stp.bad-direction"})
    south, north = [unit("V1", 90, 30, "cavalry_a")], [unit("D1", 90, 34, "cavalry_a")]
    melee = [{"units": ["V1", "D1"], "since": 1}]
    play(battle(south, north, melee=melee), "south: V1 break", refused={1: "stp.not-eligible"})
    assert names(broken_off("south: V1 rompt", faces=(6,)))[-1] == "MarkerAdded"


def test_breaking_off_has_its_price():
    """STP-EVD-10, STP-ACT-03: it is an order like any other."""
    sides = (
        corps("I", unit("V1", 90, 30, "cavalry_a"), general=general("GS", 90, 10), ap=0),
        corps("X", unit("D1", 90, 33.5), general=general("GN", 90, 110)),
    )
    melee = [{"units": ["V1", "D1"], "since": 1}]
    begun = scenario((sides[0],), (sides[1],), step="charges", first="north", melee=melee)
    play(begun, "south: V1 break", refused={1: "stp.insufficient-points"})


def test_who_pins_a_flank():
    """STP-EVD-04, -11: infantry and artillery alone, with the flank in their zone; one of several suffices."""
    elite = unit("T1", 90, 45, "skirmisher", status="elite")
    horse = unit("P1", 98.9, 45, "cavalry_a", facing=27000, charges=2)
    assert found(charged(elite, "north: evade yes", north=(3,), friends=[horse]), "UnitEvaded")
    far = unit("P1", 104, 45, facing=27000)
    assert found(charged(elite, "north: evade yes", north=(3,), friends=[far]), "UnitEvaded")
    guns = unit("P2", 98.9, 45, "artillery_foot", facing=27000, charges=2)
    lost = charged(elite, "north: evade yes", north=(3,), friends=[unit("P1", 60, 45), guns])
    assert found(lost, "UnitDestroyed", unit="T1")
