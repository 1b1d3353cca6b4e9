"""Distances, arcs, views, cover and paths: beside a second implementation, and on a mirrored or turned table.

`python -m tests.domain.games.warmaster_shooting.test_geometry 100000` compares on as many positions as one likes.
"""

import random
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.games.warmaster_shooting.chapters.cover import cover
from domain.games.warmaster_shooting.chapters.paths import direction, heading, shift, walk
from domain.games.warmaster_shooting.chapters.sight import EDGES, edge_to, in_arc, sees
from domain.games.warmaster_shooting.state.measure import centre, distance, height, is_in, outline, overlap
from domain.games.warmaster_shooting.state.profiles import PROFILES
from domain.games.warmaster_shooting.state.state import (
    Obstacle,
    Options,
    Stand,
    StandBase,
    State,
    TableArea,
    TerrainArea,
    Unit,
)
from domain.mechanics.outline import clockwise
from tests.domain.games.warmaster_shooting import naive

COMPARED = 150
TABLE = TableArea(600, 600, (-300, -300))
KINDS: tuple[Any, ...] = ("wood", "built", "hill", "marsh", "lake")
SHOOTERS = ("bows", "cannon", "pistoliers", "steamWagon", "handguns")


# --- a table at random


def table(pick: random.Random) -> State:
    """A shooting unit A, its target B behind or beside C and D, and some ground."""
    ground = [area(pick) for _ in range(pick.randrange(3))]
    walls = [Obstacle("low-wall", (spot(pick, 200), spot(pick, 200))) for _ in range(pick.randrange(2))]
    units = [unit(pick, "A", "south"), unit(pick, "B", "north"), unit(pick, "C", "south"), unit(pick, "D", "north")]
    return State(board=TABLE, areas=tuple(ground), obstacles=tuple(walls), units={one.id: one for one in units})


def unit(pick: random.Random, name: str, side: str) -> Unit:
    profile = PROFILES[pick.choice(SHOOTERS)]
    facing = pick.choice((0, 900, 1800, 2700, pick.randrange(3600)))
    x, y = spot(pick, 220)
    size = profile.width, profile.depth
    stands = tuple(Stand(f"{name}{at + 1}", StandBase((x + at * profile.width, y), facing, *size)) for at in range(2))
    return Unit(name, side, profile.name, stands[: 1 + (facing % 1800 == 0)])


def spot(pick: random.Random, most: int) -> tuple[int, int]:
    return pick.randint(-most, most), pick.randint(-most, most)


def area(pick: random.Random) -> TerrainArea:
    x, y = spot(pick, 200)
    across, along, lean = pick.randint(10, 150), pick.randint(10, 150), pick.randint(-40, 40)
    points = ((x, y), (x + across, y + lean), (x + across, y + along + lean), (x, y + along))
    return TerrainArea(pick.choice(KINDS), clockwise(points), 1)


# --- the same answers


def compare(state: State) -> Counter[str]:
    """Hold all answers about one table against the second implementation; how often each could be compared."""
    told: Counter[str] = Counter()
    shooter, target = state.units["A"], state.units["B"]
    for stand in shooter.standing:
        for other in target.standing:
            one, two = naive.corners(stand.base), naive.corners(other.base)
            same(told, "distance", distance(stand, other), lambda a=one, b=two: naive.distance(a, b))
            same(told, "overlap", overlap(stand.base, other.base), lambda a=one, b=two: naive.overlaps(a, b))
            for edge in EDGES:
                wedge = shooter.kind.arc == "wedge"
                told_in_arc = in_arc(shooter.kind, stand.base, edge, other.base, 100)
                rear = edge == "rear"
                same(
                    told, "arc", told_in_arc, lambda s=stand, r=rear, b=two, w=wedge: naive.in_arc(s.base, r, b, 100, w)
                )
                seen = sees(state, stand, edge, target, other)
                same(told, "view", seen, lambda s=stand, r=rear, o=other: naive_view(state, s, r, target, o))
    return told


def same(told, what, found, second):
    try:
        expected = second()
    except naive.Unsure:
        return
    assert found == expected, what
    told[what] += 1
    told[f"{what} {bool(found)}"] += 1


def naive_view(state, stand, rear, target, other):
    blockers = [
        naive.corners(one.base)
        for unit in state.units.values()
        for one in unit.standing
        if unit.id != target.id and one.id != stand.id
    ]
    high = max(naive_height(state, stand.base), naive_height(state, other.base))
    areas = [
        (area.kind, list(area.polygon))
        for area in state.areas
        if area.kind in ("wood", "built") or (area.kind == "hill" and area.height > high)
    ]
    return naive.sees(stand.base, rear, naive.corners(other.base), blockers, areas)


