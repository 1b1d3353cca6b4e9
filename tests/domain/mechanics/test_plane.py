"""Free measure in whole numbers, beside a second implementation with floats and under mirror and turn."""

import math
from fractions import Fraction
from random import Random

import pytest

from domain.mechanics.plane import (
    DEGREES,
    HUNDREDTHS,
    TENTHS,
    UNIT,
    Point,
    Sector,
    ahead,
    bearing,
    corners,
    direction,
    distance,
    is_within,
    measured,
    nearest,
    square_distance,
)
from tests.support.lanes import thinned
from tests.support.looping import some

SAMPLES = 3000
TABLE = 1800
HAIR = 1e-6
"""Floats nearer to a border than this prove nothing."""


def places(seed: str, count: int = SAMPLES) -> list[tuple[Point, Point, int]]:
    """Two points of a table and a heading."""
    dice = Random(seed)

    def point() -> Point:
        return dice.randint(-TABLE, TABLE), dice.randint(-TABLE, TABLE)

    return [(point(), point(), dice.randrange(TENTHS)) for _ in range(count)]


def mirrored(point: Point) -> Point:
    return -point[0], point[1]


def quartered(point: Point) -> Point:
    """A quarter to the right about the origin."""
    return point[1], -point[0]


# --- distances


def test_a_distance_is_the_nearest_whole_number():
    for one, other, _ in some(places("distances")):
        exact = math.dist(one, other)
        if abs(exact % 1 - 0.5) > HAIR:
            assert distance(one, other) == round(exact)
        reach = distance(one, other)
        assert is_within(one, other, reach) == (square_distance(one, other) <= reach * reach)


def test_half_a_unit_is_rounded_up():
    assert measured(Fraction(25, 4)) == 3  # 2.5
    assert measured(Fraction(24, 4)) == 2  # 2.449 …
    assert [measured(square) for square in (0, 1, 2, 3, 4)] == [0, 1, 1, 2, 2]


def test_a_reach_of_equal_length_is_enough():
    assert is_within((0, 0), (30, 40), 50)
    assert not is_within((0, 0), (30, 41), 50)


# --- headings


