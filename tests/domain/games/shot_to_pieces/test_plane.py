"""Chapter GEO: hand examples, a second implementation beside the first, and a mirrored or turned table.

`python -m tests.domain.games.shot_to_pieces.test_plane 100000` compares on as many positions as one likes.
"""

import random
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.shot_to_pieces.plane.angles import SCALE, bearing, difference, fraction, half_again, vector
from domain.games.shot_to_pieces.plane.base import (
    Base,
    about_flank,
    ahead,
    beside,
    corners,
    faced,
    front_centre,
    is_on_table,
    moved,
    rounded,
)
from domain.games.shot_to_pieces.plane.contacts import (
    EDGES,
    abuts,
    are_front_to_front,
    are_opposite_ways_side_by_side,
    is_behind,
    is_chain,
    strikes,
)
from domain.games.shot_to_pieces.plane.gaps import distance, distance_to, is_closer, is_within, overlap
from domain.games.shot_to_pieces.plane.ground import crossings, enters, extra_cost, lies_in, slow_length
from domain.games.shot_to_pieces.plane.lanes import edges_of_samples, is_lane_clear
from domain.games.shot_to_pieces.plane.paths import (
    passes_closer,
    passes_through,
    passing_distance,
    wheel_length,
    wheeled,
)
from domain.games.shot_to_pieces.plane.strikes import aligned, aligned_places, contact_distance, struck_edge
from domain.games.shot_to_pieces.plane.zones import (
    firing_range,
    in_fire_zone,
    is_wholly_in_fire_zone,
    touches_control_zone,
)
from tests.domain.games.shot_to_pieces import naive_plane as naive

COMPARED = 300
SIZES = ((400, 300), (400, 200), (400, 400), (800, 150), (800, 200), (200, 600))


def foot(x: int, y: int, facing: int = 0) -> Base:
    return Base((x, y), facing, 400, 300)


def horse(x: int, y: int, facing: int = 0) -> Base:
    return Base((x, y), facing, 400, 400)


def pose(pick: random.Random, spread: int = 2000) -> Base:
    facing = pick.choice((pick.randrange(36000), pick.randrange(36000), 9000 * pick.randrange(4)))
    return Base((pick.randrange(spread), pick.randrange(spread)), facing, *pick.choice(SIZES))


def neighbour(pick: random.Random, base: Base) -> Base:
    """A base roughly beside or behind another."""
    other = Base((0, 0), base.facing + pick.randrange(-600, 600), *pick.choice(SIZES))
    if pick.random() < 0.5:
        other = beside(other, base, is_left=pick.random() < 0.5)
    else:
        back = (base.depth + other.depth) // 2
        other = Base(ahead(base.at, base.facing + 18000, back), other.facing % 36000, other.width, other.depth)
    x, y = other.at
    turn = (other.facing + pick.randrange(-300, 300)) % 36000
    return Base((x + pick.randrange(-60, 60), y + pick.randrange(-60, 60)), turn, other.width, other.depth)


# --- examples


@pytest.mark.rule("STP-GEO-05")
@pytest.mark.rule("STP-GEO-06")
@pytest.mark.parametrize(
    ("at", "reach", "is_in"), [((600, 1400), 1170, True), ((900, 1000), None, False), ((750, 600), 626, True)]
)
def test_arc_and_range(at, reach, is_in):
    """STP-EX-19."""
    firer, target = foot(0, 0), foot(*at)
    assert in_fire_zone(firer, target) is is_in
    assert reach is None or firing_range(firer, target) == reach


@pytest.mark.rule("STP-GEO-06")
@pytest.mark.parametrize(
    ("at", "part", "whole"),
    [
        ((0, 500), True, True),
        ((600, 500), True, False),
        ((800, 500), True, False),
        ((801, 500), False, False),
        ((400, 2000), True, True),
        ((0, -300), False, False),
        ((0, 300), True, True),
        ((0, 200), True, False),
    ],
)
def test_fire_zone_in_part_and_whole(at, part, whole):
    assert in_fire_zone(foot(0, 0), foot(*at)) is part
    assert is_wholly_in_fire_zone(foot(0, 0), foot(*at)) is whole


