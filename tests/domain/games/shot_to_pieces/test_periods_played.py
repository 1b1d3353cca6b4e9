"""What the chapters of the periods say of moves, formations, guns and FAT units, each on a small table."""

import pytest

from domain.games.shot_to_pieces.plane.angles import half_again
from domain.games.shot_to_pieces.state.profiles import period
from domain.games.shot_to_pieces.state.vocabulary import PERIODS
from tests.domain.games.shot_to_pieces.playing import corps, found, general, play, scenario, unit

FAR = corps("X", unit("X1", 170, 115), general=general("GN", 90, 110))


def battle(code, *south, north=FAR, step="moves", **more):
    """A corps of the south near its general, with points enough."""
    return scenario([corps("I", *south, general=general("GS", 90, 10), ap=9)], [north], period=code, step=step, **more)


# --- moves


BRACKETS = """
infantry 22.5, skirmisher 30, cavalry 37.5, cossack 45, cavalry_dismounted 22.5, cavalry_skirmisher 45, tchanka 37.5,
artillery_foot 22.5, artillery_horse 37.5, armoured_car 30, machine_gun 18, machine_gun_mounted 30, tank_heavy 15,
tank_light 22.5
"""
"""The figures in brackets of the table of 15.1, in centimetres."""


@pytest.mark.parametrize("row", [row.split() for row in BRACKETS.replace("\n", " ").split(",")])
def test_the_bracket_of_1914_is_for_march_columns_strategic_moves_and_roads(row):
    """STP-WW1-03: half as far again, in each of the three; nobody goes farther."""
    key, figure = row
    bracket = round(100 * float(figure))
    assert half_again(period("ww1").types[key].move) == bracket
    road = {"id": "R1", "kind": "road", "outline": [[8900, 500], [9100, 500], [9100, 9500], [8900, 9500]]}
    just, beyond = f"{bracket / 100:.2f}", f"{(bracket + 1) / 100:.2f}"
    orders = (f"south: U1 face 0 move {beyond}", f"south: U1 face 0 move {just}")
    for at, more in enumerate(({"formation": "march"}, {}, {})):
        given = battle("ww1", unit("U1", 90, 20, key, **more), terrain=[road] if at == 1 else [])
        given["sides"]["south"]["corps"][0]["strategic"] = at == 2
        events = play(given, *orders, refused={1: "stp.too-far"})
        assert [data["distance_hcm"] for data in found(events, "UnitMoved")] == [bracket]


@pytest.mark.parametrize(
    ("rule", "code", "may", "may_not"),
    [
        ("STP-AWI-01", "awi", {"militia": 333, "infantry": 500, "light_infantry": 600}, {"cavalry", "artillery_foot"}),
        ("STP-GSC-01", "gsc", {"infantry": 500}, {"militia", "shot", "warband", "dragoons_dismounted", "cavalry"}),
        (
            "STP-ALG-01",
            "alg",
            {"infantry": 500, "native_shot": 600, "cavalry_dismounted": 600},
            {"warband", "native_light", "cavalry_medium", "artillery_foot"},
        ),
    ],
)
def test_who_may_draw_away_facing_the_enemy(rule, code, may, may_not):
    """STP-AWI-01, STP-GSC-01, STP-ALG-01: a third of the move, rounded down, in battle line alone."""
    assert period(code).flags["back3"] == rule
    for key, most in may.items():
        orders = [f"south: U1 back {(most + 1) / 100}", f"south: U1 back {most / 100}"]
        events = play(battle(code, unit("U1", 90, 30, key)), *orders, refused={1: "stp.too-far"})
        (moved,) = found(events, "UnitMoved")
        assert (moved["to"], moved["facing_hdeg"], moved["cause"]) == ([9000, 3000 - most], 0, "back")
        column = battle(code, unit("U1", 90, 30, key, formation="march"))
        play(column, "south: U1 back 1", refused={1: "stp.cannot-back"})
    for key in may_not:
        play(battle(code, unit("U1", 90, 30, key)), "south: U1 back 1", refused={1: "stp.cannot-back"})


# --- formations


def left(code, key, order, status="line", **more):
    """What a unit may still move after a change of formation."""
    events = play(battle(code, unit("U1", 90, 30, key, status=status, **more), step="formations"), f"south: {order}")
    return found(events, "FormationChanged")[0]["left_hcm"]


@pytest.mark.parametrize(
    ("status", "part"), [("elite", (3, 4)), ("line", (1, 2)), ("reserve", (1, 4)), ("militia", (0, 1))]
)
def test_cavalry_of_1861_dismounts_at_the_price_of_forming(status, part):
    """STP-ACW-06: as everywhere (STP-FRM-01); into a march column it costs nothing."""
    parts, of = part
    dismounted = {"elite": 1800, "line": 1800, "reserve": 1200, "militia": 1000}[status]
    assert left("acw", "cavalry_a", "U1 form dismounted", status) == dismounted * parts // of
    mounted = {"elite": 2500, "line": 2500, "reserve": 2000, "militia": 2000}[status]
    assert left("acw", "cavalry_a", "U1 form march", status) == mounted * 3 // 2


def test_a_march_column_of_1861_neither_charges_nor_fires():
    """STP-ACW-06: march columns follow STP-FRM-03."""
    south = unit("U1", 90, 30, formation="march")
    north = corps("X", unit("X1", 90, 40, facing=0), general=general("GN", 90, 110))
    play(battle("acw", south, north=north, step="charges"), "south: U1 charge X1", refused={1: "stp.march-column"})
    play(battle("acw", south, north=north, step="fire"), "south: U1 fire X1", refused={1: "stp.march-column"})


