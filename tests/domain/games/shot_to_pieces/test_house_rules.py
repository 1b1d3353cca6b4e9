"""What the house says where the draft says nothing, one test for each that no other module shows."""

import pytest

from domain.games.shot_to_pieces.state.footprints import base_size
from domain.games.shot_to_pieces.state.profiles import period
from domain.games.shot_to_pieces.state.scenario import load
from domain.games.shot_to_pieces.state.setup import opened_state
from domain.games.shot_to_pieces.state.state import State
from domain.games.shot_to_pieces.state.vocabulary import PERIODS
from tests.domain.games.shot_to_pieces.playing import corps, found, general, names, play, scenario, unit

FAR = unit("X9", 170, 115)
CHIEF = general("GS", 90, 10)


def battle(south, north=(FAR,), *, code="acw", step="moves", enemy=None, **more):
    """One corps of units on each side; `enemy` the general of the north."""
    own = corps("I", *south, general=CHIEF, ap=9)
    other = corps("X", *north, general=enemy or general("GN", 90, 110), ap=9)
    return scenario([own], [other], period=code, step=step, **more)


# --- bases, tables


@pytest.mark.parametrize(
    ("kind", "formation", "size"),
    [
        ("inf", "battle", (400, 300)),
        ("inf", "column", (400, 300)),
        ("inf", "dismounted", (400, 300)),
        ("skm", "battle", (400, 200)),
        ("skm", "skirmish", (400, 200)),
        ("cav", "column", (400, 400)),
        ("skc", "battle", (400, 400)),
        ("art", "battle", (400, 400)),
        ("mg", "battle", (400, 400)),
        ("veh", "battle", (400, 400)),
        ("inf", "line", (800, 150)),
        ("cav", "line", (800, 200)),
        ("inf", "extended", (400, 200)),
        ("inf", "closed-column", (400, 300)),
        ("inf", "square", (400, 400)),
        ("inf", "march", (200, 600)),
        ("cav", "march", (200, 600)),
    ],
)
def test_how_large_bases_are(kind, formation, size):
    """STP-GAP-01: the table of STP-GEO-03."""
    assert base_size(kind, formation, {}) == size


def test_a_scenario_may_have_other_bases():
    """STP-GAP-01: the option `base_sizes`, by class; a LINE is twice as wide and half as deep."""
    given = battle([unit("U1", 90, 30), unit("U2", 50, 30, formation="line")], code="emp")
    opened = opened_state(State(), load(given | {"options": {"base_sizes": {"inf": [600, 400]}}}))
    bases = [opened.units[name].base for name in ("U1", "U2")]
    assert [(base.width, base.depth) for base in bases] == [(600, 400), (1200, 200)]


def test_rockets_reach_45_cm_in_thirds():
    """STP-GAP-14."""
    rockets = period("alg").weapons["rocket"]
    assert rockets.bands == (1500, 3000, 4500)
    gun = unit("G1", 90, 10, "rockets")
    for beyond, refused in ((0, {}), (1, {1: "stp.out-of-range"})):
        north = [unit("X1", 90, 58.5 + beyond / 100)]
        events = play(battle([gun], north, code="alg", step="fire"), "south: G1 fire X1", refused=refused)
        assert [data["band"] for data in found(events, "FireDeclared")] == ["long"][: 1 - beyond]


def test_bombardment_guns_have_the_figures_of_field_guns():
    """STP-GAP-21: those of 1914 on foot; only their weapons differ."""
    held = period("ww1")
    field = held.types["artillery_foot"]
    for key in ("bombardment_60", "bombardment_150"):
        gun = held.types[key]
        figures = [(one.arm, one.move, one.fire, one.resilience, one.melee, one.effect) for one in (gun, field)]
        assert figures[0] == figures[1]
        assert gun.weapon == f"bombard_{key.rpartition('_')[2]}" != field.weapon
        assert held.rule_of(gun, "fire") == "STP-GAP-21"