@pytest.mark.rule("STP-INT-01")
def test_a_side_between_two_corners_in_the_zone_may_leave_it():
    """The fire zone bends inwards where the cone leaves the corridor, about 14.5 cm ahead."""
    firer, target = foot(0, 0), Base((600, 1650), 2600, 100, 3000)
    assert in_fire_zone(firer, target)
    assert not is_wholly_in_fire_zone(firer, target)


@pytest.mark.rule("STP-GEO-05")
@pytest.mark.parametrize(
    ("at", "reach"), [((0, 1000), 650), ((1000, 0), 600), ((0, -1000), 650), ((-1000, 0), 600), ((1000, 1000), 1031)]
)
def test_a_square_measures_from_its_nearest_edge(at, reach):
    assert firing_range(horse(0, 0), foot(*at), is_square=True) == reach


@pytest.mark.rule("STP-ZOC-02")
@pytest.mark.parametrize(("x", "gap"), [(899, 499), (900, 500)])
def test_a_graze_is_measured_along_the_trajectory(x, gap):
    """STP-EX-20 (i): the base passes an enemy that is far from either end."""
    start, enemy = foot(x, -1500), foot(0, 0)
    end = moved(start, 0, 3000)
    assert min(distance(start, enemy), distance(end, enemy)) > 1000
    assert passing_distance(start, end, enemy) == gap
    assert passes_closer(start, end, enemy, 500) is (gap < 500)
    assert not passes_through(start, end, enemy)


@pytest.mark.rule("STP-ZOC-01")
@pytest.mark.parametrize(
    ("base", "touched"),
    [
        (foot(0, 900), True),
        (foot(0, 1299), True),
        (foot(0, 1300), False),
        (foot(799, 400), True),
        (foot(800, 400), False),
        (foot(799, 0), False),
        (foot(799, 1), True),
        (foot(650, 1200), True),
        (foot(790, 1210), True),
        (foot(790, 1230), False),
        (foot(0, -200), False),
    ],
)
def test_control_zone(base, touched):
    """STP-EX-20 (ii): ahead of the front edge, 10 cm from it, and no wider than the corridor."""
    assert touches_control_zone(foot(0, 0), base) is touched


@pytest.mark.rule("STP-ZOC-01")
def test_the_cone_widens_the_control_zone_of_a_narrow_front():
    """A march column: its corridor is 3 cm to each side, its cone 4.1 cm at 10 cm."""
    column = Base((0, 0), 0, 200, 600)
    assert touches_control_zone(column, foot(550, 1300))
    assert not touches_control_zone(column, foot(550, 700))


@pytest.mark.rule("STP-EMP-06")
@pytest.mark.parametrize(
    ("at", "touched"), [((0, -849), True), ((0, -850), False), ((899, 0), True), ((900, 0), False)]
)
def test_the_control_zone_of_a_square_is_all_round(at, touched):
    assert touches_control_zone(horse(0, 0), foot(*at), all_round=500) is touched


@pytest.mark.rule("STP-GEO-17")
@pytest.mark.parametrize(("apart", "is_over"), [(300, False), (299, True), (0, True)])
def test_bases_may_touch(apart, is_over):
    assert overlap(foot(0, 0), foot(0, apart)) is is_over
    assert distance(foot(0, 0), foot(0, apart)) == 0


@pytest.mark.rule("STP-GEO-10")
def test_distance_to_a_point():
    assert distance_to(foot(0, 0), (500, 550)) == 500
    assert distance_to(foot(0, 0), (100, 100)) == 0


@pytest.mark.rule("STP-GEO-14")
def test_fractions_of_an_allowance_are_rounded_down():
    assert (fraction(1000, 1, 3), fraction(1001, 3, 4), half_again(1501)) == (333, 750, 2251)


@pytest.mark.rule("STP-GEO-14")
def test_sines_are_those_of_the_text():
    """Scaled by 2**40, to the nearest, checked against the series in decimals."""
    for heading in (*range(0, 36000, 37), 2250, 4500, 3000):
        expected = tuple(naive.rounded(part * SCALE) for part in naive.unit(heading))
        assert vector(heading) == expected


