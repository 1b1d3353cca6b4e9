"""Convex outlines against a second, naive implementation, and under mirrors and turns of the table."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.mechanics.outline import clockwise, gap, holds, inside, is_convex, meet, overlap, square_gap
from domain.mechanics.plane import corners

SQUARE = ((0, 10), (10, 10), (10, 0), (0, 0))
TURNS = (
    lambda p: (p[0], p[1]),
    lambda p: (-p[1], p[0]),
    lambda p: (-p[0], -p[1]),
    lambda p: (-p[0], p[1]),
)
"""The table as it is, turned by a quarter, turned by half, mirrored."""

BASES = st.builds(
    lambda x, y, facing, width, depth: corners((x, y), facing, width, depth, fine=10),
    st.integers(-40, 40),
    st.integers(-40, 40),
    st.sampled_from((0, 300, 450, 777, 900, 1800, 2700, 3599)),
    st.integers(1, 30),
    st.integers(1, 30),
)
POINTS = st.tuples(st.integers(-600, 600), st.integers(-600, 600))


# --- the naive implementation: everything by fractions, nothing shared with the module


def edges(outline):
    return list(pairwise((*outline, outline[0])))


def side(a, b, p):
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def naive_to_segment(p, a, b):
    length = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    share = Fraction((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1]), length)
    share = max(Fraction(0), min(Fraction(1), share))
    foot = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
    return (p[0] - foot[0]) ** 2 + (p[1] - foot[1]) ** 2


def naive_common_area(one, other):
    """Twice the area of what two clockwise outlines share: one is cut along each edge of the other."""
    left = [(Fraction(x), Fraction(y)) for x, y in one]
    for a, b in edges(other):
        cut = []
        for p, q in edges(left) if left else []:
            here, there = -side(a, b, p), -side(a, b, q)
            if here >= 0:
                cut.append(p)
            if (here > 0 > there) or (here < 0 < there):
                share = here / (here - there)
                cut.append((p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])))
        left = cut
    return abs(sum(p[0] * q[1] - q[0] * p[1] for p, q in edges(left))) if left else 0


def naive_gap(one, other):
    if naive_common_area(one, other) > 0:
        return 0
    pairs = [(p, a, b) for p in one for a, b in edges(other)] + [(p, a, b) for p in other for a, b in edges(one)]
    return min(naive_to_segment(*pair) for pair in pairs)


def naive_inside(outline, p, q):
    """The part of a segment strictly inside: between crossings of edges whose middle is inside."""
    shares = {Fraction(0), Fraction(1)}
    for a, b in edges(outline):
        here, there = side(a, b, p), side(a, b, q)
        if here != there:
            shares.add(Fraction(here, here - there))
    parts = [
        (one, two)
        for one, two in pairwise(sorted(share for share in shares if 0 <= share <= 1))
        for middle in [(one + two) / 2]
        for point in [(p[0] + middle * (q[0] - p[0]), p[1] + middle * (q[1] - p[1]))]
        if all(side(a, b, point) < 0 for a, b in edges(outline))
    ]
    return (parts[0][0], parts[-1][1]) if parts and p != q else None


# --- the same answers


def require_the_same(one, other, p, q):
    assert square_gap(one, other) == naive_gap(one, other)
    assert overlap(one, other) == (naive_common_area(one, other) > 0)
    assert inside(one, p, q) == naive_inside(one, p, q)
    assert holds(one, p) == all(side(a, b, p) <= 0 for a, b in edges(one))


@pytest.mark.slow
@given(BASES, BASES, POINTS, POINTS)
def test_a_second_implementation_agrees(one, other, p, q):
    require_the_same(one, other, p, q)


@pytest.mark.slow
def test_a_second_implementation_agrees_on_many_random_positions():
    chance = random.Random(5)

    def base():
        return corners(
            (chance.randrange(-60, 60), chance.randrange(-60, 60)),
            chance.randrange(0, 3600, 150),
            chance.randrange(5, 40),
            chance.randrange(5, 40),
            fine=10,
        )

    for _ in range(3_000):
        require_the_same(base(), base(), (chance.randrange(-600, 600), 0), (0, chance.randrange(-600, 600)))


@pytest.mark.slow
@given(BASES, BASES, POINTS, POINTS, st.sampled_from(TURNS))
def test_a_turned_or_mirrored_table_gives_the_same(one, other, p, q, turn):
    there, beyond = clockwise([turn(c) for c in one]), clockwise([turn(c) for c in other])
    assert square_gap(there, beyond) == square_gap(one, other)
    assert overlap(there, beyond) == overlap(one, other)
    assert inside(there, turn(p), turn(q)) == inside(one, p, q)
    if not overlap(one, other):
        assert gap(there, beyond).ends == tuple(turn(end) for end in gap(one, other).ends)


@pytest.mark.slow
@given(BASES, BASES)
def test_the_way_between_is_the_same_from_the_other_end(one, other):
    if not overlap(one, other):
        assert gap(one, other).ends == gap(other, one).ends[::-1]


def test_what_touches_does_not_overlap():
    beside = ((10, 10), (20, 10), (20, 0), (10, 0))
    assert not overlap(SQUARE, beside)
    assert square_gap(SQUARE, beside) == 0


def test_a_line_along_the_border_is_not_inside():
    assert inside(SQUARE, (-5, 10), (15, 10)) is None
    assert inside(SQUARE, (-5, 5), (15, 5)) == (Fraction(1, 4), Fraction(3, 4))


def test_a_stretch_equally_near_is_crossed_in_its_middle():
    beyond = ((4, 40), (20, 40), (20, 30), (4, 30))
    assert gap(SQUARE, beyond).ends == ((7, 10), (7, 30))


@pytest.mark.parametrize(
    ("points", "convex"),
    [
        (SQUARE, True),
        (SQUARE[::-1], True),
        (((0, 0), (10, 0), (5, 0)), False),
        (((0, 0), (10, 10), (10, 0), (0, 10)), False),
        (((0, 0), (10, 0), (3, 3), (0, 10)), False),
        (((0, 0), (10, 0)), False),
    ],
)
def test_only_convex_outlines_are_taken(points, convex):
    assert is_convex(points) == convex


@pytest.mark.parametrize(
    ("one", "other", "met"),
    [
        (((0, 0), (10, 10)), ((0, 10), (10, 0)), True),
        (((0, 0), (10, 0)), ((10, 0), (20, 5)), True),
        (((0, 0), (10, 0)), ((11, 0), (20, 0)), False),
        (((0, 0), (10, 0)), ((5, 0), (20, 0)), True),
        (((0, 0), (10, 0)), ((5, 1), (5, 9)), False),
    ],
)
def test_segments_meet(one, other, met):
    assert meet(one, other) == meet(other, one) == met