# --- generals


@pytest.mark.parametrize("code", PERIODS)
def test_generals_go_30_cm_in_every_period(code):
    """STP-GAP-24: in 1870 too, which has no row for them; half as far again in a strategic move."""
    given = battle([unit("U1", 90, 30)], code=code, step="generals")
    for most, is_strategic in ((30, False), (45, True)):
        given["sides"]["south"]["corps"][0]["strategic"] = is_strategic
        orders = (f"south: general GS move {most}.01 0", f"south: general GS move {most} 0")
        events = play(given, *orders, refused={1: "stp.too-far"})
        assert [data["to"] for data in found(events, "GeneralMoved")] == [[9000, 1000 + 100 * most]]


def test_the_disc_of_a_general_is_in_nobody_s_way():
    """STP-GAP-26: it bars no lane and no path, is no target, and has no control zone."""
    south, north = [unit("U1", 90, 30)], [unit("X1", 90, 48, facing=0)]
    enemy = general("GN", 90, 40)
    fired = play(battle(south, north, enemy=enemy, step="fire"), "south: U1 fire X1")
    assert found(fired, "FireDeclared")
    play(battle(south, north, enemy=enemy, step="fire"), "south: U1 fire GN", refused={1: "core.unknown-id"})
    play(battle(south, north, enemy=enemy, step="charges"), "south: U1 charge GN", refused={1: "core.unknown-id"})
    # through the disc and onto its place, with a flank towards it
    moved = play(battle(south, enemy=enemy), "south: U1 move 10")
    assert found(moved, "UnitMoved")[0]["to"] == [9000, 4000]
    moved = play(battle(south, enemy=enemy), "south: U1 face 90 move 5")
    assert found(moved, "UnitMoved")[0]["to"] == [9500, 3000]
    formed = play(battle(south, enemy=general("GN", 90, 33), code="emp", step="formations"), "south: U1 form line")
    assert found(formed, "FormationChanged")
    rode = play(battle(south, [unit("X1", 90, 20)], step="generals"), "south: general GS to 90 35")
    assert found(rode, "GeneralMoved")[0]["to"] == [9000, 3500]


# --- before the battle


def test_a_list_for_trials_has_twelve_units_a_side():
    """STP-GAP-10: units, status, traits and weapons are those of the scenario; twelve roll a D6."""
    statuses = ["elite", *["line"] * 6, "reserve"]
    kinds = [("infantry", status) for status in statuses] + [("skirmisher", "line"), ("cavalry_a", "line")]
    kinds += [("cavalry_a", "line"), ("artillery_foot", "line")]
    sides = {
        side: [
            unit(f"{side}{at}", 20 + 10 * at, y, kind, status=status)
            for at, (kind, status) in enumerate(kinds, start=1)
        ]
        for side, y in (("S", 20), ("N", 100))
    }
    sides["S"][0] |= {"traits": ["experienced"], "weapon": "musket"}
    given = battle(sides["S"], sides["N"], step="activation")
    opened = opened_state(State(), load(given))
    assert len(opened.units) == 24
    assert (opened.units["S1"].traits, opened.units["S1"].weapon) == (frozenset({"experienced"}), "musket")
    assert [one.status for one in opened.units.values()][:8] == statuses
    assert (opened.units["S2"].weapon, opened.generals["GS"].quality) == ("rifle", "normal")
    (rolled,) = found(play(given, south=[6]), "ActivationRolled")
    assert (rolled["units"], rolled["sides"], rolled["bonus"], rolled["ap"]) == (12, 6, 1, 7)