@pytest.mark.rule("STP-GEO-15")
def test_places_of_a_base():
    base = foot(1000, 1000, 9000)
    assert [rounded(corner) for corner in corners(base)] == [(1150, 1200), (1150, 800), (850, 800), (850, 1200)]
    assert front_centre(base) == (1150, 1000)
    assert about_flank(horse(0, 0), is_left=True) == horse(-400, 0, 18000)
    assert about_flank(horse(0, 0), is_left=False) == horse(400, 0, 18000)
    assert beside(Base((0, 0), 50, 400, 200), foot(100, 100), is_left=True) == Base((-300, 100), 0, 400, 200)
    assert faced(base, -4500).facing == 31500
    assert (bearing((0, 0), (5, 5)), difference(100, 35900)) == (4500, 200)


@pytest.mark.rule("STP-GEO-01")
@pytest.mark.parametrize(
    ("base", "is_on"), [(foot(200, 150), True), (foot(199, 150), False), (foot(200, 11851), False)]
)
def test_a_base_stays_on_the_table(base, is_on):
    assert is_on_table(base, 18000, 12000) is is_on


@pytest.mark.rule("STP-GEO-08")
@pytest.mark.parametrize(
    ("other", "flank"),
    [
        (foot(400, 0), "right"),
        (foot(-450, 0), "left"),
        (foot(-451, 0), None),
        (foot(400, 150), "right"),
        (foot(400, 151), None),
        (foot(400, 0, 500), "right"),
        (foot(430, 0, 501), None),
        (Base((400, 150), 0, 400, 200), "right"),
        (Base((400, 151), 0, 400, 200), None),
        (foot(0, -300), None),
    ],
)
def test_abutting(other, flank):
    assert abuts(foot(0, 0), other) == flank
    assert abuts(other, foot(0, 0)) == {"left": "right", "right": "left", None: None}[flank]


@pytest.mark.rule("STP-GEO-08")
@pytest.mark.parametrize(
    ("rear", "is_in"),
    [
        (foot(0, -300), True),
        (foot(0, -350), True),
        (foot(0, -351), False),
        (foot(200, -300), True),
        (foot(201, -300), False),
        (foot(0, 300), False),
        (foot(0, -300, 18000), False),
    ],
)
def test_rear_contact(rear, is_in):
    assert is_behind(rear, foot(0, 0)) is is_in


@pytest.mark.rule("STP-GEO-08")
def test_front_contact():
    enemy = foot(0, 310, 18000)
    assert strikes(foot(0, 0), enemy)
    assert are_front_to_front(foot(0, 0), enemy)
    assert not strikes(foot(0, 0), foot(0, 311, 18000))
    assert strikes(foot(0, 0), foot(0, 360, 9000))
    assert not are_front_to_front(foot(0, 0), foot(0, 360, 9000))


@pytest.mark.rule("STP-MEL-17")
def test_enemies_side_by_side():
    assert are_opposite_ways_side_by_side(foot(0, 0), foot(450, 100, 18000))
    assert not are_opposite_ways_side_by_side(foot(0, 0), foot(451, 100, 18000))
    assert not are_opposite_ways_side_by_side(foot(0, 0), foot(450, 100, 9000))


@pytest.mark.rule("STP-ACT-05")
def test_a_group_hangs_together():
    assert is_chain([foot(0, 0), foot(800, 0), foot(400, 0), foot(0, -300)])
    assert not is_chain([foot(0, 0), foot(800, 0)])
    assert is_chain([foot(0, 0)])


@pytest.mark.rule("STP-GEO-16")
@pytest.mark.parametrize(
    ("target", "heading", "length"),
    [
        (foot(0, 1000), 0, 700),
        (foot(400, 1000), 0, 700),
        (foot(401, 1000), 0, None),
        (foot(0, -1000), 0, None),
        (foot(0, 300), 0, 0),
        (foot(1000, 1000), 4500, 990),
        (foot(0, 1000, 4500), 0, 603),
    ],
)
def test_contact_distance(target, heading, length):
    assert contact_distance(foot(0, 0), heading, target) == length