@pytest.mark.parametrize("code", ["emp", "alg"])
def test_light_infantry_skirmishes_and_comes_back(code):
    """STP-EMP-07, STP-ALG-04: for half of the move of a skirmisher; other infantry does not."""
    usual = period(code).types["light_infantry"].formations[0]
    assert left(code, "light_infantry", "U1 form skirmish") == 1000
    move = period(code).types["light_infantry"].move
    assert left(code, "light_infantry", f"U1 form {usual}", formation="skirmish") == move // 2
    plain = battle(code, unit("U1", 90, 30), step="formations")
    play(plain, "south: U1 form skirmish", refused={1: "stp.bad-formation"})


def test_changes_of_formation_of_1805():
    """STP-EMP-07: what is left is of the new formation."""
    assert left("emp", "infantry", "U1 form line") == 500
    assert left("emp", "infantry", "U1 form square", "elite") == 750
    assert left("emp", "infantry", "U1 form column", "veteran", formation="line") == 750
    assert left("emp", "infantry", "U1 form line", "militia") == 0


def test_warbands_of_algeria_are_impetuous():
    """STP-ALG-04: under fire they are thrown for at the end of the turn, as in the Grand Siècle."""
    north = corps("X", unit("X1", 90, 45, "warband"), general=general("GN", 90, 110), ap=9)
    given = battle("alg", unit("U1", 90, 30), north=north, step="fire", side="south", first="north")
    events = play(given, "south: U1 fire X1", "south: done", south=[1], north=[4, 5])
    assert found(events, "ImpetuousTested") == [{"unit": "X1", "face": 5, "must": True}]


# --- fire


def test_guns_of_1914_choose_freely_beyond_50_cm():
    """STP-WW1-06: elsewhere it is 40 cm."""
    for code, nearest, refused in (("ww1", 5000, True), ("ww1", 5001, False), ("emp", 4001, False)):
        gun = unit("G1", 90, 20, "artillery_foot" if code == "ww1" else "artillery_heavy")
        near = {**unit("X1", 90, 90), "at": [9000, 2000 + 200 + nearest + 150]}
        far = {**unit("X2", 100, 90), "at": [10000, 2000 + 200 + nearest + 150]}
        if code == "emp":
            near["formation"] = far["formation"] = "column"
        north = corps("X", near, far, general=general("GN", 170, 110))
        orders = ["south: G1 fire X2", "south: G1 fire X1"]
        given = battle(code, gun, north=north, step="fire")
        if refused:
            play(given, *orders, refused={1: "stp.not-nearest"})
        else:
            declared = found(play(given, orders[0]), "FireDeclared")
            assert [data["target"] for data in declared] == ["X2"]


def test_guns_of_algeria_pay_once_for_having_fired():
    """STP-ALG-05: the line stands twice in the draft."""
    gun = unit("G1", 90, 30, "artillery_foot", fired_before=True)
    north = corps("X", unit("X1", 90, 45, facing=0), general=general("GN", 90, 110))
    given = battle("alg", gun, north=north, step="fire", first="north")
    events = play(given, "south: G1 fire X1", "south: done", south=[1], north=[3])
    (shot,) = found(events, "FireResolved")
    assert shot["attack_factors"] == [{"rule": "STP-FAC-27", "why": "fired-before", "plus": -1}]
    assert (shot["attack"], shot["attack_base"], shot["attack_die"]) == (4, 4, 1)


@pytest.mark.parametrize("code", [code for code in PERIODS if code != "ww1"])
def test_who_has_no_real_fire_neither_fires_nor_replies(code):
    """STP-F70-02: a figure in brackets alone is resilience; in 1870 that of all cavalry."""
    held = period(code).types
    if code == "f70":
        assert {key for key, one in held.items() if not one.fire} == {key for key in held if key.startswith("cavalry")}
    silent = {key: one for key, one in held.items() if not one.fire}
    key = "cavalry_heavy" if "cavalry_heavy" in silent else next(iter(silent))
    north = corps("X", unit("X1", 90, 40, facing=18000), general=general("GN", 90, 110))
    play(
        battle(code, unit("U1", 90, 30, key), north=north, step="fire"),
        "south: U1 fire X1",
        refused={1: "stp.no-fire-value"},
    )
    given = battle(code, unit("U1", 90, 30, key), north=north, step="fire", side="north")
    events = play(given, "north: X1 fire U1", "north: done", north=[1], south=[2])
    (shot,) = found(events, "FireResolved")
    assert (shot["mode"], shot["defence_base"], shot["reply_effect"]) == ("one-way", silent[key].resilience, "none")
    assert not found(events, "ReplyObliged")


@pytest.mark.parametrize("code", ["awi", "gsc"])
def test_fat_and_skeleton_of_the_older_wars(code):
    """STP-AWI-04, STP-GSC-05: as everywhere; FAT wins a tie, and adds 1 against SKELETON."""
    fat, skeleton = unit("U1", 90, 30, traits=["fat"]), unit("X1", 90, 40, facing=18000, traits=["skeleton"])
    north = corps("X", skeleton, general=general("GN", 90, 110))
    orders = ("south: U1 fire X1", "south: done", "north: done")
    events = play(battle(code, fat, north=north, step="fire", first="north"), *orders, south=[1], north=[2])
    (shot,) = found(events, "FireResolved")
    assert (shot["attack"], shot["defence"]) == (5, 5)
    assert shot["attack_factors"] == [{"rule": "STP-FAC-11", "why": "fat-v-skeleton", "plus": 1}]
    marked = [(data["unit"], data["marker"], data["cause"]) for data in found(events, "MarkerAdded")]
    assert marked == [("U1", "brittle", "tie"), ("X1", "brittle", "tie"), ("X1", "shaken", "fat")]
