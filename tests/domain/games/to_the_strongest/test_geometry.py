"""Chapter GEO by its own tables: neighbours, aspects, arcs and lines of sight on a 12 x 8 board."""

import pytest

from domain.games.to_the_strongest.chapters.geometry import FRONT_ZONE, edges_turned_to, is_in_arc, sight_gates
from domain.mechanics.square import box_at, crossed_edges, frame, king_distance

BOARD = (12, 8)
BOXES = [f"{chr(65 + column)}{row}" for column in range(12) for row in range(1, 9)]

# TTS-GEO-06: name, (a, r), and the box if the unit stands in D4 facing N, E, S, W
NEIGHBOURS = [
    ((1, 0), "D5 E4 D3 C4"),
    ((1, -1), "C5 E5 E3 C3"),
    ((1, 1), "E5 E3 C3 C5"),
    ((0, -1), "C4 D5 E4 D3"),
    ((0, 1), "E4 D3 C4 D5"),
    ((-1, 0), "D3 C4 D5 E4"),
    ((-1, -1), "C3 C5 E5 E3"),
    ((-1, 1), "E3 C3 C5 E5"),
]

# TTS-GEO-10: the cone of a unit in D4, range 3
CONES = {
    "N": "C5 D5 E5 B6 C6 D6 E6 F6 A7 B7 C7 D7 E7 F7 G7",
    "E": "E5 E4 E3 F6 F5 F4 F3 F2 G7 G6 G5 G4 G3 G2 G1",
    "S": "E3 D3 C3 F2 E2 D2 C2 B2 G1 F1 E1 D1 C1 B1 A1",
    "W": "C3 C4 C5 B2 B3 B4 B5 B6 A1 A2 A3 A4 A5 A6 A7",
}


@pytest.mark.rule("TTS-GEO-06")
@pytest.mark.parametrize(("offset", "row"), NEIGHBOURS)
def test_the_eight_neighbours_are_those_of_the_table(offset, row):
    for facing, box in zip("NESW", row.split(), strict=True):
        assert box_at(BOARD, "D4", facing, *offset) == box
        assert frame("D4", facing, box) == offset


@pytest.mark.rule("TTS-GEO-10")
@pytest.mark.parametrize("facing", "NESW")
def test_the_cone_is_that_of_the_table(facing):
    seen = {box for box in BOXES if king_distance("D4", box) <= 3 and is_in_arc("cone", *frame("D4", facing, box))}
    assert seen == set(CONES[facing].split())


@pytest.mark.rule("TTS-GEO-10")
def test_the_other_arcs():
    def boxes(arc):
        return {box for box in BOXES if king_distance("D4", box) <= 2 and is_in_arc(arc, *frame("D4", "N", box))}

    assert boxes("straight") == {"D5", "D6"}
    assert boxes("column") == {"D5", "C6", "D6", "E6"}
    assert boxes("both") == boxes("cone") | {"C3", "D3", "E3", "B2", "C2", "D2", "E2", "F2"}


@pytest.mark.rule("TTS-GEO-11")
def test_the_gates_of_a_knights_move_are_two_boxes():
    assert sight_gates(BOARD, "D4", "N", "E6") == (("D5", "E5"),)
    assert sight_gates(BOARD, "D4", "N", "D6") == (("D5",),)
    assert sight_gates(BOARD, "D4", "N", "F6") == (("E5",),)
    assert sight_gates(BOARD, "D4", "N", "D5") == ()


@pytest.mark.rule("TTS-GEO-13")
def test_a_diagonal_step_crosses_the_two_edges_at_the_corner_passed():
    assert crossed_edges("C4", "D5") == (("C5", "D5"), ("D4", "D5")) or crossed_edges("C4", "D5") == (
        ("D4", "D5"),
        ("C5", "D5"),
    )
    assert crossed_edges("D4", "D5") == (("D4", "D5"),)


@pytest.mark.rule("TTS-GEO-14")
def test_the_front_zone_goes_diagonal_then_straight_but_not_the_other_way():
    assert set(FRONT_ZONE[1]) == {(1, -1), (1, 0), (1, 1)}
    assert {box: through for box, through in FRONT_ZONE[2].items() if through} == {
        (2, 0): ((1, 0),),
        (2, -1): ((1, -1),),
        (2, 1): ((1, 1),),
    }


@pytest.mark.rule("TTS-SAV-32")
def test_the_side_turned_to_a_shooter_is_that_of_the_larger_offset():
    assert edges_turned_to("D8", "D6") == ("S",)
    assert edges_turned_to("D8", "E6") == ("S",)
    assert edges_turned_to("D4", "G5") == ("E",)
    assert set(edges_turned_to("D4", "B2")) == {"W", "S"}