@pytest.mark.rule("STP-MEL-08")
@pytest.mark.parametrize(
    ("charger", "edge"),
    [
        (foot(0, 1000, 18000), "front"),
        (foot(1000, 0, 27000), "right"),
        (foot(-1000, 0, 9000), "left"),
        (foot(0, -1000, 0), "rear"),
        (foot(0, -1000, 9000), None),
        (foot(1000, 1000, 22500), "front"),
        (foot(1000, 900, 22500), "right"),
        (foot(1001, 1000, 22500), "right"),
        (foot(999, 1000, 22500), "front"),
        (foot(500, 1000, 20500), "front"),
    ],
)
def test_the_edge_struck(charger, edge):
    assert struck_edge(charger, horse(0, 0)) == edge


@pytest.mark.rule("STP-CHG-10")
@pytest.mark.parametrize(
    ("edge", "place", "right"),
    [
        ("front", horse(0, 350, 18000), horse(-400, 350, 18000)),
        ("rear", horse(0, -350, 0), horse(400, -350, 0)),
        ("left", horse(-400, 0, 9000), horse(-400, -400, 9000)),
        ("right", horse(400, 0, 27000), horse(400, 400, 27000)),
    ],
)
def test_alignment(edge, place, right):
    assert aligned(horse(900, 900, 3), foot(0, 0), edge) == place
    assert aligned(horse(900, 900, 3), foot(0, 0), edge, 1) == right


@pytest.mark.rule("STP-CHG-10")
def test_beside_the_middle_the_nearer_place_comes_first():
    places = aligned_places(horse(900, 900, 3), foot(0, 0), "front")
    assert [place.at for place in places] == [(0, 350), (400, 350), (-400, 350)]
    places = aligned_places(horse(-900, 900, 3), foot(0, 0), "front")
    assert [place.at for place in places] == [(0, 350), (-400, 350), (400, 350)]


@pytest.mark.rule("STP-GEO-20")
def test_wheel():
    """The figures of a wheel of two units by 30 degrees, then 10.81 cm straight on."""
    group = [foot(9000, 3000), foot(9400, 3000)]
    assert wheel_length(group, 3000, is_left=True) == 419
    found = wheeled(group, 3000, is_left=True, length=1081)
    assert found == (foot(8508, 4056, 33000), foot(8854, 4256, 33000))


@pytest.mark.rule("STP-GEO-18")
def test_a_lane_needs_two_and_a_half_centimetres():
    firer, target = foot(0, 0), foot(0, 2000)
    assert is_lane_clear(firer, target, [])
    gate = [Base((-600, 1000), 0, 800, 300), Base((600, 1000), 0, 800, 300)]
    assert is_lane_clear(firer, target, [Base((-525, 1000), 0, 800, 300), Base((525, 1000), 0, 800, 300)])
    assert not is_lane_clear(firer, target, [Base((-523, 1000), 0, 800, 300), Base((523, 1000), 0, 800, 300)])
    assert is_lane_clear(firer, target, gate)
    assert not is_lane_clear(firer, target, [Base((0, 1000), 0, 800, 300)])
    assert is_lane_clear(firer, target, [Base((0, 2600), 0, 800, 300)])


@pytest.mark.rule("STP-GEO-18")
def test_what_is_very_near_needs_no_lane():
    assert is_lane_clear(foot(0, 0), foot(0, 550), [foot(0, 200)])
    assert not is_lane_clear(foot(0, 0), foot(0, 551), [foot(0, 200)])


@pytest.mark.rule("STP-GEO-18")
def test_outlines_bar_a_lane():
    wood = ((-500, 900), (500, 900), (500, 1000), (-500, 1000))
    assert not is_lane_clear(foot(0, 0), foot(0, 2000), [], [wood[::-1]])
    aside = tuple((x + 800, y) for x, y in wood[::-1])
    assert is_lane_clear(foot(0, 0), foot(0, 2000), [], [aside])


@pytest.mark.rule("STP-GEO-18")
def test_samples_of_a_target():
    edges = [[rounded(sample) for sample in edge] for edge in edges_of_samples(foot(0, 0))]
    assert [len(edge) for edge in edges] == [17, 13, 17, 13]
    assert [edge[:2] for edge in edges[:2]] == [[(-200, 150), (-175, 150)], [(200, 150), (200, 125)]]
    assert len({sample for edge in edges for sample in edge}) == 56


