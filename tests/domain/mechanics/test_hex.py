"""A grid of hexes, beside a second implementation by geometry and under mirror and turn."""

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest

from domain.mechanics.hex import (
    FACINGS,
    HEADING,
    XY,
    hex_by,
    hexes_between,
    hexes_within,
    middle,
    neighbours,
    on_board,
    outline,
    reading_order,
    ring,
    size,
    turned,
)
from domain.mechanics.hex import distance as hexes_apart
from tests.support.looping import some

BOARD = (24, 25)
CENTRE = "L12"
SAMPLES = 3000

Doubled = tuple[int, int]
"""Half hexes to the east, rows to the south: neighbours differ by (2, 0) or (1, 1)."""


def doubled(name: str) -> Doubled:
    column, row = XY[name]
    return 2 * column + row % 2, row


NAMES = [name for name in XY if on_board(BOARD, name)]
INNER = hexes_within(BOARD, CENTRE, 10)
"""So near the centre that the board has their images, too."""
BY_PLACE = {doubled(name): name for name in NAMES}


def naive_neighbours(name: str) -> set[str]:
    x, y = doubled(name)
    near = ((x + 2, y), (x - 2, y), *((x + dx, y + dy) for dx in (1, -1) for dy in (1, -1)))
    return {BY_PLACE[place] for place in near if place in BY_PLACE}


def naive_distances(name: str) -> dict[str, int]:
    """Every hex with its distance, by walking."""
    found, queue = {name: 0}, deque([name])
    while queue:
        at = queue.popleft()
        for beside in naive_neighbours(at):
            if beside not in found:
                found[beside] = found[at] + 1
                queue.append(beside)
    return found