def test_first_orders_are_chosen_and_not_thrown_for():
    """STP-GAP-11: the scenario names them; they stand from the first."""
    south = corps("I", unit("U1", 90, 30), general=general("GS", 90, 10, commander=True), order="hold")
    given = scenario([south], [corps("X", FAR, general=general("GN", 90, 110))])
    final = {"corps": {"I": {"order": "hold"}, "X": {"order": "advance"}}}
    events = play(given, "south: order I hold", refused={1: "stp.same-order"}, final=final)
    assert not {"DieRolled", "GeneralOrderAttempted"} & set(names(events))


def test_the_d20_is_off_or_thrown_as_each_phase_begins():
    """STP-GAP-09: by the side whose phase it is, before its points."""
    given = battle([unit("U1", 90, 30)], step="orders")
    orders = ("south: done", "north: done", "south: end turn")
    events = play(given, *orders, south=[1], north=[1])
    assert not found(events, "EventDrawn")
    events = play(given | {"options": {"d20_events": True}}, *orders, south=[17, 1], north=[17, 1])
    assert [data["side"] for data in found(events, "EventDrawn")] == ["south", "north"]
    course = [name for name in names(events) if name in ("TurnBegan", "EventDrawn", "ActivationRolled")]
    assert course[1:] == ["TurnBegan", "EventDrawn", "ActivationRolled"] * 2


# --- fire


def test_range_is_measured_from_the_front_centre_to_the_nearest_point():
    """STP-GAP-12: from (90, 31.5) to the corner at (94, 41.5), and not to the centre."""
    events = play(battle([unit("U1", 90, 30)], [unit("X1", 96, 43)], step="fire"), "south: U1 fire X1")
    assert found(events, "FireDeclared")[0]["range_hcm"] == 1077


@pytest.mark.parametrize(
    ("code", "kind", "far"),
    [
        ("acw", "infantry", 15),
        ("acw", "skirmisher", 20),
        ("acw", "machine_gun", 20),
        ("ww1", "cavalry", 25),
        ("ww1", "tank_light", 15),
        ("gsc", "dragoons", 25),
    ],
)
def test_all_but_guns_fire_after_any_move(code, kind, far):
    """STP-GAP-17."""
    given = battle([unit("U1", 90, 30, kind)], [unit("X1", 90, 42 + far)], code=code)
    events = play(given, f"south: U1 move {far}", "south: U1 fire X1")
    assert names(events)[-1] == "FireDeclared"


def test_guns_do_not_fire_after_more_than_5_cm():
    """STP-GAP-17."""
    for far, refused in (("5", {}), ("5.01", {2: "stp.moved-too-far"})):
        given = battle([unit("G1", 90, 30, "artillery_foot")], [unit("X1", 90, 55)])
        play(given, f"south: G1 move {far}", "south: G1 fire X1", refused=refused)


def test_saturation_hits_by_id():
    """STP-GAP-20: friends and enemies alike, wherever they stand."""
    north = [unit("B2", 90, 60), unit("A9", 95, 60), unit("A1", 85, 60)]
    gun = unit("G1", 90, 20, "bombardment_60", traits=["emplaced"])
    given = battle([gun, unit("B1", 90, 66)], north, code="ww1", step="fire", first="north")
    events = play(given, "south: G1 fire B2", "south: done", "north: done", south=[1] * 5, north=[4] * 3)
    assert found(events, "SaturationFired")[0]["targets"] == ["A1", "A9", "B1", "B2"]
    assert [data["target"] for data in found(events, "FireResolved")] == ["A1", "A9", "B1", "B2"]


def test_an_aircraft_attacks_by_id():
    """STP-GAP-20: not in the order in which it flies over them."""
    north = [unit("B2", 80, 50), unit("A9", 80, 60), unit("A1", 80, 70)]
    given = battle([unit("U1", 20, 20)], north, code="ww1", step="fire", first="north")
    given["sides"]["south"]["strafes"] = 1
    events = play(given, "south: strafe from 60 0 to 60 120", south=[6, 2, 1, 1, 1], north=[4, 4, 4])
    assert [data["target"] for data in found(events, "FireResolved")] == ["A1", "A9", "B2"]