@pytest.mark.rule("STP-GEO-21")
def test_ground_in_a_leg():
    wood = ((0, 200), (100, 200), (100, 100), (0, 100))
    more = ((0, 250), (100, 250), (100, 150), (0, 150))
    wall = ((0, 300), (100, 300))
    assert slow_length((50, 0), (50, 400), [wood]) == 100
    assert slow_length((50, 0), (50, 400), [wood, more]) == 150
    assert slow_length((50, 0), (50, 150), [wood]) == 50
    assert slow_length((150, 0), (150, 400), [wood]) == 0
    assert crossings((50, 0), (50, 400), [wall]) == 1
    assert crossings((50, 0), (50, 300), [wall]) == 1
    assert crossings((50, 300), (50, 400), [wall]) == 0
    assert crossings((150, 0), (150, 400), [wall]) == 0
    assert extra_cost((50, 0), (50, 400), 300, [wood], [wall]) == 400
    assert lies_in((0, 100), (100, 200), wood)
    assert not lies_in((0, 100), (101, 200), wood)
    assert enters((50, 0), (50, 101), wood)
    assert not enters((50, 0), (50, 100), wood)


# --- a second implementation


def compare(pick: random.Random) -> list[tuple[str, object, object]]:
    """What both say of one position, by name."""
    one, other, third, fourth = pose(pick), pose(pick), pose(pick), pose(pick)
    heading, near = pick.randrange(36000), neighbour(pick, one)
    end = moved(one, heading, pick.randrange(2500))
    found: list[tuple[str, object, object]] = [
        ("distance", distance(one, other), naive.distance(one, other)),
        ("overlap", overlap(one, other), naive.overlap(one, other)),
        ("overlap near", overlap(one, near), naive.overlap(one, near)),
        ("abuts", abuts(one, near), naive.abuts(one, near)),
        ("range", firing_range(one, other), naive.firing_range(one, other)),
        ("fire zone", in_fire_zone(one, other), naive.in_fire_zone(one, other)),
        ("control zone", touches_control_zone(one, other), naive.touches_control_zone(one, other)),
        ("contact", contact_distance(one, heading, other), naive.contact_distance(one, heading, other)),
        ("passing", passing_distance(one, end, other), naive.passing(one, end, other)),
        ("closer", is_closer(one, other, 500), naive.distance(one, other) < 500),
        ("within", is_within(one, other, 500), naive.distance(one, other) <= 500),
        ("grazes", passes_closer(one, end, other, 500), naive.passing(one, end, other) < 500),
    ]
    if not overlap(one, other):
        found.append(("edge", struck_edge(one, other), naive.struck_edge(one, other)))
    found += compare_places(pick, one, other, near)
    if passes_through(one, end, other) != naive.passes_through(one, end, other):
        # what is passed by less than a step of the naive one is no difference
        found.append(("passes", passing_distance(one, end, other), 0))
    if pick.random() < 0.1:
        found.append(("whole", is_wholly_in_fire_zone(one, other), naive.is_wholly_in_fire_zone(one, other)))
    if pick.random() < 0.3 and in_fire_zone(one, other):
        bars = [third, fourth]
        found.append(("lane", is_lane_clear(one, other, bars), naive.lane_is_clear(one, other, bars)))
    return found


def compare_places(pick: random.Random, one: Base, other: Base, near: Base) -> list[tuple[str, object, object]]:
    """What both say of a wheel, of an alignment and of a rear contact."""
    angle, length, edge, right = pick.randrange(9001), pick.randrange(1500), pick.choice(EDGES), pick.randrange(-1, 2)
    (wheel,) = wheeled([one], angle, is_left=True, length=length)
    return [
        ("wheel", wheel.at, naive.wheeled(one, angle, length)),
        ("aligned", aligned(one, other, edge, right).at, naive.aligned(one, other, edge, right)),
        ("behind", is_behind(near, one), naive.is_behind(near, one)),
    ]