def naive_height(state, base):
    points = naive.corners(base)
    middle = naive.between(points[0], points[2], 0.5)
    depths = [naive.depth_in(list(area.polygon), middle) for area in state.areas if area.kind == "hill"]
    if any(abs(depth) < naive.HAIR for depth in depths):
        raise naive.Unsure
    return int(any(depth > 0 for depth in depths))


def compare_path(state: State, pick: random.Random) -> bool:
    """Hold a drive-back of B before A against the second implementation."""
    driven = state.units["B"]
    along, most = spot(pick, 50), pick.randint(5, 60)
    if not any(along):
        return False
    gone = walk(state, driven, along, most, ())
    others = [
        ("blocked" if one.side == driven.side else "enemy", [naive.corners(stand.base) for stand in one.standing])
        for one in state.units.values()
        if one is not driven
    ]
    own = [naive.corners(stand.base) for stand in driven.standing]
    walls = [list(area.polygon) for area in state.areas if area.kind == "lake"]
    try:
        assert naive.way_of(along, most, own, others, walls, (-300, -300, 300, 300)) == (gone.gone, gone.stop)
    except naive.Unsure:
        return False
    return True


@pytest.mark.slow
def test_a_second_implementation_agrees():
    """WMS-GEO-01, -03, -04, -06, WMS-LOS-01 … -06, WMS-ARC-01 … -05."""
    pick = random.Random("tables")
    told: Counter[str] = Counter()
    for _ in range(COMPARED):
        told += compare(table(pick))
    for what in ("distance", "overlap", "arc", "view"):
        assert told[what] > COMPARED
        assert told[f"{what} True"] and told[f"{what} False"]