@pytest.mark.parametrize("circle", [DEGREES, TENTHS, HUNDREDTHS])
def test_sines_are_those_of_the_books(circle):
    for heading in some(range(0, circle, circle // 360)):
        sine, cosine = direction(heading, circle)
        assert sine / UNIT == pytest.approx(math.sin(math.tau * heading / circle), abs=1e-14)
        assert cosine / UNIT == pytest.approx(math.cos(math.tau * heading / circle), abs=1e-14)


@pytest.mark.slow
def test_mirrored_and_turned_headings_differ_in_sign_alone():
    for heading in range(TENTHS):
        sine, cosine = direction(heading)
        assert direction(-heading) == (-sine, cosine)
        assert direction(heading + 900) == (cosine, -sine)
        assert direction(900 - heading) == (cosine, sine)
    assert direction(0) == (0, UNIT)
    assert direction(300)[0] == UNIT // 2
    assert direction(450)[0] == direction(450)[1]


@pytest.mark.parametrize("circle", [DEGREES, TENTHS, HUNDREDTHS])
def test_a_bearing_is_the_nearest_heading(circle):
    tried = 0
    for one, other, _ in places("bearings"):
        if one != other:
            exact = math.atan2(other[0] - one[0], other[1] - one[1]) / math.tau * circle
            if abs(exact % 1 - 0.5) > HAIR:
                assert bearing(one, other, circle) == round(exact) % circle
                tried += 1
    assert tried


def test_bearings_of_a_mirrored_and_a_turned_table():
    apart = [(one, other) for one, other, _ in places("images") if one != other]
    assert apart
    for one, other in apart:
        there = bearing(one, other)
        assert bearing(mirrored(one), mirrored(other)) == -there % TENTHS
        assert bearing(quartered(one), quartered(other)) == (there + 900) % TENTHS
        assert bearing(other, one) == (there + 1800) % TENTHS


def test_a_point_has_no_bearing_to_itself():
    with pytest.raises(ValueError, match="itself"):
        bearing((3, 4), (3, 4))


@pytest.mark.slow
def test_what_is_ahead_lies_on_the_bearing():
    for one, _, heading in some(places("ahead")):
        there = ahead(one, heading, 20_000)
        assert abs(distance(one, there) - 20_000) <= 1
        assert bearing(one, there) == heading
        assert ahead(mirrored(one), -heading, 20_000) == mirrored(there)
        assert ahead(quartered(one), heading + 900, 20_000) == quartered(there)


def test_halves_are_rounded_away_from_zero():
    assert [nearest(n, 2) for n in (-3, -1, 0, 1, 3)] == [-2, -1, 0, 1, 2]
    assert [nearest(n, 3) for n in (-2, -1, 1, 2)] == [-1, 0, 0, 1]


# --- bases


def test_the_corners_of_a_base():
    assert corners((0, 0), 0, 40, 20, fine=1) == ((-20, 0), (20, 0), (20, -20), (-20, -20))
    assert corners((0, 0), 900, 40, 20, fine=1) == ((0, 20), (0, -20), (-20, -20), (-20, 20))
    assert corners((100, 100), 1800, 400, 150, centred=True, fine=1) == ((300, 25), (-100, 25), (-100, 175), (300, 175))
    assert corners((7, 3), 450, 10, 10)[1] == (7000 + 3536, 3000 - 3536)


@pytest.mark.slow
def test_corners_are_nearest_to_those_of_a_drawing():
    for at, (width, depth), heading in some(places("corners")):
        turn = math.tau * heading / TENTHS
        drawn = corners(at, heading, abs(width), abs(depth))
        for (right, back), corner in zip(((-1, 0), (1, 0), (1, 1), (-1, 1)), drawn, strict=True):
            x = at[0] + right * abs(width) / 2 * math.cos(turn) - back * abs(depth) * math.sin(turn)
            y = at[1] - right * abs(width) / 2 * math.sin(turn) - back * abs(depth) * math.cos(turn)
            assert corner == pytest.approx((x * 1000, y * 1000), abs=0.5 + HAIR)


@pytest.mark.slow
def test_a_mirrored_base_has_mirrored_corners():
    for at, (width, depth), heading in some(places("mirror")):
        left, right, rear_right, rear_left = corners(at, heading, abs(width), abs(depth), centred=True)
        image = corners(mirrored(at), -heading, abs(width), abs(depth), centred=True)
        assert image == tuple(map(mirrored, (right, left, rear_left, rear_right)))
        turned = corners(quartered(at), heading + 900, abs(width), abs(depth), centred=True)
        assert turned == tuple(map(quartered, (left, right, rear_right, rear_left)))


# --- arcs

ARCS = ((40, (1, 1)), (20, (0, 1)), (0, direction(225)), (1200, (0, 1)), (60, (3, 2)))
"""Widths and slopes: a wedge, a lane, a cone of 22.5° to either side, a broad lane, a wide wedge."""


def naive_margin(arc: Sector, point: tuple[float, float]) -> float:
    """How far inside an arc a point is, by floats: negative outside."""
    turn = math.tau * arc.heading / arc.circle
    dx, dy = point[0] - arc.at[0], point[1] - arc.at[1]
    right = dx * math.cos(turn) - dy * math.sin(turn)
    along = dx * math.sin(turn) + dy * math.cos(turn)
    return min(along, arc.width / 2 + along * arc.slope[0] / arc.slope[1] - abs(right))


@pytest.mark.parametrize(("width", "slope"), ARCS)
def test_a_point_is_in_the_arc_that_a_drawing_shows(width, slope):
    held = 0
    for at, point, heading in places("arcs"):
        arc = Sector(at, heading, width, slope)
        margin = naive_margin(arc, point)
        if abs(margin) > HAIR:
            assert arc.holds(point) == (margin > 0)
        held += arc.holds(point)
    assert held


@pytest.mark.slow
@pytest.mark.parametrize(("width", "slope"), thinned(ARCS, len(ARCS)))
def test_arcs_of_a_mirrored_and_a_turned_table_hold_the_same(width, slope):
    for at, point, heading in some(places("arc images")):
        base = corners(point, heading // 3, 80, 40, fine=1)
        arc = Sector(at, heading, width, slope)
        for image, onto in ((mirrored, -heading), (quartered, heading + 900)):
            other = Sector(image(at), onto, width, slope)
            assert other.holds(image(point)) == arc.holds(point)
            assert other.meets([image(corner) for corner in base]) == arc.meets(base)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "slope"), thinned(ARCS, len(ARCS)))
def test_an_arc_meets_a_base_of_which_it_holds_a_point(width, slope):
    met = 0
    for at, point, heading in places("meets", SAMPLES // 3):
        base = corners(point, heading // 2, 400, 300, fine=1)
        arc = Sector(at, heading, width, slope)
        sampled = max(naive_margin(arc, spot) for spot in spots_of(base))
        if sampled > HAIR:
            assert arc.meets(base)
            met += 1
        elif sampled < -60:  # farther than the next sample
            assert not arc.meets(base)
    assert met


def spots_of(base: tuple[Point, ...]) -> list[tuple[float, float]]:
    """Points all over a base, not more than 50 apart."""
    (ax, ay), (bx, by), _, (dx, dy) = base
    return [
        (ax + (bx - ax) * i / 10 + (dx - ax) * j / 10, ay + (by - ay) * i / 10 + (dy - ay) * j / 10)
        for i in range(11)
        for j in range(11)
    ]


def test_a_border_belongs_to_the_arc():
    wedge = Sector((0, 0), 0, 40, (1, 1))
    assert wedge.holds((20, 0))
    assert wedge.holds((-120, 100))
    assert not wedge.holds((-121, 100))
    assert not wedge.holds((0, -1))
    assert wedge.meets(corners((120, 80), 1800, 40, 20, fine=1))  # touches with a corner
    assert not wedge.meets(corners((141, 80), 1800, 40, 20, fine=1))


def test_a_base_across_the_whole_arc_is_met_though_no_corner_is_in_it():
    lane = Sector((0, 0), 0, 20, (0, 1))
    wall = corners((0, 500), 1800, 400, 20, fine=1)
    assert not any(lane.holds(corner) for corner in wall)
    assert lane.meets(wall)
    assert not lane.meets([(x, -y) for x, y in wall])