def naive_line(one: str, other: str, steps: int) -> list[set[str]]:
    """For each step the hexes whose middles are nearest to the point on the line; rows are √3 half hexes apart."""
    (x, y), (tx, ty) = doubled(one), doubled(other)
    line = []
    for at in range(1, steps):
        px, py = (steps - at) * x + at * tx, (steps - at) * y + at * ty  # in steps of a half hex, of a row
        near = {}
        for place in ((px // steps + dx, py // steps + dy) for dx in range(-2, 4) for dy in (-1, 0, 1, 2)):
            if place in BY_PLACE:
                near[BY_PLACE[place]] = (place[0] * steps - px) ** 2 + 3 * (place[1] * steps - py) ** 2
        line.append({name for name, far in near.items() if far == min(near.values())})
    return line


def pairs(seed: str, names: Sequence[str] = NAMES) -> list[tuple[str, str]]:
    dice = Random(seed)
    return [(dice.choice(names), dice.choice(names)) for _ in range(SAMPLES)]


def mirrored(name: str) -> str:
    """The hex on the other side of the north-south line through the centre."""
    x, y = doubled(name)
    return BY_PLACE[2 * doubled(CENTRE)[0] - x, y]


def rotated(name: str) -> str:
    """The hex a sixth of a circle to the right about the centre."""
    (cx, cy), (x, y) = doubled(CENTRE), doubled(name)
    dx, dy = x - cx, y - cy
    return BY_PLACE[cx + (dx - 3 * dy) // 2, cy + (dx + dy) // 2]


# --- beside the second implementation


def test_neighbours_are_those_whose_middles_are_nearest():
    for name in NAMES:
        assert set(neighbours(BOARD, name)) == naive_neighbours(name)


def test_distance_is_the_least_number_of_steps():
    for name in ("A0", "L12", "X24", "C23"):
        walked = naive_distances(name)
        assert {other: hexes_apart(name, other) for other in NAMES} == walked


@pytest.mark.slow
def test_a_line_has_the_hexes_nearest_to_it():
    for one, other in some(pairs("lines")):
        steps = hexes_apart(one, other)
        drawn = [set(step) for step in hexes_between(BOARD, one, other)]
        assert drawn == naive_line(one, other, steps), (one, other)


@pytest.mark.slow
def test_rings_and_surroundings_are_cut_out_of_the_board():
    for name in some(Random("rings").sample(NAMES, 60)):
        walked = naive_distances(name)
        for radius in (1, 2, 3):
            assert list(ring(BOARD, name, radius)) == sorted(
                (hex_ for hex_, far in walked.items() if far == radius), key=reading_order
            )
            assert set(hexes_within(BOARD, name, radius)) == {n for n, far in walked.items() if 0 < far <= radius}


def test_up_to_distance_three_a_line_crosses_no_other_hex():
    """Points every sixtieth of the way are inside a hex of the line or on its border."""
    for name in some(hexes_within(BOARD, CENTRE, 3)):
        line = {CENTRE, name, *(hex_ for step in hexes_between(BOARD, CENTRE, name) for hex_ in step)}
        crossed = set().union(*naive_line(CENTRE, name, 60))
        assert crossed <= line


# --- under mirror and turn


def facing_between(one: str, other: str) -> str:
    """The direction of a neighbour; "" if the other hex is not adjacent."""
    return next((facing for facing in FACINGS if hex_by(BOARD, one, facing) == other), "")


@pytest.mark.parametrize(("image", "turn"), [(mirrored, None), (rotated, 1)])
@pytest.mark.slow
def test_a_mirrored_and_a_turned_board_give_the_same_answers(image, turn):
    for one, other in some(pairs("images", INNER)):
        assert hexes_apart(one, other) == hexes_apart(image(one), image(other))
        line = [{image(name) for name in step} for step in hexes_between(BOARD, one, other)]
        assert line == [set(step) for step in hexes_between(BOARD, image(one), image(other))]
        facing = facing_between(one, other)
        if turn and facing:
            assert facing_between(image(one), image(other)) == turned(facing, turn)


@pytest.mark.slow
def test_a_line_is_the_same_from_its_other_end():
    for one, other in some(pairs("ends")):
        assert hexes_between(BOARD, one, other) == hexes_between(BOARD, other, one)[::-1]


# --- what is fixed


def test_names_and_the_rows_that_are_pushed():
    assert XY["E6"] == (4, 6)
    assert XY["A10"] == (0, 10)
    assert neighbours(BOARD, "E6") == ("E5", "F6", "E7", "D7", "D6", "D5")
    assert neighbours(BOARD, "E5") == ("F4", "F5", "F6", "E6", "D5", "E4")
    assert neighbours(BOARD, "A0") == ("B0", "A1")


def test_a_knights_move_runs_between_two_hexes():
    assert hexes_between(BOARD, "E6", "E4") == (("D5", "E5"),)
    assert hexes_between(BOARD, "A0", "A2") == (("A1",),)  # the other one would be off the board
    assert hexes_between(BOARD, "E6", "E5") == hexes_between(BOARD, "E6", "E6") == ()


def test_facings_lead_to_the_neighbours_and_back():
    for facing in FACINGS:
        beside = hex_by(BOARD, "E6", facing)
        assert facing_between("E6", beside) == facing
        assert hex_by(BOARD, beside, turned(facing, 3)) == "E6"
        assert hex_by(BOARD, "E6", facing, 3) == hex_by(BOARD, hex_by(BOARD, beside, facing), facing)
    assert turned("NE", -1) == "NW"
    assert facing_between("E6", "E4") == facing_between("E6", "E6") == ""
    assert hex_by(BOARD, "A0", "W") == hex_by(BOARD, "A0", "NE") == ""


def test_a_hex_that_a_board_does_not_have():
    assert on_board((9, 11), "I10")
    assert not on_board((9, 11), "J10")
    assert not on_board((9, 11), "A11")
    assert not on_board((9, 11), "4,6")


# --- in a picture


def test_outlines_of_neighbours_share_an_edge_and_fill_the_board():
    corners = {name: outline(BOARD, name) for name in NAMES}
    for name in NAMES:
        for beside in neighbours(BOARD, name):
            assert len(set(corners[name]) & set(corners[beside])) == 2
    xs = [x for points in corners.values() for x, _ in points]
    ys = [y for points in corners.values() for _, y in points]
    assert (min(xs), min(ys)) == (0, 0)
    assert (max(xs), max(ys)) == size(BOARD)


@pytest.mark.parametrize("facing", FACINGS)
def test_a_facing_points_from_middle_to_middle(facing):
    (x, y), (tx, ty) = middle(BOARD, "E6"), middle(BOARD, hex_by(BOARD, "E6", facing))
    eastwards = (tx > x) - (tx < x)
    northwards = (ty > y) - (ty < y)
    assert {"E": 1, "W": -1}[facing[-1]] == eastwards
    assert {"N": 1, "S": -1}.get(facing[0], 0) == northwards
    assert (HEADING[facing] < 1800) == (eastwards > 0)


def test_an_outline_goes_clockwise():
    corners = outline(BOARD, "E6")
    assert sum(x * ty - tx * y for (x, y), (tx, ty) in pairwise([*corners, corners[0]])) < 0