@pytest.mark.slow
def test_a_second_implementation_drives_units_as_far():
    """WMS-DRV-10, -13."""
    pick = random.Random("paths")
    assert sum(compare_path(table(pick), pick) for _ in range(COMPARED // 2)) > COMPARED // 4


# --- mirrored and turned


def mirrored(point):
    return -point[0], point[1]


def quartered(point):
    return point[1], -point[0]


IMAGES = ((mirrored, -1, 0), (quartered, 1, 900))
"""What becomes of a point, and the sign of an angle and what is added to it."""


def image_of(state: State, point, sign, plus) -> State:
    def base(one):
        return replace(one, at=point(one.at), facing=(sign * one.facing + plus) % 3600)

    units = {
        unit.id: replace(unit, stands=tuple(replace(stand, base=base(stand.base)) for stand in unit.stands))
        for unit in state.units.values()
    }
    areas = tuple(replace(area, polygon=clockwise(tuple(map(point, area.polygon)))) for area in state.areas)
    obstacles = tuple(replace(one, ends=tuple(map(point, one.ends))) for one in state.obstacles)
    return replace(state, units=units, areas=areas, obstacles=obstacles)


@given(st.randoms(use_true_random=False), st.sampled_from(IMAGES))
@settings(max_examples=60)
@pytest.mark.slow
def test_a_mirrored_or_turned_table_gives_the_same_answers(pick, image):
    state = table(pick)
    point, sign, plus = image
    other = image_of(state, *image)
    for name in "ABCD":
        for enemy in "ABCD":
            for one, its in zip(state.units[name].stands, other.units[name].stands, strict=True):
                for two, theirs in zip(state.units[enemy].stands, other.units[enemy].stands, strict=True):
                    assert distance(one, two) == distance(its, theirs)
                    if name != enemy:
                        found = edge_to(state, state.units[name], one, state.units[enemy], two)
                        assert found == edge_to(other, other.units[name], its, other.units[enemy], theirs)
                        if not overlap(one.base, two.base):
                            shelter = cover(state, state.units[enemy], two, one)
                            assert shelter == cover(other, other.units[enemy], theirs, its)
    if not any(overlap(a.base, b.base) for a in state.units["A"].stands for b in state.units["B"].stands):
        way = direction(state.units["B"], state.units["A"].stands)
        its_way = direction(other.units["B"], other.units["A"].stands)
        assert heading(its_way) == (sign * heading(way) + plus) % 3600
        assert shift(its_way, 77) == point(shift(way, 77))
        gone = walk(state, state.units["B"], way, 40, ())
        its_gone = walk(other, other.units["B"], its_way, 40, ())
        assert (gone.gone, gone.stop) == (its_gone.gone, its_gone.stop)


# --- what is fixed


def test_the_place_of_a_stand_is_the_middle_of_its_front():
    """WMS-GEO-01, -03: the body lies behind the front edge."""
    assert outline(StandBase((100, 50), 0, 40, 20)) == (
        (80000, 50000),
        (120000, 50000),
        (120000, 30000),
        (80000, 30000),
    )
    assert outline(StandBase((100, 50), 900, 40, 20)) == (
        (100000, 70000),
        (100000, 30000),
        (80000, 30000),
        (80000, 70000),
    )
    assert tuple(map(int, centre(StandBase((100, 50), 0, 40, 20)))) == (100000, 40000)


def test_infantry_is_wide_and_all_others_are_deep():
    """WMS-GEO-02, WMS-PRO-01: bases and full paces."""
    assert {(kind.width, kind.depth) for kind in PROFILES.values() if kind.type == "infantry"} == {(40, 20)}
    assert {(kind.width, kind.depth) for kind in PROFILES.values() if kind.type != "infantry"} == {(20, 40)}
    paces = {kind.type: kind.pace for kind in PROFILES.values()}
    assert paces == {"infantry": 200, "cavalry": 300, "artillery": 100, "monster": 200, "machine": 200}


def test_a_profile_names_its_arc():
    """WMS-ARC-05, -02: artillery the rectangle, all others the wedge."""
    assert {kind.arc for kind in PROFILES.values() if kind.type == "artillery"} == {"rectangle"}
    assert {kind.arc for kind in PROFILES.values() if kind.shots and kind.type != "artillery"} == {"wedge"}


def test_a_stand_is_as_high_as_the_highest_hill_that_holds_its_centre():
    """WMS-GEO-07: the border included."""
    low = TerrainArea("hill", ((0, 100), (100, 100), (100, 0), (0, 0)), 1)
    high = TerrainArea("hill", ((0, 50), (50, 50), (50, 0), (0, 0)), 2)
    state = State(areas=(low, high, TerrainArea("wood", low.polygon)))

    def stand(x, y):
        return StandBase((x, y + 10), 0, 40, 20)

    assert [height(state, stand(*at)) for at in ((75, 75), (25, 25), (50, 50), (100, 60), (101, 60), (-1, 0))] == [
        1,
        2,
        2,
        1,
        0,
        0,
    ]
    assert is_in(stand(100, 100), low)
    assert not is_in(stand(100, 101), low)


@pytest.mark.parametrize(
    ("kind", "top", "depth", "seen"),
    [
        ("wood", 210, 500, True),  # it stands 10 mm inside, and the line ends there
        ("wood", 180, 500, True),  # 20 mm
        ("wood", 179, 500, False),
        ("built", 179, 500, False),
        ("wood", 150, 160, False),  # between the two, however narrow
        ("hill", 150, 160, False),
        ("marsh", 150, 160, True),
        ("lake", 150, 160, True),
        ("works", 150, 160, True),
    ],
)
def test_how_much_wood_may_be_seen_through(kind, top, depth, seen):
    """WMS-LOS-04, -05: at an end of the line 20 mm of a wood, between not a millimetre."""
    area = TerrainArea(kind, ((-100, depth), (100, depth), (100, top), (-100, top)), 1)
    state = State(areas=(area,))
    shooter = Unit("A", "south", "bows", (Stand("A1", StandBase((0, 0), 0, 40, 20)),))
    target = Unit("B", "north", "bows", (Stand("B1", StandBase((0, 200), 1800, 40, 20)),))
    state = replace(state, units={"A": shooter, "B": target})
    assert sees(state, shooter.stands[0], "front", target, target.stands[0]) == seen


@pytest.mark.parametrize(("deep", "seen"), [(2, True), (3, False)])
def test_a_slight_cut_does_not_blind(deep, seen):
    """WMS-LOS-06: a line must run in a stand for more than 2 mm to be cut."""
    units = {
        "A": Unit("A", "south", "bows", (Stand("A1", StandBase((0, 0), 0, 40, 20)),)),
        "B": Unit("B", "north", "bows", (Stand("B1", StandBase((0, 200), 1800, 40, 20)),)),
        "F": Unit("F", "south", "bows", (Stand("F1", StandBase((0, 100), 0, 400, deep)),)),
    }
    state = State(units=units, options=Options())
    assert sees(state, units["A"].stands[0], "front", units["B"], units["B"].stands[0]) == seen


if __name__ == "__main__":
    wanted = int(sys.argv[1])
    chance, total = random.Random("many"), Counter[str]()
    for number in range(wanted):
        total += compare(table(chance))
        total["path"] += number % 10 == 0 and compare_path(table(chance), chance)
    sys.stdout.write(f"{wanted} tables, compared: {dict(total)}\n")