def differences(seed: int, positions: int) -> tuple[Counter[str], list[str]]:
    """How often each answer other than the usual one was found, and all that differ."""
    pick, seen, wrong = random.Random(seed), Counter[str](), []
    for at in range(positions):
        for name, mine, other in compare(pick):
            seen[f"{name} {mine if isinstance(mine, bool | str) else bool(mine)}"] += 1
            if mine != other:
                wrong.append(f"{name} of position {at} of seed {seed}: {mine}, naive {other}")
    return seen, wrong


@pytest.mark.slow
def test_a_second_implementation_says_the_same():
    seen, wrong = differences(1, COMPARED)
    assert wrong == []
    for name in ("overlap", "overlap near", "fire zone", "control zone", "lane", "grazes", "behind", "whole"):
        assert min(seen[f"{name} True"], seen[f"{name} False"]) > 0, name


# --- the same table, turned or mirrored

POSES = st.builds(
    lambda x, y, facing, size: Base((x, y), facing, *size),
    st.integers(-1500, 1500),
    st.integers(-1500, 1500),
    st.integers(0, 35999),
    st.sampled_from(SIZES),
)


def quarter(base: Base) -> Base:
    """Turned by a quarter about the origin."""
    return Base((base.at[1], -base.at[0]), (base.facing + 9000) % 36000, base.width, base.depth)


def mirrored(base: Base) -> Base:
    """East for west."""
    return Base((-base.at[0], base.at[1]), -base.facing % 36000, base.width, base.depth)


OTHER_FLANK = {"left": "right", "right": "left"}


def answers(one: Base, other: Base, third: Base, heading: int) -> list[Any]:
    end = moved(one, heading, 700)
    return [
        distance(one, other),
        overlap(one, other),
        firing_range(one, other),
        firing_range(one, other, is_square=True),
        in_fire_zone(one, other),
        is_wholly_in_fire_zone(one, other),
        touches_control_zone(one, other),
        contact_distance(one, heading, other),
        passing_distance(one, end, other),
        passes_through(one, end, other),
        is_behind(one, other),
        strikes(one, other),
        is_lane_clear(one, other, [third]),
        struck_edge(one, other),
        abuts(one, other),
        aligned(one, other, "left").at,
        wheeled([one], 1234, is_left=True, length=300)[0].at,
        wheel_length([one], 1234, is_left=True),
    ]


@settings(max_examples=60, deadline=None)
@given(POSES, POSES, POSES, st.integers(0, 35999))
def test_a_turned_table_gives_the_same_answers(one, other, third, heading):
    before = answers(one, other, third, heading)
    after = answers(quarter(one), quarter(other), quarter(third), (heading + 9000) % 36000)
    assert after[:-3] == before[:-3]
    assert after[-1] == before[-1]
    assert after[-3:-1] == [(y, -x) for x, y in before[-3:-1]]


@settings(max_examples=60, deadline=None)
@given(POSES, POSES, POSES, st.integers(0, 35999))
def test_a_mirrored_table_gives_mirrored_answers(one, other, third, heading):
    before = answers(one, other, third, heading)
    after = answers(mirrored(one), mirrored(other), mirrored(third), -heading % 36000)
    assert after[:13] == before[:13]
    assert [OTHER_FLANK.get(str(edge), edge) for edge in after[13:15]] == before[13:15]
    place = aligned(mirrored(one), mirrored(other), "right").at
    wheel = wheeled([mirrored(one)], 1234, is_left=False, length=300)[0].at
    assert [(-x, y) for x, y in (place, wheel)] == before[15:17]
    assert wheel_length([mirrored(one)], 1234, is_left=False) == before[17]


def main(positions: int) -> None:
    """Compare on as many random positions as asked for."""
    step = 500
    seen, wrong = Counter[str](), list[str]()
    for seed in range(max(1, positions // step)):
        more, worse = differences(seed, step)
        seen, wrong = seen + more, wrong + worse
        print(*worse, sep="\n", end="\n" if worse else "")
    print(f"{positions} positions, {seen.total()} answers, {len(wrong)} that differ")
    print(*(f"{name}: {number}" for name, number in sorted(seen.items())), sep="\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
